//! Conversions between numeric types.
//!
//! Each is elementwise, preserves the extents, and verifies the pair of types that it converts: a conversion to the
//! same width is not an extension.

use crate::constraints::{
    FIXED_WIDTH_INTEGER_LIKE, FastMath, INTEGER_OR_MEMREF, NUMBER_OR_MEMREF, Overflow, RoundingMode,
};
use crate::expand::{LimitedConversion, WideIndexCast};
use crate::{differentiate, evaluate, generate, index_terms};
use minoan_ir::constraints::FLOAT_LIKE;
use minoan_ir::text::print_type;
use minoan_ir::{Body, Context, Flags, Op, Type, TypeData, Violation, Violations, op};
use minoan_services::{DerivativeRule, Differentiate, Evaluate, Expand, Generate, IndexTerms};

/// Extends a float to a wider format, exactly.
#[op(
    "arith.extf",
    traits(PURE, SAME_SHAPE, ELEMENTWISE),
    assembly = "$in (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)",
    verify = verify_wider,
    services(Differentiate = DerivativeRule::linear(differentiate::convert, differentiate::convert_transpose))
)]
pub struct ExtF {
    r#in: Operand<FLOAT_LIKE>,
    fastmath: Option<Flags<FastMath>>,
    out: OpResult<FLOAT_LIKE>,
}

/// Truncates a float to a narrower format; rounds to nearest, ties to even, by default.
#[op(
    "arith.truncf",
    traits(PURE, SAME_SHAPE, ELEMENTWISE),
    assembly = "$in ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)",
    verify = verify_narrower,
    services(Differentiate = DerivativeRule::linear(differentiate::convert, differentiate::convert_transpose))
)]
pub struct TruncF {
    r#in: Operand<FLOAT_LIKE>,
    roundingmode: Option<RoundingMode>,
    fastmath: Option<Flags<FastMath>>,
    out: OpResult<FLOAT_LIKE>,
}

/// Extends a float to a wider format and multiplies it by a scale: `arith.scaling_extf %x, %s : f4E2M1FN, f8E8M0FNU
/// to f32`.
///
/// The scale is first rounded to a power of two, as represented by `f8E8M0FNU`.
#[op(
    "arith.scaling_extf",
    traits(PURE, ELEMENTWISE),
    assembly = "$in `,` $scale (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `,` type($scale) `to` type($out)",
    verify = verify_scaling_wider,
    services(Evaluate = evaluate::cast::Scaling { widens: true })
)]
pub struct ScalingExtF {
    r#in: Operand<FLOAT_LIKE>,
    scale: Operand<FLOAT_LIKE>,
    fastmath: Option<Flags<FastMath>>,
    out: OpResult<FLOAT_LIKE>,
}

/// Divides a float by a scale and truncates it to a narrower format: `arith.scaling_truncf %x, %s : f32, f8E8M0FNU to
/// f4E2M1FN`.
///
/// The scale is first rounded to a power of two, as represented by `f8E8M0FNU`.
#[op(
    "arith.scaling_truncf",
    traits(PURE, ELEMENTWISE),
    assembly = "$in `,` $scale ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `,` type($scale) `to` type($out)",
    verify = verify_scaling_narrower,
    services(Evaluate = evaluate::cast::Scaling { widens: false })
)]
pub struct ScalingTruncF {
    r#in: Operand<FLOAT_LIKE>,
    scale: Operand<FLOAT_LIKE>,
    roundingmode: Option<RoundingMode>,
    fastmath: Option<Flags<FastMath>>,
    out: OpResult<FLOAT_LIKE>,
}

/// Sign-extends an integer.
#[op("arith.extsi",
     traits(PURE, SAME_SHAPE, ELEMENTWISE),
     assembly = "$in attr-dict `:` type($in) `to` type($out)",
     verify = verify_wider)]
pub struct ExtSI {
    r#in: Operand<FIXED_WIDTH_INTEGER_LIKE>,
    out: OpResult<FIXED_WIDTH_INTEGER_LIKE>,
}

/// Zero-extends an integer.
#[op("arith.extui",
     traits(PURE, SAME_SHAPE, ELEMENTWISE),
     assembly = "$in attr-dict `:` type($in) `to` type($out)",
     verify = verify_wider)]
pub struct ExtUI {
    r#in: Operand<FIXED_WIDTH_INTEGER_LIKE>,
    out: OpResult<FIXED_WIDTH_INTEGER_LIKE>,
}

/// Truncates an integer.
///
/// A flag asserts that the value fits, as a signed (`nsw`) or unsigned (`nuw`) number.
#[op("arith.trunci",
     traits(PURE, SAME_SHAPE, ELEMENTWISE),
     assembly = "$in (`overflow` `` $overflowFlags^)? attr-dict `:` type($in) `to` type($out)",
     verify = verify_narrower)]
pub struct TruncI {
    r#in: Operand<FIXED_WIDTH_INTEGER_LIKE>,
    #[attr(default = Flags::NONE, name = "overflowFlags")]
    overflow: Flags<Overflow>,
    out: OpResult<FIXED_WIDTH_INTEGER_LIKE>,
}

/// Converts a signed integer to the nearest float.
#[op(
    "arith.sitofp",
    traits(PURE, SAME_SHAPE, ELEMENTWISE),
    assembly = "$in attr-dict `:` type($in) `to` type($out)",
    verify = verify_same_dims,
    services(Expand = LimitedConversion { signed: true })
)]
pub struct SIToFP {
    r#in: Operand<FIXED_WIDTH_INTEGER_LIKE>,
    out: OpResult<FLOAT_LIKE>,
}

/// Converts an unsigned integer to the nearest float.
#[op(
    "arith.uitofp",
    traits(PURE, SAME_SHAPE, ELEMENTWISE),
    assembly = "$in attr-dict `:` type($in) `to` type($out)",
    verify = verify_same_dims,
    services(Expand = LimitedConversion { signed: false })
)]
pub struct UIToFP {
    r#in: Operand<FIXED_WIDTH_INTEGER_LIKE>,
    out: OpResult<FLOAT_LIKE>,
}

/// Converts a float to a signed integer, rounding toward zero.
///
/// Poison if the result does not fit.
#[op(
    "arith.fptosi",
    traits(PURE, SAME_SHAPE, ELEMENTWISE),
    assembly = "$in attr-dict `:` type($in) `to` type($out)",
    verify = verify_same_dims,
    services(Generate = generate::to_byte(generate::signed_byte))
)]
pub struct FPToSI {
    r#in: Operand<FLOAT_LIKE>,
    out: OpResult<FIXED_WIDTH_INTEGER_LIKE>,
}

/// Converts a float to an unsigned integer, rounding toward zero.
///
/// Poison if the result does not fit.
#[op(
    "arith.fptoui",
    traits(PURE, SAME_SHAPE, ELEMENTWISE),
    assembly = "$in attr-dict `:` type($in) `to` type($out)",
    verify = verify_same_dims,
    services(Generate = generate::to_byte(generate::unsigned_byte))
)]
pub struct FPToUI {
    r#in: Operand<FLOAT_LIKE>,
    out: OpResult<FIXED_WIDTH_INTEGER_LIKE>,
}

/// Converts between `index` and an integer type; sign-extends or truncates.
#[op(
    "arith.index_cast",
    traits(PURE, SAME_SHAPE, ELEMENTWISE),
    assembly = "$in attr-dict `:` type($in) `to` type($out)",
    verify = verify_index_cast,
    services(Expand = WideIndexCast { signed: true }, Generate = generate::of_integer(), IndexTerms = index_terms::same)
)]
pub struct IndexCast {
    r#in: Operand<INTEGER_OR_MEMREF>,
    out: OpResult<INTEGER_OR_MEMREF>,
}

/// Converts between `index` and an integer type; zero-extends or truncates.
#[op(
    "arith.index_castui",
    traits(PURE, SAME_SHAPE, ELEMENTWISE),
    assembly = "$in attr-dict `:` type($in) `to` type($out)",
    verify = verify_index_cast,
    services(Expand = WideIndexCast { signed: false }, Generate = generate::of_integer())
)]
pub struct IndexCastUI {
    r#in: Operand<INTEGER_OR_MEMREF>,
    out: OpResult<INTEGER_OR_MEMREF>,
}

/// Reinterprets the bits as another type of the same width.
#[op(
    "arith.bitcast",
    traits(PURE, SAME_SHAPE, ELEMENTWISE),
    assembly = "$in attr-dict `:` type($in) `to` type($out)",
    verify = verify_bitcast,
    services(Generate = generate::of_integer())
)]
pub struct Bitcast {
    r#in: Operand<NUMBER_OR_MEMREF>,
    out: OpResult<NUMBER_OR_MEMREF>,
}

/// The types of the operand and the result; reports different tensor extents.
fn checked_types(body: &Body, op: Op, errors: &mut Violations) -> (Type, Type) {
    let ctx = body.context();
    let view = body.op(op);
    let (from, to) = (body.ty(view.operand(0)), body.ty(view.result(0)));
    let dims = |ty: Type| if ty.is_tensor(ctx) { ty.shape(ctx) } else { None };
    if dims(from) != dims(to) {
        let message = "failed to verify that input and output have the same tensor dimensions";
        errors.push(Violation::from(message).about_result(0));
    }
    (from, to)
}

/// Whether not both types are ranked tensors, or both have the same encoding.
fn same_encoding(ctx: &Context, from: Type, to: Type) -> bool {
    let encoding = |ty: Type| match *ty.data(ctx) {
        TypeData::RankedTensor { encoding, .. } => Some(encoding),
        _ => None,
    };
    match (encoding(from), encoding(to)) {
        (Some(from), Some(to)) => from == to,
        _ => true,
    }
}

/// Reports a pair of types that `fits` rejects.
fn verify_pair(body: &Body, op: Op, errors: &mut Violations, fits: impl Fn(&Context, Type, Type) -> bool) {
    let ctx = body.context();
    let (from, to) = checked_types(body, op, errors);
    if !errors.is_empty() {
        return;
    }
    if !same_encoding(ctx, from, to) || !fits(ctx, from.element_or_self(ctx), to.element_or_self(ctx)) {
        errors.push(Violation::cast(ctx, from, to));
    }
}

fn verify_same_dims(body: &Body, op: Op, errors: &mut Violations) {
    verify_pair(body, op, errors, |_, _, _| true);
}

fn verify_wider(body: &Body, op: Op, errors: &mut Violations) {
    verify_pair(body, op, errors, |ctx, from, to| width(ctx, from) < width(ctx, to));
}

fn verify_narrower(body: &Body, op: Op, errors: &mut Violations) {
    verify_pair(body, op, errors, |ctx, from, to| width(ctx, from) > width(ctx, to));
}

/// Reports invalid types of a scaling conversion; `widens` is the direction.
fn verify_scaling(body: &Body, op: Op, errors: &mut Violations, widens: bool) {
    let (view, ctx) = (body.op(op), body.context());
    let [from, scale] = [0, 1].map(|at| body.ty(view.operand(at)));
    let to = body.ty(view.result(0));
    let [narrow, wide] = if widens { [from, to] } else { [to, from] };
    let same = from.shape(ctx) == to.shape(ctx) && from.is_vector(ctx) == to.is_vector(ctx);
    let widths = [narrow, wide].map(|ty| width(ctx, ty.element_or_self(ctx)));
    if !same || widths[0] >= widths[1] {
        let show = |ty| print_type(ctx, ty);
        let (from, scale, to) = (show(from), show(scale), show(to));
        let message =
            format!("operand types '{from}', '{scale}' and result type '{to}' are cast incompatible");
        errors.push(Violation::from(message).about_result(0));
    }
}

fn verify_scaling_wider(body: &Body, op: Op, errors: &mut Violations) {
    verify_scaling(body, op, errors, true);
}

fn verify_scaling_narrower(body: &Body, op: Op, errors: &mut Violations) {
    verify_scaling(body, op, errors, false);
}

fn verify_index_cast(body: &Body, op: Op, errors: &mut Violations) {
    verify_pair(body, op, errors, |_, from, to| (from == Type::INDEX) != (to == Type::INDEX));
}

fn verify_bitcast(body: &Body, op: Op, errors: &mut Violations) {
    verify_pair(body, op, errors, |ctx, from, to| {
        width(ctx, from).is_some() && width(ctx, from) == width(ctx, to)
    });
}

/// The bit width of a number; `None` for `index`.
fn width(ctx: &Context, ty: Type) -> Option<u32> {
    ty.integer_width(ctx).or_else(|| ty.float_kind(ctx).map(|kind| kind.width()))
}
