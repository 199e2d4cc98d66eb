//! `canonicalize`: folds operations and applies the canonicalization patterns of all loaded dialects.
//!
//! Operations are folded, dead operations erased, equal constants merged, and patterns applied, until a fixed point.
//! Unreachable blocks and dead block arguments are erased. The options are those of `mlir-opt`'s pass.

use crate::pattern_log::pattern_log;
use minoan_diag::{Diagnostic, Diagnostics, Place};
use minoan_ir::{Body, Context};
use minoan_pass::{OpHeader, OptionValue, Pass, PassRun, own_options, pass_options, queries};
use minoan_rewrite::{
    Bound, CanonicalPatterns, FrozenPatterns, Gate, GreedyConfig, GreedyDriver, Outcome, PatternFilter,
    RegionSimplify, Statistics, canonical_patterns,
};
use minoan_services::{Branches, ConstantMaterializer, Effects, Evaluate, Fold, GraphBoundary, Liveness};
use std::sync::{Mutex, PoisonError};

/// `region-simplify`: `disabled`, `normal` or `aggressive`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegionSimplifyLevel(pub RegionSimplify);

impl OptionValue for RegionSimplifyLevel {
    const KIND: &'static str = "disabled, normal or aggressive";

    fn parse(text: &str) -> Option<Self> {
        match text {
            "disabled" => Some(Self(RegionSimplify::Disabled)),
            "normal" => Some(Self(RegionSimplify::Normal)),
            "aggressive" => Some(Self(RegionSimplify::Aggressive)),
            _ => None,
        }
    }

    fn print(&self) -> String {
        match self.0 {
            RegionSimplify::Disabled => "disabled".to_owned(),
            RegionSimplify::Normal => "normal".to_owned(),
            RegionSimplify::Aggressive => "aggressive".to_owned(),
        }
    }
}

pass_options! {
    /// The options of the pass; the defaults are those of `mlir-opt`.
    pub struct CanonicalizeOptions {
        /// Visit operations in text order initially
        "top-down" top_down: bool = true,
        /// Simplification of regions between iterations
        "region-simplify" region_simplify: RegionSimplifyLevel = RegionSimplifyLevel(RegionSimplify::Normal),
        /// Limit on iterations; -1 for unlimited
        "max-iterations" max_iterations: i64 = 10,
        /// Limit on rewrites per iteration; -1 for unlimited
        "max-num-rewrites" max_num_rewrites: i64 = -1,
        /// Fail if a limit is reached
        "test-convergence" test_convergence: bool = false,
        /// Names of patterns to disable
        "disable-patterns" disable_patterns: Vec<String> = Vec::new(),
        /// Names of patterns to enable; all others are disabled
        "enable-patterns" enable_patterns: Vec<String> = Vec::new(),
    }
}

/// The pass with its patterns for a context. Can be shared between threads.
pub struct Canonicalizer {
    patterns: FrozenPatterns,
    options: CanonicalizeOptions,
}

impl Canonicalizer {
    /// Collects the patterns of all loaded dialects.
    ///
    /// # Errors
    /// An unknown pattern is enabled or disabled, or two patterns have the same name.
    pub fn new(ctx: &Context, options: CanonicalizeOptions) -> Result<Self, Diagnostics> {
        let filter = PatternFilter {
            enabled: options.enable_patterns.clone(),
            disabled: options.disable_patterns.clone(),
        };
        let patterns = canonical_patterns(ctx).freeze(ctx, &filter)?;
        Ok(Self { patterns, options })
    }

    /// Creates a driver for bodies, one after another.
    pub fn driver(&self) -> GreedyDriver<'_> {
        let CanonicalizeOptions { top_down, region_simplify, max_iterations, max_num_rewrites, .. } =
            self.options;
        let config = GreedyConfig {
            top_down,
            region_simplify: region_simplify.0,
            max_iterations: u32::try_from(max_iterations).ok(),
            max_num_rewrites: u64::try_from(max_num_rewrites).ok(),
            ..GreedyConfig::default()
        };
        GreedyDriver::new(&self.patterns, config)
    }

    /// Runs on one body, and logs pattern applications to standard error.
    fn run_logged(
        &self,
        op: OpHeader,
        body: &mut Body,
        gate: Option<Gate<'_>>,
        total: &Mutex<Statistics>,
    ) -> Outcome {
        let mut log = pattern_log("canonicalize", op, body.context());
        let mut driver = gated(self.driver(), gate).with_trace(&mut log);
        let outcome = driver.run(body);
        total.lock().unwrap_or_else(PoisonError::into_inner).merge(driver.statistics());
        outcome
    }

    /// The diagnostics of an outcome for a body whose owner is at `place`: a warning if the default number of
    /// iterations was insufficient.
    ///
    /// # Errors
    /// With `test-convergence`: a limit was reached.
    pub fn checked(&self, outcome: Outcome, place: Place) -> Result<Diagnostics, Diagnostics> {
        let Outcome { converged, bound, mut diagnostics, .. } = outcome;
        if converged {
            return Ok(diagnostics);
        }
        let said = |diagnostic: Diagnostic| match bound {
            Some(bound) => diagnostic
                .note(format!("it was stopped after {bound}"))
                .help("'max-iterations' and 'max-num-rewrites' set the bounds, -1 for none".to_owned()),
            None => diagnostic,
        };
        if self.options.test_convergence {
            let mut wrong = Diagnostics::new();
            wrong.push(said(Diagnostic::error("canonicalization did not converge").at(place)));
            wrong.append(diagnostics);
            return Err(wrong);
        }
        // A smaller limit than the default is intentional.
        let usual = CanonicalizeOptions::default().max_iterations;
        if matches!(bound, Some(Bound::Iterations(count)) if i64::from(count) >= usual) {
            diagnostics.push(said(Diagnostic::warning("canonicalization did not converge").at(place)));
        }
        Ok(diagnostics)
    }
}

fn gated<'p>(driver: GreedyDriver<'p>, gate: Option<Gate<'p>>) -> GreedyDriver<'p> {
    match gate {
        Some(gate) => driver.with_gate(gate),
        None => driver,
    }
}

/// A driver of one thread, whose statistics are added to the total when it is dropped.
struct Counted<'a> {
    driver: GreedyDriver<'a>,
    total: &'a Mutex<Statistics>,
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.total.lock().unwrap_or_else(PoisonError::into_inner).merge(self.driver.statistics());
    }
}

/// The pass.
#[derive(Default)]
pub struct Canonicalize {
    /// The options of this pass.
    pub options: CanonicalizeOptions,
}

impl Pass for Canonicalize {
    fn name(&self) -> &'static str {
        "canonicalize"
    }

    fn description(&self) -> &'static str {
        "bring operations into canonical form: fold them, and apply the canonical patterns of all dialects"
    }

    own_options!();

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-folded", "operations that folded"),
            ("num-dead", "dead operations erased"),
            ("num-rewrites", "applications of patterns"),
        ]
    }

    queries!(
        Fold,
        ConstantMaterializer,
        CanonicalPatterns,
        Evaluate,
        Effects,
        Branches,
        GraphBoundary,
        Liveness
    );

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let canonicalizer = Canonicalizer::new(&run.context(), self.options.clone())?;
        let logging = run.debug_patterns();
        let permit = run.counters().map(|counters| |step: &str| counters.permit(step));
        let gate = permit.as_ref().map(|permit| permit as Gate<'_>);
        let total: Mutex<Statistics> = Mutex::default();
        let outcomes = run.each_body_with(
            || Counted { driver: gated(canonicalizer.driver(), gate), total: &total },
            |counted, op, body| {
                let outcome = match logging {
                    true => canonicalizer.run_logged(op, body, gate, &total),
                    false => counted.driver.run(body),
                };
                let place = op.loc.place(body.context());
                canonicalizer.checked(outcome, place)
            },
        );
        let total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
        run.count("num-folded", total.folded + total.folded_in_place);
        run.count("num-dead", total.dead);
        run.count("num-rewrites", total.patterns.iter().map(|pattern| pattern.applied).sum());
        for pattern in total.patterns.iter().filter(|pattern| pattern.applied > 0) {
            run.count_part(&pattern.name, pattern.applied);
        }
        let mut wrong = Diagnostics::new();
        for outcome in outcomes {
            match outcome {
                Ok(said) => said.iter().for_each(|diagnostic| run.emit(diagnostic.clone())),
                Err(errors) => wrong.append(errors),
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}
