//! `partial-evaluate`: evaluates operations on known values, through calls, recursion, matches and references.
//!
//! Runs `mem2reg`, `specialize`, `inline` and `canonicalize` in turn until a round changes nothing: a reference that becomes a
//! value may make a closure known, and its call an argument of the next one. A round takes time linear in the module. The number
//! of rounds is bounded, and so is the number of functions that all rounds together clone; if a bound is reached, the module is
//! valid, but calls with known arguments may remain, which a remark reports.

use crate::canonicalize::Canonicalize;
use crate::inline::Inline;
use crate::mem2reg::Mem2Reg;
use crate::specialize::{Specialize, SpecializeOptions};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::text::{PrintFlags, print_module};
use minoan_pass::{Anchor, Pass, PassRun, Pipeline, RemarkKind, own_options, pass_options, queries};
use minoan_services::{Calls, Constructor, FunctionMaterializer, Inliner};
use rustc_hash::FxHasher;
use std::hash::Hasher;

pass_options! {
    /// The options of the pass.
    pub struct PartialEvaluateOptions {
        /// Upper bound on the number of rounds
        "max-rounds" max_rounds: usize = 64,
        /// Upper bound on the number of copies of functions
        "max-functions" max_functions: usize = 1024,
    }
}

/// Evaluates what depends on known values.
#[derive(Default)]
pub struct PartialEvaluate {
    /// The options of this pass.
    pub options: PartialEvaluateOptions,
}

impl Pass for PartialEvaluate {
    fn name(&self) -> &'static str {
        "partial-evaluate"
    }

    fn description(&self) -> &'static str {
        "evaluate operations on known values, through calls, recursion, matches and references"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    own_options!();

    queries!(Calls, Constructor, Inliner, FunctionMaterializer);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-rounds", "Number of rounds"), ("num-specialized", "Number of functions cloned")]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let PartialEvaluateOptions { max_rounds, max_functions } = self.options;
        let mut left = max_functions;
        let mut before = fingerprint(run);
        for _ in 0..max_rounds {
            let options = SpecializeOptions { max_functions: left };
            let round = Pipeline::new(vec![
                Box::new(Mem2Reg::default()),
                Box::new(Specialize { options }),
                Box::new(Inline::default()),
                Box::new(Canonicalize::default()),
            ]);
            let outcome = run.run_pipeline(&round)?;
            let mut cloned = outcome.statistics("specialize").into_iter();
            let cloned = cloned.find(|(name, ..)| *name == "num-specialized").map_or(0, |(.., count)| count);
            left = left.saturating_sub(usize::try_from(cloned).unwrap_or(usize::MAX));
            run.count("num-rounds", 1);
            run.count("num-specialized", cloned);
            let after = fingerprint(run);
            if after == before {
                if left == 0 {
                    missed(run, format!("{max_functions} functions are cloned, which is the limit"));
                }
                return Ok(());
            }
            before = after;
        }
        missed(run, format!("the module still changes after {max_rounds} rounds"));
        Ok(())
    }
}

fn missed(run: &mut PassRun<'_>, reason: String) {
    let place = run.op().loc.place(&run.context());
    run.remark(RemarkKind::Missed, Diagnostic::remark(format!("not evaluated further: {reason}")).at(place));
}

/// A hash of the text of the module. A pass may create operations and remove them again without an effect, so the number of edits
/// does not show whether a round changed the module.
fn fingerprint(run: &PassRun<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(print_module(run.module(), &PrintFlags::default()).as_bytes());
    hasher.finish()
}
