//! `lower`: front ends' dialects become shared ones.

use minoan_diag::Diagnostics;
use minoan_ir::Module;
use minoan_pass::Pass;
use minoan_services::Lower;

/// Asks each dialect that has a way down to take it, until none applies.
pub struct LowerFrontEnds;

impl Pass for LowerFrontEnds {
    fn name(&self) -> &'static str {
        "lower"
    }

    fn description(&self) -> &'static str {
        "lower the dialects of front ends to the shared ones"
    }

    fn run(&self, module: &mut Module) -> Result<(), Diagnostics> {
        let ctx = module.context().clone();
        for dialect in ctx.dialects_with::<dyn Lower>() {
            if let Some(service) = dialect.service::<dyn Lower>().filter(|service| service.applies(module)) {
                *module = service.lower(module)?;
            }
        }
        Ok(())
    }
}
