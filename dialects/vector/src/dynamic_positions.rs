//! Extractions and insertions at dynamic indices of outer dimensions as selections among slices.
//!
//! MLIR's conversion represents a vector of several dimensions by nested arrays, whose indices are constants in LLVM: it lowers
//! dynamic indices of the last dimension only.

use crate::rules::numbers;
use crate::types::Parts;
use crate::{Extract, Insert};
use minoan_arith as arith;
use minoan_ir::{Builder, DYNAMIC, OpDef, OpRef, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};

pub(crate) fn patterns(patterns: &mut PatternSet) {
    patterns
        .on("vector-extract-dynamic-slice", expand_extract)
        .on("vector-insert-dynamic-slice", expand_insert);
}

/// A position, split at its first dynamic index.
struct Position {
    /// The indices before it, which are static.
    outer: Vec<i64>,
    index: Value,
    /// The extent of its dimension.
    extent: i64,
    /// The indices after it.
    inner: Vec<i64>,
    inner_values: Vec<Value>,
}

impl Position {
    fn of(op: OpRef<'_>, whole: Type, values: &[Value]) -> Result<Self, NoMatch> {
        let parts = Parts::of_any(op.context(), whole);
        let position = numbers(op, "static_position");
        let dim = position.iter().position(|&index| index == DYNAMIC).filter(|&dim| dim + 1 < parts.rank());
        let dim = dim.ok_or_else(|| NoMatch::because("the indices of the outer dimensions are static"))?;
        if parts.scalable[dim] {
            return Err(NoMatch::because("the dimension is scalable"));
        }
        let (&index, inner_values) =
            values.split_first().ok_or_else(|| NoMatch::because("a dynamic index is missing"))?;
        Ok(Self {
            outer: position[..dim].to_vec(),
            index,
            extent: parts.shape[dim],
            inner: position[dim + 1..].to_vec(),
            inner_values: inner_values.to_vec(),
        })
    }

    /// The part of a vector at the static indices.
    fn outer_part(&self, b: &mut Builder<'_>, whole: Value) -> Value {
        if self.outer.is_empty() { whole } else { slice(b, whole, &self.outer) }
    }

    /// Whether the dynamic index is a number.
    fn is(&self, b: &mut Builder<'_>, number: i64) -> Value {
        let number = arith::constant_index(b, number);
        arith::cmpi(b, arith::CmpIPredicate::Eq, self.index, number)
    }

    /// The slice at the dynamic index.
    fn selected(&self, b: &mut Builder<'_>, part: Value) -> Value {
        let first = slice(b, part, &[0]);
        (1..self.extent).fold(first, |selected, number| {
            let (is_it, other) = (self.is(b, number), slice(b, part, &[number]));
            select(b, is_it, other, selected)
        })
    }
}

fn slice(b: &mut Builder<'_>, whole: Value, position: &[i64]) -> Value {
    Extract::build(b, whole, &[], position).result(b.body())
}

fn select(b: &mut Builder<'_>, condition: Value, yes: Value, no: Value) -> Value {
    arith::Select::build(b, condition, yes, no).result(b.body())
}

fn expand_extract(op: Extract, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (view, source) = (body.op(op.op()), op.source(body));
    let position = Position::of(view, body.ty(source), &view.operand_group(1))?;
    let mut b = rewriter.builder();
    let part = position.outer_part(&mut b, source);
    let mut result = position.selected(&mut b, part);
    if !position.inner.is_empty() {
        result = Extract::build(&mut b, result, &position.inner_values, &position.inner[..]).result(b.body());
    }
    rewriter.replace(op.op(), &[result]);
    Ok(Matched)
}

fn expand_insert(op: Insert, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (view, dest) = (body.op(op.op()), op.dest(body));
    let mut value = op.value_to_store(body);
    let position = Position::of(view, body.ty(dest), &view.operand_group(2))?;
    let mut b = rewriter.builder();
    let part = position.outer_part(&mut b, dest);
    if !position.inner.is_empty() {
        let old = position.selected(&mut b, part);
        value =
            Insert::build(&mut b, value, old, &position.inner_values, &position.inner[..]).result(b.body());
    }
    let mut result = part;
    for number in 0..position.extent {
        let (is_it, old) = (position.is(&mut b, number), slice(&mut b, part, &[number]));
        let new = select(&mut b, is_it, value, old);
        result = Insert::build(&mut b, new, result, &[], &[number][..]).result(b.body());
    }
    if !position.outer.is_empty() {
        result = Insert::build(&mut b, result, dest, &[], &position.outer[..]).result(b.body());
    }
    rewriter.replace(op.op(), &[result]);
    Ok(Matched)
}
