//! Canonicalization of `scf.while`.

use super::{block_of, kept, move_regions, replace_by_region, replace_kept, similar};
use crate::While;
use minoan_arith::CmpI;
use minoan_ir::{Attr, Op, OpDef, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use rustc_hash::FxHashMap;

pub(super) fn add_patterns(patterns: &mut PatternSet) {
    patterns
        .on_with_benefit("scf-while-never", 2, never)
        .on("scf-while-condition-passed", condition_passed)
        .on("scf-while-compared-again", fold_repeated_comparison)
        .on("scf-while-always-passed", always_passed)
        .on("scf-while-passed-back", fold_invariant_args)
        .on("scf-while-unused-results", unused_results)
        .on("scf-while-unused-arguments", unused_arguments);
}

/// Inlines the first region if the condition is constant false.
fn never(op: While, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let region = op.before(body);
    let (_, last) = block_of(body, region)?;
    let condition = rewriter.constant_of(body.op(last).operand(0));
    if condition != Some(Attr::FALSE) {
        return Err(NoMatch::because("the condition is not constant false"));
    }
    let inits = op.inits(body);
    replace_by_region(rewriter, op.op(), region, &inits, 1)?;
    Ok(Matched)
}

/// Replaces a forwarded condition by true in the second region, and by false after the loop.
fn condition_passed(op: While, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (_, last) = block_of(body, op.before(body))?;
    let (after, _) = block_of(body, op.after(body))?;
    let condition = body.op(last).operand(0);
    let passed: Vec<usize> = (0..body.op(last).n_operands() - 1)
        .filter(|&at| body.op(last).operand(at + 1) == condition)
        .filter(|&at| body.is_used(body.block(after).arg(at)) || body.is_used(body.op(op.op()).result(at)))
        .collect();
    if passed.is_empty() || rewriter.constant_of(condition).is_some() {
        return Err(NoMatch::because("the condition is not forwarded"));
    }
    let yes = rewriter.constant(op.op(), Attr::TRUE, Type::I1)?;
    let no = rewriter.constant(op.op(), Attr::FALSE, Type::I1)?;
    for at in passed {
        let (arg, result) = (rewriter.body().block(after).arg(at), rewriter.op(op.op()).result(at));
        rewriter.replace_all_uses(arg, yes);
        rewriter.replace_all_uses(result, no);
    }
    Ok(Matched)
}

/// Replaces a repetition of the condition's comparison in the second region by true.
fn fold_repeated_comparison(op: While, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (_, last) = block_of(body, op.before(body))?;
    let (after, _) = block_of(body, op.after(body))?;
    let condition = body.op(last).operand(0);
    let first = body.defining_op(condition).and_then(|def| CmpI::cast(body, def));
    let first = first.ok_or(NoMatch::because("the condition is not an arith.cmpi"))?;
    let known = first.predicate(body);
    // The corresponding arguments of the second region.
    let passed: Vec<Value> = body.op(last).operands().skip(1).collect();
    let same = |inside: Value, outside: Value| {
        inside == outside
            || passed
                .iter()
                .zip(body.block(after).args())
                .any(|(&given, arg)| given == outside && arg == inside)
    };
    let compares = body.block(after).ops().filter_map(|op| CmpI::cast(body, op)).filter(|compare| {
        same(compare.lhs(body), first.lhs(body)) && same(compare.rhs(body), first.rhs(body))
    });
    let answers: Vec<(Op, bool)> = compares
        .filter_map(|compare| {
            let other = compare.predicate(body);
            let answer =
                if other == known { Some(true) } else { (other == known.negated()).then_some(false) };
            Some((compare.op(), answer?))
        })
        .collect();
    if answers.is_empty() {
        return Err(NoMatch::because("the comparison is not repeated"));
    }
    for (compare, answer) in answers {
        rewriter.set_before(compare);
        let value = rewriter.constant(compare, Attr::bool(answer), Type::I1)?;
        rewriter.replace(compare, &[value]);
    }
    Ok(Matched)
}

/// Replaces a forwarded value that is defined outside of the loop, or forwarded twice, in the second region and after
/// the loop.
fn always_passed(op: While, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (before, last) = block_of(body, op.before(body))?;
    let (after, _) = block_of(body, op.after(body))?;
    let passed: Vec<Value> = body.op(last).operands().skip(1).collect();
    let mut first: FxHashMap<Value, usize> = FxHashMap::default();
    let mut known: Vec<(Value, Value)> = Vec::new();
    for (at, &value) in passed.iter().enumerate() {
        let targets = [body.block(after).arg(at), body.op(op.op()).result(at)];
        let earlier = *first.entry(value).or_insert(at);
        let instead = if body.block_of(value) != Some(before) {
            [value; 2]
        } else if earlier < at {
            [body.block(after).arg(earlier), body.op(op.op()).result(earlier)]
        } else {
            continue;
        };
        known.extend(targets.into_iter().zip(instead).filter(|&(target, _)| body.is_used(target)));
    }
    if known.is_empty() {
        return Err(NoMatch::because("each forwarded value is defined in the loop and forwarded once"));
    }
    known.into_iter().for_each(|(from, to)| rewriter.replace_all_uses(from, to));
    Ok(Matched)
}

/// Removes an argument of the first region that always has its initial value: the second region yields the initial
/// value, or the argument itself.
fn fold_invariant_args(op: While, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (before, condition) = block_of(body, op.before(body))?;
    let (after, end) = block_of(body, op.after(body))?;
    let passed_as: FxHashMap<Value, Value> =
        body.block(after).args().zip(body.op(condition).operands().skip(1)).collect();
    let same: Vec<(Value, Value)> = body
        .block(before)
        .args()
        .zip(op.inits(body))
        .zip(body.op(end).operands())
        .filter(|&((arg, init), yielded)| yielded == init || passed_as.get(&yielded) == Some(&arg))
        .map(|(pair, _)| pair)
        .filter(|&(arg, _)| body.is_used(arg))
        .collect();
    if same.is_empty() {
        return Err(NoMatch::because("the yielded values change"));
    }
    same.into_iter().for_each(|(arg, init)| rewriter.replace_all_uses(arg, init));
    Ok(Matched)
}

/// Removes forwarded values that are unused in the second region and after the loop.
fn unused_results(op: While, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (_, last) = block_of(body, op.before(body))?;
    let (after, _) = block_of(body, op.after(body))?;
    let (results, inits) = (op.results(body), op.inits(body));
    let args: Vec<Value> = body.block(after).args().collect();
    let keep: Vec<bool> =
        results.iter().zip(&args).map(|(&result, &arg)| body.is_used(result) || body.is_used(arg)).collect();
    if keep.iter().all(|&keep| keep) {
        return Err(NoMatch::because("all forwarded values are used"));
    }
    let mut operands = vec![body.op(last).operand(0)];
    operands.extend(kept(body.op(last).operands().skip(1).collect::<Vec<_>>(), &keep));
    let types: Vec<Type> = kept(results.iter().map(|&result| body.ty(result)), &keep);
    let new = similar(rewriter, op.op(), &inits, &types);
    move_regions(rewriter, op.op(), new);
    rewriter.modify(last, |body, op| body.set_operands(op, &operands));
    for at in (0..keep.len()).rev().filter(|&at| !keep[at]) {
        rewriter.erase_arg(after, at);
    }
    replace_kept(rewriter, op.op(), &keep, new);
    Ok(Matched)
}

/// Removes unused arguments of the first region.
fn unused_arguments(op: While, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (before, _) = block_of(body, op.before(body))?;
    let (_, last) = block_of(body, op.after(body))?;
    let (results, inits) = (op.results(body), op.inits(body));
    let keep: Vec<bool> = body.block(before).args().map(|arg| body.is_used(arg)).collect();
    if keep.iter().all(|&keep| keep) {
        return Err(NoMatch::because("all arguments are used"));
    }
    let operands = kept(inits, &keep);
    let yielded = kept(body.op(last).operands().collect::<Vec<_>>(), &keep);
    let types: Vec<Type> = results.iter().map(|&result| body.ty(result)).collect();
    let new = similar(rewriter, op.op(), &operands, &types);
    move_regions(rewriter, op.op(), new);
    rewriter.modify(last, |body, op| body.set_operands(op, &yielded));
    for at in (0..keep.len()).rev().filter(|&at| !keep[at]) {
        rewriter.erase_arg(before, at);
    }
    replace_kept(rewriter, op.op(), &vec![true; types.len()], new);
    Ok(Matched)
}
