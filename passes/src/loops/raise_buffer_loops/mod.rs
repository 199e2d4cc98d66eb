//! `raise-buffer-loops`: raises loops that load and store the elements of buffers to operations over iteration domains.
//!
//! ```text
//! scf.for %i .. { scf.for %j .. { scf.for %k .. {        %x = bufferization.to_tensor %a, ..
//!   %x = memref.load %a[%i, %k]                     ->   %t = linalg.generic ins(%x, %y) outs(%z)
//!   .. memref.store %s, %c[%i, %j] }}}                   bufferization.materialize_in_destination %t in %c
//! ```
//!
//! A nest consists of loops that count in steps of 1 between bounds that are the same in all iterations of the nest, and of loads
//! and stores of elements at linear indices. It becomes one operation per store, in the order of the text, on tensors that are
//! exchanged with the parts of the buffers that the nest accesses ([`ExchangeOps`]). `plan-buffers` computes them in the buffers.
//!
//! * The loops that the indices of a stored element depend on are parallel. In the others, the element is combined with that of the
//!   iteration before, in the order of the loops: an accumulation in memory is a reduction. Loops that carry scalars inside of the
//!   iteration are reductions, too, into the stored elements or into a temporary tensor.
//! * A store reads no other element that it, or a store after it, writes in any iteration; a store before it may have written the
//!   element earlier in the same iteration ([`conflicts`]). Parts of one buffer are disjoint if their indices are in one dimension.
//! * Buffers that may share memory are compared at run time, and indices that may be out of bounds are checked. A copy of the nest
//!   is executed where a check fails.
//! * If a nest does not become operations over domains, the loops in it are raised, each by itself: an outer loop over time or over
//!   pivots remains.
//! * Nests of few iterations, and accumulations into a single element in a fixed order, stay loops.

mod conflicts;
mod emit;
mod forms;
mod nest;
mod plan;
mod statement;

use minoan_diag::Diagnostics;
use minoan_ir::{Body, Context, Op, ServiceTable, Traits};
use minoan_pass::{Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{
    Algebra, AliasModel, BufferOps, DataLayout, DomainOps, Effects, EffectsTable, ElementAccess, ExchangeOps,
    IndexOps, IndexTerms, LayoutSpec, LoopLike, LoopOps, TensorOps,
};
use nest::Nest;

pass_options! {
    /// The options of the pass.
    pub struct RaiseBufferLoopsOptions {
        /// Nests are raised if a store in them is executed this often, or an unknown number of times
        "min-points" min_points: i64 = 256,
    }
}

/// Raises loops over the elements of buffers.
#[derive(Default)]
pub struct RaiseBufferLoops {
    /// The options of this pass.
    pub options: RaiseBufferLoopsOptions,
}

impl Pass for RaiseBufferLoops {
    fn name(&self) -> &'static str {
        "raise-buffer-loops"
    }

    fn description(&self) -> &'static str {
        "raise loops that load and store elements of buffers to operations over iteration domains"
    }

    own_options!();

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-raised", "Number of nests raised"),
            (
                "num-checked",
                "Number of raised nests that check at run time whether buffers share memory or indices are in bounds",
            ),
        ]
    }

    queries!(
        LoopLike,
        ElementAccess,
        IndexTerms,
        Algebra,
        AliasModel,
        Effects,
        DataLayout,
        BufferOps,
        ExchangeOps,
        DomainOps,
        IndexOps,
        LoopOps,
        TensorOps
    );

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let layout = LayoutSpec::of(&ctx, run.op().attrs);
        // Indices are numbers of 64 bits.
        if layout.index_bits() != 64 {
            return Ok(());
        }
        let raised = run.each_body(|body| match Tables::of(&ctx, layout.clone()) {
            Some(tables) => raise(body, &tables, self.options.min_points),
            None => Counts::default(),
        });
        for counts in raised {
            run.count("num-raised", counts.raised);
            run.count("num-checked", counts.checked);
        }
        Ok(())
    }
}

/// The services that the pass queries.
struct Tables<'c> {
    loops: &'c ServiceTable<dyn LoopLike>,
    accesses: &'c ServiceTable<dyn ElementAccess>,
    terms: Option<&'c ServiceTable<dyn IndexTerms>>,
    algebra: Option<&'c ServiceTable<dyn Algebra>>,
    aliases: Option<&'c ServiceTable<dyn AliasModel>>,
    effects: EffectsTable<'c>,
    layout: LayoutSpec,
    buffers: &'c dyn BufferOps,
    exchanges: &'c dyn ExchangeOps,
    domain_ops: &'c dyn DomainOps,
    index_ops: &'c dyn IndexOps,
    loop_ops: &'c dyn LoopOps,
    tensor_ops: &'c dyn TensorOps,
}

impl<'c> Tables<'c> {
    fn of(ctx: &'c Context, layout: LayoutSpec) -> Option<Self> {
        Some(Self {
            loops: ctx.service_table()?,
            accesses: ctx.service_table()?,
            terms: ctx.service_table(),
            algebra: ctx.service_table(),
            aliases: ctx.service_table(),
            effects: EffectsTable::new(ctx),
            layout,
            buffers: ctx.dialects_with::<dyn BufferOps>().next()?.service::<dyn BufferOps>()?,
            exchanges: <dyn ExchangeOps>::any(ctx)?,
            domain_ops: <dyn DomainOps>::any(ctx)?,
            index_ops: <dyn IndexOps>::any(ctx)?,
            loop_ops: <dyn LoopOps>::any(ctx)?,
            tensor_ops: <dyn TensorOps>::any(ctx)?,
        })
    }
}

/// Statistics for one body.
#[derive(Default)]
struct Counts {
    raised: u64,
    checked: u64,
}

/// Raises the nests of a body, outermost first.
fn raise(body: &mut Body, tables: &Tables<'_>, min_points: i64) -> Counts {
    let mut counts = Counts::default();
    let mut pending: Vec<Op> = body.walk().into_iter().filter(|&op| body.op(op).parent().is_none()).collect();
    while let Some(op) = pending.pop() {
        let view = body.op(op);
        if tables.loops.get(view.kind()).is_some()
            && let Some(nest) = Nest::of(tables, body, op)
            && nest.has_points(min_points)
            && let Some(plan) = nest.plan(body)
        {
            nest.emit(body, &plan);
            body.erase(op);
            counts.raised += 1;
            counts.checked += u64::from(!plan.pairs.is_empty() || !plan.checks.is_empty());
            continue;
        }
        if !view.has_trait(Traits::ISOLATED) {
            let blocks = view.own_regions().flat_map(|region| body.region(region).blocks());
            pending.extend(blocks.flat_map(|block| body.block(block).ops()));
        }
    }
    counts
}
