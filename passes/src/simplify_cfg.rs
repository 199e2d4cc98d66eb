//! `simplify-cfg`: blocks are joined, and branches whose way is known go straight.
//!
//! What is done is said at [`simplify_cfg`], and at [`merge_identical_blocks`] where the option asks for that.

use minoan_diag::Diagnostics;
use minoan_ir::ServiceId;
use minoan_pass::{Pass, PassRun, own_options, pass_options};
use minoan_rewrite::{merge_identical_blocks, simplify_cfg};
use minoan_services::{Branches, Fold};

pass_options! {
    /// The options of the pass.
    pub struct SimplifyCfgOptions {
        /// Make one of blocks that do the same
        "merge-identical-blocks" merge_identical_blocks: bool = false,
    }
}

/// How often blocks are compared.
const MOST_ROUNDS: usize = 10;

/// Simplifies control flow between blocks.
#[derive(Default)]
pub struct SimplifyCfg {
    /// Its options.
    pub options: SimplifyCfgOptions,
}

impl Pass for SimplifyCfg {
    fn name(&self) -> &'static str {
        "simplify-cfg"
    }

    fn description(&self) -> &'static str {
        "join blocks, make branches straight whose way is known, and erase what control cannot reach"
    }

    own_options!();

    fn asks(&self) -> Vec<ServiceId> {
        vec![ServiceId::of::<dyn Branches>(), ServiceId::of::<dyn Fold>()]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let merge = self.options.merge_identical_blocks;
        run.each_body(|body| {
            simplify_cfg(body);
            // Blocks in front of those that became one may be the same then.
            for _ in 0..if merge { MOST_ROUNDS } else { 0 } {
                if merge_identical_blocks(body) == 0 {
                    break;
                }
                simplify_cfg(body);
            }
        });
        Ok(())
    }
}
