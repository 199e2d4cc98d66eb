//! The recursive effects of all operations of a body.

use minoan_ir::{Body, Op, Traits};
use minoan_services::{EffectSet, EffectsTable};

/// For each operation index: the effects of the operation and all nested ones. Takes one pass over `order`, the
/// operations of the body. Isolated operations that do not declare their effects have unknown ones.
pub(crate) fn effect_sums(body: &Body, order: &[Op]) -> Vec<EffectSet> {
    let effects = EffectsTable::new(body.context());
    let mut sums = vec![EffectSet::NONE; body.op_capacity()];
    for &op in order.iter().rev() {
        let view = body.op(op);
        let own = match effects.declared(view) {
            None if view.has_trait(Traits::ISOLATED) => EffectSet::UNKNOWN,
            declared => declared.unwrap_or(EffectSet::NONE),
        };
        sums[op.index()] = sums[op.index()].and(own);
        if let Some(parent) = view.parent() {
            sums[parent.index()] = sums[parent.index()].and(sums[op.index()]);
        }
    }
    sums
}
