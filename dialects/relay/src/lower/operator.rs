//! The pattern that converts operators by their rules.

use super::site::{Site, Tensor};
use super::{Rule, extent, problem, rule_of, tensors};
use crate::dialect::{attrs_of, from_ir, is_value_type, operator_of, tensor_from_ir};
use crate::operators::{Operator, find};
use crate::ty::{TensorType, Type};
use minoan_functional::cast;
use minoan_ir::{Builder, Context, Op, OpKind, OpRef, Type as IrType, Value};
use minoan_rewrite::{Matched, NoMatch, Pattern, Rewriter, Root, TypeConversion, TypeConverter, Values};
use minoan_services::UnrealizedCast;
use minoan_tensor::Cast;
use smallvec::SmallVec;
use std::sync::Arc;

/// Converts operators by their rules, with benefit 1: a pattern with a higher benefit replaces the rule of an operator.
pub(super) struct ConvertOperator(Arc<TypeConverter>);

impl ConvertOperator {
    pub(super) fn new(types: &Arc<TypeConverter>) -> Self {
        Self(Arc::clone(types))
    }
}

impl Pattern for ConvertOperator {
    fn name(&self) -> &str {
        "convert-relay-operator"
    }

    fn root(&self) -> Root {
        Root::Kinds(is_operator)
    }

    fn rewrite(&self, op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
        let view = rewriter.op(op);
        let operator = operator_of(view).ok_or(NoMatch::because("it is not an operator"))?;
        let ctx = view.context();
        let invalid = view.operand_types().chain(view.result_types()).find(|&ty| !is_value_type(ctx, ty));
        if let Some(message) = problem(view, invalid) {
            return Err(NoMatch::error(message));
        }
        let rule = rule_of(operator).map_err(NoMatch::error)?;
        let types: Vec<IrType> = view.result_types().collect();
        let mut conversion = TypeConversion::new(&self.0, rewriter);
        let types = conversion.convert_types(&types)?;
        let values = conversion.operands(op)?;
        let made = convert(op, (operator, rule), values, &types, conversion.rewriter);
        let made = made.map_err(|message| {
            conversion.rewriter.discard();
            NoMatch::error(format!("no lowering yet for this {}: {message}", operator.name))
        })?;
        conversion.replace_flat(op, &made)?;
        Ok(Matched)
    }
}

fn is_operator(ctx: &Context, kind: OpKind) -> bool {
    ctx.kind_name(kind).strip_prefix("relay.").and_then(find).is_some()
}

/// Creates the results of an operator, of these types, from its converted operands.
fn convert(
    op: Op,
    (operator, rule): (&'static Operator, Rule),
    values: Vec<Values>,
    types: &[IrType],
    rewriter: &mut Rewriter<'_>,
) -> Result<Vec<Value>, String> {
    let (view, ctx) = (rewriter.op(op), rewriter.context());
    let attrs = attrs_of(view, operator)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
    let args = values.into_iter().zip(view.operand_types()).map(|(values, ty)| {
        let types = flat_types(ctx, ty);
        values.into_iter().zip(types).map(|(value, ty)| Tensor { value, ty }).collect()
    });
    let args = args.collect();
    let results = view.result_types().flat_map(|ty| flat_types(ctx, ty)).collect();
    let mut b = rewriter.builder();
    let made = rule(&Site { name: operator.name, attrs, args, results }, &mut b)?;
    if made.len() != types.len() {
        return Err(format!("it has {} results, not {}", types.len(), made.len()));
    }
    let made = made.into_iter().zip(types);
    Ok(made.map(|(tensor, &ty)| narrowed(&mut b, operator.name, tensor.value, ty)).collect())
}

/// The components of a type.
fn flat_types(ctx: &Context, ty: IrType) -> SmallVec<[TensorType; 1]> {
    // The recursion is bounded, since the nesting of tuples is.
    fn add(ty: Type, out: &mut SmallVec<[TensorType; 1]>) {
        match ty {
            Type::Tensor(tensor) => out.push(tensor),
            Type::Tuple(parts) => parts.into_iter().for_each(|part| add(part, out)),
            Type::Hole(_) | Type::Other(_) => {}
        }
    }
    let mut out = SmallVec::new();
    match tensor_from_ir(ctx, ty) {
        Some(tensor) => out.push(tensor),
        None => add(from_ir(ctx, ty), &mut out),
    }
    out
}

/// Casts a result to its declared type; asserts the extents that the cast makes static.
fn narrowed(b: &mut Builder<'_>, name: &str, value: Value, ty: IrType) -> Value {
    let (ctx, from) = (b.context(), b.ty(value));
    if from == ty {
        return value;
    }
    for (axis, &wanted) in ty.shape(&ctx).unwrap_or(&[]).iter().enumerate() {
        if wanted != minoan_ir::DYNAMIC {
            let found = extent::Extent::of(b, value, axis);
            found.expect(b, extent::Extent::Known(wanted), || match name {
                // The copy that casts a value to the type expected by its use.
                "copy" => {
                    let expected = from_ir(&ctx, ty);
                    format!("expected {expected}, but the extent along axis {axis} is {{}}")
                }
                name => {
                    format!("{name}: expected extent {wanted} along axis {axis} of the result, found {{}}")
                }
            });
        }
    }
    Cast::build(b, value, ty).dest(b.body())
}

/// The element of a tensor of rank 0. For the result of an operator, which is converted later, it is a cast, which
/// [`condition`] materializes.
pub(super) fn number(b: &mut Builder<'_>, tensor: Value) -> Value {
    let producer = b.body().defining_op(tensor).map(|op| b.body().op(op));
    let element = b.ty(tensor).element(&b.context());
    match (producer, element) {
        (Some(op), Some(element)) if operator_of(op).is_some() || is_cast(op) => {
            cast(b, &[tensor], &[element])[0]
        }
        _ => tensors::scalar(b, tensor),
    }
}

/// Whether an operation is an unrealized cast, such as that from the tuple of an operator to its components.
fn is_cast(op: OpRef<'_>) -> bool {
    op.context().service::<dyn UnrealizedCast>(op.kind()).is_some()
}

/// Materializes the cast from a tensor of rank 0 to its element.
pub(super) fn condition(b: &mut Builder<'_>, values: &[Value], types: &[IrType]) -> Option<Vec<Value>> {
    let ctx = b.context();
    match (values, types) {
        (&[tensor], &[IrType::I1]) if b.ty(tensor) == IrType::tensor(&ctx, &[], IrType::I1) => {
            Some(vec![tensors::scalar(b, tensor)])
        }
        _ => None,
    }
}
