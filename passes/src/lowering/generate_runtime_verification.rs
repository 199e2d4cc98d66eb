//! `generate-runtime-verification`: asserts at run time what the verifier cannot check.
//!
//! Before each operation with the service [`RuntimeVerification`], assertions are created that the operation has defined behavior:
//! indices are in bounds, extents agree. Nothing is created for what the types and the producers of the operands prove. The
//! default pipeline begins with this pass, on operations on tensors; the operations of front ends are not affected, since their
//! lowering creates the assertions that their language requires.
//!
//! Not asserted: that the divisors of integer divisions are not zero, which stops a compiled program without an assertion.

use minoan_diag::Diagnostics;
use minoan_ir::{Block, Body, Builder, Context, Op, OpRef, ServiceTable};
use minoan_pass::{Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{
    AssertionOps, BufferOps, CreatedChecks, ExtentOf, IndexOps, KernelOps, Liveness, LoopOps,
    RuntimeCheckMakers, RuntimeChecks, RuntimeVerification, TensorOps,
};
use rustc_hash::FxHashMap;

pass_options! {
    /// The options of the pass.
    pub struct GenerateRuntimeVerificationOptions {
        /// Verify operations on buffers as well
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
        "assert at run time that indices are in bounds and that extents agree"
    }

    own_options!();

    queries!(RuntimeVerification, KernelOps, ExtentOf, AssertionOps, IndexOps, LoopOps, TensorOps, BufferOps);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let (Some(table), Some(makers)) = (ctx.service_table(), RuntimeCheckMakers::of(&ctx)) else {
            return Ok(());
        };
        run.each_body_with(
            || (),
            |(), owner, body| {
                // The contents of kernels have been verified when the kernels were formed.
                if ctx.service::<dyn KernelOps>(owner.kind).is_none() {
                    verify_ops(body, table, &makers, self.options.memory);
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
        let Some(service) = table.get(view.kind()) else { continue };
        // A region of a terminator contains no assertions.
        let at = if <dyn Liveness>::is_part_of_terminator(view) { view.parent() } else { Some(op) };
        let Some((at, block)) = at.and_then(|at| Some((at, body.op(at).block()?))) else { continue };
        if memory || !accesses_memory(view) {
            let loc = view.loc();
            let created = created.entry(block).or_default();
            let mut b = Builder::before(body, at).with_loc(loc);
            service.verify_at_run_time(&mut RuntimeChecks::new(&mut b, makers, created), op);
        }
    }
}

fn accesses_memory(op: OpRef<'_>) -> bool {
    let ctx: &Context = op.context();
    op.operand_types().chain(op.result_types()).any(|ty| ty.is_memref(ctx))
}
