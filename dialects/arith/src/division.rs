//! Integer division and remainder.
//!
//! They have no side effects, so they may be erased. A zero divisor is undefined behaviour, so they are speculatable only
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
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[attr(unit, name = "isExact")]
    exact: bool,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
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
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[attr(unit, name = "isExact")]
    exact: bool,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
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
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
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
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
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
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
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
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
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
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}
