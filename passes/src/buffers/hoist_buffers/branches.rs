//! Moves allocations and deallocations that are in each branch of an operation out of the branches.
//!
//! * A buffer that is allocated outside and freed in each branch is freed after the operation.
//! * A result that is a fresh buffer in each branch, always of the same extents, is allocated before the operation.

use super::{frees, is_same_kind};
use minoan_ir::{Block, Body, InsertionPoint, Op, Value};
use minoan_services::{BufferOps, LoopLike, RegionExecution, RegionFlow, RegionTarget};
use rustc_hash::{FxHashMap, FxHashSet};

/// Visits operations from the inside out, so that buffers that leave one operation may leave the enclosing ones. Time is linear.
pub(super) fn leave(body: &mut Body, buffers: &dyn BufferOps) {
    let mut ops = body.walk();
    ops.reverse();
    let freed: FxHashSet<Value> = frees(body, buffers).into_keys().collect();
    for op in ops {
        let Some(branches) = branches(body, op) else { continue };
        move_frees(body, buffers, op, &branches);
        move_allocs(body, buffers, op, &branches, &freed);
    }
}

/// The blocks of an operation that executes exactly one of them; `None` for other operations.
fn branches(body: &Body, op: Op) -> Option<Vec<Block>> {
    let view = body.op(op);
    if view.n_regions() < 2 || view.nested().is_some() {
        return None;
    }
    let flow = view.context().service::<dyn RegionFlow>(view.kind())?;
    if flow.execution(view) != RegionExecution::ExactlyOne {
        return None;
    }
    let only_block = |region| {
        let mut blocks = body.region(region).blocks();
        blocks.next().filter(|_| blocks.next().is_none())
    };
    view.own_regions().map(only_block).collect()
}

fn move_frees(body: &mut Body, buffers: &dyn BufferOps, op: Op, branches: &[Block]) {
    let around = body.op(op).block();
    let mut found: FxHashMap<Value, Vec<Op>> = FxHashMap::default();
    for inside in branches.iter().flat_map(|&block| body.block(block).ops()) {
        if buffers.is_dealloc(body.op(inside)) {
            found.entry(body.op(inside).operand(0)).or_default().push(inside);
        }
    }
    let is_next_to = |body: &Body, buffer| {
        let alloc = body.defining_op(buffer).filter(|&alloc| buffers.is_alloc(body.op(alloc)));
        alloc.is_some_and(|alloc| body.op(alloc).block() == around)
    };
    let mut in_all: Vec<Vec<Op>> = found
        .into_iter()
        .filter(|(buffer, frees)| frees.len() == branches.len() && is_next_to(body, *buffer))
        .map(|(_, frees)| frees)
        .collect();
    // In the order of the first branch, from the last on: each is moved directly after the operation.
    in_all.sort_by_key(|frees| std::cmp::Reverse(frees[0]));
    for frees in in_all {
        let Some((&kept, others)) = frees.split_first() else { continue };
        if body.try_move_op(kept, InsertionPoint::After(op)).is_ok() {
            others.iter().for_each(|&other| body.erase(other));
        }
    }
}

fn move_allocs(
    body: &mut Body,
    buffers: &dyn BufferOps,
    op: Op,
    branches: &[Block],
    freed: &FxHashSet<Value>,
) {
    for result in 0..body.op(op).n_results() {
        let Some(allocs) = fresh_buffers(body, buffers, op, branches, result) else { continue };
        let Some((&first, others)) = allocs.split_first() else { continue };
        let is_freed = |&alloc: &Op| freed.contains(&body.op(alloc).result(0));
        if allocs.iter().any(is_freed) || body.try_move_op(first, InsertionPoint::Before(op)).is_err() {
            continue;
        }
        let buffer = body.op(first).result(0);
        others.iter().for_each(|&other| body.replace(other, &[buffer]));
        let result = body.op(op).result(result);
        body.replace_all_uses(result, buffer);
    }
}

/// The allocations, one per branch, that are the values of a result; they have the same type and extents, which are defined
/// outside.
fn fresh_buffers(
    body: &Body,
    buffers: &dyn BufferOps,
    op: Op,
    branches: &[Block],
    result: usize,
) -> Option<Vec<Op>> {
    let view = body.op(op);
    let flow = view.context().service::<dyn RegionFlow>(view.kind())?;
    let mut allocs: Vec<Op> = Vec::new();
    for (region, &block) in branches.iter().enumerate() {
        let end = body.op(body.block(block).last()?);
        let known = vec![None; end.n_operands()];
        let successors = flow.terminator_successors(view, region, end, &known);
        let [to_parent] = &successors[..] else { return None };
        if to_parent.target != RegionTarget::Parent {
            return None;
        }
        let buffer = end.operand(to_parent.operand(result)?);
        let alloc = body.op(body.defining_op(buffer)?);
        let first = body.op(*allocs.first().unwrap_or(&alloc.id()));
        let is_alike = buffers.is_alloc(alloc)
            && alloc.block() == Some(block)
            && is_same_kind(alloc, first)
            && alloc.operands().all(|size| <dyn LoopLike>::is_outside(body, op, size));
        let is_yielded_once = end.operands().filter(|&operand| operand == buffer).count() == 1;
        if !is_alike || !is_yielded_once || !buffers.is_always_possible(body, alloc.id()) {
            return None;
        }
        allocs.push(alloc.id());
    }
    Some(allocs)
}
