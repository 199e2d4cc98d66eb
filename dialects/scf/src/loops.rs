//! What the loops count and carry.

use minoan_ir::{Body, Builder, Op, OpRef, Type, Value};
use minoan_services::{Bound, Induction, LoopLike};
use std::ops::Range;

/// Arguments of the entry block of a region.
fn args(op: OpRef<'_>, region: usize) -> Vec<Value> {
    let entry = op.regions().nth(region).and_then(|region| op.body().region(region).entry());
    entry.map_or_else(Vec::new, |entry| op.body().block(entry).args().collect())
}

/// Operands of the last operation of a region.
fn last_operands(op: OpRef<'_>, region: usize) -> Vec<Value> {
    let body = op.body();
    let entry = op.regions().nth(region).and_then(|region| body.region(region).entry());
    let last = entry.and_then(|entry| body.block(entry).last());
    last.map_or_else(Vec::new, |last| body.op(last).operands().collect())
}

pub(crate) struct ForLoop;

impl LoopLike for ForLoop {
    fn inductions(&self, op: OpRef<'_>) -> Vec<Induction> {
        let Some(&value) = args(op, 0).first() else { return Vec::new() };
        let bound = |index: usize| Bound::Value(op.operand(index));
        let unsigned = op.attr_named("unsignedCmp").is_some();
        vec![Induction { value, lower: bound(0), upper: bound(1), step: bound(2), unsigned }]
    }

    fn inits(&self, op: OpRef<'_>) -> Range<usize> {
        3..op.n_operands()
    }

    fn carried(&self, op: OpRef<'_>) -> Vec<Value> {
        args(op, 0).split_off(1)
    }

    fn yielded(&self, op: OpRef<'_>) -> Vec<Value> {
        last_operands(op, 0)
    }

    fn carry_more(
        &self,
        body: &mut Body,
        op: Op,
        inits: &[Value],
        next: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    ) -> Option<Op> {
        let view = body.op(op);
        let region = view.region(0);
        let entry = body.region(region).entry()?;
        let end = body.block(entry).last()?;
        let operands: Vec<Value> = view.operands().chain(inits.iter().copied()).collect();
        let types: Vec<Type> = view.result_types().chain(inits.iter().map(|&init| body.ty(init))).collect();
        let new = body.recreate(op, &operands, &types);
        let more: Vec<Value> = inits
            .iter()
            .map(|&init| {
                let (ty, loc) = (body.ty(init), body.value_loc(init));
                body.add_arg(entry, ty, loc)
            })
            .collect();
        let values = next(&mut Builder::before(body, end), &more);
        let yielded: Vec<Value> = body.op(end).operands().chain(values).collect();
        body.set_operands(end, &yielded);
        let kept = body.op(op).n_results();
        let results: Vec<Value> = body.op(new).results().take(kept).collect();
        body.replace(op, &results);
        Some(new)
    }
}

pub(crate) struct WhileLoop;

impl LoopLike for WhileLoop {
    fn inductions(&self, _: OpRef<'_>) -> Vec<Induction> {
        Vec::new()
    }

    fn inits(&self, op: OpRef<'_>) -> Range<usize> {
        0..op.n_operands()
    }

    fn carried(&self, op: OpRef<'_>) -> Vec<Value> {
        args(op, 0)
    }

    fn yielded(&self, op: OpRef<'_>) -> Vec<Value> {
        last_operands(op, 1)
    }

    /// Results are those of the condition, which are others than what is carried.
    fn carry_more(
        &self,
        _: &mut Body,
        _: Op,
        _: &[Value],
        _: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    ) -> Option<Op> {
        None
    }
}
