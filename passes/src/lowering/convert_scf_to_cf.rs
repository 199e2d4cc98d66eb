//! `convert-scf-to-cf`: converts structured control flow to branches between blocks.
//!
//! Dialects provide the patterns through the service [`ToBranches`]; operations that no pattern converts are unchanged, as are
//! those nested in an operation whose regions have one block, such as the body of `tensor.generate`.

use crate::pattern_log::pattern_log;
use minoan_diag::Diagnostics;
use minoan_ir::{Context, Module, OpRef, Traits};
use minoan_pass::{Pass, PassRun, queries};
use minoan_rewrite::{
    Conversion, ConversionMode, ConversionTarget, Legality, PatternFilter, PatternSet, ToBranches, Trace,
};

/// Whether the conversion keeps a module valid: no operation with a form in branches is inside of an operation that has
/// none, whose regions may take one block only.
pub fn applies(module: &Module) -> bool {
    let (_, target) = patterns(module.context());
    let converts = |op: OpRef<'_>| target.legality(op) == Legality::Illegal;
    let mut bodies = vec![module.body()];
    while let Some(body) = bodies.pop() {
        for op in body.walk() {
            let op = body.op(op);
            bodies.extend(op.nested());
            let parent = op.parent().map(|parent| body.op(parent));
            if converts(op) && parent.is_some_and(|parent| !converts(parent)) {
                return false;
            }
        }
    }
    true
}

/// The patterns of all dialects, and the operations that they convert.
fn patterns(ctx: &Context) -> (PatternSet, ConversionTarget) {
    let mut patterns = PatternSet::new();
    let mut target = ConversionTarget::new();
    target.unknown_legal();
    for dialect in ctx.dialects_with::<dyn ToBranches>() {
        if let Some(service) = dialect.service::<dyn ToBranches>() {
            service.add_patterns(&mut patterns, &mut target);
        }
    }
    let others = ctx.dialects().iter().filter(|dialect| dialect.service::<dyn ToBranches>().is_none());
    for kind in others.flat_map(|dialect| dialect.ops()) {
        if ctx.spec(*kind).is_some_and(|spec| spec.traits.has(Traits::SINGLE_BLOCK)) {
            target.legal_within(ctx.kind_name(*kind));
        }
    }
    (patterns, target)
}

/// Converts structured operations into branches.
pub struct ConvertScfToCf;

impl Pass for ConvertScfToCf {
    fn name(&self) -> &'static str {
        "convert-scf-to-cf"
    }

    fn description(&self) -> &'static str {
        "convert structured control flow to branches between blocks"
    }

    queries!(ToBranches);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let (patterns, target) = patterns(&ctx);
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
                if ctx.info(op.kind).is_some_and(|info| info.traits.has(Traits::SINGLE_BLOCK)) {
                    return Ok(false);
                }
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
