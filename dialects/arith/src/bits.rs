//! Bitwise operations, shifts, and integer minimum and maximum.

use crate::constraints::Overflow;
use minoan_ir::constraints::SIGNLESS_INTEGER_LIKE;
use minoan_ir::{Flags, op};

/// Bitwise and.
#[op(
    "arith.andi",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct AndI {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// Bitwise or.
#[op(
    "arith.ori",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct OrI {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// Bitwise exclusive or.
#[op(
    "arith.xori",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct XOrI {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// Left shift.
///
/// Poison if the distance, as an unsigned number, is at least the width.
#[op(
    "arith.shli",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)"
)]
pub struct ShLI {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[attr(default = Flags::NONE, name = "overflowFlags")]
    overflow: Flags<Overflow>,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// Arithmetic right shift.
///
/// Poison if the distance, as an unsigned number, is at least the width, and if `exact` is set and a one is shifted out.
#[op(
    "arith.shrsi",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)"
)]
pub struct ShRSI {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[attr(unit, name = "isExact")]
    exact: bool,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// Logical right shift.
///
/// Poison if the distance, as an unsigned number, is at least the width, and if `exact` is set and a one is shifted out.
#[op(
    "arith.shrui",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)"
)]
pub struct ShRUI {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[attr(unit, name = "isExact")]
    exact: bool,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// Signed maximum.
#[op(
    "arith.maxsi",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct MaxSI {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// Unsigned maximum.
#[op(
    "arith.maxui",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct MaxUI {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// Signed minimum.
#[op(
    "arith.minsi",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct MinSI {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}

/// Unsigned minimum.
#[op(
    "arith.minui",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct MinUI {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[result(SIGNLESS_INTEGER_LIKE)]
    result: Value,
}
