//! `lower-affine`: lowers operations with affine maps to loops, conditionals and accesses, with computed bounds and indices.
//!
//! Dialects provide the patterns through the service [`ToLoops`].

use crate::pattern_log::pattern_log;
use minoan_diag::Diagnostics;
use minoan_ir::{Body, Context};
use minoan_pass::{Pass, PassRun, queries};
use minoan_rewrite::{
    Conversion, ConversionMode, ConversionTarget, Legality, PatternFilter, PatternSet, ToLoops, Trace,
};

/// The patterns of all dialects, and the operations that they convert.
fn patterns(ctx: &Context) -> (PatternSet, ConversionTarget) {
    let mut patterns = PatternSet::new();
    let mut target = ConversionTarget::new();
    target.unknown_legal();
    for dialect in ctx.dialects_with::<dyn ToLoops>() {
        if let Some(service) = dialect.service::<dyn ToLoops>() {
            service.add_patterns(&mut patterns, &mut target);
        }
    }
    (patterns, target)
}

/// Whether a body has an operation to convert.
fn has_any(body: &Body, target: &ConversionTarget) -> bool {
    body.walk().into_iter().any(|op| target.legality(body.op(op)) == Legality::Illegal)
}

/// Lowers operations with affine maps.
pub struct LowerAffine;

impl Pass for LowerAffine {
    fn name(&self) -> &'static str {
        "lower-affine"
    }

    fn description(&self) -> &'static str {
        "lower operations with affine maps to loops, arithmetic and accesses"
    }

    queries!(ToLoops);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let (patterns, target) = patterns(&ctx);
        let patterns = patterns.freeze(&ctx, &PatternFilter::default())?;
        let permit = run.counters().map(|counters| |step: &str| counters.permit(step));
        let mut conversion = Conversion::new(&ctx, &target, &patterns, ConversionMode::Partial);
        if let Some(permit) = &permit {
            conversion = conversion.with_gate(permit);
        }
        let mut wrong = Diagnostics::new();
        let logging = run.debug_patterns();
        let outcomes = run.each_body_with(
            || (),
            |(), op, body| {
                if !has_any(body, &target) {
                    return Ok(false);
                }
                let mut log = logging.then(|| pattern_log("lower-affine", op, body.context()));
                conversion.run_traced(body, log.as_mut().map(|log| log as &mut dyn Trace))
            },
        );
        for outcome in outcomes {
            if let Err(errors) = outcome {
                wrong.append(errors);
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}
