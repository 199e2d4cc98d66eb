//! Integer arithmetic for analyses of indices.

use crate::{AddI, CmpI, CmpIPredicate, IndexCast, MulI, SubI};
use minoan_ir::{DialectBuilder, OpRef, Type, Value};
use minoan_services::{IndexTerm, IndexTerms};
use std::sync::Arc;

fn is_wide(op: OpRef<'_>) -> bool {
    op.operand_types().chain(op.result_types()).all(|ty| ty == Type::INDEX || ty == Type::I64)
}

fn binary(op: OpRef<'_>, term: impl Fn(Value, Value) -> IndexTerm) -> Option<IndexTerm> {
    is_wide(op).then(|| term(op.operand(0), op.operand(1)))
}

fn comparison(op: OpRef<'_>) -> Option<IndexTerm> {
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

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    let terms = |term: fn(OpRef<'_>) -> Option<IndexTerm>| Arc::new(term);
    dialect
        .op_service::<AddI, dyn IndexTerms>(terms(|op| binary(op, IndexTerm::Sum)))
        .op_service::<SubI, dyn IndexTerms>(terms(|op| binary(op, IndexTerm::Difference)))
        .op_service::<MulI, dyn IndexTerms>(terms(|op| binary(op, IndexTerm::Product)))
        .op_service::<IndexCast, dyn IndexTerms>(terms(|op| {
            is_wide(op).then(|| IndexTerm::Same(op.operand(0)))
        }))
        .op_service::<CmpI, dyn IndexTerms>(terms(comparison));
}
