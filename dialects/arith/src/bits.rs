//! Bitwise operations, shifts, and integer minimum and maximum.

use crate::constraints::Overflow;
use crate::generate;
use minoan_ir::constraints::SIGNLESS_INTEGER_LIKE;
use minoan_ir::{Flags, op};
use minoan_services::Generate;

/// Bitwise and.
#[op(
    "arith.andi",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct AndI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Bitwise or.
#[op(
    "arith.ori",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct OrI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Bitwise exclusive or.
#[op(
    "arith.xori",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct XOrI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Left shift.
///
/// Poison if the distance, as an unsigned number, is at least the width.
#[op(
    "arith.shli",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)",
    services(Generate = generate::shift())
)]
pub struct ShLI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    #[attr(default = Flags::NONE, name = "overflowFlags")]
    overflow: Flags<Overflow>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Arithmetic right shift.
///
/// Poison if the distance, as an unsigned number, is at least the width, and if `exact` is set and a one is shifted out.
#[op(
    "arith.shrsi",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)",
    services(Generate = generate::shift())
)]
pub struct ShRSI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    #[attr(unit, name = "isExact")]
    exact: bool,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Logical right shift.
///
/// Poison if the distance, as an unsigned number, is at least the width, and if `exact` is set and a one is shifted out.
#[op(
    "arith.shrui",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)",
    services(Generate = generate::shift())
)]
pub struct ShRUI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    #[attr(unit, name = "isExact")]
    exact: bool,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Signed maximum.
#[op(
    "arith.maxsi",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct MaxSI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Unsigned maximum.
#[op(
    "arith.maxui",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct MaxUI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Signed minimum.
#[op(
    "arith.minsi",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct MinSI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Unsigned minimum.
#[op(
    "arith.minui",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct MinUI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}
