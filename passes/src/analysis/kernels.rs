//! Helpers shared by the passes over kernels.

use super::call_sites::functions_in;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Body, Module, Op, OpRef};
use minoan_schedule::{Kernel, NotAKernel};
use minoan_services::{KernelOps, KernelParts, MachineModel};

/// Runs `work` on the body of each function of a module.
pub(crate) fn each_function(module: &mut Module, mut work: impl FnMut(&mut Body)) {
    each_named_function(module, |_, body| work(body));
}

/// Runs `work` on the name and the body of each function of a module.
pub(crate) fn each_named_function(module: &mut Module, mut work: impl FnMut(&str, &mut Body)) {
    let body = module.body_mut();
    for op in functions_in(body) {
        let name = body.op(op).symbol_name().map(str::to_owned).unwrap_or_default();
        if let Some(inside) = body.nested_mut(op) {
            work(&name, inside);
        }
    }
}

/// The kernels of a body, in program order.
pub(crate) fn kernels(body: &Body, service: &dyn KernelOps) -> Vec<(Op, KernelParts)> {
    let ops = body.walk().into_iter();
    ops.filter_map(|op| service.kernel(body.op(op)).map(|parts| (op, parts))).collect()
}

/// The kernels of the function `function`, in program order, with their names: the name of the function, `#`, and the number of
/// the kernel in it, from 0.
pub(crate) fn named_kernels(
    function: &str,
    body: &Body,
    service: &dyn KernelOps,
) -> Vec<(String, Op, KernelParts)> {
    let all = kernels(body, service).into_iter().enumerate();
    all.map(|(number, (op, parts))| (format!("{function}#{number}"), op, parts)).collect()
}

/// The contents of a kernel.
pub(crate) fn contents(op: OpRef<'_>, parts: &KernelParts) -> Result<Kernel, Diagnostics> {
    let ctx = op.context();
    let fail = |message: String| Diagnostic::error(message).at(op.loc().place(ctx)).into();
    let entry = op.nested().and_then(|nested| nested.region(nested.root(0)).entry());
    let (Some(nested), Some(entry)) = (op.nested(), entry) else {
        return Err(fail(format!("'{}' op has no body", op.name())));
    };
    Kernel::of_block(nested, entry, parts.inputs).map_err(|NotAKernel { op: inner, message }| {
        match inner.map(|inner| nested.op(inner)) {
            Some(inner) => Diagnostic::error(format!("'{}' op {message}", inner.name()))
                .at(inner.loc().place(ctx))
                .into(),
            None => fail(format!("'{}' op {message}", op.name())),
        }
    })
}

/// The machine that the module describes, or the default.
pub(crate) fn machine(module: &Module) -> MachineModel {
    MachineModel::of(module.context(), module.holder().op(module.op()).attrs()).unwrap_or_default()
}
