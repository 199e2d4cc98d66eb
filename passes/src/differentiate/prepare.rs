//! `prepare-derivatives`: simplifies a module that requests derivatives.
//!
//! The derivative of a call recomputes the values of the callee, and that of a loop the values of an iteration. So this pass
//! inlines calls and turns loops into operations over iteration domains, which save the values that their derivatives need.
//! Functions with a user-defined derivative ([`DiffOps::rule`]) are not inlined.
//!
//! An assertion on values from outside of a loop is checked before it, so that a loop whose result only the value of the
//! function depends on is dead in the gradient.

use crate::canonicalize::Canonicalize;
use crate::cse::Cse;
use crate::hoist_assertions::HoistAssertions;
use crate::inline::Inline;
use crate::raise_loops::RaiseLoops;
use crate::raise_updates::RaiseUpdates;
use crate::resolve_extents::ResolveExtents;
use crate::slice_reads::SliceReads;
use crate::uplift_while_to_for::UpliftWhileToFor;
use minoan_diag::Diagnostics;
use minoan_ir::ServiceId;
use minoan_pass::{Anchor, Pass, PassManager, PassRun, Pipeline};
use minoan_services::DiffOps;

/// Simplifies a module that requests derivatives.
pub struct PrepareDerivatives;

impl Pass for PrepareDerivatives {
    fn name(&self) -> &'static str {
        "prepare-derivatives"
    }

    fn description(&self) -> &'static str {
        "inline calls and raise loops in a module that requests derivatives"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    fn queries(&self) -> Vec<ServiceId> {
        [
            vec![ServiceId::of::<dyn DiffOps>()],
            Inline::default().queries(),
            ResolveExtents.queries(),
            UpliftWhileToFor.requires(),
            RaiseUpdates.queries(),
            HoistAssertions.queries(),
            RaiseLoops.queries(),
            SliceReads.queries(),
        ]
        .concat()
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        if !<dyn DiffOps>::is_requested(run.module_mut().body()) {
            return Ok(());
        }
        super::objects::prepare(run)?;
        let pipeline = Pipeline::new(vec![
            Box::new(Inline::default()),
            Box::new(Cse),
            Box::new(Canonicalize::default()),
            Box::new(ResolveExtents),
            Box::new(UpliftWhileToFor),
            Box::new(Cse),
            Box::new(RaiseUpdates),
            Box::new(HoistAssertions),
            Box::new(RaiseLoops),
            Box::new(SliceReads),
            Box::new(Canonicalize::default()),
            Box::new(Cse),
        ]);
        let threading = run.threading();
        PassManager::new(&pipeline)
            .verify_each(false)
            .threading(threading)
            .run(run.module_mut())
            .into_result()?;
        Ok(())
    }
}
