//! Values on the heap.

use super::Engine;
use super::work::Work;
use minoan_ir::text::print_type;
use minoan_ir::{Body, Op, Traits, Type, Value};

impl Engine<'_> {
    /// Whether values of a type contain floats, but the type has no tangents.
    fn is_opaque(&self, ty: Type) -> bool {
        !self.is_active_type(ty) && self.objects.iter().any(|objects| objects.holds_floats(ty))
    }

    /// Whether floats in values of a type may be overwritten, but the type has no tangents.
    fn is_opaque_storage(&self, ty: Type) -> bool {
        !self.is_active_type(ty) && self.objects.iter().any(|objects| objects.is_mutable(ty))
    }
}

impl Work<'_, '_> {
    /// Reports the operations through which active values flow into values that contain floats, but have no tangent. Their
    /// derivative would be lost.
    pub(super) fn report_lost(&mut self, body: &Body) {
        if self.engine.objects.is_empty() {
            return;
        }
        let mut found: Vec<(Op, String)> = Vec::new();
        for op in body.walk() {
            let view = body.op(op);
            if !view.operands().any(|operand| self.is_active(operand)) {
                continue;
            }
            let active = (0..view.n_operands()).filter(|&at| self.is_active(view.operand(at)));
            let reached: Vec<Value> = active.flat_map(|at| self.engine.reached(body, view, at)).collect();
            let lost = reached.into_iter().map(|value| body.ty(value)).find(|&ty| self.engine.is_opaque(ty));
            let mut stores = view.operand_types().filter(|&ty| self.engine.is_opaque_storage(ty));
            let is_simple = view.n_regions() == 0 && !view.has_trait(Traits::TERMINATOR);
            let message = match (lost, is_simple.then(|| stores.next()).flatten()) {
                (Some(ty), _) => {
                    let ty = print_type(self.engine.ctx, ty);
                    format!(
                        "has an operand to differentiate, but its result has type '{ty}', which has no tangent"
                    )
                }
                (None, Some(ty)) => {
                    let ty = print_type(self.engine.ctx, ty);
                    format!(
                        "may store an operand to differentiate in a value of type '{ty}', which has no tangent"
                    )
                }
                (None, None) => continue,
            };
            found.push((op, message));
        }
        for (op, message) in found {
            self.report(body.op(op), &message);
        }
    }
}
