//! Reads before updates.
//!
//! A read of an element after an update of the tensor would keep the old contents alive, at the cost of a copy of the tensor.
//! It is executed before the update if it reads the old tensor, its indices are known there, and no operation in between has
//! effects: an assertion may ensure that the indices are in bounds. The time is linear.

use crate::analysis::effect_sums::effect_sums;
use minoan_ir::{Block, Body, Context, InsertionPoint, Op, ServiceTable, Value};
use minoan_services::{Alias, AliasModel, EffectSet, ElementAccess};
use rustc_hash::FxHashMap;

/// Moves reads of elements before updates of their tensors.
pub(super) fn read_before_updates(body: &mut Body, ctx: &Context) {
    let (Some(accesses), Some(aliases)) = (
        ctx.service_table() as Option<&ServiceTable<dyn ElementAccess>>,
        ctx.service_table() as Option<&ServiceTable<dyn AliasModel>>,
    ) else {
        return;
    };
    let all: Vec<Op> = body.walk().into_iter().collect();
    let effects = effect_sums(body, &all);
    let inner = all.iter().flat_map(|&op| body.op(op).own_regions());
    let regions: Vec<_> = body.regions().chain(inner).collect();
    let blocks: Vec<Block> = regions.into_iter().flat_map(|region| body.region(region).blocks()).collect();
    for block in blocks {
        let ops: Vec<Op> = body.block(block).ops().collect();
        let mut positions: FxHashMap<Op, usize> = FxHashMap::default();
        let mut updates: FxHashMap<Value, Op> = FxHashMap::default();
        let mut last_effect = None;
        for (at, op) in ops.into_iter().enumerate() {
            let view = body.op(op);
            positions.insert(op, at);
            let read = accesses.get(view.kind()).and_then(|service| service.access(view));
            let read = read.filter(|access| access.stored.is_none());
            let update = read.and_then(|access| updates.get(&view.operand(access.container)).copied());
            if let Some(update) = update {
                let place = positions[&update];
                let is_known = |value: Value| match body.defining_op(value) {
                    Some(def) if body.op(def).block() == Some(block) => {
                        def != update && positions.get(&def).is_some_and(|&position| position <= place)
                    }
                    _ => true,
                };
                let is_free = last_effect.is_none_or(|effect| effect < place);
                if is_free && view.operands().all(is_known) {
                    // Reads that are moved to the same position keep their order.
                    if body.try_move_op(op, InsertionPoint::Before(update)).is_ok() {
                        positions.insert(op, place);
                    }
                    continue;
                }
            }
            if effects[op.index()] != EffectSet::NONE {
                last_effect = Some(at);
            }
            let Some(service) = aliases.get(view.kind()) else { continue };
            for result in 0..view.n_results() {
                if let Alias::UpdateOf(operand) = service.alias(view, result) {
                    updates.entry(view.operand(operand)).or_insert(op);
                }
            }
        }
    }
}
