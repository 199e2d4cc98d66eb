//! `defunctionalize`: replaces closures by values of data types, and their applications by calls of functions that select by the
//! constructor.
//!
//! A closure type becomes a data type with a constructor for each function from which the module creates closures of this type;
//! its fields are the captured values. The result is a first-order program.

use minoan_diag::Diagnostics;
use minoan_pass::{Anchor, Pass, PassRun, queries};
use minoan_services::Defunctionalize;

/// Replaces closures.
pub struct DefunctionalizeClosures;

impl Pass for DefunctionalizeClosures {
    fn name(&self) -> &'static str {
        "defunctionalize"
    }

    fn description(&self) -> &'static str {
        "replace closures by values of data types, and their applications by calls"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    queries!(Defunctionalize);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let module = run.module_mut();
        let ctx = module.context().clone();
        for dialect in ctx.dialects_with::<dyn Defunctionalize>() {
            if let Some(service) = dialect.service::<dyn Defunctionalize>() {
                service.defunctionalize(module.body_mut());
            }
        }
        Ok(())
    }
}
