//! Canonicalization of `scf.for`.

use super::{block_of, kept, move_regions, repeated, replace_by_region, replace_kept, similar};
use crate::For;
use minoan_ir::{Body, OpDef, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_services::constant_of;

pub(super) fn add_patterns(patterns: &mut PatternSet) {
    patterns
        .on_with_benefit("scf-for-known-trip-count", 2, known_trip_count)
        .on("scf-for-carried", carried)
        .on("scf-for-carried-twice", carried_twice);
}

/// The trip count of a loop, as far as known.
#[derive(PartialEq, Eq)]
enum TripCount {
    None,
    One,
    More,
    Unknown,
}

fn trip_count(body: &Body, op: For) -> TripCount {
    let (lower, upper) = (op.lower(body), op.upper(body));
    if lower == upper {
        return TripCount::None;
    }
    let unsigned = op.unsigned_cmp(body);
    let width = body.ty(lower).integer_width(body.context()).unwrap_or(64);
    let constant = |value: Value| {
        let value = i128::from(constant_of(body, value)?.as_i64(body.context())?);
        match unsigned {
            true if width < 127 => Some(value & ((1 << width) - 1)),
            true => Some(value).filter(|&value| value >= 0),
            false => Some(value),
        }
    };
    let (Some(from), Some(to)) = (constant(lower), constant(upper)) else { return TripCount::Unknown };
    if from >= to {
        return TripCount::None;
    }
    match constant(op.step(body)) {
        Some(step) if step > 0 && step >= to - from => TripCount::One,
        Some(step) if step > 0 => TripCount::More,
        _ => TripCount::Unknown,
    }
}

fn known_trip_count(op: For, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let init = op.init_args(body);
    match trip_count(body, op) {
        TripCount::None => rewriter.replace(op.op(), &init),
        TripCount::One => {
            let args: Vec<Value> = std::iter::once(op.lower(body)).chain(init).collect();
            let region = op.body(body);
            replace_by_region(rewriter, op.op(), region, &args, 0)?;
        }
        TripCount::More => {
            let (block, last) = block_of(body, op.body(body))?;
            let values: Vec<Value> = body.op(last).operands().collect();
            let outside = values.iter().all(|&value| body.block_of(value) != Some(block));
            if body.block(block).len() > 1 || !outside {
                return Err(NoMatch::because("the trip count is greater than one"));
            }
            rewriter.replace(op.op(), &values);
        }
        TripCount::Unknown => return Err(NoMatch::because("the bounds are not constant")),
    }
    Ok(Matched)
}

/// Removes loop-carried values that are invariant or unused.
fn carried(op: For, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (block, last) = block_of(body, op.body(body))?;
    let (init, results) = (op.init_args(body), op.results(body));
    let args: Vec<Value> = body.block(block).args().collect();
    let given: Vec<Value> = body.op(last).operands().collect();
    let constant = |at: usize| given[at] == args[at + 1] || given[at] == init[at];
    let unused = |at: usize| !body.is_used(results[at]) && !body.is_used(args[at + 1]);
    let keep: Vec<bool> = (0..results.len()).map(|at| !constant(at) && !unused(at)).collect();
    if keep.iter().all(|&keep| keep) {
        return Err(NoMatch::because("all loop-carried values change and are used"));
    }
    let bounds = [op.lower(body), op.upper(body), op.step(body)];
    let operands: Vec<Value> = bounds.into_iter().chain(kept(init.iter().copied(), &keep)).collect();
    let types: Vec<Type> = kept(results.iter().map(|&result| body.ty(result)), &keep);
    let yielded = kept(given.iter().copied(), &keep);
    let new = similar(rewriter, op.op(), &operands, &types);
    move_regions(rewriter, op.op(), new);
    rewriter.modify(last, |body, op| body.set_operands(op, &yielded));
    for at in (0..keep.len()).rev().filter(|&at| !keep[at]) {
        rewriter.replace_all_uses(args[at + 1], init[at]);
        rewriter.replace_all_uses(results[at], init[at]);
        rewriter.erase_arg(block, at + 1);
    }
    replace_kept(rewriter, op.op(), &keep, new);
    Ok(Matched)
}

/// Merges loop-carried values with equal initial and yielded values.
fn carried_twice(op: For, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (block, last) = block_of(body, op.body(body))?;
    let args: Vec<Value> = body.block(block).args().skip(1).collect();
    let results = op.results(body);
    let keys = || op.init_args(body).into_iter().zip(body.op(last).operands());
    let is_used = |at: usize| body.is_used(results[at]) || body.is_used(args[at]);
    let used: Vec<bool> = (0..results.len()).map(is_used).collect();
    let [args, results] = [args, results].map(|values| {
        repeated(values.into_iter().zip(keys()).zip(&used).filter(|(_, used)| **used).map(|(value, _)| value))
    });
    if args.is_empty() {
        return Err(NoMatch::because("no two loop-carried values are equal"));
    }
    for (again, first) in args.into_iter().chain(results) {
        rewriter.replace_all_uses(again, first);
    }
    Ok(Matched)
}
