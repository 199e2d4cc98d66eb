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

fn below(op: OpRef<'_>) -> Option<IndexTerm> {
    let predicate = op.attr_value::<CmpIPredicate>("predicate")?;
    let is_wide = op.operand_types().all(|ty| ty == Type::INDEX || ty == Type::I64);
    (is_wide && predicate == CmpIPredicate::Ult).then(|| IndexTerm::Below(op.operand(0), op.operand(1)))
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
        .op_service::<CmpI, dyn IndexTerms>(terms(below));
}
