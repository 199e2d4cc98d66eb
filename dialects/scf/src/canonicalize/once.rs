//! `scf.execute_region`, `scf.index_switch`, `scf.parallel` and `scf.forall`: what runs once, or never, is no region.

use super::{move_regions, replace_by_region};
use crate::forall::{Bound, bounds};
use crate::regions::case_values;
use crate::{ExecuteRegion, Forall, IndexSwitch, Parallel, Reduce};
use minoan_arith::constant_index;
use minoan_ir::{Attr, Body, DYNAMIC, Op, OpDef, Point, Region, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_services::constant_of;

pub(super) fn add_patterns(patterns: &mut PatternSet) {
    patterns
        .on("scf-execute-region-of-one-block", one_block)
        .on("scf-index-switch-known", known_case)
        .on_with_benefit("scf-parallel-known-trips", 2, parallel_trips)
        .on("scf-parallel-parallel", nested_parallel)
        .on_with_benefit("scf-forall-known-trips", 2, forall_trips)
        .on("scf-forall-constant-bound", constant_bounds);
}

fn one_block(op: ExecuteRegion, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let region = op.region(body);
    if op.no_inline(body).is_some() || body.region(region).blocks().len() != 1 {
        return Err(NoMatch::because("it has several blocks, or must stay"));
    }
    let yields = body.region(region).entry().and_then(|block| crate::regions::yield_of(body, block));
    yields.ok_or(NoMatch::because("it does not end with 'scf.yield'"))?;
    replace_by_region(rewriter, op.op(), region, &[], 0)?;
    Ok(Matched)
}

fn known_case(op: IndexSwitch, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let known = rewriter.constant_of(op.arg(body)).and_then(|attr| attr.as_i64(body.context()));
    let known = known.ok_or(NoMatch::because("the case is not known"))?;
    let view = body.op(op.op());
    let case = case_values(view).into_iter().position(|case| case == known);
    let region = view.region(case.map_or(0, |case| case + 1));
    replace_by_region(rewriter, op.op(), region, &[], 0)?;
    Ok(Matched)
}

/// How often one dimension of a box is walked.
enum Trips {
    None,
    One,
    Unknown,
}

fn trips(body: &Body, [lower, upper, step]: [Value; 3]) -> Trips {
    let number = |value: Value| constant_of(body, value)?.as_i64(body.context());
    if lower == upper {
        return Trips::None;
    }
    match (number(lower), number(upper), number(step)) {
        (Some(lower), Some(upper), _) if lower >= upper => Trips::None,
        (Some(lower), Some(upper), Some(step)) if step > 0 && upper.saturating_sub(lower) <= step => {
            Trips::One
        }
        _ => Trips::Unknown,
    }
}

fn parallel_trips(op: Parallel, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let groups = [op.lower_bound(body), op.upper_bound(body), op.step(body)];
    let rank = groups[0].len();
    let trips: Vec<Trips> =
        (0..rank).map(|dim| trips(body, groups.each_ref().map(|group| group[dim]))).collect();
    if trips.iter().any(|trips| matches!(trips, Trips::None)) {
        let inits = op.init_vals(body);
        rewriter.replace(op.op(), &inits);
        return Ok(Matched);
    }
    let keep: Vec<bool> = trips.iter().map(|trips| matches!(trips, Trips::Unknown)).collect();
    if keep.iter().all(|&keep| keep) {
        return Err(NoMatch::because("no dimension runs once, or never"));
    }
    let inits = op.init_vals(body);
    let (region, types) = (op.region(body), body.op(op.op()).result_types().collect::<Vec<_>>());
    let block = body.region(region).entry().ok_or(NoMatch::because("it has no block"))?;
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

/// Puts what a region does in the place of an operation without results; what ends the region goes.
fn inline_without_end(
    rewriter: &mut Rewriter<'_>,
    op: Op,
    region: Region,
    args: &[Value],
) -> Result<(), NoMatch> {
    let (block, last) = super::block_of(rewriter.body(), region)?;
    rewriter.erase(last);
    rewriter.inline_block(block, Point::Before(op), args);
    rewriter.erase(op);
    Ok(())
}

/// A box in a box of indices is a box of more dimensions.
fn nested_parallel(op: Parallel, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (block, _) = super::block_of(body, op.region(body))?;
    let inner = body.block(block).first().and_then(|first| Parallel::cast(body, first));
    let inner = inner.filter(|_| body.block(block).len() == 2);
    let inner = inner.ok_or(NoMatch::because("more than an scf.parallel is inside"))?;
    if body.op(op.op()).n_results() + body.op(inner.op()).n_results() > 0 {
        return Err(NoMatch::because("one of them reduces"));
    }
    let own: Vec<Value> = body.block(block).args().collect();
    if body.op(inner.op()).operands().any(|bound| own.contains(&bound)) {
        return Err(NoMatch::because("the inner bounds depend on the outer indices"));
    }
    let both = |get: fn(Parallel, &Body) -> Vec<Value>| -> Vec<Value> {
        get(op, body).into_iter().chain(get(inner, body)).collect()
    };
    let [lower, upper, step] =
        [both(Parallel::lower_bound), both(Parallel::upper_bound), both(Parallel::step)];
    let from = inner.region(body);
    let inside = body.region(from).entry().ok_or(NoMatch::because("it has no block"))?;
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
    rewriter.inline_block(inside, Point::End(entry), inner_args);
    for (&from, &to) in own.iter().zip(outer_args) {
        rewriter.replace_all_uses(from, to);
    }
    rewriter.set_point(Point::End(entry));
    Reduce::build(&mut rewriter.builder(), &[], 0);
    rewriter.erase(op.op());
    Ok(Matched)
}

fn forall_trips(op: Forall, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let view = body.op(op.op());
    let [lower, upper, step] = [0, 1, 2].map(|group| bounds(view, group));
    let number = |bound: &Bound| match *bound {
        Bound::Number(number) => Some(number),
        Bound::Value(value) => constant_of(body, value)?.as_i64(body.context()),
    };
    let (mut none, mut once) = (false, true);
    for ((lower, upper), step) in lower.iter().zip(&upper).zip(&step) {
        match (number(lower), number(upper), number(step)) {
            (Some(lower), Some(upper), _) if lower >= upper => none = true,
            (Some(lower), Some(upper), Some(step)) if step > 0 && upper.saturating_sub(lower) <= step => {}
            _ => once = false,
        }
    }
    let (outputs, region) = (op.outputs(body), op.region(body));
    if none {
        rewriter.replace(op.op(), &outputs);
        return Ok(Matched);
    }
    if !once || !outputs.is_empty() {
        return Err(NoMatch::because("it does not run once, or shares tensors"));
    }
    let args: Vec<Value> = lower
        .into_iter()
        .map(|bound| match bound {
            Bound::Value(value) => value,
            Bound::Number(number) => constant_index(&mut rewriter.builder(), number),
        })
        .collect();
    inline_without_end(rewriter, op.op(), region, &args)?;
    Ok(Matched)
}

/// Bounds that are constants are numbers of the operation.
fn constant_bounds(op: Forall, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let ctx = rewriter.context().clone();
    let view = rewriter.op(op.op());
    let (mut operands, mut sizes, mut lists, mut found) = (Vec::new(), Vec::new(), Vec::new(), false);
    for group in 0..3 {
        let (mut numbers, before) = (Vec::new(), operands.len());
        for bound in bounds(view, group) {
            numbers.push(match bound {
                Bound::Number(number) => number,
                Bound::Value(value) => {
                    let known = rewriter.constant_of(value).and_then(|attr| attr.as_i64(&ctx));
                    if known.is_none() {
                        operands.push(value);
                    }
                    found |= known.is_some();
                    known.unwrap_or(DYNAMIC)
                }
            });
        }
        sizes.push(operands.len() - before);
        lists.push(Attr::dense_i64(&ctx, &numbers));
    }
    if !found {
        return Err(NoMatch::because("no bound is a constant"));
    }
    let outputs = op.outputs(rewriter.body());
    let parts = [0, sizes[0], sizes[0] + sizes[1], operands.len()];
    let groups = [0, 1, 2].map(|group| &operands[parts[group]..parts[group + 1]]);
    let mapping = op.mapping(rewriter.body());
    let (attrs, types) = (view.attrs(), view.result_types().collect::<Vec<_>>());
    let [lower, upper, step] = groups;
    let mut b = rewriter.builder();
    let new =
        Forall::build(&mut b, lower, upper, step, &outputs, lists[0], lists[1], lists[2], mapping, &types);
    rewriter.modify(new.op(), |body, new| body.set_attrs(new, attrs));
    move_regions(rewriter, op.op(), new.op());
    let results: Vec<Value> = rewriter.op(new.op()).results().collect();
    rewriter.replace(op.op(), &results);
    Ok(Matched)
}
