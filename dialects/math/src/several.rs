//! Floating-point functions of several operands.

use crate::{differentiate, evaluate, expand, generate};
use minoan_arith::constraints::FastMath;
use minoan_ir::constraints::{FLOAT_LIKE, SIGNLESS_INTEGER_LIKE};
use minoan_ir::{Attr, Context, Flags, InferInput, OpRef, Type, op, type_constraints};
use minoan_services::{
    DerivativeRule, Differentiate, Evaluate, Expand, FloatBinary, FloatTernary, Generate, InMlir, ToMlir,
};

/// The angle of a point; the first operand is the ordinate.
#[op(
    "math.atan2",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    services(
        Evaluate = FloatBinary::new(f32::atan2, f64::atan2),
        Differentiate = DerivativeRule::new(differentiate::atan2_tangent).singular(|_| true),
        Expand = expand::ANGLE,
    )
)]
pub struct Atan2 {
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

/// The magnitude of the first operand with the sign of the second.
#[op(
    "math.copysign",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    services(
        Evaluate = FloatBinary::new(f32::copysign, f64::copysign),
        Differentiate = DerivativeRule::new(differentiate::copysign_tangent),
        Generate = generate::copy_sign(),
    )
)]
pub struct CopySign {
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

/// The first operand raised to the power of the second.
#[op(
    "math.powf",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    services(
        Evaluate = FloatBinary::new(f32::powf, f64::powf),
        Differentiate = DerivativeRule::new(differentiate::powf_tangent).singular(|_| true),
        Expand = expand::POWER,
    )
)]
pub struct PowF {
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

/// Fused multiply-add: the product of the first two operands plus the third, rounded once.
#[op(
    "math.fma",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs `,` $addend (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    services(
        Evaluate = FloatTernary::new(f32::mul_add, f64::mul_add),
        Differentiate = DerivativeRule::new(differentiate::fma_tangent),
    )
)]
pub struct Fma {
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<FLOAT_LIKE>,
    addend: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

/// Clamps a value to bounds; NaN if an operand is NaN.
///
/// The assembly is `math.clampf %x to [%lo, %hi] : f32`.
#[op(
    "math.clampf",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$value `to` ` ` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    services(Evaluate = evaluate::clamp(), Differentiate = DerivativeRule::new(differentiate::clamp))
)]
pub struct ClampF {
    value: Operand<FLOAT_LIKE>,
    min: Operand<FLOAT_LIKE>,
    max: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

/// A float raised to a signed integer power.
#[op(
    "math.fpowi",
    traits(PURE, SAME_SHAPE, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs) `,` type($rhs)",
    same_types(lhs, result),
    infer = infer_first,
    services(
        Evaluate = evaluate::IntegerPower,
        Differentiate = DerivativeRule::new(differentiate::fpowi_tangent).singular(differentiate::may_have_pole),
    )
)]
pub struct FPowI {
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

type_constraints! {
    SINGLE_OR_DOUBLE_LIKE "32-bit or 64-bit float-like" |ctx, ty| is_like(ctx, ty, &[Type::F32, Type::F64]);
    I32_LIKE "32-bit-signless-integer-like" |ctx, ty| is_like(ctx, ty, &[Type::I32]);
}

/// Whether a type is one of the elements, or a vector or tensor of one.
fn is_like(ctx: &Context, ty: Type, elements: &[Type]) -> bool {
    !ty.is_memref(ctx) && elements.contains(&ty.element_or_self(ctx))
}

/// A float multiplied by two to the power of an integer, rounded once.
///
/// MLIR 22 has no such operation; it is translated to LLVM's intrinsic. `expand-math` creates it for processors that have an
/// instruction for it.
#[op(
    "math.ldexp",
    traits(PURE, SAME_SHAPE, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)",
    same_types(lhs, result),
    infer = infer_first,
    services(Evaluate = evaluate::Ldexp, ToMlir = LdexpIntrinsic)
)]
pub struct Ldexp {
    lhs: Operand<SINGLE_OR_DOUBLE_LIKE>,
    rhs: Operand<I32_LIKE>,
    result: OpResult<SINGLE_OR_DOUBLE_LIKE>,
}

/// A call of the intrinsic by its name: MLIR's own operation takes no vectors of exponents.
struct LdexpIntrinsic;

impl ToMlir for LdexpIntrinsic {
    fn operation(&self, op: OpRef<'_>) -> InMlir {
        let ctx = op.context();
        let entry = |name: &str, value: Attr| (ctx.name(name), value);
        let props = Attr::dictionary(
            ctx,
            &[
                entry("intrin", Attr::string(ctx, "llvm.ldexp")),
                entry("op_bundle_sizes", Attr::dense_i32(ctx, &[])),
                entry("operandSegmentSizes", Attr::dense_i32(ctx, &[2, 0])),
            ],
        );
        InMlir::elementwise(op, "llvm.call_intrinsic", props)
    }
}

/// The sine and the cosine.
#[op(
    "math.sincos",
    traits(PURE, SAME_SHAPE, ELEMENTWISE),
    assembly = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand)",
    same_types(operand, sin, cos),
    infer = infer_twice,
    services(
        Evaluate = evaluate::SineAndCosine,
        Differentiate = DerivativeRule::new(differentiate::sincos),
        Expand = expand::SINE_AND_COSINE,
    )
)]
pub struct SinCos {
    operand: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    sin: OpResult<FLOAT_LIKE>,
    cos: OpResult<FLOAT_LIKE>,
}

fn infer_first(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let first = input.operands.first().ok_or("expected 2 operands, but found 0")?;
    Ok(vec![*first])
}

fn infer_twice(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let operand = input.operands.first().ok_or("expected 1 operand, but found 0")?;
    Ok(vec![*operand; 2])
}
