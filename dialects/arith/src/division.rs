//! Integer division and remainder.
//!
//! None of them is pure: a zero divisor is undefined behaviour, so they must not be executed where they were not.
//! They have no effect, so they may be removed.

use minoan_ir::constraints::{SIGNLESS_INTEGER_LIKE, UNIT_ATTR};
use minoan_ir::op;

/// Signed division, rounded towards zero.
///
/// Undefined for a zero divisor, and where the quotient does not fit. `exact` promises that nothing remains.
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
    #[attr(UNIT_ATTR, name = "isExact")]
    exact: Option<Attr>,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// Unsigned division, rounded towards zero.
///
/// Undefined for a zero divisor. `exact` promises that nothing remains.
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
    #[attr(UNIT_ATTR, name = "isExact")]
    exact: Option<Attr>,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// Signed division, rounded up.
///
/// Undefined for a zero divisor, and where the quotient does not fit.
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

/// Signed division, rounded down.
///
/// Undefined for a zero divisor, and where the quotient does not fit.
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

/// Remainder of the signed division; it has the sign of the dividend.
///
/// Undefined for a zero divisor.
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

/// Remainder of the unsigned division.
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
