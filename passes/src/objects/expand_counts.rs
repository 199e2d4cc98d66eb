//! `expand-counts`: expands operations on objects with counted owners into operations that machine code has.
//!
//! Each dialect with objects does so itself, by its service `ExpandCounts`: tests and updates of counts, accesses to memory,
//! calls of the runtime. The pass follows `place-counts`, and only code generation follows it: ownership is no longer explicit
//! in the IR.

use minoan_diag::Diagnostics;
use minoan_pass::{Anchor, Pass, PassRun, queries};
use minoan_services::ExpandCounts as Service;

/// Expands operations on objects.
pub struct ExpandCounts;

impl Pass for ExpandCounts {
    fn name(&self) -> &'static str {
        "expand-counts"
    }

    fn description(&self) -> &'static str {
        "expand counts of owners and other operations on objects for machine code"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    queries!(Service);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let module = run.module_mut();
        let ctx = module.context().clone();
        let mut errors = Diagnostics::new();
        for dialect in ctx.dialects_with::<dyn Service>() {
            if let Some(service) = dialect.service::<dyn Service>()
                && let Err(found) = service.expand_counts(module)
            {
                errors.append(found);
            }
        }
        if errors.has_errors() { Err(errors) } else { Ok(()) }
    }
}
