//! `verify-effects`: checks the declared effects of operations.
//!
//! An operation that is declared to have no side effects, by its trait or by the service, must not contain an
//! operation with side effects. Dead code elimination, code motion and scheduling rely on the declaration, so a wrong
//! one causes miscompilation.

use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Body, Op, Traits};
use minoan_pass::{Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{EffectSet, Effects, EffectsTable};

pass_options! {
    /// The options of the pass.
    pub struct VerifyEffectsOptions {
        /// Emit a remark with the effects of each operation
        "print" print: bool = false,
    }
}

/// Verifies declared effects.
#[derive(Default)]
pub struct VerifyEffects {
    /// The options of this pass.
    pub options: VerifyEffectsOptions,
}

impl Pass for VerifyEffects {
    fn name(&self) -> &'static str {
        "verify-effects"
    }

    fn description(&self) -> &'static str {
        "check that operations declared without side effects contain no operation with side effects"
    }

    own_options!();

    queries!(Effects);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let print = self.options.print;
        let mut errors = Diagnostics::new();
        for (wrong, remarks) in run.each_body(|body| check(body, print)) {
            errors.append(wrong);
            remarks.into_iter().for_each(|remark| run.emit(remark));
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

fn check(body: &Body, print: bool) -> (Diagnostics, Diagnostics) {
    let (mut wrong, mut remarks) = (Diagnostics::new(), Diagnostics::new());
    let effects = EffectsTable::new(body.context());
    let order = body.walk();
    // For each operation: the first one with side effects in it, including itself.
    let mut culprit: Vec<Option<Op>> = vec![None; body.op_capacity()];
    for &op in order.iter().rev() {
        let view = body.op(op);
        let place = view.loc().place(view.context());
        let own = effects.declared(view);
        let inside = culprit[op.index()];
        let adds_inside = view.has_trait(Traits::RECURSIVE_EFFECTS) && !view.has_trait(Traits::PURE);
        if let (Some(EffectSet::NONE), Some(inner), false) = (own, inside, adds_inside) {
            let inner = body.op(inner);
            let why = if view.has_trait(Traits::PURE) {
                "is declared PURE"
            } else {
                "is declared to have no side effects"
            };
            wrong.push(
                Diagnostic::error(format!("'{}' op {why}, but contains an operation that has", view.name()))
                    .at(place.clone())
                    .note_at(
                        inner.loc().place(inner.context()),
                        format!("'{}' has: {}", inner.name(), effects.own(inner)),
                    ),
            );
        }
        if print {
            let all = if inside.is_some() { effects.all(view) } else { own.unwrap_or(EffectSet::NONE) };
            remarks.push(Diagnostic::remark(format!("'{}' has: {all}", view.name())).at(place));
        }
        let has_some = own.is_some_and(|own| own != EffectSet::NONE);
        let first = if has_some { Some(op) } else { inside };
        if let (Some(first), Some(parent)) = (first, view.parent()) {
            culprit[parent.index()] = Some(first);
        }
    }
    let mut in_order = Diagnostics::new();
    let mut reversed: Vec<Diagnostic> = remarks.into_iter().collect();
    reversed.reverse();
    reversed.into_iter().for_each(|remark| in_order.push(remark));
    (wrong, in_order)
}
