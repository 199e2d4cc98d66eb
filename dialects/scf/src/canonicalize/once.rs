//! Canonicalization of `scf.execute_region`, `scf.index_switch`, `scf.parallel` and `scf.forall`.

use super::{move_regions, replace_by_region};
use crate::forall::{Bound, ParallelInsert, bounds};
use crate::regions::case_values;
use crate::to_branches::lower_execute_region;
use crate::{ExecuteRegion, Forall, IndexSwitch, Parallel, Reduce};
use minoan_arith::constant_index;
use minoan_ir::{Array, Body, DYNAMIC, InsertionPoint, Op, OpDef, OpRef, Region, Traits, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_services::constant_of;

pub(super) fn add_patterns(patterns: &mut PatternSet) {
    patterns
        .on("scf-execute-region-of-one-block", one_block)
        .on("scf-execute-region-of-several-blocks", several_blocks)
        .on("scf-index-switch-known", known_case)
        .on("scf-index-switch-unused-results", unused_results)
        .on_with_benefit("scf-parallel-known-trip-count", 2, parallel_trip_counts)
        .on("scf-parallel-parallel", nested_parallel)
        .on_with_benefit("scf-forall-known-trip-count", 2, forall_trip_counts)
        .on("scf-forall-constant-bound", constant_bounds)
        .on("scf-forall-unchanged-outputs", unchanged_outputs);
}

fn one_block(op: ExecuteRegion, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let region = op.region(body);
    if op.no_inline(body) || body.region(region).blocks().len() != 1 {
        return Err(NoMatch::because("the region has several blocks or must not be inlined"));
    }
    let yields = body.region(region).entry().and_then(|block| crate::regions::yield_of(body, block));
    yields.ok_or(NoMatch::because("the region does not end with 'scf.yield'"))?;
    replace_by_region(rewriter, op.op(), region, &[], 0)?;
    Ok(Matched)
}

/// Merges the region with the one around the operation, which may have several blocks, as MLIR does in functions.
fn several_blocks(op: ExecuteRegion, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    if op.no_inline(body) || body.region(op.region(body)).blocks().len() < 2 {
        return Err(NoMatch::because("the region has one block or must not be inlined"));
    }
    if !may_have_blocks_around(body.op(op.op())) {
        return Err(NoMatch::because("the region around the operation has one block"));
    }
    lower_execute_region(op, rewriter)
}

/// Whether the region around an operation may have several blocks: it has, or its terminator is one of operations that allow
/// them.
fn may_have_blocks_around(op: OpRef<'_>) -> bool {
    let (body, ctx) = (op.body(), op.context());
    if let Some(parent) = op.parent() {
        return body.op(parent).is::<ExecuteRegion>();
    }
    let last = op.block().and_then(|block| body.block(block).last());
    let Some(spec) = last.and_then(|last| body.op(last).spec()) else { return false };
    let takes_blocks = |parent: &&str| {
        let parent = ctx.registered_kind(parent).and_then(|kind| ctx.spec(kind));
        parent.is_some_and(|parent| !parent.traits.has(Traits::SINGLE_BLOCK))
    };
    !spec.parents.is_empty() && spec.parents.iter().all(takes_blocks)
}

fn known_case(op: IndexSwitch, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let known = rewriter.constant_of(op.arg(body)).and_then(|attr| attr.as_i64(body.context()));
    let known = known.ok_or(NoMatch::because("the case is not constant"))?;
    let view = body.op(op.op());
    let case = case_values(view).into_iter().position(|case| case == known);
    let region = view.region(case.map_or(0, |case| case + 1));
    replace_by_region(rewriter, op.op(), region, &[], 0)?;
    Ok(Matched)
}

/// Removes unused results of a switch.
fn unused_results(op: IndexSwitch, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let view = body.op(op.op());
    let keep: Vec<bool> = view.results().map(|result| body.is_used(result)).collect();
    if keep.iter().all(|&keep| keep) {
        return Err(NoMatch::because("all results are used"));
    }
    let yields = view.own_regions().map(|region| Ok(super::block_of(body, region)?.1));
    let yields = yields.collect::<Result<Vec<Op>, NoMatch>>()?;
    let operands: Vec<Value> = view.operands().collect();
    let types = super::kept(view.result_types(), &keep);
    let new = super::similar(rewriter, op.op(), &operands, &types);
    move_regions(rewriter, op.op(), new);
    for last in yields {
        let values = super::kept(rewriter.op(last).operands().collect::<Vec<_>>(), &keep);
        rewriter.modify(last, |body, op| body.set_operands(op, &values));
    }
    super::replace_kept(rewriter, op.op(), &keep, new);
    Ok(Matched)
}

/// The trip count of a dimension.
enum TripCount {
    None,
    One,
    Unknown,
}

fn trip_count(body: &Body, [lower, upper, step]: [Value; 3]) -> TripCount {
    let number = |value: Value| constant_of(body, value)?.as_i64(body.context());
    if lower == upper {
        return TripCount::None;
    }
    match (number(lower), number(upper), number(step)) {
        (Some(lower), Some(upper), _) if lower >= upper => TripCount::None,
        (Some(lower), Some(upper), Some(step)) if step > 0 && upper.saturating_sub(lower) <= step => {
            TripCount::One
        }
        _ => TripCount::Unknown,
    }
}

fn parallel_trip_counts(op: Parallel, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let groups = [op.lower_bound(body), op.upper_bound(body), op.step(body)];
    let rank = groups[0].len();
    let trip_counts: Vec<TripCount> =
        (0..rank).map(|dim| trip_count(body, groups.each_ref().map(|group| group[dim]))).collect();
    if trip_counts.iter().any(|count| matches!(count, TripCount::None)) {
        let inits = op.init_vals(body);
        rewriter.replace(op.op(), &inits);
        return Ok(Matched);
    }
    let keep: Vec<bool> = trip_counts.iter().map(|count| matches!(count, TripCount::Unknown)).collect();
    if keep.iter().all(|&keep| keep) {
        return Err(NoMatch::because("no dimension has a trip count of zero or one"));
    }
    let inits = op.init_vals(body);
    let (region, types) = (op.region(body), body.op(op.op()).result_types().collect::<Vec<_>>());
    let block = body.region(region).entry().ok_or(NoMatch::because("the region has no block"))?;
    let args: Vec<Value> = body.block(block).args().collect();
    if keep.iter().any(|&keep| keep) {
        let [lower, upper, step] = groups.each_ref().map(|group| super::kept(group.iter().copied(), &keep));
        let new = Parallel::build(&mut rewriter.builder(), &lower, &upper, &step, &inits, &types).op();
        let attrs = rewriter.op(op.op()).attrs();
        rewriter.modify(new, |body, new| body.set_attrs(new, attrs));
        move_regions(rewriter, op.op(), new);
        for at in (0..rank).rev().filter(|&at| !keep[at]) {
            rewriter.replace_all_uses(args[at], groups[0][at]);
            rewriter.erase_arg(block, at);
        }
        let results: Vec<Value> = rewriter.op(new).results().collect();
        rewriter.replace(op.op(), &results);
        return Ok(Matched);
    }
    if !types.is_empty() {
        return Err(NoMatch::because("it reduces"));
    }
    inline_without_end(rewriter, op.op(), region, &groups[0])?;
    Ok(Matched)
}

/// Inlines a region in place of an operation without results, and erases its terminator.
fn inline_without_end(
    rewriter: &mut Rewriter<'_>,
    op: Op,
    region: Region,
    args: &[Value],
) -> Result<(), NoMatch> {
    let (block, last) = super::block_of(rewriter.body(), region)?;
    rewriter.erase(last);
    rewriter.inline_block(block, InsertionPoint::Before(op), args);
    rewriter.erase(op);
    Ok(())
}

/// Merges perfectly nested parallel loops.
fn nested_parallel(op: Parallel, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (block, _) = super::block_of(body, op.region(body))?;
    let inner = body.block(block).first().and_then(|first| Parallel::cast(body, first));
    let inner = inner.filter(|_| body.block(block).len() == 2);
    let inner = inner.ok_or(NoMatch::because("the body is not a single scf.parallel"))?;
    if body.op(op.op()).n_results() + body.op(inner.op()).n_results() > 0 {
        return Err(NoMatch::because("one of the loops has reductions"));
    }
    let own: Vec<Value> = body.block(block).args().collect();
    if body.op(inner.op()).operands().any(|bound| own.contains(&bound)) {
        return Err(NoMatch::because("the inner bounds depend on the outer induction variables"));
    }
    let both = |get: fn(Parallel, &Body) -> Vec<Value>| -> Vec<Value> {
        get(op, body).into_iter().chain(get(inner, body)).collect()
    };
    let [lower, upper, step] =
        [both(Parallel::lower_bound), both(Parallel::upper_bound), both(Parallel::step)];
    let from = inner.region(body);
    let inside = body.region(from).entry().ok_or(NoMatch::because("the region has no block"))?;
    let attrs = body.op(op.op()).attrs();
    let new = Parallel::build(&mut rewriter.builder(), &lower, &upper, &step, &[], &[]).op();
    rewriter.modify(new, |body, new| body.set_attrs(new, attrs));
    let region = rewriter.op(new).region(0);
    let types = vec![minoan_ir::Type::INDEX; lower.len()];
    let entry = rewriter.add_block(region, &types);
    let args: Vec<Value> = rewriter.body().block(entry).args().collect();
    let (outer_args, inner_args) = args.split_at(own.len());
    let (_, last) = super::block_of(rewriter.body(), from)?;
    rewriter.erase(last);
    rewriter.inline_block(inside, InsertionPoint::End(entry), inner_args);
    for (&from, &to) in own.iter().zip(outer_args) {
        rewriter.replace_all_uses(from, to);
    }
    rewriter.set_insertion_point(InsertionPoint::End(entry));
    Reduce::build(&mut rewriter.builder(), &[], 0);
    rewriter.erase(op.op());
    Ok(Matched)
}

fn forall_trip_counts(op: Forall, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let view = body.op(op.op());
    if op.mapping(body).is_some_and(|mapping| !mapping.is_empty()) {
        return Err(NoMatch::because("the loop has a device mapping"));
    }
    let groups = [0, 1, 2].map(|group| bounds(view, group));
    let number = |bound: &Bound| match *bound {
        Bound::Number(number) => Some(number),
        Bound::Value(value) => constant_of(body, value)?.as_i64(&ctx),
    };
    let (mut none, mut keep) = (false, Vec::new());
    for ((lower, upper), step) in groups[0].iter().zip(&groups[1]).zip(&groups[2]) {
        match (number(lower), number(upper), number(step)) {
            (Some(lower), Some(upper), _) if lower >= upper => none = true,
            (Some(lower), Some(upper), Some(step)) if step > 0 && upper.saturating_sub(lower) <= step => {
                keep.push(false);
            }
            _ => keep.push(true),
        }
    }
    let (outputs, region) = (op.outputs(body), op.region(body));
    if none {
        rewriter.replace(op.op(), &outputs);
        return Ok(Matched);
    }
    let some_left = keep.contains(&true);
    if !keep.contains(&false) || !some_left && !outputs.is_empty() {
        return Err(NoMatch::because(
            "no dimension has a trip count of zero or one, or the last one shares tensors",
        ));
    }
    let lower = groups[0].iter().zip(&keep).filter(|(_, keep)| !**keep || !some_left).map(|(bound, _)| bound);
    let indices: Vec<Value> = lower
        .map(|bound| match *bound {
            Bound::Value(value) => value,
            Bound::Number(number) => constant_index(&mut rewriter.builder(), number),
        })
        .collect();
    if !some_left {
        inline_without_end(rewriter, op.op(), region, &indices)?;
        return Ok(Matched);
    }
    let block = rewriter.body().region(region).entry().ok_or(NoMatch::because("the region has no block"))?;
    let args: Vec<Value> = rewriter.body().block(block).args().collect();
    let outputs = op.outputs(rewriter.body());
    let new = recreated(op, rewriter, groups.map(|group| super::kept(group, &keep)), &outputs);
    let results: Vec<Value> = rewriter.op(new).results().collect();
    rewriter.replace(op.op(), &results);
    let gone = (0..keep.len()).filter(|&at| !keep[at]).zip(indices);
    for (at, index) in gone.collect::<Vec<_>>().into_iter().rev() {
        rewriter.replace_all_uses(args[at], index);
        rewriter.erase_arg(block, at);
    }
    Ok(Matched)
}

/// Creates a loop with other bounds and outputs, and moves the region of `op` to it; the caller adapts its arguments.
fn recreated(op: Forall, rewriter: &mut Rewriter<'_>, bounds: [Vec<Bound>; 3], outputs: &[Value]) -> Op {
    let values = bounds.each_ref().map(|group| {
        let value = |bound: &Bound| if let Bound::Value(value) = *bound { Some(value) } else { None };
        group.iter().filter_map(value).collect::<Vec<_>>()
    });
    let numbers = bounds.each_ref().map(|group| {
        let number = |bound: &Bound| if let Bound::Number(number) = *bound { number } else { DYNAMIC };
        group.iter().map(number).collect::<Vec<_>>()
    });
    let body = rewriter.body();
    let (mapping, attrs) = (op.mapping(body), body.op(op.op()).attrs());
    let mapping = mapping.map(|mapping| Array::from(mapping.attrs()));
    let types: Vec<Type> = outputs.iter().map(|&output| body.ty(output)).collect();
    let ([lower, upper, step], [lowers, uppers, steps]) = (&values, numbers);
    let mut b = rewriter.builder();
    let new = Forall::build(&mut b, lower, upper, step, outputs, lowers, uppers, steps, mapping, &types).op();
    rewriter.modify(new, |body, new| body.set_attrs(new, attrs));
    move_regions(rewriter, op.op(), new);
    new
}

/// Removes the outputs whose result is unused or that no iteration inserts into.
fn unchanged_outputs(op: Forall, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let (view, outputs) = (body.op(op.op()), op.outputs(body));
    let (block, last) = super::block_of(body, op.region(body))?;
    let shared: Vec<Value> =
        body.block(block).args().skip(body.block(block).n_args() - outputs.len()).collect();
    // The operations of the terminator, with the shared tensors that they insert into.
    let combining = body.region(body.op(last).region(0)).blocks().flat_map(|block| body.block(block).ops());
    let inserts = combining.filter_map(|insert| {
        let service = ctx.service::<dyn ParallelInsert>(body.op(insert).kind())?;
        Some((insert, service.destinations(body.op(insert))))
    });
    let inserts: Vec<(Op, Vec<Value>)> = inserts.collect();
    let is_inserted = |arg: &Value| inserts.iter().any(|(_, into)| into.contains(arg));
    let results = view.results().zip(&shared);
    let keep: Vec<bool> = results.map(|(result, arg)| body.is_used(result) && is_inserted(arg)).collect();
    let gone = shared.iter().zip(&keep).filter(|(_, keep)| !**keep).map(|(&arg, _)| arg);
    let gone: Vec<Value> = gone.collect();
    let is_gone = |arg: &Value| gone.contains(arg);
    let (erased, _): (Vec<_>, Vec<_>) = inserts.iter().partition(|(_, into)| into.iter().any(is_gone));
    if gone.is_empty() || !erased.iter().all(|(_, into)| into.iter().all(is_gone)) {
        return Err(NoMatch::because("all results are used and inserted into"));
    }
    let erased: Vec<Op> = erased.into_iter().map(|&(insert, _)| insert).collect();
    let bounds = [0, 1, 2].map(|group| bounds(view, group));
    erased.into_iter().for_each(|insert| rewriter.erase(insert));
    let new = recreated(op, rewriter, bounds, &super::kept(outputs.iter().copied(), &keep));
    let rank = rewriter.body().block(block).n_args() - outputs.len();
    for at in (0..keep.len()).rev().filter(|&at| !keep[at]) {
        rewriter.replace_all_uses(shared[at], outputs[at]);
        rewriter.erase_arg(block, rank + at);
    }
    let mut kept = rewriter.op(new).results().collect::<Vec<_>>().into_iter();
    let results =
        keep.iter().zip(&outputs).map(|(keep, &output)| if *keep { kept.next() } else { Some(output) });
    let results: Vec<Value> = results.flatten().collect();
    rewriter.replace(op.op(), &results);
    Ok(Matched)
}

/// Makes constant bounds static.
fn constant_bounds(op: Forall, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (view, ctx) = (rewriter.op(op.op()), rewriter.context());
    let mut found = false;
    let groups = [0, 1, 2].map(|group| {
        let settled = bounds(view, group).into_iter().map(|bound| match bound {
            Bound::Value(value) => match rewriter.constant_of(value).and_then(|attr| attr.as_i64(ctx)) {
                Some(number) => {
                    found = true;
                    Bound::Number(number)
                }
                None => bound,
            },
            Bound::Number(_) => bound,
        });
        settled.collect::<Vec<_>>()
    });
    if !found {
        return Err(NoMatch::because("no bound is constant"));
    }
    let outputs = op.outputs(rewriter.body());
    let new = recreated(op, rewriter, groups, &outputs);
    let results: Vec<Value> = rewriter.op(new).results().collect();
    rewriter.replace(op.op(), &results);
    Ok(Matched)
}
