//! `apply-patterns`: applies named sets of patterns that dialects provide.
//!
//! The sets are applied in turn, each until a fixed point, with folding. Without names, the pass runs the sets of the stage
//! `BeforeLowering`, while operations still have their high-level meaning and a scale or a layout can move through them; with
//! `fast`, those that change floating-point rounding; with `after-differentiation`, those that would otherwise replace an
//! operation before its own derivative rule is used; with `before-translation`, those that prepare a module for MLIR.

use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::Body;
use minoan_pass::{Pass, PassRun, own_options, pass_options, queries};
use minoan_rewrite::{
    FrozenPatterns, GreedyConfig, GreedyDriver, PatternFilter, PatternSet, PatternSets, PatternStage,
    RegionSimplify, named_patterns, pre_order,
};

pass_options! {
    /// The options of the pass.
    pub struct ApplyPatternsOptions {
        /// Pattern sets to apply, in order; if empty, the sets of the pre-lowering stage
        "sets" sets: Vec<String> = Vec::new(),
        /// Without names, apply the sets that change floating-point rounding
        "fast" fast: bool = false,
        /// Without names, apply the sets of the stage after differentiation
        "after-differentiation" after_differentiation: bool = false,
        /// Without names, apply the sets of the stage before the translation to MLIR
        "before-translation" before_translation: bool = false,
    }
}

/// Applies sets of patterns.
#[derive(Default)]
pub struct ApplyPatterns {
    /// The options of this pass.
    pub options: ApplyPatternsOptions,
}

impl Pass for ApplyPatterns {
    fn name(&self) -> &'static str {
        "apply-patterns"
    }

    fn description(&self) -> &'static str {
        "apply named sets of patterns that dialects provide"
    }

    own_options!();

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-folded", "operations that folded"), ("num-rewrites", "applications of patterns")]
    }

    queries!(PatternSets);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let ApplyPatternsOptions { ref sets, fast, after_differentiation, before_translation } = self.options;
        let stage = match (before_translation, after_differentiation, fast) {
            (true, ..) => PatternStage::BeforeTranslation,
            (false, true, _) => PatternStage::AfterDifferentiation,
            (false, false, true) => PatternStage::Fast,
            (false, false, false) => PatternStage::BeforeLowering,
        };
        for set in named_patterns(&ctx, sets, stage)? {
            let mut patterns = PatternSet::new();
            (set.add)(&mut patterns);
            apply_set(run, set.name, patterns)?;
        }
        Ok(())
    }
}

/// Applies one set of patterns until a fixed point, with folding.
///
/// # Errors
/// The patterns are inconsistent.
pub fn apply_set(run: &mut PassRun<'_>, name: &str, patterns: PatternSet) -> Result<(), Diagnostics> {
    let patterns = patterns.freeze(&run.context(), &PatternFilter::default())?;
    let config = GreedyConfig { region_simplify: RegionSimplify::Disabled, ..GreedyConfig::default() };
    let outcomes = run.each_body_with(
        || (),
        |(), op, body| {
            let place = op.loc.place(body.context());
            // A set without patterns folds.
            if !patterns.is_empty() && !has_root(body, &patterns) {
                return None;
            }
            let mut driver = GreedyDriver::new(&patterns, config.clone());
            let outcome = driver.run(body);
            let statistics = driver.statistics();
            let rewrites: u64 = statistics.patterns.iter().map(|pattern| pattern.applied).sum();
            let folded = statistics.folded + statistics.folded_in_place;
            Some((outcome, place, folded, rewrites))
        },
    );
    for (outcome, place, folded, rewrites) in outcomes.into_iter().flatten() {
        run.count("num-folded", folded);
        run.count("num-rewrites", rewrites);
        outcome.diagnostics.iter().for_each(|diagnostic| run.emit(diagnostic.clone()));
        if !outcome.converged {
            let message = format!("the patterns '{name}' did not converge");
            run.emit(Diagnostic::warning(message).at(place));
        }
    }
    Ok(())
}

/// Whether a body has an operation that is the root of a pattern.
fn has_root(body: &Body, patterns: &FrozenPatterns) -> bool {
    let mut ops = body.regions().flat_map(|region| pre_order(body, region));
    ops.any(|op| !patterns.of(body.op(op).kind()).is_empty())
}
