//! `dce`: what nobody uses goes.

use minoan_diag::Diagnostics;
use minoan_ir::{Body, Module, Op, Traits};
use minoan_pass::Pass;
use minoan_services::Effects;

/// Erases operations whose results are not used and whose effects cannot be seen.
pub struct Dce;

impl Pass for Dce {
    fn name(&self) -> &'static str {
        "dce"
    }

    fn description(&self) -> &'static str {
        "erase operations without uses or effects"
    }

    fn run(&self, module: &mut Module) -> Result<(), Diagnostics> {
        let mut pending = vec![module.body_mut()];
        while let Some(body) = pending.pop() {
            sweep(body);
            pending.extend(body.nested_bodies_mut());
        }
        Ok(())
    }
}

/// Erases from the last operation to the first, so that what only dead operations used is dead when it is reached.
pub(crate) fn sweep(body: &mut Body) {
    for op in body.walk().into_iter().rev() {
        if body.contains(op) && is_dead(body, op) {
            body.erase(op);
        }
    }
}

fn is_dead(body: &Body, op: Op) -> bool {
    let view = body.op(op);
    let kept =
        [Traits::TERMINATOR, Traits::SYMBOL, Traits::ISOLATED].into_iter().any(|kept| view.has_trait(kept));
    !kept && view.results().all(|result| !body.is_used(result)) && <dyn Effects>::of(view).removable()
}
