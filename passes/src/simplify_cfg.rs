//! `simplify-cfg`: blocks are joined, and branches whose way is known go straight.
//!
//! What is done is said at [`simplify_cfg`].

use minoan_diag::Diagnostics;
use minoan_ir::ServiceId;
use minoan_pass::{Pass, PassRun};
use minoan_rewrite::simplify_cfg;
use minoan_services::{Branches, Fold};

/// Simplifies control flow between blocks.
pub struct SimplifyCfg;

impl Pass for SimplifyCfg {
    fn name(&self) -> &'static str {
        "simplify-cfg"
    }

    fn description(&self) -> &'static str {
        "join blocks, make branches straight whose way is known, and erase what control cannot reach"
    }

    fn asks(&self) -> Vec<ServiceId> {
        vec![ServiceId::of::<dyn Branches>(), ServiceId::of::<dyn Fold>()]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        run.each_body(simplify_cfg);
        Ok(())
    }
}
