//! Integer arithmetic for analyses of indices.

use crate::CmpIPredicate;
use minoan_ir::{OpRef, Type, Value};
use minoan_services::IndexTerm;

fn is_wide(op: OpRef<'_>) -> bool {
    op.operand_types().chain(op.result_types()).all(|ty| ty == Type::INDEX || ty == Type::I64)
}

pub(crate) fn binary(op: OpRef<'_>, term: impl Fn(Value, Value) -> IndexTerm) -> Option<IndexTerm> {
    is_wide(op).then(|| term(op.operand(0), op.operand(1)))
}

pub(crate) fn comparison(op: OpRef<'_>) -> Option<IndexTerm> {
    let is_wide = op.operand_types().all(|ty| ty == Type::INDEX || ty == Type::I64);
    let (lhs, rhs) = (op.operand(0), op.operand(1));
    match op.attr_value::<CmpIPredicate>("predicate")? {
        CmpIPredicate::Ult if is_wide => Some(IndexTerm::Below(lhs, rhs)),
        CmpIPredicate::Slt if is_wide => Some(IndexTerm::Less(lhs, rhs)),
        CmpIPredicate::Sgt if is_wide => Some(IndexTerm::Less(rhs, lhs)),
        CmpIPredicate::Eq if is_wide => Some(IndexTerm::Equal(lhs, rhs)),
        _ => None,
    }
}

/// A conversion that preserves the number.
pub(crate) fn same(op: OpRef<'_>) -> Option<IndexTerm> {
    is_wide(op).then(|| IndexTerm::Same(op.operand(0)))
}
