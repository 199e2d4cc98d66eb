//! `lower`: lowers front-end dialects to the shared ones.

use minoan_diag::Diagnostics;
use minoan_pass::{Anchor, Pass, PassRun, queries};
use minoan_services::Lower;

/// Applies the [`Lower`](minoan_services::Lower) service of each dialect until none applies.
pub struct LowerFrontEnds;

impl Pass for LowerFrontEnds {
    fn name(&self) -> &'static str {
        "lower"
    }

    fn description(&self) -> &'static str {
        "lower the dialects of front ends to the shared ones"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    queries!(Lower);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let module = run.module_mut();
        let ctx = module.context().clone();
        for dialect in ctx.dialects_with::<dyn Lower>() {
            if let Some(service) = dialect.service::<dyn Lower>().filter(|service| service.applies(module)) {
                *module = service.lower(module)?;
            }
        }
        Ok(())
    }
}
