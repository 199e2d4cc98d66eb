//! `emit-kernels`: replaces kernels on buffers by loops and vector operations, according to their plans.
//!
//! A kernel without a plan, or with a plan that cannot be emitted, becomes loops of scalars.

use crate::analysis::kernels;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Body, Builder, InsertionPoint, Op, Value};
use minoan_pass::{Anchor, Pass, PassRun, queries};
use minoan_schedule::emit::{Makers, emit};
use minoan_schedule::{Kernel, Plan, choose, resolve};
use minoan_services::{
    BufferOps, IndexOps, KernelOps, KernelParts, LoopOps, MachineModel, VectorForm, VectorOps,
};

/// Emits kernels.
pub struct EmitKernels;

impl Pass for EmitKernels {
    fn name(&self) -> &'static str {
        "emit-kernels"
    }

    fn description(&self) -> &'static str {
        "replace kernels on buffers by loops and vector operations"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    queries!(KernelOps, LoopOps, VectorOps, IndexOps, BufferOps, VectorForm);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let module = run.module_mut();
        let ctx = module.context().clone();
        let (Some(service), Some(makers)) = (<dyn KernelOps>::any(&ctx), Makers::of(&ctx)) else {
            return Ok(());
        };
        let machine = kernels::machine(module);
        let mut errors = Diagnostics::new();
        kernels::each_function(module, |body| {
            for (op, parts) in kernels::kernels(body, service) {
                if let Err(error) = replace(body, op, &parts, makers, &machine) {
                    errors.append(error);
                }
            }
        });
        if errors.has_errors() { Err(errors) } else { Ok(()) }
    }
}

fn replace(
    body: &mut Body,
    op: Op,
    parts: &KernelParts,
    makers: Makers<'_>,
    machine: &MachineModel,
) -> Result<(), Diagnostics> {
    let ctx = body.context().clone();
    let view = body.op(op);
    let (name, loc) = (view.name().to_owned(), view.loc());
    let fail = |message: String| -> Diagnostics {
        Diagnostic::error(format!("'{name}' op {message}")).at(loc.place(&ctx)).into()
    };
    if view.operand_types().any(|ty| ty.is_tensor(&ctx)) {
        return Err(fail("expects buffers, but its operands are tensors; run plan-buffers first".to_owned()));
    }
    let kernel = kernels::contents(view, parts)?;
    let source = view.nested().map(Body::duplicate).ok_or_else(|| fail("has no body".to_owned()))?;
    // The copy has different ids.
    let entry = source.region(source.root(0)).entry().ok_or_else(|| fail("has no body".to_owned()))?;
    let copy = Kernel::of_block(&source, entry, parts.inputs).map_err(|error| fail(error.message))?;
    let operands: Vec<Value> = view.operands().collect();
    let text = parts.plan.clone().unwrap_or_else(|| choose::plain(&kernel).to_string());
    let plan: Plan = text.parse().map_err(|error| fail(format!("has an invalid plan: {error}")))?;
    let mut outcome = Err(String::new());
    for plan in [plan, choose::plain(&copy)] {
        let steps =
            resolve(&plan, &copy).map_err(|violation| fail(format!("has an illegal plan: {violation}")))?;
        let mut b = Builder::new(body, InsertionPoint::Before(op)).with_loc(loc);
        outcome = emit(&mut b, makers, machine, &source, &copy, &steps, &operands);
        if outcome.is_ok() {
            break;
        }
    }
    outcome.map_err(|message| fail(format!("cannot be emitted: {message}")))?;
    body.erase(op);
    Ok(())
}
