//! Functions of integers.

use minoan_ir::constraints::SIGNLESS_INTEGER_LIKE;
use minoan_ir::op;

/// The absolute value of a signed integer; that of the least one is itself.
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

/// The number of leading zeros.
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

/// The number of trailing zeros; the width for zero.
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

/// The number of ones.
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

/// A signed integer to the power of another, modulo 2^width.
///
/// A negative power of 1 or -1 is 1 or -1, of zero is undefined, and of anything else is 0.
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
