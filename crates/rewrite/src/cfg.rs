//! CFG simplification through the service [`Branches`].

use crate::regions::erase_unreachable_blocks;
use minoan_ir::{Attr, Block, Body, InsertionPoint, Op, Region, Value};
use minoan_services::{Branches, ForwardedRemovals, constant_of};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The statistics of [`simplify_cfg`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CfgStatistics {
    /// Branches with a known successor.
    pub folded: u64,
    /// Blocks merged into their only predecessor.
    pub merged: u64,
    /// Block arguments that were unused or always had the same value.
    pub args: u64,
}

/// Simplifies the CFG of all regions of a body; does not enter nested bodies.
///
/// Branches with a known successor become unconditional, unreachable blocks are erased, a block is merged into its
/// only predecessor, and block arguments are removed if they are unused, always equal to another argument of the
/// block, or have the same value on all incoming edges.
pub fn simplify_cfg(body: &mut Body) -> CfgStatistics {
    let mut done = CfgStatistics::default();
    let inner = body.walk().into_iter().flat_map(|op| body.op(op).own_regions());
    let regions: Vec<Region> = body.regions().chain(inner).collect();
    loop {
        let before = done;
        for &region in &regions {
            if body.contains_region(region) && body.region(region).blocks().len() > 1 {
                fold_branches(body, region, &mut done);
            }
        }
        erase_unreachable_blocks(body);
        for &region in &regions {
            if body.contains_region(region) && body.region(region).blocks().len() > 1 {
                merge_blocks(body, region, &mut done);
                simplify_args(body, region, &mut done);
            }
        }
        if done == before {
            return done;
        }
    }
}

fn blocks(body: &Body, region: Region) -> Vec<Block> {
    body.region(region).blocks().collect()
}

fn fold_branches(body: &mut Body, region: Region, done: &mut CfgStatistics) {
    let ctx = body.context().clone();
    for block in blocks(body, region) {
        let Some(end) = body.block(block).last() else { continue };
        let view = body.op(end);
        if view.n_successors() < 2 || view.n_results() > 0 {
            continue;
        }
        let Some(service) = ctx.service::<dyn Branches>(view.kind()) else { continue };
        let known: Vec<Option<Attr>> = view.operands().map(|value| constant_of(body, value)).collect();
        let Some(taken) = service.successor_for_operands(view, &known) else { continue };
        if service.forwarded_operands(view, taken).produced > 0 {
            continue;
        }
        let (to, operands) = (view.successors().nth(taken), service.operands(view, taken));
        let state = to.and_then(|to| service.unconditional_branch(view, to, &operands));
        let Some(state) = state.map(|state| state.loc(view.loc())) else { continue };
        body.create(&state, InsertionPoint::Before(end));
        body.erase(end);
        done.folded += 1;
    }
}

fn merge_blocks(body: &mut Body, region: Region, done: &mut CfgStatistics) {
    let ctx = body.context().clone();
    // The first block of a chain absorbs the others. In text order, if that differs, the merged operations would move
    // again for each block.
    let mut follows = vec![false; body.block_capacity()];
    let all = blocks(body, region);
    for end in all.iter().filter_map(|&block| body.block(block).last()) {
        let mut successors = body.op(end).successors();
        if let (Some(to), None) = (successors.next(), successors.next()) {
            follows[to.index()] = body.block(to).n_named() == 1;
        }
    }
    let (later, first): (Vec<Block>, Vec<Block>) = all.into_iter().partition(|block| follows[block.index()]);
    for block in first.into_iter().chain(later) {
        if !body.contains_block(block) {
            continue;
        }
        // Merges a chain of blocks one after another.
        while let Some(end) = body.block(block).last() {
            let view = body.op(end);
            let mut successors = view.successors();
            let (Some(to), None) = (successors.next(), successors.next()) else { break };
            drop(successors);
            let Some(service) = ctx.service::<dyn Branches>(view.kind()) else { break };
            // A branch may be removed only if it has no operands other than the forwarded ones.
            let passed = service.forwarded_operands(view, 0);
            let target = body.block(to);
            if passed.produced > 0
                || passed.operands != (0..view.n_operands())
                || view.n_results() > 0
                || to == block
                || target.n_named() != 1
                || body.region(region).entry() == Some(to)
                || target.region() != Some(region)
            {
                break;
            }
            let args: Vec<Value> = view.operands().collect();
            if args.iter().any(|&arg| body.block_of(arg) == Some(to)) {
                break;
            }
            body.erase(end);
            body.inline_block(to, InsertionPoint::End(block), &args);
            done.merged += 1;
        }
    }
}

/// A branch to a block.
struct Incoming {
    op: Op,
    successor: usize,
    /// The operands forwarded to the arguments; `None` if the branch is unknown or produces an argument itself.
    operands: Option<Range<usize>>,
}

/// The incoming branches of each block of a region.
fn incoming_branches(body: &Body, region: Region) -> FxHashMap<Block, Vec<Incoming>> {
    let mut branches: FxHashMap<Block, Vec<Incoming>> = FxHashMap::default();
    for op in body.region(region).blocks().filter_map(|block| body.block(block).last()) {
        let view = body.op(op);
        let service = body.context().service::<dyn Branches>(view.kind());
        let mut all =
            service.map_or_else(Vec::new, |service| service.all_forwarded_operands(view)).into_iter();
        for (successor, to) in view.successors().enumerate() {
            let forwarded = all.next().filter(|forwarded| forwarded.produced == 0);
            let operands = forwarded.map(|forwarded| forwarded.operands);
            branches.entry(to).or_default().push(Incoming { op, successor, operands });
        }
    }
    branches
}

/// Removes arguments of blocks. The operands of branches are replaced at once, but erased at the end, each branch once.
fn simplify_args(body: &mut Body, region: Region, done: &mut CfgStatistics) {
    let branches = incoming_branches(body, region);
    let entry = body.region(region).entry();
    let mut removals = ForwardedRemovals::default();
    // The operands that will be erased.
    let mut erased: FxHashSet<(Op, usize)> = FxHashSet::default();
    let mut dead: Vec<(Block, usize)> = Vec::new();
    for block in blocks(body, region) {
        let Some(branches) = branches.get(&block) else { continue };
        if Some(block) == entry || body.block(block).n_args() == 0 {
            continue;
        }
        let Some(mut rows) = passed(body, branches) else { continue };
        let args: Vec<Value> = body.block(block).args().collect();
        let mut gone = vec![false; args.len()];
        for (number, &arg) in args.iter().enumerate() {
            let same = |other: usize| !gone[other] && rows.iter().all(|row| row[other] == row[number]);
            let instead = if body.uses(arg).any(|user| !erased.contains(&(user.op, user.index))) {
                match (0..number).find(|&other| same(other)) {
                    Some(other) => Some(Some(args[other])),
                    None => one_value(body, entry, arg, &rows, number).map(Some),
                }
            } else {
                Some(None)
            };
            let Some(instead) = instead else { continue };
            if let Some(value) = instead {
                body.replace_all_uses(arg, value);
                for operand in rows.iter_mut().flatten().filter(|operand| **operand == arg) {
                    *operand = value;
                }
            }
            gone[number] = true;
        }
        if !gone.contains(&true) {
            continue;
        }
        let keep: Vec<bool> = gone.iter().map(|gone| !gone).collect();
        for Incoming { op, successor, operands } in branches {
            removals.keep(*op, *successor, keep.clone());
            let operands = operands.clone().into_iter().flatten().zip(&gone);
            erased.extend(operands.filter(|(_, gone)| **gone).map(|(operand, _)| (*op, operand)));
        }
        dead.extend((0..gone.len()).rev().filter(|&number| gone[number]).map(|number| (block, number)));
    }
    removals.apply(body);
    done.args += dead.len() as u64;
    for (block, number) in dead {
        body.erase_arg(block, number);
    }
}

/// The operands that each branch forwards to a block; a column has the incoming values of one argument. `None` if a
/// branch is unknown or produces an argument itself.
fn passed(body: &Body, branches: &[Incoming]) -> Option<Vec<Vec<Value>>> {
    let row = |branch: &Incoming| {
        let view = body.op(branch.op);
        Some(branch.operands.clone()?.map(|operand| view.operand(operand)).collect())
    };
    branches.iter().map(row).collect()
}

/// The common value of an argument on all incoming edges, if it dominates the region: defined outside of it, or an
/// argument of its entry block.
fn one_value(
    body: &Body,
    entry: Option<Block>,
    arg: Value,
    rows: &[Vec<Value>],
    number: usize,
) -> Option<Value> {
    let mut values = rows.iter().map(|row| row[number]).filter(|&value| value != arg);
    let first = values.next()?;
    let home = body.block_of(first)?;
    let region = entry.and_then(|entry| body.block(entry).region());
    // An operation of the entry block dominates all other blocks.
    let everywhere = Some(home) == entry || body.block(home).region() != region;
    (everywhere && values.all(|value| value == first)).then_some(first)
}
