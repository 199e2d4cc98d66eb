//! `arith.constant`.

use crate::evaluate;
use minoan_ir::affine::AffineMap;
use minoan_ir::constraints::{ANY, TYPED_ATTR};
use minoan_ir::{
    Attr, AttrData, Body, Builder, InferInput, Op, OpDef, OpRef, Signedness, Type, TypeData, Value,
    Violation, Violations, op,
};
use minoan_services::{Cost, Datum, Domain, Evaluate, Extent, IterationDomain, IteratorType};

/// A constant: an integer, a float, or elements.
///
/// The result has the type of `value`: `arith.constant 4 : i32`, `arith.constant dense<1.0> : tensor<2xf32>`.
#[op(
    "arith.constant",
    traits(PURE, CONSTANT_LIKE),
    assembly = "attr-dict $value",
    verify = verify_constant,
    infer = infer_constant,
    // A constant is an immediate operand of its users.
    services(Evaluate = evaluate::ConstantValue, Cost = 0, IterationDomain = SplatConstant)
)]
pub struct Constant {
    #[attr(TYPED_ATTR)]
    value: Attr,
    result: OpResult<ANY>,
}

fn infer_constant(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let value = input.props.get(input.ctx, input.ctx.names().value);
    match value.and_then(|value| value.value_type(input.ctx)) {
        Some(ty) => Ok(vec![ty]),
        None => Err("value must be an integer, float, or elements attribute".into()),
    }
}

fn verify_constant(body: &Body, op: Op, errors: &mut Violations) {
    let ctx = body.context();
    let view = body.op(op);
    let Some(value) = view.attr(ctx.names().value) else { return };
    let ty = body.ty(view.result(0));
    if value.value_type(ctx).is_some_and(|of| of != ty) {
        let message = "failed to verify that all of {value, result} have same type";
        errors.push(Violation::from(message).about_result(0));
        return;
    }
    if let TypeData::Integer { signedness: Signedness::Signed | Signedness::Unsigned, .. } = ty.data(ctx) {
        errors.push(Violation::from("integer return type must be signless").about_result(0));
    }
    match value.data(ctx) {
        AttrData::Integer { .. }
        | AttrData::Float { .. }
        | AttrData::DenseStrings { .. }
        | AttrData::DenseResource { .. } => {}
        AttrData::DenseElements { splat: true, .. } => {}
        AttrData::DenseElements { .. } | AttrData::Sparse { .. } => {
            if matches!(ty.data(ctx), TypeData::Vector { scalable, .. } if scalable.contains(&true)) {
                errors.push(
                    "intializing scalable vectors with elements attribute is not supported unless it's a \
                     vector splat",
                );
            }
        }
        _ => errors.push("value must be an integer, float, or elements attribute"),
    }
}

/// Creates a constant of type `index`.
#[track_caller]
pub fn constant_index(b: &mut Builder<'_>, value: i64) -> Value {
    constant_int(b, value, Type::INDEX)
}

/// Creates a constant of an integer type or `index`, or a splat of a vector or tensor of these.
#[track_caller]
pub fn constant_int(b: &mut Builder<'_>, value: i64, ty: Type) -> Value {
    let ctx = b.context();
    let scalar = Attr::integer(&ctx, value, ty.element_or_self(&ctx));
    let value = splat(b, scalar, ty);
    constant(b, value)
}

/// Creates a constant of a floating-point type, rounded to it, or a splat of a vector or tensor of one.
///
/// # Panics
/// Panics if `ty` is another type.
#[track_caller]
pub fn constant_float(b: &mut Builder<'_>, value: f64, ty: Type) -> Value {
    let ctx = b.context();
    let scalar = Attr::float(&ctx, value, ty.element_or_self(&ctx));
    let value = splat(b, scalar, ty);
    constant(b, value)
}

/// Creates a constant of type `i1`.
#[track_caller]
pub fn constant_bool(b: &mut Builder<'_>, value: bool) -> Value {
    constant(b, Attr::bool(value))
}

/// A scalar attribute, or a splat of a shaped type.
fn splat(b: &Builder<'_>, scalar: Attr, ty: Type) -> Attr {
    let ctx = b.body().context();
    if ty.element(ctx).is_none() {
        return scalar;
    }
    let data: Box<[u8]> = match scalar.data(ctx) {
        AttrData::Integer { value, ty } => {
            value.to_le_bytes(ty.integer_width(ctx).unwrap_or(64).div_ceil(8) as usize).into()
        }
        AttrData::Float { bits, ty } => {
            let bytes = ty.float_kind(ctx).map_or(8, |kind| kind.width().div_ceil(8)) as usize;
            bits.to_le_bytes()[..bytes].into()
        }
        _ => unreachable!("scalar constants are integers and floats"),
    };
    ctx.intern_attr(AttrData::DenseElements { ty, data, splat: true })
}

/// Makes tensor constants with equal elements producers, so that `fuse` replaces them by scalars in their consumers.
pub(crate) struct SplatConstant;

impl SplatConstant {
    /// The element of a tensor constant whose elements are equal.
    fn element(op: OpRef<'_>) -> Option<Attr> {
        let ctx = op.context();
        let value = op.attr(ctx.names().value)?;
        let is_splat = matches!(value.data(ctx), AttrData::DenseElements { splat: true, .. });
        let ty = op.result_types().next().filter(|ty| is_splat && ty.is_tensor(ctx))?;
        Datum::element_of(ctx, value, &vec![0; ty.rank(ctx)?])
    }
}

impl IterationDomain for SplatConstant {
    fn domain(&self, op: OpRef<'_>) -> Option<Domain> {
        let rank = op.result_types().next()?.rank(op.context())? as u32;
        Self::element(op)?;
        Some(Domain {
            iterator_types: vec![IteratorType::Parallel; rank as usize],
            extents: Extent::of_result(op, 0)?,
            reads: Vec::new(),
            writes: vec![AffineMap::identity(rank)],
        })
    }

    fn compute(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        _: &[Value],
        _: &mut dyn FnMut(&mut Builder<'_>, u32) -> Value,
    ) -> Vec<Value> {
        let element = Self::element(b.body().op(op)).expect("only splat constants have a domain");
        vec![constant(b, element)]
    }
}

/// The value of a constant, if `value` is the result of an `arith.constant`.
pub fn constant_value(body: &Body, value: Value) -> Option<Attr> {
    let op = Constant::cast(body, body.defining_op(value)?)?;
    Some(op.value(body))
}
