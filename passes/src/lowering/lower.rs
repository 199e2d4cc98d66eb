//! `lower`: lowers front-end dialects to the shared ones.

use minoan_diag::Diagnostics;
use minoan_pass::{Anchor, Pass, PassRun, queries};
use minoan_rewrite::Lower;

/// Runs one conversion with the contributions of all dialects that implement [`Lower`].
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
        minoan_rewrite::lower(run.module_mut())
    }
}
