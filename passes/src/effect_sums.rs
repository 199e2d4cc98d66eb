//! The effects of all operations of a body, those of what is inside them included.

use minoan_ir::{Body, Op, Traits};
use minoan_services::{EffectSet, EffectsTable};

/// By operation number: its effects with those of everything inside it. `order` is the walk of the body; takes one
/// pass over it. Isolated operations may do anything.
pub(crate) fn effect_sums(body: &Body, order: &[Op]) -> Vec<EffectSet> {
    let effects = EffectsTable::new(body.context());
    let mut sums = vec![EffectSet::NONE; body.op_capacity()];
    for &op in order.iter().rev() {
        let view = body.op(op);
        let isolated = view.has_trait(Traits::ISOLATED);
        let own = if isolated { EffectSet::UNKNOWN } else { effects.own(view) };
        sums[op.index()] = sums[op.index()].and(own);
        if let Some(parent) = view.parent() {
            sums[parent.index()] = sums[parent.index()].and(sums[op.index()]);
        }
    }
    sums
}
