//! Control flow between blocks, simplified over the service [`Branches`].

use crate::regions::{branching, erase_unreachable_blocks};
use minoan_ir::{Attr, Block, Body, Def, InsertionPoint, Op, Region, Value};
use minoan_services::{Branches, constant_of};
use rustc_hash::FxHashMap;

/// What [`simplify_cfg`] did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CfgStatistics {
    /// Branches that are known to go one way.
    pub folded: u64,
    /// Blocks that joined the only one that goes to them.
    pub merged: u64,
    /// Arguments that nobody uses, or that are always the same value.
    pub args: u64,
}

/// Simplifies the control flow in all regions of a body; nested bodies are not entered.
///
/// Branches whose way is known go straight, blocks that control cannot reach go, a block with one way in joins the
/// block where that comes from, and block arguments that nobody uses, that another argument of the block always equals, or
/// that are one value whatever branch is taken, go.
pub fn simplify_cfg(body: &mut Body) -> CfgStatistics {
    let mut done = CfgStatistics::default();
    let inner = body.walk().into_iter().flat_map(|op| body.op(op).regions());
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
    // The first block of a chain takes the others up. In the order of the text, where that is another one, what was taken up
    // would move again with each block.
    let mut follows = vec![false; body.block_capacity()];
    let all = blocks(body, region);
    for end in all.iter().filter_map(|&block| body.block(block).last()) {
        let mut ways = body.op(end).successors();
        if let (Some(to), None) = (ways.next(), ways.next()) {
            follows[to.index()] = body.block(to).n_named() == 1;
        }
    }
    let (later, first): (Vec<Block>, Vec<Block>) = all.into_iter().partition(|block| follows[block.index()]);
    for block in first.into_iter().chain(later) {
        if !body.contains_block(block) {
            continue;
        }
        // A chain of blocks joins one after another.
        while let Some(end) = body.block(block).last() {
            let view = body.op(end);
            let mut ways = view.successors();
            let (Some(to), None) = (ways.next(), ways.next()) else { break };
            drop(ways);
            let Some(service) = ctx.service::<dyn Branches>(view.kind()) else { break };
            // Only a branch that does nothing else may go: with no operand but those that it passes on.
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

/// The branches of a region to each of its blocks, by block number.
fn ways_in(body: &Body, region: Region) -> FxHashMap<Block, Vec<(Op, usize)>> {
    let mut ways: FxHashMap<Block, Vec<(Op, usize)>> = FxHashMap::default();
    for end in body.region(region).blocks().filter_map(|block| body.block(block).last()) {
        for (at, to) in body.op(end).successors().enumerate() {
            ways.entry(to).or_default().push((end, at));
        }
    }
    ways
}

fn simplify_args(body: &mut Body, region: Region, done: &mut CfgStatistics) {
    let ways = ways_in(body, region);
    let entry = body.region(region).entry();
    for block in blocks(body, region) {
        let Some(ways) = ways.get(&block) else { continue };
        if Some(block) == entry || body.block(block).n_args() == 0 {
            continue;
        }
        let Some(mut rows) = passed(body, ways) else { continue };
        let args: Vec<Value> = body.block(block).args().collect();
        let mut gone = vec![false; args.len()];
        for (number, &arg) in args.iter().enumerate() {
            let same = |other: usize| !gone[other] && rows.iter().all(|row| row[other] == row[number]);
            let instead = if body.is_used(arg) {
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
        done.args += erase_args(body, block, ways, &rows, &gone);
    }
}

/// What each branch passes to a block; a column is what one argument may be. `None` where one says nothing of it, or makes an
/// argument itself.
fn passed(body: &Body, ways: &[(Op, usize)]) -> Option<Vec<Vec<Value>>> {
    let row = |&(end, at): &(Op, usize)| {
        let view = body.op(end);
        let service = body.context().service::<dyn Branches>(view.kind())?;
        (service.forwarded_operands(view, at).produced == 0).then(|| service.operands(view, at))
    };
    ways.iter().map(row).collect()
}

/// Erases arguments of a block, and what the branches pass for them; how many.
fn erase_args(
    body: &mut Body,
    block: Block,
    ways: &[(Op, usize)],
    rows: &[Vec<Value>],
    gone: &[bool],
) -> u64 {
    let ctx = body.context().clone();
    for (&(end, at), row) in ways.iter().zip(rows) {
        let kept: Vec<Value> =
            row.iter().zip(gone).filter(|(_, gone)| !**gone).map(|(&value, _)| value).collect();
        if let Some(service) = ctx.service::<dyn Branches>(body.op(end).kind()) {
            service.set_forwarded_operands(body, end, at, &kept);
        }
    }
    let numbers = (0..gone.len()).rev().filter(|&number| gone[number]);
    numbers.map(|number| body.erase_arg(block, number)).count() as u64
}

/// Erases the arguments of blocks that nobody uses, in all regions of a body; true when there was one. Nested bodies are not
/// entered.
pub fn erase_unused_args(body: &mut Body) -> bool {
    let mut changed = false;
    for region in branching(body) {
        let has_unused = |block: &Block| body.block(*block).args().any(|arg| !body.is_used(arg));
        let entry = body.region(region).entry();
        let mut pending: Vec<Block> = blocks(body, region).into_iter().skip(1).filter(has_unused).collect();
        let ways = if pending.is_empty() { FxHashMap::default() } else { ways_in(body, region) };
        while let Some(block) = pending.pop() {
            let gone: Vec<bool> = body.block(block).args().map(|arg| !body.is_used(arg)).collect();
            let Some(ways) = ways.get(&block).filter(|_| gone.contains(&true)) else { continue };
            let Some(rows) = passed(body, ways) else { continue };
            erase_args(body, block, ways, &rows, &gone);
            changed = true;
            // What was passed may be an argument that nobody uses now.
            let passed = rows.iter().flat_map(|row| row.iter().zip(&gone)).filter(|(_, gone)| **gone);
            let unused = passed.map(|(&value, _)| value).filter(|&value| !body.is_used(value));
            let from = unused.filter_map(|value| match body.def(value) {
                Def::Arg(block, _) => Some(block),
                Def::Result(..) => None,
            });
            pending.extend(
                from.filter(|&from| body.block(from).region() == Some(region) && Some(from) != entry),
            );
        }
    }
    changed
}

/// The one value that all branches pass as an argument, where it is defined for all of the region: outside of it, or as an
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
    // An operation of the entry block comes before all other blocks.
    let everywhere = Some(home) == entry || body.block(home).region() != region;
    (everywhere && values.all(|value| value == first)).then_some(first)
}
