//! `generate-runtime-verification`: asserts at run time what the verifier cannot check.
//!
//! Before each operation with the service [`RuntimeVerification`], assertions are created that the operation has defined behavior:
//! indices are in bounds, extents agree. Nothing is created for what the types and the producers of the operands prove. The
//! default pipeline begins with this pass, on operations on tensors; the operations of front ends are not affected, since their
//! lowering creates the assertions that their language requires.
//!
//! Before each operation with the service [`Precondition`], such as an integer division, its precondition is asserted unless it is
//! known to hold. That of an operation in the computation of an operation on tensors is asserted for all points at once, before the
//! latter. An atomic update by a region ([`AtomicUpdate`]) contains no assertions: what its region requires is asserted after it, and
//! where that does not hold, the region computes something else.

mod preconditions;

use minoan_diag::Diagnostics;
use minoan_ir::{Block, Body, Builder, Context, Op, OpRef, ServiceTable};
use minoan_pass::{Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{
    AssertionOps, AtomicUpdate, BufferOps, CreatedChecks, DomainOps, EffectSet, Effects, EffectsTable,
    ExtentOf, IndexOps, IterationDomain, KernelOps, Liveness, LoopOps, Precondition, RegionFlow,
    RuntimeCheckMakers, RuntimeChecks, RuntimeVerification, Speculation, TensorOps, VectorOps,
};
use preconditions::Makers;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

pass_options! {
    /// The options of the pass.
    pub struct GenerateRuntimeVerificationOptions {
        /// Verify operations that work on buffers only as well
        "memory" memory: bool = true,
    }
}

/// Asserts at run time what the verifier cannot check.
#[derive(Default)]
pub struct GenerateRuntimeVerification {
    /// The options of this pass.
    pub options: GenerateRuntimeVerificationOptions,
}

impl Pass for GenerateRuntimeVerification {
    fn name(&self) -> &'static str {
        "generate-runtime-verification"
    }

    fn description(&self) -> &'static str {
        "assert at run time that indices are in bounds, that extents agree, and that integer divisions are defined"
    }

    own_options!();

    queries!(
        RuntimeVerification,
        Precondition,
        AtomicUpdate,
        KernelOps,
        ExtentOf,
        AssertionOps,
        IndexOps,
        LoopOps,
        TensorOps,
        BufferOps,
        DomainOps,
        IterationDomain,
        VectorOps,
        Effects,
        Speculation,
        RegionFlow,
    );

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let checks = ctx.service_table().zip(RuntimeCheckMakers::of(&ctx));
        let preconditions = Makers::of(&ctx);
        run.each_body_with(
            || (),
            |(), owner, body| {
                // The contents of kernels have been verified when the kernels were formed.
                if ctx.service::<dyn KernelOps>(owner.kind).is_none() {
                    if let Some((table, makers)) = &checks {
                        verify_ops(body, table, makers, self.options.memory);
                    }
                    if let Some(makers) = &preconditions {
                        verify_preconditions(body, makers);
                    }
                }
            },
        );
        Ok(())
    }
}

fn verify_ops(
    body: &mut Body,
    table: &ServiceTable<dyn RuntimeVerification>,
    makers: &RuntimeCheckMakers<'_>,
    memory: bool,
) {
    // An operation before another one in a block dominates it.
    let mut created: FxHashMap<Block, CreatedChecks> = FxHashMap::default();
    for op in body.walk().into_iter().collect::<Vec<Op>>() {
        let view = body.op(op);
        let Some(service) = table.get(view.kind()).filter(|_| !is_atomic(view)) else { continue };
        // A region of a terminator contains no assertions.
        let at = if <dyn Liveness>::is_part_of_terminator(view) { view.parent() } else { Some(op) };
        let Some((at, block)) = at.and_then(|at| Some((at, body.op(at).block()?))) else { continue };
        if memory || !is_on_memory(view) {
            let loc = view.loc();
            let created = created.entry(block).or_default();
            let mut b = Builder::before(body, at).with_loc(loc);
            service.verify_at_run_time(&mut RuntimeChecks::new(&mut b, makers, created), op);
        }
    }
}

fn verify_preconditions(body: &mut Body, makers: &Makers<'_>) {
    let (mut asserted, mut verified) = (FxHashMap::default(), FxHashSet::default());
    let mut pending: VecDeque<Op> = body.walk().into_iter().collect();
    while let Some(op) = pending.pop_front() {
        if is_atomic(body.op(op)) {
            continue;
        }
        // What follows the operation comes before what followed it.
        for copy in makers.repeat_after_update(body, op).into_iter().rev() {
            pending.push_front(copy);
        }
        makers.assert_at_all_points(body, op, &mut verified);
        if let Some(block) = body.op(op).block().filter(|_| !verified.contains(&op)) {
            makers.assert(body, op, asserted.entry(block).or_default());
        }
    }
}

/// Whether an operation is part of an access to memory, such as the computation of an atomic update, which contains no assertions:
/// an enclosing operation has effects of its own and no control flow.
fn is_atomic(op: OpRef<'_>) -> bool {
    let (body, ctx) = (op.body(), op.context());
    let effects = EffectsTable::new(ctx);
    let mut parent = op.parent();
    while let Some(around) = parent.map(|parent| body.op(parent)) {
        if ctx.service::<dyn RegionFlow>(around.kind()).is_none() {
            return effects.own(around).intersects(EffectSet::WRITE);
        }
        parent = around.parent();
    }
    false
}

/// Whether an operation works on buffers and not on tensors.
fn is_on_memory(op: OpRef<'_>) -> bool {
    let ctx: &Context = op.context();
    let types = || op.operand_types().chain(op.result_types());
    types().any(|ty| ty.is_memref(ctx)) && !types().any(|ty| ty.is_tensor(ctx))
}
