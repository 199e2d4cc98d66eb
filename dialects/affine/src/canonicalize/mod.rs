//! Canonicalization patterns: composed maps, redundant operands, and trivial loops and conditionals.

mod extrema;
mod indices;

use crate::bounds::simplify_map;
use crate::fold::with_props;
use crate::value_map::ValueMap;
use crate::{Apply, For, If, Load, Prefetch, Store, VectorLoad, VectorStore, Yield};
use minoan_ir::affine::AffineExpr;
use minoan_ir::{Attr, Block, Body, InsertionPoint, Op, OpDef, OpRef, Region, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};

pub(crate) fn patterns(patterns: &mut PatternSet) {
    patterns
        .on("affine-apply-compose", |op: Apply, rewriter| compose(op.op(), 0, rewriter))
        .on("affine-load-compose", |op: Load, rewriter| compose(op.op(), 1, rewriter))
        .on("affine-store-compose", |op: Store, rewriter| compose(op.op(), 2, rewriter))
        .on("affine-vector-load-compose", |op: VectorLoad, rewriter| compose(op.op(), 1, rewriter))
        .on("affine-vector-store-compose", |op: VectorStore, rewriter| compose(op.op(), 2, rewriter))
        .on("affine-prefetch-compose", |op: Prefetch, rewriter| compose(op.op(), 1, rewriter))
        .on("affine-for-empty", empty_loop)
        .on("affine-if-empty-else", empty_else)
        .on("affine-if-known", known_condition);
    extrema::add_patterns(patterns);
    indices::add_patterns(patterns);
}

/// The map of an operation whose operands of the map start at `first`.
fn values_of(op: OpRef<'_>, first: usize) -> Result<ValueMap, NoMatch> {
    let values = ValueMap::of(op, "map", op.operands().skip(first).collect());
    values.ok_or(NoMatch::because("the map has other operands"))
}

/// Replaces the map of an operation, and its operands from `first` on.
fn set_map(op: Op, first: usize, values: &ValueMap, rewriter: &mut Rewriter<'_>) {
    let view = rewriter.op(op);
    let operands: Vec<Value> = view.operands().take(first).chain(values.operands.iter().copied()).collect();
    let props = with_props(view, &[("map", Attr::affine_map(view.context(), values.map.clone()))]);
    rewriter.modify(op, |body, op| {
        body.set_operands(op, &operands);
        body.set_props(op, props);
    });
}

/// Composes the map of an operation with those that define its operands, and simplifies it.
fn compose(op: Op, first: usize, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let old = values_of(rewriter.op(op), first)?;
    let mut new = old.clone();
    new.compose(rewriter.body());
    new.canonicalize(rewriter.body());
    new.map = simplify_map(rewriter.body(), &new);
    if new == old {
        return Err(NoMatch::because("the map is canonical"));
    }
    set_map(op, first, &new, rewriter);
    Ok(Matched)
}

/// The block of a region and its terminator.
fn block_of(body: &Body, region: Region) -> Result<(Block, Op), NoMatch> {
    let block = body.region(region).entry().ok_or(NoMatch::because("the region is empty"))?;
    let last = body.block(block).last().filter(|&last| body.op(last).is::<Yield>());
    Ok((block, last.ok_or(NoMatch::because("the block does not end with 'affine.yield'"))?))
}

/// Replaces a loop whose body only forwards values. A loop without results is dead, and erased as such.
fn empty_loop(of: For, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (block, last) = block_of(body, of.region(body))?;
    if body.block(block).len() > 1 || body.op(of.op()).n_results() == 0 {
        return Err(NoMatch::because("the body has operations, or the loop no results"));
    }
    let (inits, trips) = (of.inits(body), of.trip_count(body));
    if trips == Some(0) {
        rewriter.replace(of.op(), &inits);
        return Ok(Matched);
    }
    let args: Vec<Value> = body.block(block).args().collect();
    let (mut values, mut is_outside, mut is_permuted) = (Vec::new(), false, false);
    for (at, value) in body.op(last).operands().enumerate() {
        match args.iter().position(|&arg| arg == value) {
            Some(0) => return Err(NoMatch::because("the induction variable is yielded")),
            Some(arg) => {
                is_permuted |= arg - 1 != at;
                values.push(inits[arg - 1]);
            }
            None => {
                is_outside = true;
                values.push(value);
            }
        }
    }
    if trips.is_none() && (is_outside || is_permuted) || trips.is_some_and(|trips| trips > 1) && is_permuted {
        return Err(NoMatch::because("the results depend on the trip count"));
    }
    rewriter.replace(of.op(), &values);
    Ok(Matched)
}

/// Removes the second region of a conditional if it does nothing.
fn empty_else(of: If, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (block, _) = block_of(body, of.else_region(body))?;
    if body.block(block).len() > 1 || body.op(of.op()).n_results() > 0 {
        return Err(NoMatch::because("the region has operations or yields values"));
    }
    rewriter.try_erase_block(block).map_err(|_| NoMatch::because("the block is used"))?;
    Ok(Matched)
}

/// Inlines the region that is executed if the condition is `0 == 0` or `1 == 0`.
fn known_condition(of: If, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let region = match of.condition(body).constraints[..] {
        [(AffineExpr::Constant(0), true)] => of.then_region(body),
        [(AffineExpr::Constant(1), true)] => of.else_region(body),
        _ => return Err(NoMatch::because("the condition is not trivial")),
    };
    let op = of.op();
    if body.region(region).is_empty() {
        rewriter.erase(op);
        return Ok(Matched);
    }
    let (block, last) = block_of(body, region)?;
    let values: Vec<Value> = body.op(last).operands().collect();
    rewriter.erase(last);
    rewriter.inline_block(block, InsertionPoint::Before(op), &[]);
    rewriter.replace(op, &values);
    Ok(Matched)
}
