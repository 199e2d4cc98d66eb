//! Programs that become kernels, and random plans of these.

mod plans;
mod programs;

use minoan_ir::{Body, Module, Op};
use minoan_schedule::{Kernel, Plan};
use minoan_services::KernelOps;
pub use plans::random_plan;
pub use programs::{NamedProgram, programs};

/// A generator of numbers.
pub struct Random(pub u64);

impl Random {
    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit as u64) as usize
    }

    /// One of several values.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Visits the kernels of a module that have plans: the body that contains the kernel, its operation, its statements and its plan.
///
/// # Panics
/// Panics if the schedule dialect is not loaded, or a kernel or plan is not valid.
pub fn each_kernel(module: &mut Module, mut visit: impl FnMut(&mut Body, Op, &Kernel, Plan)) {
    let ctx = module.context().clone();
    let service = <dyn KernelOps>::any(&ctx).expect("the dialect is loaded");
    let block = module.block();
    let body = module.body_mut();
    for function in body.block(block).ops().collect::<Vec<_>>() {
        let inside = body.nested_mut(function).expect("a function");
        for op in inside.walk() {
            let view = inside.op(op);
            let Some(parts) = service.kernel(view) else { continue };
            let nested = view.nested().expect("a kernel has a body").duplicate();
            let entry = nested.region(nested.root(0)).entry().expect("a kernel has a body");
            let kernel = Kernel::of_block(&nested, entry, parts.inputs).expect("the kernel is valid");
            let plan = parts.plan.expect("the kernel has a plan").parse().expect("the plan is valid");
            visit(inside, op, &kernel, plan);
        }
    }
}
