//! `simplify-cfg`: merges blocks and folds branches.
//!
//! See [`simplify_cfg`], and [`merge_identical_blocks`] for the option.

use minoan_diag::Diagnostics;
use minoan_pass::{Pass, PassRun, own_options, pass_options, queries};
use minoan_rewrite::{merge_identical_blocks, simplify_cfg};
use minoan_services::{Branches, Fold};

pass_options! {
    /// The options of the pass.
    pub struct SimplifyCfgOptions {
        /// Merge identical blocks
        "merge-identical-blocks" merge_identical_blocks: bool = false,
    }
}

/// Limit on the iterations of merging.
const MAX_ROUNDS: usize = 10;

/// Simplifies the control flow graph.
#[derive(Default)]
pub struct SimplifyCfg {
    /// The options of this pass.
    pub options: SimplifyCfgOptions,
}

impl Pass for SimplifyCfg {
    fn name(&self) -> &'static str {
        "simplify-cfg"
    }

    fn description(&self) -> &'static str {
        "merge blocks, fold branches with a known successor, and erase unreachable blocks"
    }

    own_options!();

    queries!(Branches, Fold);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let merge = self.options.merge_identical_blocks;
        run.each_body(|body| {
            simplify_cfg(body);
            // Predecessors of merged blocks may have become identical.
            for _ in 0..if merge { MAX_ROUNDS } else { 0 } {
                if merge_identical_blocks(body) == 0 {
                    break;
                }
                simplify_cfg(body);
            }
        });
        Ok(())
    }
}
