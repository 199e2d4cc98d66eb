//! Floating-point arithmetic.

use crate::constraints::FastMath;
use minoan_ir::constraints::FLOAT_LIKE;
use minoan_ir::{Flags, OpRef, op};
use minoan_services::{Cost, MachineModel, Work};

/// Floating-point addition.
#[op(
    "arith.addf",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct AddF {
    #[operand(FLOAT_LIKE)]
    lhs: Value,
    #[operand(FLOAT_LIKE)]
    rhs: Value,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    #[result(FLOAT_LIKE)]
    result: Value,
}

/// Floating-point subtraction.
#[op(
    "arith.subf",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct SubF {
    #[operand(FLOAT_LIKE)]
    lhs: Value,
    #[operand(FLOAT_LIKE)]
    rhs: Value,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    #[result(FLOAT_LIKE)]
    result: Value,
}

/// Floating-point multiplication.
#[op(
    "arith.mulf",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct MulF {
    #[operand(FLOAT_LIKE)]
    lhs: Value,
    #[operand(FLOAT_LIKE)]
    rhs: Value,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    #[result(FLOAT_LIKE)]
    result: Value,
}

/// Floating-point division.
#[op(
    "arith.divf",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct DivF {
    #[operand(FLOAT_LIKE)]
    lhs: Value,
    #[operand(FLOAT_LIKE)]
    rhs: Value,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    #[result(FLOAT_LIKE)]
    result: Value,
}

/// Remainder of the division rounded toward zero, as C's `fmod`, with the sign of the dividend.
#[op(
    "arith.remf",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct RemF {
    #[operand(FLOAT_LIKE)]
    lhs: Value,
    #[operand(FLOAT_LIKE)]
    rhs: Value,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    #[result(FLOAT_LIKE)]
    result: Value,
}

/// Floating-point negation: flips the sign, also that of a NaN.
#[op(
    "arith.negf",
    traits(PURE, INVOLUTION, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct NegF {
    #[operand(FLOAT_LIKE)]
    operand: Value,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    #[result(FLOAT_LIKE)]
    result: Value,
}

/// Maximum; NaN if an operand is NaN. `-0.0` is less than `+0.0`.
#[op(
    "arith.maximumf",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct MaximumF {
    #[operand(FLOAT_LIKE)]
    lhs: Value,
    #[operand(FLOAT_LIKE)]
    rhs: Value,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    #[result(FLOAT_LIKE)]
    result: Value,
}

/// Minimum; NaN if an operand is NaN. `-0.0` is less than `+0.0`.
#[op(
    "arith.minimumf",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct MinimumF {
    #[operand(FLOAT_LIKE)]
    lhs: Value,
    #[operand(FLOAT_LIKE)]
    rhs: Value,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    #[result(FLOAT_LIKE)]
    result: Value,
}

/// Maximum; if one operand is NaN, the other.
#[op(
    "arith.maxnumf",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct MaxNumF {
    #[operand(FLOAT_LIKE)]
    lhs: Value,
    #[operand(FLOAT_LIKE)]
    rhs: Value,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    #[result(FLOAT_LIKE)]
    result: Value,
}

/// Minimum; if one operand is NaN, the other.
#[op(
    "arith.minnumf",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct MinNumF {
    #[operand(FLOAT_LIKE)]
    lhs: Value,
    #[operand(FLOAT_LIKE)]
    rhs: Value,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    #[result(FLOAT_LIKE)]
    result: Value,
}

/// The cost of a division: one instruction, which occupies the divider for several cycles.
pub(crate) struct Divider;

/// The cycles of the divider of current processors for one vector.
const DIVIDER_CYCLES: f64 = 8.0;

impl Cost for Divider {
    fn instructions(&self, _: OpRef<'_>) -> usize {
        1
    }

    fn work(&self, _: OpRef<'_>, _: &MachineModel) -> Work {
        Work { other: DIVIDER_CYCLES, ..Work::default() }
    }
}
