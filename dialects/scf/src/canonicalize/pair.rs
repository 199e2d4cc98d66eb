//! Canonicalization of consecutive `scf.if` operations with the same condition.

use super::{block_of, move_regions, similar};
use crate::If;
use minoan_arith::XOrI;
use minoan_ir::{Attr, Body, InsertionPoint, Op, OpDef, Region, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};

pub(super) fn add_patterns(patterns: &mut PatternSet) {
    patterns.on("scf-if-after-if", combine);
}

/// Whether a value is the negation of another.
fn is_not(rewriter: &Rewriter<'_>, value: Value, of: Value) -> bool {
    let body = rewriter.body();
    let not = body.defining_op(value).and_then(|def| XOrI::cast(body, def));
    not.is_some_and(|not| {
        let [operand, ones] = not.operand_values(body);
        operand == of && rewriter.constant_of(ones) == Some(Attr::TRUE)
    })
}

/// The region of `owner` that contains an operation, if there is one.
fn region_around(body: &Body, owner: Op, op: Op) -> Option<Region> {
    let mut at = op;
    loop {
        let region = body.op(at).block().and_then(|block| body.block(block).region())?;
        let parent = body.region(region).parent()?;
        if parent == owner {
            return Some(region);
        }
        at = parent;
    }
}

/// Merges two conditionals: `if c {a} if c {b}` becomes `if c {a b}`.
fn combine(op: If, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let first = body.op(op.op()).prev().and_then(|before| If::cast(body, before));
    let first = first.ok_or(NoMatch::because("the preceding operation is not an scf.if"))?;
    let (condition, own) = (first.condition(body), op.condition(body));
    let (mut then, mut otherwise) = (op.then_region(body), op.else_region(body));
    if own != condition {
        if !is_not(rewriter, own, condition) && !is_not(rewriter, condition, own) {
            return Err(NoMatch::because("the conditions differ"));
        }
        std::mem::swap(&mut then, &mut otherwise);
    }
    let [first_then, first_else] = [first.then_region(body), first.else_region(body)];
    // For each branch: its regions in both operations, and the values that the first one yields.
    let mut uses: Vec<(Op, usize, Value)> = Vec::new();
    let given = |region: Region| -> Result<Vec<Value>, NoMatch> {
        if body.region(region).is_empty() {
            return Ok(Vec::new());
        }
        Ok(body.op(block_of(body, region)?.1).operands().collect())
    };
    let (then_given, else_given) = (given(first_then)?, given(first_else)?);
    let old: Vec<Value> = first.results(body);
    for (at, &result) in old.iter().enumerate() {
        for user in body.uses(result) {
            match region_around(body, op.op(), user.op) {
                Some(region) if region == then => uses.push((user.op, user.index, then_given[at])),
                Some(_) => uses.push((user.op, user.index, else_given[at])),
                None => {}
            }
        }
    }
    let ty = |value: &Value| body.ty(*value);
    let types: Vec<Type> = old.iter().chain(&op.results(body)).map(ty).collect();
    for (user, index, value) in uses {
        rewriter.set_operand(user, index, value);
    }
    let new = similar(rewriter, op.op(), &[condition], &types);
    move_regions(rewriter, first.op(), new);
    for (at, region) in [then, otherwise].into_iter().enumerate() {
        if rewriter.body().region(region).is_empty() {
            continue;
        }
        let target = rewriter.op(new).region(at);
        if rewriter.body().region(target).is_empty() {
            rewriter.move_blocks(region, target);
            continue;
        }
        let (_, end) = block_of(rewriter.body(), target)?;
        let (block, last) = block_of(rewriter.body(), region)?;
        let values: Vec<Value> = rewriter.op(end).operands().chain(rewriter.op(last).operands()).collect();
        rewriter.erase(last);
        rewriter.inline_block(block, InsertionPoint::Before(end), &[]);
        rewriter.modify(end, |body, end| body.set_operands(end, &values));
    }
    let results: Vec<Value> = rewriter.op(new).results().collect();
    rewriter.replace(op.op(), &results[old.len()..]);
    rewriter.replace(first.op(), &results[..old.len()]);
    Ok(Matched)
}
