//! Integer addition, subtraction and multiplication.

use crate::constraints::{Overflow, bool_like};
use crate::{index_terms, names};
use minoan_ir::constraints::{BOOL_LIKE, SIGNLESS_INTEGER_LIKE};
use minoan_ir::text::AsmNames;
use minoan_ir::{Context, Flags, InferInput, OpRef, Type, op};
use minoan_services::{IndexTerm, IndexTerms};

/// Integer addition, modulo 2^width.
///
/// A flag asserts that the exact sum fits, as a signed (`nsw`) or unsigned (`nuw`) number.
#[op(
    "arith.addi",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)",
    services(IndexTerms = |op: OpRef<'_>| index_terms::binary(op, IndexTerm::Sum))
)]
pub struct AddI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    #[attr(default = Flags::NONE, name = "overflowFlags")]
    overflow: Flags<Overflow>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Integer subtraction, modulo 2^width.
///
/// A flag asserts that the exact difference fits, as a signed (`nsw`) or unsigned (`nuw`) number.
#[op(
    "arith.subi",
    traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)",
    services(IndexTerms = |op: OpRef<'_>| index_terms::binary(op, IndexTerm::Difference))
)]
pub struct SubI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    #[attr(default = Flags::NONE, name = "overflowFlags")]
    overflow: Flags<Overflow>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Integer multiplication, modulo 2^width.
///
/// A flag asserts that the exact product fits, as a signed (`nsw`) or unsigned (`nuw`) number.
#[op(
    "arith.muli",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
    assembly = "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)",
    services(
        AsmNames = names::MultipleOfVScale,
        IndexTerms = |op: OpRef<'_>| index_terms::binary(op, IndexTerm::Product),
    )
)]
pub struct MulI {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    #[attr(default = Flags::NONE, name = "overflowFlags")]
    overflow: Flags<Overflow>,
    result: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Unsigned addition; returns the sum modulo 2^width and whether it overflowed.
#[op("arith.addui_extended",
     traits(PURE, COMMUTATIVE, ELEMENTWISE),
     assembly = "$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)",
     same_types(lhs, rhs, sum), infer = infer_sum_and_overflow, compatible = any_extents)]
pub struct AddUIExtended {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    sum: OpResult<SIGNLESS_INTEGER_LIKE>,
    overflow: OpResult<BOOL_LIKE>,
}

/// Signed multiplication; returns the low and high half of the product.
#[op("arith.mulsi_extended",
     traits(PURE, COMMUTATIVE, ELEMENTWISE),
     assembly = "$lhs `,` $rhs attr-dict `:` type($lhs)",
     same_types(lhs, rhs, low, high), infer = infer_halves)]
pub struct MulSIExtended {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    low: OpResult<SIGNLESS_INTEGER_LIKE>,
    high: OpResult<SIGNLESS_INTEGER_LIKE>,
}

/// Unsigned multiplication; returns the low and high half of the product.
#[op("arith.mului_extended",
     traits(PURE, COMMUTATIVE, ELEMENTWISE),
     assembly = "$lhs `,` $rhs attr-dict `:` type($lhs)",
     same_types(lhs, rhs, low, high), infer = infer_halves)]
pub struct MulUIExtended {
    lhs: Operand<SIGNLESS_INTEGER_LIKE>,
    rhs: Operand<SIGNLESS_INTEGER_LIKE>,
    low: OpResult<SIGNLESS_INTEGER_LIKE>,
    high: OpResult<SIGNLESS_INTEGER_LIKE>,
}

fn infer_sum_and_overflow(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let ty = first_operand(input)?;
    Ok(vec![ty, bool_like(input.ctx, ty).unwrap_or(Type::I1)])
}

/// Upstream infers nothing here: the other rules permit extents that are dynamic in one result and static in another.
fn any_extents(_: &Context, want: &[Type], have: &[Type]) -> bool {
    want.len() == have.len()
}

fn infer_halves(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    first_operand(input).map(|ty| vec![ty, ty])
}

fn first_operand(input: &InferInput<'_>) -> Result<Type, String> {
    input.operands.first().copied().ok_or_else(|| "expected 2 operands, but found 0".into())
}
