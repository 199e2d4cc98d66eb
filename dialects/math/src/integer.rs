//! Integer functions.

use crate::{evaluate, generate};
use minoan_ir::constraints::SIGNLESS_INTEGER_LIKE;
use minoan_ir::op;
use minoan_services::{EffectSet, Effects, Evaluate, Generate, IntBits as _, int_binary, int_unary};

/// The absolute value of a signed integer; the minimum is mapped to itself.
#[op(
    "math.absi",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$operand attr-dict `:` type($result)",
    services(Evaluate = int_unary!(|a| num_traits::Signed::abs(&a.signed())))
)]
pub struct AbsI {
    operand: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Counts leading zeros.
#[op(
    "math.ctlz",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$operand attr-dict `:` type($result)",
    services(Evaluate = int_unary!(|a| a.leading_zeros().into()))
)]
pub struct CtLz {
    operand: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Counts trailing zeros; the width for zero.
#[op(
    "math.cttz",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$operand attr-dict `:` type($result)",
    services(Evaluate = int_unary!(|a| a.trailing_zeros().into()))
)]
pub struct CtTz {
    operand: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Counts one bits.
#[op(
    "math.ctpop",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$operand attr-dict `:` type($result)",
    services(Evaluate = int_unary!(|a| a.ones().into()))
)]
pub struct CtPop {
    operand: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// A signed integer raised to a signed integer power, modulo 2^width.
///
/// For negative exponents, the result is 1 or -1 for bases 1 and -1, undefined for base zero, and 0 otherwise.
#[op(
    "math.ipowi",
    traits(SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)",
    services(Evaluate = int_binary!(|a, b| evaluate::ipowi(&a, &b)), Effects = EffectSet::NONE, Generate = generate::power())
)]
pub struct IPowI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}
