//! `prefetch-rows`: prefetches the parts of buffers that a loop visits from the last to the first.
//!
//! The reverse sweep of a derivative reads the rows that the forward sweep saved, often a dozen buffers with a row of each per
//! iteration, in the opposite order. Processors recognize few streams of descending addresses. A part of a buffer
//! ([`BufferOps::part`]) is prefetched [`AHEAD`] iterations before it is visited if one of its offsets decreases by one with
//! each iteration, and the others are the same in all. Time is linear.
//!
//! ```text
//! scf.for %i = %c0 to %n step %c1 {                  scf.for %i = %c0 to %n step %c1 {
//!   %row = arith.subi %last, %i                        %row = arith.subi %last, %i
//!                                             ->       %ahead = arith.maxsi (arith.subi %row, %c8), %c0
//!                                                      memref.prefetch %saved[%ahead, %c0]
//!   %x = memref.subview %saved[%row, 0] ..             %x = memref.subview %saved[%row, 0] ..
//! ```

use minoan_diag::Diagnostics;
use minoan_ir::{Body, Builder, Context, Op, OpRef, ServiceTable, Value};
use minoan_pass::{Pass, PassRun, queries, requires};
use minoan_services::{
    Bound, BufferOps, IndexOps, IndexTerm, IndexTerms, LayoutSpec, LoopLike, PartIndex, RegionExecution,
    RegionFlow, Speculation, SpeculationTable, constant_of,
};
use rustc_hash::FxHashMap;

/// The number of iterations between the prefetch of a part and its use.
const AHEAD: i64 = 8;
/// Upper bound on the number of parts that are prefetched in an iteration: prefetches must not evict the other data that it
/// reads.
const MAX_PARTS: usize = 32;

/// Prefetches parts of buffers.
pub struct PrefetchRows;

impl Pass for PrefetchRows {
    fn name(&self) -> &'static str {
        "prefetch-rows"
    }

    fn description(&self) -> &'static str {
        "prefetch the parts of buffers that a loop visits in descending order"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-prefetched", "Number of parts of buffers that are prefetched")]
    }

    requires!(BufferOps, IndexOps);

    queries!(IndexTerms, LoopLike, RegionFlow, Speculation);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        // The arithmetic of indices wraps at 64 bits.
        if LayoutSpec::of(&ctx, run.op().attrs).index_bits() != 64 {
            return Ok(());
        }
        let dialect = ctx.dialects_with::<dyn BufferOps>().next();
        let buffers = dialect.and_then(|dialect| dialect.service::<dyn BufferOps>());
        let (Some(buffers), Some(indices)) = (buffers, <dyn IndexOps>::any(&ctx)) else { return Ok(()) };
        let tables = Tables::new(&ctx);
        let counts = run.each_body(|body| {
            let mut count = 0;
            for op in body.walk() {
                let parts = tables.descending_parts(body, op, buffers);
                count += parts.len() as u64;
                parts.into_iter().for_each(|part| part.prefetch(body, buffers, indices));
            }
            count
        });
        run.count("num-prefetched", counts.into_iter().sum());
        Ok(())
    }
}

/// A part of a buffer whose place decreases with the iterations.
struct Part {
    /// The operation that takes the part.
    op: Op,
    buffer: Value,
    offsets: Vec<PartIndex>,
    /// The dimension whose offset decreases.
    dim: usize,
}

impl Part {
    fn prefetch(&self, body: &mut Body, buffers: &dyn BufferOps, indices: &dyn IndexOps) {
        let loc = body.op(self.op).loc();
        let mut b = Builder::before(body, self.op).with_loc(loc);
        let mut at: Vec<Value> = Vec::new();
        for (dim, &offset) in self.offsets.iter().enumerate() {
            let here = match offset {
                PartIndex::Value(value) => value,
                PartIndex::Constant(constant) => indices.index(&mut b, constant),
            };
            at.push(if dim == self.dim {
                let [ahead, first] = [AHEAD, 0].map(|value| indices.index(&mut b, value));
                let there = indices.sub(&mut b, here, ahead);
                indices.max(&mut b, there, first)
            } else {
                here
            });
        }
        buffers.prefetch(&mut b, self.buffer, &at);
    }
}

/// The services that the pass queries.
struct Tables<'c> {
    loops: Option<&'c ServiceTable<dyn LoopLike>>,
    flows: Option<&'c ServiceTable<dyn RegionFlow>>,
    terms: Option<&'c ServiceTable<dyn IndexTerms>>,
    speculation: SpeculationTable<'c>,
}

/// The increment of each value per iteration; `None` if it is unknown. A value without an entry is defined outside of the loop.
type Steps = FxHashMap<Value, Option<i64>>;

impl<'c> Tables<'c> {
    fn new(ctx: &'c Context) -> Self {
        let (loops, flows, terms) = (ctx.service_table(), ctx.service_table(), ctx.service_table());
        Self { loops, flows, terms, speculation: SpeculationTable::new(ctx) }
    }

    /// The parts that a loop visits in descending order, in each iteration.
    fn descending_parts(&self, body: &Body, op: Op, buffers: &dyn BufferOps) -> Vec<Part> {
        self.find_parts(body, op, buffers).unwrap_or_default()
    }

    fn find_parts(&self, body: &Body, op: Op, buffers: &dyn BufferOps) -> Option<Vec<Part>> {
        let view = body.op(op);
        let inductions = self.loops?.get(view.kind())?.inductions(view);
        let is_sequential = self.flows?.get(view.kind())?.execution(view) == RegionExecution::Repeated;
        let (&[induction], 1, true) = (&inductions[..], view.n_regions(), is_sequential) else { return None };
        let Bound::Value(step) = induction.step else { return None };
        let step = constant_of(body, step)?.as_i64(body.context())?;
        let block = body.region(view.region(0)).entry()?;
        let mut steps: Steps = body.block(block).args().map(|arg| (arg, None)).collect();
        steps.insert(induction.value, Some(step));
        let mut parts = Vec::new();
        for op in body.block(block).ops() {
            let view = body.op(op);
            if let Some(part) = buffers.part(view)
                && !steps.contains_key(&part.buffer)
                && let Some(dim) = descending(&part.offsets, &steps)
            {
                parts.push(Part { op, buffer: part.buffer, offsets: part.offsets, dim });
            }
            let step = self.step_of(view, &steps);
            steps.extend(view.results().map(|result| (result, step)));
        }
        (parts.len() <= MAX_PARTS).then_some(parts)
    }

    /// The increment of the results of an operation per iteration.
    fn step_of(&self, op: OpRef<'_>, steps: &Steps) -> Option<i64> {
        let step = |value| step(value, steps);
        if op.n_regions() == 0
            && self.speculation.is_harmless(op)
            && op.operands().all(|it| step(it) == Some(0))
        {
            return Some(0);
        }
        match self.terms?.get(op.kind())?.term(op)? {
            IndexTerm::Sum(lhs, rhs) => step(lhs)?.checked_add(step(rhs)?),
            IndexTerm::Difference(lhs, rhs) => step(lhs)?.checked_sub(step(rhs)?),
            IndexTerm::Same(value) => step(value),
            IndexTerm::Product(..) | IndexTerm::Below(..) | IndexTerm::Less(..) | IndexTerm::Equal(..) => {
                None
            }
        }
    }
}

fn step(value: Value, steps: &Steps) -> Option<i64> {
    steps.get(&value).copied().unwrap_or(Some(0))
}

/// The dimension whose offset decreases by one, if the others do not change.
fn descending(offsets: &[PartIndex], steps: &Steps) -> Option<usize> {
    let mut found = None;
    for (dim, &offset) in offsets.iter().enumerate() {
        match offset {
            PartIndex::Constant(_) => {}
            PartIndex::Value(value) => match step(value, steps)? {
                0 => {}
                -1 if found.is_none() => found = Some(dim),
                _ => return None,
            },
        }
    }
    found
}
