//! Operations on the representation of complex numbers: parts, constants, bits.

use crate::constraints::{ANY_COMPLEX, COMPLEX, part_type};
use crate::{canonicalize, evaluate};
use minoan_arith::constraints::FastMath;
use minoan_ir::constraints::{ANY, ANY_FLOAT, ARRAY_ATTR};
use minoan_ir::text::{AsmNames, print_type};
use minoan_ir::{
    Attr, Body, Builder, Context, Flags, Op, OpRef, OpState, Type, Value, Violation, Violations, op,
};
use minoan_services::{ConstantMaterializer, Cost, Evaluate, Fold, FoldFn};

/// The complex number with these parts.
#[op(
    "complex.create",
    traits(PURE),
    same_types(real, imaginary),
    derive(real = part_type(complex), "complex element type matches real operand type"),
    derive(imaginary = part_type(complex), "complex element type matches imaginary operand type"),
    assembly = "$real `,` $imaginary attr-dict `:` type($complex)",
    services(Evaluate = evaluate::Create, Fold = FoldFn(canonicalize::create), Cost = 0)
)]
pub struct Create {
    real: Operand<ANY_FLOAT>,
    imaginary: Operand<ANY_FLOAT>,
    complex: OpResult<COMPLEX>,
}

/// The real part.
#[op(
    "complex.re",
    traits(PURE, ELEMENTWISE),
    derive(real = part_type(complex), "complex element type matches result type"),
    assembly = "$complex (`fastmath` `` $fastmath^)? attr-dict `:` type($complex)",
    services(Evaluate = evaluate::TakePart(0), Fold = FoldFn(|op, known| canonicalize::part(op, known, 0)), Cost = 0)
)]
pub struct Re {
    complex: Operand<COMPLEX>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    real: OpResult<ANY_FLOAT>,
}

/// The imaginary part.
#[op(
    "complex.im",
    traits(PURE, ELEMENTWISE),
    derive(imaginary = part_type(complex), "complex element type matches result type"),
    assembly = "$complex (`fastmath` `` $fastmath^)? attr-dict `:` type($complex)",
    services(Evaluate = evaluate::TakePart(1), Fold = FoldFn(|op, known| canonicalize::part(op, known, 1)), Cost = 0)
)]
pub struct Im {
    complex: Operand<COMPLEX>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    imaginary: OpResult<ANY_FLOAT>,
}

/// A constant: `complex.constant [0.1, -1.0] : complex<f64>`.
#[op(
    "complex.constant",
    traits(PURE, CONSTANT_LIKE),
    verify = verify_constant,
    assembly = "$value attr-dict `:` type($complex)",
    services(Evaluate = evaluate::ConstantValue, AsmNames = Named, Cost = 0)
)]
pub struct Constant {
    /// The real and the imaginary part.
    #[attr(ARRAY_ATTR)]
    value: Attr,
    complex: OpResult<ANY_COMPLEX>,
}

fn verify_constant(body: &Body, op: Op, errors: &mut Violations) {
    let (ctx, view) = (body.context(), body.op(op));
    let parts = view.attr(ctx.names().value).and_then(|value| value.as_array(ctx)).unwrap_or(&[]);
    let &[re, im] = parts else {
        errors.push("requires 'value' to be a complex constant, represented as array of two values");
        return;
    };
    let part = part_type(ctx, body.ty(view.result(0)));
    let types = [re, im].map(|part| part.value_type(ctx));
    if types != [part; 2] {
        let [re, im, part] = [types[0], types[1], part]
            .map(|ty| ty.map_or_else(|| "'none'".to_owned(), |ty| format!("'{}'", print_type(ctx, ty))));
        errors.push(format!(
            "requires attribute's element types ({re}, {im}) to match the element type of the op's return type ({part})"
        ));
    }
}

/// Creates the constant number with the parts `[re, im]`, rounded to those of the type.
pub fn constant_number(b: &mut Builder<'_>, parts: [f64; 2], ty: Type) -> Value {
    let ctx = b.context();
    let part = part_type(&ctx, ty).expect("the type is one of complex numbers");
    let parts = parts.map(|value| Attr::float(&ctx, value, part));
    constant(b, Attr::array(&ctx, &parts), ty)
}

/// Names constants `%cst`, as upstream does.
struct Named;

impl AsmNames for Named {
    fn result_names(&self, _: OpRef<'_>, set: &mut dyn FnMut(usize, &str)) {
        set(0, "cst");
    }
}

/// Materializes pairs of floats as `complex.constant`.
pub(crate) struct Constants;

impl ConstantMaterializer for Constants {
    fn materialize(&self, ctx: &Context, value: Attr, ty: Type) -> Option<OpState> {
        let part = part_type(ctx, ty)?;
        let parts = value.as_array(ctx)?;
        let fits = parts.len() == 2 && parts.iter().all(|one| one.value_type(ctx) == Some(part));
        let props = || Attr::dictionary(ctx, &[(ctx.names().value, value)]);
        fits.then(|| OpState::new(ctx.kind_of::<Constant>()).props(props()).results(&[ty]))
    }
}

/// The bits of a complex number as an integer or float of twice the width of the parts, or the reverse; the real part has the
/// low bits.
#[op(
    "complex.bitcast",
    traits(PURE),
    verify = verify_bitcast,
    assembly = "$operand attr-dict `:` type($operand) `to` type($result)",
    services(Evaluate = evaluate::Bits, Fold = FoldFn(canonicalize::bitcast), Cost = 1)
)]
pub struct Bitcast {
    operand: Operand<ANY>,
    result: OpResult<ANY>,
}

fn verify_bitcast(body: &Body, op: Op, errors: &mut Violations) {
    let (ctx, view) = (body.context(), body.op(op));
    let (from, to) = (body.ty(view.operand(0)), body.ty(view.result(0)));
    if from == to {
        return;
    }
    let width = |ty: Type| ty.integer_width(ctx).or_else(|| Some(ty.float_kind(ctx)?.width()));
    let is_complex = |ty| part_type(ctx, ty).is_some();
    if width(from).is_none() && !is_complex(from) {
        errors.push(Violation::from("operand must be int/float/complex").about_operand(0));
    } else if width(to).is_none() && !is_complex(to) {
        errors.push(Violation::from("result must be int/float/complex").about_result(0));
    } else if is_complex(from) == is_complex(to) {
        errors.push("requires that either input or output has a complex type");
    } else {
        let bits = |ty| match part_type(ctx, ty) {
            Some(part) => width(part).map(|width| 2 * width),
            None => width(ty),
        };
        // The parts of complex numbers may be indices.
        if bits(from) != bits(to) || bits(from).is_none() {
            errors.push("casting bitwidths do not match");
        }
    }
}
