//! Conditionals with known conditions.

use super::Rule;
use super::number::Number;
use crate::ty::DType;
use minoan_ir::{AttrData, InsertionPoint, Op, Value};
use minoan_rewrite::{Matched, PatternSet, Rewriter};

pub(crate) fn canonical(patterns: &mut PatternSet) {
    patterns.add(Rule { name: "relay-if-known-condition", roots: &["relay.if"], rewrite: known_condition });
}

/// Replaces a conditional by the region that is executed.
fn known_condition(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let condition = rw.constant_of(rw.op(op).operand(0))?;
    let AttrData::DenseElements { data, splat: true, .. } = condition.data(rw.context()) else { return None };
    let Number::Int(truth) = Number::read(DType::Bool, data)? else { return None };
    let region = rw.op(op).own_regions().nth(usize::from(truth == 0))?;
    let block = rw.body().region(region).entry()?;
    let last = rw.body().block(block).last()?;
    let values: Vec<Value> = rw.op(last).operands().collect();
    rw.erase(last);
    rw.inline_block(block, InsertionPoint::Before(op), &[]);
    rw.replace(op, &values);
    Some(Matched)
}
