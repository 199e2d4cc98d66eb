//! `control-flow-sink`: moves operations into the conditional region that uses them.
//!
//! An operation without side effects whose uses are all in one region that executes at most once, and not always,
//! moves to the beginning of that region, as deep as its uses allow. Operations are not sunk into loops, where they would be
//! executed repeatedly.

use crate::analysis::effect_sums::effect_sums;
use minoan_diag::Diagnostics;
use minoan_ir::{Body, InsertionPoint, Op, Region, Traits};
use minoan_pass::{Pass, PassRun, requires};
use minoan_services::{EffectSet, RegionExecution, RegionFlow};

/// The maximum depth at which uses are followed, so that the time is linear in programs of any nesting.
const MAX_DEPTH: usize = 256;

/// Moves operations into conditional regions.
pub struct ControlFlowSink;

impl Pass for ControlFlowSink {
    fn name(&self) -> &'static str {
        "control-flow-sink"
    }

    fn description(&self) -> &'static str {
        "sink operations into conditional regions"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-sunk", "Number of operations sunk")]
    }

    requires!(RegionFlow);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let sunk = run.each_body(sink);
        run.count("num-sunk", sunk.into_iter().sum());
        Ok(())
    }
}

/// Sinks operations of a body, without nested bodies; returns their number.
pub fn sink(body: &mut Body) -> u64 {
    let order = body.walk();
    if order.iter().all(|&op| body.op(op).n_regions() == 0) {
        return 0;
    }
    let sums = effect_sums(body, &order);
    let mut sunk = 0;
    // Users first, so that their operands can follow them.
    for &op in order.iter().rev() {
        let traits = body.op(op).traits();
        if sums[op.index()] != EffectSet::NONE || traits.has(Traits::TERMINATOR) || traits.has(Traits::SYMBOL)
        {
            continue;
        }
        let entry = target(body, op).and_then(|region| body.region(region).entry());
        if let Some(entry) = entry {
            body.move_op(op, InsertionPoint::Start(entry));
            sunk += 1;
        }
    }
    sunk
}

/// The deepest region that an operation can move to.
fn target(body: &Body, op: Op) -> Option<Region> {
    let home = body.block(body.op(op).block()?).region()?;
    // The regions that enclose all uses, outermost first.
    let mut common: Option<Vec<Region>> = None;
    for used in body.op(op).results().flat_map(|result| body.uses(result)) {
        let path = regions_between(body, home, used.op)?;
        let length = match &common {
            None => path.len(),
            Some(known) => known.iter().zip(&path).take_while(|(a, b)| a == b).count(),
        };
        if length == 0 {
            return None;
        }
        let known = common.get_or_insert(path);
        known.truncate(length);
    }
    common?.into_iter().take_while(|&region| is_conditional(body, region)).last()
}

/// The regions around an operation that are inside `home`, outermost first; `None` if there are too many.
fn regions_between(body: &Body, home: Region, op: Op) -> Option<Vec<Region>> {
    let mut path = Vec::new();
    let mut region = body.block(body.op(op).block()?).region()?;
    while region != home {
        if path.len() == MAX_DEPTH {
            return None;
        }
        path.push(region);
        let parent = body.region(region).parent()?;
        region = body.block(body.op(parent).block()?).region()?;
    }
    path.reverse();
    Some(path)
}

/// Whether a region executes at most once per execution of its operation, and not always.
fn is_conditional(body: &Body, region: Region) -> bool {
    let Some(parent) = body.region(region).parent() else { return false };
    let view = body.op(parent);
    let flow = body.context().service::<dyn RegionFlow>(view.kind());
    flow.is_some_and(|flow| {
        flow.execution(view) == RegionExecution::ExactlyOne
            && flow.entry_successors(view, &vec![None; view.n_operands()]).len() > 1
    })
}
