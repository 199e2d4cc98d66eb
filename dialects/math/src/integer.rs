//! Integer functions.

use minoan_ir::constraints::SIGNLESS_INTEGER_LIKE;
use minoan_ir::op;

/// The absolute value of a signed integer; the minimum is mapped to itself.
#[op(
    "math.absi",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$operand attr-dict `:` type($result)"
)]
pub struct AbsI {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    operand: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// Counts leading zeros.
#[op(
    "math.ctlz",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$operand attr-dict `:` type($result)"
)]
pub struct CtLz {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    operand: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// Counts trailing zeros; the width for zero.
#[op(
    "math.cttz",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$operand attr-dict `:` type($result)"
)]
pub struct CtTz {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    operand: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// Counts one bits.
#[op(
    "math.ctpop",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$operand attr-dict `:` type($result)"
)]
pub struct CtPop {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    operand: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// A signed integer raised to a signed integer power, modulo 2^width.
///
/// For negative exponents, the result is 1 or -1 for bases 1 and -1, undefined for base zero, and 0 otherwise.
#[op(
    "math.ipowi",
    traits(SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct IPowI {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}
