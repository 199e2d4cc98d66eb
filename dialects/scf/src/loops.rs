//! Loop services: induction variables and loop-carried values.

use crate::{counted, forall};
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_ir::{Attr, Block, Body, Builder, Op, OpRef, Type, Value};
use minoan_services::{Bound, Induction, LoopLike, ScaledLoop, wrap};
use std::ops::Range;

/// The arguments of a region's entry block.
fn args(op: OpRef<'_>, region: usize) -> Vec<Value> {
    let entry = op.own_region(region).and_then(|region| op.body().region(region).entry());
    entry.map_or_else(Vec::new, |entry| op.body().block(entry).args().collect())
}

/// The operands of a region's terminator.
fn last_operands(op: OpRef<'_>, region: usize) -> Vec<Value> {
    let body = op.body();
    let entry = op.own_region(region).and_then(|region| body.region(region).entry());
    let last = entry.and_then(|entry| body.block(entry).last());
    last.map_or_else(Vec::new, |last| body.op(last).operands().collect())
}

/// The value of an induction variable after `times` further steps.
fn advanced(b: &mut Builder<'_>, induction: Induction, times: u32) -> Option<Value> {
    let Bound::Value(step) = induction.step else { return None };
    let ty = b.ty(induction.value);
    let known = induction.step.constant(b.body()).and_then(|step| step.as_i64(&b.context()));
    let by = match known.and_then(|step| step.checked_mul(times.into())) {
        Some(by) => arith::constant_int(b, by, ty),
        None => {
            let times = arith::constant_int(b, times.into(), ty);
            let by = arith::MulI::build(b, step, times);
            by.result(b.body())
        }
    };
    let next = arith::AddI::build(b, induction.value, by);
    Some(next.result(b.body()))
}

/// The distance between the bounds of an induction variable, as an unsigned number.
fn distance(b: &mut Builder<'_>, unsigned: bool, lower: Value, upper: Value) -> Value {
    let most = if unsigned {
        arith::MaxUI::build(b, lower, upper).result(b.body())
    } else {
        arith::MaxSI::build(b, lower, upper).result(b.body())
    };
    arith::SubI::build(b, most, lower).result(b.body())
}

/// Like [`scaled_bounds`], for an unknown step. If no group fits between the bounds, the product of step and factor
/// may overflow, and the loop keeps its step.
fn scaled_bounds_of_unknown_step(
    b: &mut Builder<'_>,
    induction: Induction,
    factor: u32,
) -> Option<(Value, Value, ScaledLoop)> {
    let (Bound::Value(lower), Bound::Value(upper)) = (induction.lower, induction.upper) else { return None };
    let Bound::Value(step) = induction.step else { return None };
    let (ctx, ty) = (b.context(), b.ty(induction.value));
    if !induction.holds(&ctx, b.body(), factor.into()) {
        return None;
    }
    let distance = distance(b, induction.unsigned, lower, upper);
    let (one, by) = (arith::constant_int(b, 1, ty), arith::constant_int(b, factor.into(), ty));
    // A loop with trip count zero may have any step.
    let positive = arith::MaxSI::build(b, step, one).result(b.body());
    let steps = arith::DivUI::build(b, distance, positive).result(b.body());
    let groups = arith::DivUI::build(b, steps, by).result(b.body());
    let wide = arith::MulI::build(b, step, by).result(b.body());
    let covered = arith::MulI::build(b, groups, wide).result(b.body());
    let end = arith::AddI::build(b, lower, covered).result(b.body());
    let none = arith::constant_int(b, 0, ty);
    let some = arith::cmpi(b, CmpIPredicate::Ne, groups, none);
    let wide = arith::select(b, some, wide, step);
    Some((end, wide, ScaledLoop { remainder: Some(end) }))
}

/// Creates the upper bound and step of a loop that executes `factor` iterations per step, and the lower bound of the
/// remainder loop.
fn scaled_bounds(
    b: &mut Builder<'_>,
    induction: Induction,
    factor: u32,
) -> Option<(Value, Value, ScaledLoop)> {
    let (Bound::Value(lower), Bound::Value(upper)) = (induction.lower, induction.upper) else { return None };
    let (ctx, ty) = (b.context(), b.ty(induction.value));
    let Some(step) = induction.step.constant(b.body()) else {
        return scaled_bounds_of_unknown_step(b, induction, factor);
    };
    let step = i128::from(step.as_i64(&ctx)?);
    let wide = step.checked_mul(factor.into()).filter(|&wide| induction.holds(&ctx, b.body(), wide))?;
    if step <= 0 {
        return None;
    }
    if let Some(bounds) = induction.constant_bounds(b.body()) {
        let groups = bounds.trip_count / u64::from(factor);
        if groups == 0 {
            return None;
        }
        let wide_step = arith::constant_int(b, wide as i64, ty);
        if bounds.trip_count.is_multiple_of(factor.into()) {
            return Some((upper, wide_step, ScaledLoop { remainder: None }));
        }
        let end = bounds.first + i128::from(groups) * wide;
        let end = wrap(end, ty.integer_width(&ctx).unwrap_or(64));
        let end = arith::constant_int(b, end, ty);
        return Some((end, wide_step, ScaledLoop { remainder: Some(end) }));
    }
    // The number of groups that fit between the bounds.
    let wide_step = arith::constant_int(b, wide as i64, ty);
    let distance = distance(b, induction.unsigned, lower, upper);
    let groups = arith::DivUI::build(b, distance, wide_step).result(b.body());
    let covered = arith::MulI::build(b, groups, wide_step).result(b.body());
    let end = arith::AddI::build(b, lower, covered).result(b.body());
    Some((end, wide_step, ScaledLoop { remainder: Some(end) }))
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

    fn advance(&self, b: &mut Builder<'_>, induction: Induction, times: u32) -> Option<Value> {
        advanced(b, induction, times)
    }

    fn scale_step(&self, body: &mut Body, op: Op, factor: u32) -> Option<ScaledLoop> {
        let induction = *self.inductions(body.op(op)).last()?;
        let loc = body.op(op).loc();
        let (upper, step, scaled) =
            scaled_bounds(&mut Builder::before(body, op).with_loc(loc), induction, factor)?;
        body.set_operand(op, 1, upper);
        body.set_operand(op, 2, step);
        Some(scaled)
    }

    fn set_lower_bound(&self, body: &mut Body, op: Op, lower: Value) {
        body.set_operand(op, 0, lower);
    }
}

/// `scf.parallel`, which has no loop-carried values.
pub(crate) struct ParallelLoop;

impl LoopLike for ParallelLoop {
    fn inductions(&self, op: OpRef<'_>) -> Vec<Induction> {
        let groups = [0, 1, 2].map(|group| op.operand_group(group));
        let [lower, upper, step] = groups.map(|group| group.into_iter().map(Bound::Value));
        let bounds = lower.zip(upper).zip(step);
        let inductions = args(op, 0).into_iter().zip(bounds);
        inductions
            .map(|(value, ((lower, upper), step))| Induction { value, lower, upper, step, unsigned: false })
            .collect()
    }

    fn advance(&self, b: &mut Builder<'_>, induction: Induction, times: u32) -> Option<Value> {
        advanced(b, induction, times)
    }

    fn scale_step(&self, body: &mut Body, op: Op, factor: u32) -> Option<ScaledLoop> {
        let view = body.op(op);
        // The reductions of an iteration are unordered, so copies of the body could not preserve their order.
        let inductions = if view.n_results() == 0 { self.inductions(view) } else { Vec::new() };
        let (&induction, count, loc) = (inductions.last()?, inductions.len(), view.loc());
        let (upper, step, scaled) =
            scaled_bounds(&mut Builder::before(body, op).with_loc(loc), induction, factor)?;
        body.set_operand(op, 2 * count - 1, upper);
        body.set_operand(op, 3 * count - 1, step);
        Some(scaled)
    }

    fn set_lower_bound(&self, body: &mut Body, op: Op, lower: Value) {
        let count = body.op(op).operand_group(0).len();
        body.set_operand(op, count - 1, lower);
    }
}

/// `scf.forall`: its iterations share tensors, and it has no loop-carried values.
pub(crate) struct ForallLoop;

impl LoopLike for ForallLoop {
    fn inductions(&self, op: OpRef<'_>) -> Vec<Induction> {
        let ctx = op.context();
        let bounds = [0, 1, 2].map(|group| {
            forall::bounds(op, group).into_iter().map(|bound| match bound {
                forall::Bound::Value(value) => Bound::Value(value),
                forall::Bound::Number(number) => Bound::Constant(Attr::index_value(ctx, number)),
            })
        });
        let [lower, upper, step] = bounds;
        let inductions = args(op, 0).into_iter().zip(lower.zip(upper).zip(step));
        inductions
            .map(|(value, ((lower, upper), step))| Induction { value, lower, upper, step, unsigned: false })
            .collect()
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

    /// The condition forwards the additional values unchanged, and `next` creates the next ones in the second region.
    fn carry_more(
        &self,
        body: &mut Body,
        op: Op,
        inits: &[Value],
        next: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    ) -> Option<Op> {
        let view = body.op(op);
        let entries = [0, 1].map(|region| body.region(view.region(region)).entry());
        let [Some(before), Some(after)] = entries else { return None };
        let (condition, end) = (body.block(before).last()?, body.block(after).last()?);
        let operands: Vec<Value> = view.operands().chain(inits.iter().copied()).collect();
        let types: Vec<Type> = view.result_types().chain(inits.iter().map(|&init| body.ty(init))).collect();
        let new = body.recreate(op, &operands, &types);
        let extended = |body: &mut Body, block: Block| -> Vec<Value> {
            let add = |&init: &Value| {
                let (ty, loc) = (body.ty(init), body.value_loc(init));
                body.add_arg(block, ty, loc)
            };
            inits.iter().map(add).collect()
        };
        let tested = extended(body, before);
        let forwarded: Vec<Value> = body.op(condition).operands().chain(tested).collect();
        body.set_operands(condition, &forwarded);
        let more = extended(body, after);
        let values = next(&mut Builder::before(body, end), &more);
        let yielded: Vec<Value> = body.op(end).operands().chain(values).collect();
        body.set_operands(end, &yielded);
        let kept = body.op(op).n_results();
        let results: Vec<Value> = body.op(new).results().take(kept).collect();
        body.replace(op, &results);
        Some(new)
    }

    fn uplift(&self, body: &mut Body, op: Op) -> Option<Op> {
        counted::uplift(body, op)
    }
}
