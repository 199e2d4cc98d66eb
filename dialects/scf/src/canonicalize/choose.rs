//! Canonicalization of `scf.if`.

use super::{block_of, kept, move_regions, repeated, replace_by_region, replace_kept, similar};
use crate::If;
use minoan_arith::{AndI, Select, XOrI};
use minoan_ir::{Attr, Block, Body, Op, OpDef, Region, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};

/// Upper bound on the uses of a condition that are examined, and on the enclosing operations of each, to find uses in
/// the branches.
const NEAR: usize = 8;

pub(super) fn add_patterns(patterns: &mut PatternSet) {
    patterns
        .on_with_benefit("scf-if-known-condition", 2, known_condition)
        .on("scf-if-unused-results", unused_results)
        .on("scf-if-equal-results", equal_results)
        .on("scf-if-to-select", to_select)
        .on("scf-if-empty-else", empty_else)
        .on("scf-if-not", negated)
        .on("scf-if-if", nested)
        .on("scf-if-condition-inside", condition_inside);
}

fn known_condition(op: If, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let condition = rewriter.constant_of(op.condition(body)).and_then(|attr| attr.as_bool(body.context()));
    let region = match condition {
        None => return Err(NoMatch::because("the condition is not constant")),
        Some(true) => op.then_region(body),
        Some(false) => op.else_region(body),
    };
    if body.region(region).is_empty() {
        rewriter.erase(op.op());
    } else {
        replace_by_region(rewriter, op.op(), region, &[], 0)?;
    }
    Ok(Matched)
}

/// Recreates the operation with the same regions and some of its results.
fn with_results(rewriter: &mut Rewriter<'_>, op: If, keep: &[bool]) -> Result<Op, NoMatch> {
    let body = rewriter.body();
    let mut yields = Vec::new();
    for region in [op.then_region(body), op.else_region(body)] {
        if !body.region(region).is_empty() {
            yields.push(block_of(body, region)?.1);
        }
    }
    let condition = op.condition(body);
    let types = kept(body.op(op.op()).result_types().collect::<Vec<Type>>(), keep);
    let new = similar(rewriter, op.op(), &[condition], &types);
    move_regions(rewriter, op.op(), new);
    for last in yields {
        let values = kept(rewriter.op(last).operands().collect::<Vec<_>>(), keep);
        rewriter.modify(last, |body, op| body.set_operands(op, &values));
    }
    Ok(new)
}

fn unused_results(op: If, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let keep: Vec<bool> = body.op(op.op()).results().map(|result| body.is_used(result)).collect();
    if keep.iter().all(|&keep| keep) {
        return Err(NoMatch::because("all results are used"));
    }
    let new = with_results(rewriter, op, &keep)?;
    replace_kept(rewriter, op.op(), &keep, new);
    Ok(Matched)
}

/// Merges results for which both branches yield the same values.
fn equal_results(op: If, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (_, then) = block_of(body, op.then_region(body))?;
    let (_, otherwise) = block_of(body, op.else_region(body))?;
    let pairs = body.op(then).operands().zip(body.op(otherwise).operands());
    let again = repeated(body.op(op.op()).results().zip(pairs).filter(|&(result, _)| body.is_used(result)));
    if again.is_empty() {
        return Err(NoMatch::because("no two results have the same yielded values"));
    }
    for (result, first) in again {
        rewriter.replace_all_uses(result, first);
    }
    Ok(Matched)
}

/// Replaces results that both branches only forward by selects. Tensors of unknown extents are excluded: passes take a select
/// as elementwise, but the extents of the two may differ.
fn to_select(op: If, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let results: Vec<Value> = body.op(op.op()).results().collect();
    if results.is_empty() {
        return Err(NoMatch::because("the operation has no results"));
    }
    let (then, then_yield) = block_of(body, op.then_region(body))?;
    let (otherwise, else_yield) = block_of(body, op.else_region(body))?;
    let outside =
        |value: Value| !body.block_of(value).is_some_and(|block| [then, otherwise].contains(&block));
    let pairs: Vec<(Value, Value)> =
        body.op(then_yield).operands().zip(body.op(else_yield).operands()).collect();
    let ctx = body.context();
    let may_differ = |a: Value, b: Value| {
        let shape = body.ty(a).shape(ctx).filter(|_| body.ty(a).is_tensor(ctx));
        a != b && shape.is_some_and(|shape| shape.iter().any(|&extent| extent < 0))
    };
    let forwards = |(a, b): (Value, Value)| outside(a) && outside(b) && !may_differ(a, b);
    let keep: Vec<bool> = pairs.iter().map(|&pair| !forwards(pair)).collect();
    if pairs.len() != results.len() || keep.iter().all(|&keep| keep) {
        return Err(NoMatch::because("each result is computed in a branch"));
    }
    let condition = op.condition(body);
    for ((&result, (a, b)), _) in results.iter().zip(pairs).zip(&keep).filter(|(_, keep)| !**keep) {
        let chosen = if a == b {
            a
        } else {
            let select = Select::build(&mut rewriter.builder(), condition, a, b);
            select.result(rewriter.body())
        };
        rewriter.replace_all_uses(result, chosen);
    }
    let new = with_results(rewriter, op, &keep)?;
    replace_kept(rewriter, op.op(), &keep, new);
    Ok(Matched)
}

/// The block of a region that contains only a terminator.
fn only_terminator(rewriter: &Rewriter<'_>, region: Region) -> Option<Block> {
    let body = rewriter.body();
    body.region(region).entry().filter(|&block| body.block(block).len() == 1)
}

fn empty_else(op: If, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    if body.op(op.op()).n_results() > 0 {
        return Err(NoMatch::because("it has results"));
    }
    let block = only_terminator(rewriter, op.else_region(body))
        .ok_or(NoMatch::because("the else region is not empty"))?;
    rewriter.try_erase_block(block).map_err(|error| NoMatch::because(error.to_string()))?;
    rewriter.modify(op.op(), |_, _| ());
    Ok(Matched)
}

/// `if !c {a} else {b}` becomes `if c {b} else {a}`.
fn negated(op: If, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let not = body.defining_op(op.condition(body)).and_then(|def| XOrI::cast(body, def));
    let not = not.ok_or(NoMatch::because("the condition is not an arith.xori"))?;
    let [condition, ones] = not.operand_values(body);
    if rewriter.constant_of(ones) != Some(Attr::TRUE) {
        return Err(NoMatch::because("the condition is not negated"));
    }
    let (then, otherwise) = (op.then_region(body), op.else_region(body));
    if body.region(otherwise).is_empty() {
        return Err(NoMatch::because("there is no else region"));
    }
    let results: Vec<Value> = body.op(op.op()).results().collect();
    let types: Vec<Type> = results.iter().map(|&result| body.ty(result)).collect();
    let new = similar(rewriter, op.op(), &[condition], &types);
    let (new_then, new_else) = (rewriter.op(new).region(0), rewriter.op(new).region(1));
    rewriter.move_blocks(then, new_else);
    rewriter.move_blocks(otherwise, new_then);
    let values: Vec<Value> = rewriter.op(new).results().collect();
    rewriter.replace(op.op(), &values);
    Ok(Matched)
}

/// `if a { if b { .. } }` becomes `if a & b { .. }`.
fn nested(op: If, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let has_else = |op: If| {
        let region = op.else_region(body);
        !body.region(region).is_empty() && only_terminator(rewriter, region).is_none()
    };
    let (block, _) = block_of(body, op.then_region(body))?;
    let inner = body.block(block).first().and_then(|first| If::cast(body, first));
    let inner = inner.filter(|_| body.block(block).len() == 2);
    let inner = inner.ok_or(NoMatch::because("the body is not a single scf.if"))?;
    let results = body.op(op.op()).n_results() + body.op(inner.op()).n_results();
    if results > 0 || has_else(op) || has_else(inner) {
        return Err(NoMatch::because("there are results or else regions"));
    }
    let (outer_condition, inner_condition) = (op.condition(body), inner.condition(body));
    let from = inner.then_region(body);
    let both = AndI::build(&mut rewriter.builder(), outer_condition, inner_condition);
    let both = both.result(rewriter.body());
    let new = similar(rewriter, op.op(), &[both], &[]);
    let to = rewriter.op(new).region(0);
    rewriter.move_blocks(from, to);
    rewriter.erase(op.op());
    Ok(Matched)
}

/// Replaces the condition by a constant inside the branches. The operation itself may be in a branch of another with its
/// condition, so that a nest of them needs one visit of each, however many uses the condition has.
fn condition_inside(op: If, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let condition = op.condition(body);
    if let Some(value) = condition_around(body, op.op(), condition) {
        let known = rewriter.constant(op.op(), Attr::bool(value), Type::I1)?;
        rewriter.set_operand(op.op(), 0, known);
        return Ok(Matched);
    }
    let (then, otherwise) = (op.then_region(body), op.else_region(body));
    rewriter.replace_known_condition(op.op(), condition, NEAR, |body, user| {
        let mut at = user;
        for _ in 0..NEAR {
            let region = body.op(at).block().and_then(|block| body.block(block).region())?;
            if region == then || region == otherwise {
                return Some(region == then);
            }
            at = body.region(region).parent()?;
        }
        None
    })
}

/// The value of a condition in the nearest enclosing branches.
fn condition_around(body: &Body, op: Op, condition: Value) -> Option<bool> {
    let mut at = op;
    for _ in 0..NEAR {
        let region = body.op(at).block().and_then(|block| body.block(block).region())?;
        at = body.region(region).parent()?;
        if let Some(around) = If::cast(body, at).filter(|around| around.condition(body) == condition) {
            return Some(region == around.then_region(body));
        }
    }
    None
}
