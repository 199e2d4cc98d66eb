//! `raise-loops`: raises loops and computed tensors to operations over iteration domains.
//!
//! A tensor computed from its indices, a loop that carries scalars through a monoid ([`Algebra`]), and a loop that
//! carries a tensor through an insertion at its induction variable become an operation over a domain ([`DomainOps`]),
//! as do perfect nests of them. Before, the body of such a nest is cut at the nests in it: each part is computed over
//! the dimensions that it depends on, and is read where it was computed. The sum of a row in an elementwise operation
//! on a matrix is computed once per row.
//!
//! * A part that carries scalars in any other way is a reduction in order, too. If a part cannot be reordered, tensors of values
//!   per iteration of the nest have the iterations as their last dimension, so that the part is computed for several iterations
//!   at once.
//! * An inner loop up to the index of an outer one runs over the whole extent of the outer loop; beyond the index it combines
//!   neutral elements.
//! * A reduced dimension is clamped to the extents of the tensors that each iteration reads at its index, which are read as slices:
//!   the tensors of a product of matrices are not copied if only an assertion makes their extents equal.
//! * Elements at computed indices, or of tensors of other extents than the domain, are gathered once to a tensor over the
//!   dimensions that they depend on, if these are not all dimensions.
//! * Nests are cut inside out: the parts of a part first. The time is linear in the size of the nests times their depth.
//! * An element that is read at the indices of the domain becomes a read of the domain if the extents of the tensor are
//!   those of the dimensions; any other read remains in the body, which computes its indices.
//! * Reductions keep the order of their loops. Later passes query [`Algebra`] whether they may be reordered.
//! * An assertion that depends on some dimensions of a nest is checked before it, for those points of them that it visits.
//! * A part that depends on fewer dimensions than the nest has is computed even if one of the other dimensions is empty, so
//!   all its operations must be speculatable ([`Speculation`]). A part in a conditional is not cut.
//! * A nest that has other effects, has a body that is not scalar, or carries any other value is not raised; the
//!   nests inside it are raised in place, unless it has no effects.

mod clamp;
mod cut;
mod emit;
mod gather;
mod guard;
mod nest;
pub(crate) mod slice;

use crate::analysis::extents::{Extents, Key, Size};
use minoan_diag::Diagnostics;
use minoan_ir::{Block, Body, Context, Op, ServiceTable, Traits, Value};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{
    Algebra, Assertion, CombineKind, DomainOps, EffectSet, Effects, EffectsTable, ElementAccess, ExtentOf,
    IndexOps, IterationDomain, LoopLike, LoopOps, RegionFlow, Speculation, SpeculationTable, TensorOps,
    constant_of,
};

/// Raises loops to operations over iteration domains.
pub struct RaiseLoops;

impl Pass for RaiseLoops {
    fn name(&self) -> &'static str {
        "raise-loops"
    }

    fn description(&self) -> &'static str {
        "raise loops and computed tensors to operations over iteration domains"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-raised", "Number of nests raised"),
            ("num-cut", "Number of nests computed before the nest around them"),
        ]
    }

    queries!(
        LoopLike,
        IterationDomain,
        ElementAccess,
        Algebra,
        ExtentOf,
        Assertion,
        Effects,
        Speculation,
        RegionFlow,
        DomainOps,
        IndexOps,
        LoopOps,
        TensorOps
    );

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let raised = run.each_body(|body| {
            let Some(mut tables) = Tables::of(&ctx) else { return Counts::default() };
            tables.extents.follow_regions(body);
            raise(body, &tables)
        });
        for counts in raised {
            run.count("num-raised", counts.raised);
            run.count("num-cut", counts.cut);
        }
        Ok(())
    }
}

/// The services that the pass queries.
struct Tables<'c> {
    loops: &'c ServiceTable<dyn LoopLike>,
    domains: Option<&'c ServiceTable<dyn IterationDomain>>,
    accesses: Option<&'c ServiceTable<dyn ElementAccess>>,
    algebra: Option<&'c ServiceTable<dyn Algebra>>,
    extents: Extents<'c>,
    assertions: Option<&'c ServiceTable<dyn Assertion>>,
    effects: EffectsTable<'c>,
    speculation: SpeculationTable<'c>,
    domain_ops: &'c dyn DomainOps,
    index_ops: &'c dyn IndexOps,
    tensor_ops: &'c dyn TensorOps,
    loop_ops: &'c dyn LoopOps,
}

impl<'c> Tables<'c> {
    fn of(ctx: &'c Context) -> Option<Self> {
        Some(Self {
            loops: ctx.service_table()?,
            domains: ctx.service_table(),
            accesses: ctx.service_table(),
            algebra: ctx.service_table(),
            extents: Extents::new(ctx),
            assertions: ctx.service_table(),
            effects: EffectsTable::new(ctx),
            speculation: SpeculationTable::new(ctx),
            domain_ops: <dyn DomainOps>::any(ctx)?,
            index_ops: <dyn IndexOps>::any(ctx)?,
            tensor_ops: <dyn TensorOps>::any(ctx)?,
            loop_ops: <dyn LoopOps>::any(ctx)?,
        })
    }

    /// Whether a dimension of a tensor has as many elements as a loop up to `size` has iterations. A bound and its maximum with 0
    /// mean the same number of iterations.
    fn covers(&self, body: &Body, tensor: Value, dim: usize, size: Size) -> bool {
        let iterations = |key| match key {
            Key::Value(value) => match self.unclamped(body, value) {
                Some(bound) => self.extents.of_value(body, bound),
                None => key,
            },
            key => key,
        };
        iterations(self.extents.of_dim(body, tensor, dim)) == iterations(self.extents.of_size(body, size))
    }

    /// The bound of which a value is the maximum with 0.
    fn unclamped(&self, body: &Body, value: Value) -> Option<Value> {
        let op = body.op(body.defining_op(value)?);
        let monoid = self.algebra?.get(op.kind())?.monoid(op)?;
        let is_zero =
            |value: Value| constant_of(body, value).and_then(|attr| attr.as_i64(body.context())) == Some(0);
        let bound = op.operands().find(|&operand| !is_zero(operand))?;
        (monoid.kind == CombineKind::MaxSI && op.operands().any(is_zero)).then_some(bound)
    }

    /// Whether everything in an operation is free of effects, apart from assertions.
    fn only_asserts(&self, body: &Body, op: Op) -> bool {
        let mut pending = vec![op];
        while let Some(op) = pending.pop() {
            let view = body.op(op);
            let asserts = self.assertions.is_some_and(|table| table.get(view.kind()).is_some());
            if view.has_trait(Traits::ISOLATED) || (!asserts && self.effects.own(view) != EffectSet::NONE) {
                return false;
            }
            pending.extend(
                view.own_regions()
                    .flat_map(|region| body.region(region).blocks())
                    .flat_map(|block| body.block(block).ops()),
            );
        }
        true
    }
}

/// Statistics for one body.
#[derive(Default)]
struct Counts {
    /// Nests raised.
    raised: u64,
    /// Raised nests that were cut out of another.
    cut: u64,
}

/// Raises the nests of a body.
fn raise(body: &mut Body, tables: &Tables<'_>) -> Counts {
    let mut counts = Counts::default();
    let mut pending = outermost_blocks(body);
    while let Some(block) = pending.pop() {
        let ops: Vec<Op> = body.block(block).ops().collect();
        for op in ops {
            if nest::Nest::of(tables, body, op).is_some() && tables.only_asserts(body, op) {
                let (raised, cut) = cut::root(tables, body, op);
                counts.raised += raised;
                counts.cut += cut;
                continue;
            }
            let view = body.op(op);
            if !view.has_trait(Traits::ISOLATED) {
                pending.extend(view.own_regions().flat_map(|region| body.region(region).blocks()));
            }
        }
    }
    counts
}

/// The blocks that are not inside of an operation of the body.
fn outermost_blocks(body: &Body) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for op in body.walk() {
        let view = body.op(op);
        if let Some(block) =
            view.block().filter(|block| view.parent().is_none() && blocks.last() != Some(block))
        {
            blocks.push(block);
        }
    }
    blocks
}
