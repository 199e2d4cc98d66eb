//! Rules for attributes of the dialect on operations of any dialect.

use minoan_ir::verify::AttrRules;
use minoan_ir::{Attr, OpRef};
use minoan_services::{EffectSet, EffectsTable};

pub(crate) struct Rules;

impl AttrRules for Rules {
    fn check(&self, op: OpRef<'_>, name: &str, _: Attr) -> Option<String> {
        if name != "bufferization.manual_deallocation" {
            return Some(format!(
                "attribute '\"{name}\"' not supported as an op attribute by the bufferization dialect"
            ));
        }
        let effects = EffectsTable::new(op.context()).declared(op);
        let manages = effects.is_some_and(|effects| {
            effects != EffectSet::UNKNOWN && effects.intersects(EffectSet::ALLOCATE.and(EffectSet::FREE))
        });
        let own = op.name();
        let message = "can be used only on ops that have an allocation and/or free side effect";
        (!manages).then(|| format!("'{own}' op attribute '{name}' {message}"))
    }
}
