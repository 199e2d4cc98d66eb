//! Floating-point arithmetic.

use crate::constraints::FastMath;
use crate::{CmpFPredicate, algebra, andi, differentiate, expand, lanes, ori};
use minoan_ir::constraints::FLOAT_LIKE;
use minoan_ir::{Flags, OpRef, op};
use minoan_services::{Algebra, Cost, DerivativeRule, Differentiate, Expand, MachineModel, VectorForm, Work};

/// Floating-point addition.
#[op(
    "arith.addf",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    services(Differentiate = DerivativeRule::linear(differentiate::add, differentiate::add_transpose))
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
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    services(
        Algebra = algebra::Subtracts,
        Differentiate = DerivativeRule::linear(differentiate::sub, differentiate::sub_transpose),
    )
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
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    services(Differentiate = DerivativeRule::linear(differentiate::mul, differentiate::mul_transpose))
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
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    services(
        Algebra = algebra::Divides,
        Differentiate = DerivativeRule::linear(differentiate::div, differentiate::div_transpose)
            .singular(differentiate::may_divide_by_zero),
        VectorForm = lanes::QuotientLanes,
        Cost = Divider,
    )
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
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    services(Differentiate = DerivativeRule::new(differentiate::rem).singular(differentiate::may_divide_by_zero))
)]
pub struct RemF {
    lhs: Operand<FLOAT_LIKE>,
    rhs: Operand<FLOAT_LIKE>,
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    result: OpResult<FLOAT_LIKE>,
}

/// Floating-point negation: flips the sign bit, even of a NaN.
#[op(
    "arith.negf",
    traits(PURE, INVOLUTION, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    services(
        Algebra = algebra::Subtracts,
        Differentiate = DerivativeRule::linear(differentiate::neg, differentiate::neg_transpose),
    )
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
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    services(
        Differentiate = DerivativeRule::new(differentiate::larger),
        Expand = expand::Extremum { beats: CmpFPredicate::Ogt, of_equals: andi },
    )
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
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    services(
        Differentiate = DerivativeRule::new(differentiate::smaller),
        Expand = expand::Extremum { beats: CmpFPredicate::Olt, of_equals: ori },
    )
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
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    services(Differentiate = DerivativeRule::new(differentiate::larger))
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
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    services(Differentiate = DerivativeRule::new(differentiate::smaller))
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
