//! `strip-debuginfo`: removes the locations of all operations and block arguments.

use minoan_diag::Diagnostics;
use minoan_ir::{Block, Body, Loc, Region};
use minoan_pass::{Anchor, Pass, PassRun};

/// Replaces all locations by the unknown location.
pub struct StripDebugInfo;

impl Pass for StripDebugInfo {
    fn name(&self) -> &'static str {
        "strip-debuginfo"
    }

    fn description(&self) -> &'static str {
        "strip debug info from all operations"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let mut pending: Vec<&mut Body> = vec![run.module_mut().holder_mut()];
        while let Some(body) = pending.pop() {
            let order = body.walk();
            let mut regions: Vec<Region> = body.regions().collect();
            for op in order {
                body.set_loc(op, Loc::UNKNOWN);
                regions.extend(body.op(op).own_regions());
            }
            let blocks: Vec<Block> =
                regions.into_iter().flat_map(|region| body.region(region).blocks()).collect();
            for block in blocks {
                for index in 0..body.block(block).n_args() {
                    body.set_arg_loc(block, index, Loc::UNKNOWN);
                }
            }
            pending.extend(body.nested_bodies_mut());
        }
        Ok(())
    }
}
