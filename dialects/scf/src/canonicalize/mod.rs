//! Canonicalization patterns for branches and loops with known control flow, and for unused values.

mod choose;
mod count;
mod once;
mod pair;
mod repeat;

use minoan_ir::{Block, Body, Op, OpState, Region, Type, Value};
use minoan_rewrite::{NoMatch, PatternSet, Rewriter};
use rustc_hash::FxHashMap;
use std::hash::Hash;

pub(crate) fn patterns(patterns: &mut PatternSet) {
    choose::add_patterns(patterns);
    count::add_patterns(patterns);
    once::add_patterns(patterns);
    pair::add_patterns(patterns);
    repeat::add_patterns(patterns);
}

/// The block of a region and its terminator.
fn block_of(body: &Body, region: Region) -> Result<(Block, Op), NoMatch> {
    let block = body.region(region).entry().ok_or(NoMatch::because("the region is empty"))?;
    let last = body.block(block).last().ok_or(NoMatch::because("the block is empty"))?;
    Ok((block, last))
}

/// Inlines a region in place of an operation, with values for its arguments; the results are the terminator's
/// operands from `first` on.
fn replace_by_region(
    rewriter: &mut Rewriter<'_>,
    op: Op,
    region: Region,
    args: &[Value],
    first: usize,
) -> Result<(), NoMatch> {
    let (block, last) = block_of(rewriter.body(), region)?;
    // A terminator operand may be an argument of the block.
    let own: Vec<Value> = rewriter.body().block(block).args().collect();
    let given = |value: Value| own.iter().position(|&arg| arg == value).map_or(value, |at| args[at]);
    let values: Vec<Value> = rewriter.op(last).operands().skip(first).map(given).collect();
    rewriter.erase(last);
    rewriter.inline_block(block, minoan_ir::InsertionPoint::Before(op), args);
    rewriter.replace(op, &values);
    Ok(())
}

/// The items at the positions where `keep` holds.
fn kept<T: Copy>(items: impl IntoIterator<Item = T>, keep: &[bool]) -> Vec<T> {
    items.into_iter().zip(keep).filter(|(_, keep)| **keep).map(|(item, _)| item).collect()
}

/// The values whose key occurred before, each with the first value of that key.
fn repeated<K: Eq + Hash>(values: impl Iterator<Item = (Value, K)>) -> Vec<(Value, Value)> {
    let mut firsts = FxHashMap::default();
    let first = |(value, key)| Some((value, *firsts.entry(key).or_insert(value)));
    values.filter_map(first).filter(|(value, first)| value != first).collect()
}

/// Recreates an operation with the same kind and attributes and empty regions.
fn similar(rewriter: &mut Rewriter<'_>, op: Op, operands: &[Value], results: &[Type]) -> Op {
    let view = rewriter.op(op);
    let state = OpState::new(view.kind()).props(view.props()).attrs(view.attrs()).regions(view.n_regions());
    rewriter.create(state.operands(operands).results(results))
}

/// Moves the contents of an operation's regions to another operation with the same number of regions.
fn move_regions(rewriter: &mut Rewriter<'_>, from: Op, to: Op) {
    let body = rewriter.body();
    let pairs: Vec<(Region, Region)> = body.op(from).own_regions().zip(body.op(to).own_regions()).collect();
    for (from, to) in pairs {
        rewriter.move_blocks(from, to);
    }
}

/// Replaces the kept results of an operation by the results of another, in order, and erases it; the other results
/// must be unused.
fn replace_kept(rewriter: &mut Rewriter<'_>, op: Op, keep: &[bool], new: Op) {
    let old = kept(rewriter.op(op).results().collect::<Vec<_>>(), keep);
    let new: Vec<Value> = rewriter.op(new).results().collect();
    for (old, new) in old.into_iter().zip(new) {
        rewriter.replace_all_uses(old, new);
    }
    rewriter.erase(op);
}
