//! `dce`: removes operations, block arguments and blocks that contribute neither to an observable effect nor to a live value,
//! as [`eliminate_dead_code`] does.

use minoan_diag::Diagnostics;
use minoan_pass::{Pass, PassRun, queries};
use minoan_rewrite::eliminate_dead_code;
use minoan_services::{Branches, Effects, GraphBoundary, Liveness};

/// Removes dead code. Operations that bind an input or output of the graph ([`GraphBoundary`]) are live, as are the
/// parts of a live operation ([`Liveness`]).
pub struct Dce;

impl Pass for Dce {
    fn name(&self) -> &'static str {
        "dce"
    }

    fn description(&self) -> &'static str {
        "erase operations, block arguments and blocks without uses or effects"
    }

    queries!(Effects, Branches, GraphBoundary, Liveness);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        run.each_body(eliminate_dead_code);
        Ok(())
    }
}
