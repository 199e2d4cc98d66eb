//! `convert-scf-to-cf`: lowers structured control flow to branches.
//!
//! Dialects provide the patterns by the service [`ToBranches`]; operations without structured control flow are not
//! visited.

use crate::pattern_log::pattern_log;
use minoan_diag::Diagnostics;
use minoan_ir::ServiceId;
use minoan_pass::{Pass, PassRun};
use minoan_rewrite::{
    Conversion, ConversionMode, ConversionTarget, PatternFilter, PatternSet, ToBranches, Trace,
};

/// Lowers structured operations to branches.
pub struct ConvertScfToCf;

impl Pass for ConvertScfToCf {
    fn name(&self) -> &'static str {
        "convert-scf-to-cf"
    }

    fn description(&self) -> &'static str {
        "convert structured control flow to branches between blocks"
    }

    fn asks(&self) -> Vec<ServiceId> {
        vec![ServiceId::of::<dyn ToBranches>()]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let mut patterns = PatternSet::new();
        let mut target = ConversionTarget::new();
        target.unknown_legal();
        for dialect in ctx.dialects_with::<dyn ToBranches>() {
            if let Some(service) = dialect.service::<dyn ToBranches>() {
                service.add_patterns(&mut patterns, &mut target);
            }
        }
        let patterns = patterns.freeze(&ctx, &PatternFilter::default())?;
        let permit = run.counters().map(|counters| |step: &str| counters.permit(step));
        let mut conversion =
            Conversion::new(&ctx, &target, &patterns, ConversionMode::Partial).from_the_end();
        if let Some(permit) = &permit {
            conversion = conversion.with_gate(permit);
        }
        let mut wrong = Diagnostics::new();
        let logging = run.debug_patterns();
        let outcomes = run.each_body_with(
            || (),
            |(), op, body| {
                let mut log = logging.then(|| pattern_log("convert-scf-to-cf", op, body.context()));
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
