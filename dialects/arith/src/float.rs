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
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

/// Floating-point subtraction.
#[op(
    "arith.subf",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct SubF {
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

/// Floating-point multiplication.
#[op(
    "arith.mulf",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct MulF {
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

/// Floating-point division.
#[op(
    "arith.divf",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct DivF {
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

/// Remainder of the division rounded toward zero, as C's `fmod`, with the sign of the dividend.
#[op(
    "arith.remf",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct RemF {
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

/// Floating-point negation: flips the sign, also that of a NaN.
#[op(
    "arith.negf",
    traits(PURE, INVOLUTION, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct NegF {
    operand: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

/// Maximum; NaN if an operand is NaN. `-0.0` is less than `+0.0`.
#[op(
    "arith.maximumf",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct MaximumF {
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

/// Minimum; NaN if an operand is NaN. `-0.0` is less than `+0.0`.
#[op(
    "arith.minimumf",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct MinimumF {
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

/// Maximum; if one operand is NaN, the other.
#[op(
    "arith.maxnumf",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct MaxNumF {
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

/// Minimum; if one operand is NaN, the other.
#[op(
    "arith.minnumf",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct MinNumF {
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
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
