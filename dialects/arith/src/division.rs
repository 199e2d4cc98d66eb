//! Integer division and remainder.
//!
//! They have no side effects, so they may be erased. A zero divisor is undefined behavior, so they are speculatable only
//! if the divisor is a constant for which they are defined.

use minoan_ir::constraints::SIGNLESS_INTEGER_LIKE;
use minoan_ir::op;

/// Signed division, rounded toward zero.
///
/// Undefined for a zero divisor and on overflow; poison if `exact` is set and the remainder is nonzero.
#[op(
    "arith.divsi",
    traits(SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)"
)]
pub struct DivSI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    #[attr(unit, name = "isExact")]
    exact: bool,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Unsigned division, rounded toward zero.
///
/// Undefined for a zero divisor; poison if `exact` is set and the remainder is nonzero.
#[op(
    "arith.divui",
    traits(SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)"
)]
pub struct DivUI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    #[attr(unit, name = "isExact")]
    exact: bool,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Signed division, rounded toward positive infinity.
///
/// Undefined for a zero divisor and on overflow.
#[op(
    "arith.ceildivsi",
    traits(SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct CeilDivSI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Unsigned division, rounded up.
///
/// Undefined for a zero divisor.
#[op(
    "arith.ceildivui",
    traits(SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct CeilDivUI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Signed division, rounded toward negative infinity.
///
/// Undefined for a zero divisor and on overflow.
#[op(
    "arith.floordivsi",
    traits(SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct FloorDivSI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Remainder of signed division, with the sign of the dividend.
///
/// Undefined for a zero divisor and on overflow.
#[op(
    "arith.remsi",
    traits(SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct RemSI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Remainder of unsigned division.
///
/// Undefined for a zero divisor.
#[op(
    "arith.remui",
    traits(SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct RemUI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}
