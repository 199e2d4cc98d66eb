//! Allocates the buffers that a loop allocates in each iteration, and frees in the next, outside of the loop.
//!
//! Before:
//!
//! ```text
//! %r = scf.for .. iter_args(%current = %init) {
//!   %next = memref.alloc(%n)
//!   ..
//!   memref.dealloc %current
//!   scf.yield %next
//! }
//! memref.dealloc %r
//! ```
//!
//! Two buffers alternate in place of `%next`. If `%init` is an allocation like that of `%next`, it is one of them.
//!
//! ```text
//! %a = memref.alloc(%n)
//! %b = memref.alloc(%n)
//! %r:3 = scf.for .. iter_args(%current = %init, %next = %a, %after = %b) {
//!   ..
//!   scf.yield %next, %after, %next
//! }
//! memref.dealloc %init
//! memref.dealloc %a
//! memref.dealloc %b
//! ```

use super::{frees, is_same_kind, movable};
use minoan_ir::{Body, Builder, InsertionPoint, Mapping, Op, Value};
use minoan_services::{BufferOps, LoopLike, RegionExecution, RegionFlow};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A loop-carried buffer that each iteration replaces.
struct Turn {
    /// The number of the loop-carried value.
    carried: usize,
    /// The allocation of the next buffer, in the loop.
    alloc: Op,
    /// The deallocation of the current one, in the loop.
    dealloc: Op,
    /// The deallocation of the last one, after the loop.
    last: Op,
    /// The initial buffer.
    init: Value,
    /// The positions of the initial values that rotation adds: the next buffer and, unless two buffers suffice, the one after it.
    added: Range<usize>,
}

/// Inside out, since the allocations that leave a loop may be hoisted further. Time is linear in the size of the body and in the
/// operations that compute extents.
pub(super) fn rotate(body: &mut Body, buffers: &dyn BufferOps) {
    let mut ops = body.walk();
    ops.reverse();
    let mut frees = frees(body, buffers);
    for op in ops {
        let mut turns = turns(body, buffers, op, &frees);
        if !turns.is_empty() && take_turns(body, buffers, op, &mut turns) {
            // A loop around this one may pass on the initial buffer.
            frees.extend(turns.into_iter().map(|turn| (turn.init, vec![turn.last])));
        }
    }
}

/// The buffers of a loop that can alternate.
fn turns(body: &Body, buffers: &dyn BufferOps, op: Op, frees: &FxHashMap<Value, Vec<Op>>) -> Vec<Turn> {
    let view = body.op(op);
    let ctx = view.context();
    let Some(service) = ctx.service::<dyn LoopLike>(view.kind()).filter(|_| view.n_regions() == 1) else {
        return Vec::new();
    };
    let flow = ctx.service::<dyn RegionFlow>(view.kind());
    let is_repeated = flow.is_some_and(|flow| flow.execution(view) == RegionExecution::Repeated);
    let (carried, yielded) = (service.carried(view), service.yielded(view));
    if !is_repeated || carried.len() != view.n_results() || yielded.len() != carried.len() {
        return Vec::new();
    }
    let only_free = |buffer: Value| match frees.get(&buffer).map(Vec::as_slice) {
        Some(&[dealloc]) => Some(dealloc),
        _ => None,
    };
    let turn = |number: usize| {
        let alloc = body.defining_op(yielded[number]).filter(|&alloc| buffers.is_alloc(body.op(alloc)))?;
        let block = body.op(alloc).block();
        let dealloc = only_free(carried[number])?;
        let last = only_free(view.result(number))?;
        let passes_on = block == body.block_of(carried[number])
            && body.op(dealloc).block() == block
            && body.op(last).block() == view.block()
            && !frees.contains_key(&yielded[number])
            && !yielded.contains(&carried[number])
            && yielded.iter().filter(|&&value| value == yielded[number]).count() == 1;
        (passes_on && buffers.is_always_possible(body, alloc)).then_some(Turn {
            carried: number,
            alloc,
            dealloc,
            last,
            init: view.operand(service.inits(view).start + number),
            added: 0..0,
        })
    };
    (0..carried.len()).filter_map(turn).collect()
}

/// Returns whether the loop was replaced.
fn take_turns(body: &mut Body, buffers: &dyn BufferOps, op: Op, turns: &mut Vec<Turn>) -> bool {
    turns.retain(|turn| {
        let chain = movable(body, turn.alloc, op).unwrap_or_default();
        // The extents are constants, or those of buffers that are defined outside of the loop.
        chain.into_iter().all(|extent| body.try_move_op(extent, InsertionPoint::Before(op)).is_ok())
            && body.op(turn.alloc).operands().all(|extent| <dyn LoopLike>::is_outside(body, op, extent))
    });
    let mut added = Vec::new();
    for turn in turns.iter_mut() {
        let count = if is_like(body, buffers, turn.init, turn.alloc) { 1 } else { 2 };
        turn.added = added.len()..added.len() + count;
        for _ in 0..count {
            let new = body.clone_op(turn.alloc, InsertionPoint::Before(op), &mut Mapping::new());
            added.push(body.op(new).result(0));
        }
    }
    let view = body.op(op);
    let ctx = view.context().clone();
    let Some(service) = ctx.service::<dyn LoopLike>(view.kind()) else { return false };
    let carried = service.carried(view);
    let mut args = Vec::new();
    let new = service.carry_more(body, op, &added, &mut |_, more| {
        args = more.to_vec();
        let next = |turn: &Turn| match more[turn.added.clone()] {
            [next, after] => vec![after, next],
            _ => vec![carried[turn.carried]],
        };
        turns.iter().flat_map(next).collect()
    });
    if new.is_none() {
        let unused: Vec<Op> = added.iter().filter_map(|&buffer| body.defining_op(buffer)).collect();
        unused.into_iter().for_each(|alloc| body.erase(alloc));
        return false;
    }
    for turn in turns {
        body.replace(turn.alloc, &[args[turn.added.start]]);
        body.erase(turn.dealloc);
        body.set_operand(turn.last, 0, turn.init);
        let loc = body.op(turn.last).loc();
        let mut b = Builder::new(body, InsertionPoint::After(turn.last)).with_loc(loc);
        added[turn.added.clone()].iter().for_each(|&buffer| buffers.dealloc(&mut b, buffer));
    }
    true
}

/// Whether a buffer was allocated like another one.
fn is_like(body: &Body, buffers: &dyn BufferOps, buffer: Value, alloc: Op) -> bool {
    let other = body.defining_op(buffer).map(|op| body.op(op));
    other.is_some_and(|other| buffers.is_alloc(other) && is_same_kind(other, body.op(alloc)))
}
