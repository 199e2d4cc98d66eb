//! Integer division and remainder.
//!
//! They have no side effects, so they may be erased. A zero divisor is undefined behavior, so they are speculatable only
//! if the divisor is a constant for which they are defined.

use crate::divisors::{is_constant_that, is_defined};
use crate::{expand, generate};
use minoan_ir::constraints::SIGNLESS_INTEGER_LIKE;
use minoan_ir::{DialectBuilder, OpDef, OpRef, op};
use minoan_services::{DefinedDivision, EffectSet, Effects, Expand, Generate, Precondition, Speculation};
use std::sync::Arc;

/// The services of signed divisions.
fn signed<O: OpDef>(dialect: &mut DialectBuilder<'_>) {
    dialect
        .op_service::<O, dyn Effects>(Arc::new(EffectSet::NONE))
        .op_service::<O, dyn Speculation>(Arc::new(|op: OpRef<'_>| {
            is_constant_that(op.body(), op.operand(1), |value| value != 0 && value != -1)
        }))
        .op_service::<O, dyn Precondition>(Arc::new(DefinedDivision {
            signed: true,
            is_known: |op| is_defined(op.body(), op.operand(1), true),
        }))
        .op_service::<O, dyn Generate>(Arc::new(generate::signed_division()));
}

/// The services of unsigned divisions.
fn unsigned<O: OpDef>(dialect: &mut DialectBuilder<'_>) {
    dialect
        .op_service::<O, dyn Effects>(Arc::new(EffectSet::NONE))
        .op_service::<O, dyn Speculation>(Arc::new(|op: OpRef<'_>| {
            is_constant_that(op.body(), op.operand(1), |value| value != 0)
        }))
        .op_service::<O, dyn Precondition>(Arc::new(DefinedDivision {
            signed: false,
            is_known: |op| is_defined(op.body(), op.operand(1), false),
        }))
        .op_service::<O, dyn Generate>(Arc::new(generate::unsigned_division()));
}

/// Signed division, rounded toward zero.
///
/// Undefined for a zero divisor and on overflow; poison if `exact` is set and the remainder is nonzero.
#[op(
    "arith.divsi",
    traits(SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)",
    services(signed)
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
    assembly = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)",
    services(unsigned)
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
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)",
    services(signed)
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
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)",
    services(unsigned)
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
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)",
    services(signed, Expand = expand::WideFloorDivision)
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
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)",
    services(signed)
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
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)",
    services(unsigned)
)]
pub struct RemUI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}
