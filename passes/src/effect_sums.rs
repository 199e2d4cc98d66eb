//! The effects of all operations of a body, those of what is inside them included.

use minoan_ir::{Body, Op, Traits};
use minoan_services::{EffectSet, Effects};

/// By operation number: its effects with those of everything inside it. `order` is the walk of the body; takes one
/// pass over it. Isolated operations may do anything.
pub(crate) fn effect_sums(body: &Body, order: &[Op]) -> Vec<EffectSet> {
    let table = body.context().service_table::<dyn Effects>();
    let mut sums = vec![EffectSet::NONE; body.op_capacity()];
    for &op in order.iter().rev() {
        let view = body.op(op);
        let traits = view.traits();
        let own = if traits.has(Traits::ISOLATED) {
            EffectSet::UNKNOWN
        } else if traits.has(Traits::PURE) || traits.has(Traits::RECURSIVE_EFFECTS) {
            EffectSet::NONE
        } else {
            let answer = table.and_then(|table| table.get(view.kind()));
            answer.map_or(EffectSet::UNKNOWN, |service| service.effects(view))
        };
        sums[op.index()] = sums[op.index()].and(own);
        if let Some(parent) = view.parent() {
            sums[parent.index()] = sums[parent.index()].and(sums[op.index()]);
        }
    }
    sums
}
