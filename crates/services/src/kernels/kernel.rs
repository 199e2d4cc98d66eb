//! Kernels: operations that group computations over iteration domains and carry a plan of their loops.

use minoan_ir::{Attr, Body, Builder, Context, Op, OpRef, Value, service};

/// Creates the body of a kernel from its arguments; returns its results, one per output.
pub type KernelBody<'a> = dyn FnMut(&mut Builder<'_>, &[Value]) -> Vec<Value> + 'a;

/// A kernel. Its region is isolated from above; the arguments represent the operands as tensors and scalars, even after
/// the operands have become buffers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelParts {
    /// The number of operands that are read only; the others are outputs.
    pub inputs: usize,
    /// The text of the plan, if the kernel has one.
    pub plan: Option<String>,
}

/// Creates and recognizes kernels. Queried by `form-kernels`, `fuse`, `schedule-kernels`, `join-kernels` and `emit-kernels`,
/// per dialect. Default: there are no kernels.
pub trait KernelOps: Send + Sync {
    /// Creates a kernel without a plan. The results have the types of the outputs; outputs that are buffers have no results.
    /// The arguments of the body are tensors also for buffers.
    fn create(&self, b: &mut Builder<'_>, ins: &[Value], outs: &[Value], body: &mut KernelBody<'_>) -> Op;
    /// The parts of an operation that is a kernel.
    fn kernel(&self, op: OpRef<'_>) -> Option<KernelParts>;
    /// Whether a kernel with these inherent attributes has a plan.
    fn has_plan(&self, ctx: &Context, props: Attr) -> bool;
    /// Sets or removes the plan.
    fn set_plan(&self, body: &mut Body, op: Op, plan: Option<&str>);
}
service!(dyn KernelOps, "KernelOps", Optional);

impl dyn KernelOps {
    /// The service of the first loaded dialect that has it.
    pub fn any(ctx: &Context) -> Option<&dyn KernelOps> {
        ctx.dialects().iter().find_map(|dialect| dialect.service::<dyn KernelOps>())
    }
}
