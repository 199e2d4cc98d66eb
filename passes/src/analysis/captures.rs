//! Values that regions use and do not define.

use minoan_ir::{Block, Body, Op, Value};
use minoan_services::LoopLike;
use rustc_hash::FxHashSet;

/// The values defined outside of an operation that its regions use, each once.
pub(crate) fn captures(body: &Body, op: Op) -> Vec<Value> {
    let mut blocks: FxHashSet<Block> = FxHashSet::default();
    let mut pending = vec![op];
    let mut used = Vec::new();
    while let Some(op) = pending.pop() {
        for block in body.op(op).own_regions().flat_map(|region| body.region(region).blocks()) {
            blocks.insert(block);
            for inner in body.block(block).ops() {
                used.extend(body.op(inner).operands());
                pending.push(inner);
            }
        }
    }
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    used.retain(|&value| {
        let is_inside = body.block_of(value).is_some_and(|block| blocks.contains(&block));
        !is_inside && seen.insert(value)
    });
    used
}

/// The operands of an operation, and the values defined outside of it that its regions use, with repetitions.
pub(crate) fn free_values(body: &Body, op: Op) -> Vec<Value> {
    let view = body.op(op);
    let mut free: Vec<Value> = view.operands().collect();
    let mut pending: Vec<Op> = view
        .own_regions()
        .flat_map(|region| body.region(region).blocks())
        .flat_map(|block| body.block(block).ops())
        .collect();
    while let Some(inner) = pending.pop() {
        let inner = body.op(inner);
        free.extend(inner.operands().filter(|&value| <dyn LoopLike>::is_outside(body, op, value)));
        pending.extend(
            inner
                .own_regions()
                .flat_map(|region| body.region(region).blocks())
                .flat_map(|block| body.block(block).ops()),
        );
    }
    free
}
