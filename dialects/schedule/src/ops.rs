//! The operations.

use crate::{assembly, services};
use minoan_ir::constraints::ANY;
use minoan_ir::text::print_type;
use minoan_ir::verify::verify_op;
use minoan_ir::{Body, Op, OpDef, Type, Violations, op};
use minoan_schedule::{Kernel as Contents, NotAKernel, Plan, resolve};
use minoan_services::{AliasModel, Effects, Evaluate, EvaluateYield, RegionFlow, ToBuffers};

/// A group of computations over iteration domains, with a plan of its loops.
///
/// The results are the outputs, updated; on buffers there are none, and the outputs are written.
#[op(
    "schedule.kernel",
    traits(ISOLATED, OPERAND_SEGMENTS, SINGLE_BLOCK),
    assembly = custom(assembly::parse_kernel, assembly::print_kernel),
    verify = verify_kernel,
    services(
        Evaluate = services::EvaluateKernel,
        Effects = minoan_services::OnBuffers,
        AliasModel = services::UpdatesOutputs,
        RegionFlow = services::RunsOnce,
        ToBuffers = services::OutputsAreWritten,
    )
)]
pub struct Kernel {
    /// The operands that are read: tensors, buffers or scalars.
    inputs: Vec<Operand<ANY>>,
    /// The operands that are updated: tensors or buffers.
    outputs: Vec<Operand<ANY>>,
    /// The text of the plan.
    plan: Option<String>,
    /// The updated outputs that are tensors.
    results: Vec<OpResult<ANY>>,
    /// The computation: the arguments are the contents of the operands.
    body: Region,
}

/// Returns the new contents of the outputs of a kernel.
#[op(
    "schedule.yield",
    traits(TERMINATOR, RETURN_LIKE, PURE),
    assembly = "attr-dict ($values^ `:` type($values))?",
    services(Evaluate = EvaluateYield)
)]
pub struct Yield {
    /// One value per output.
    values: Vec<Operand<ANY>>,
}

fn verify_kernel(body: &Body, op: Op, errors: &mut Violations) {
    if let Err(message) = check(body, op) {
        errors.push(message);
    }
}

fn check(body: &Body, op: Op) -> Result<(), String> {
    let (view, ctx) = (body.op(op), body.context());
    let kernel = Kernel::from_op_unchecked(op);
    let (inputs, outputs) = (kernel.inputs(body).len(), kernel.outputs(body));
    let nested = view.nested().ok_or("expects a body")?;
    let entry = nested.region(nested.root(0)).entry().ok_or("expects a body")?;
    let args: Vec<Type> = nested.block(entry).args().map(|arg| nested.ty(arg)).collect();
    if args.len() != view.n_operands() {
        let (args, operands) = (args.len(), view.n_operands());
        return Err(format!("expects an argument for each of its {operands} operands, but found {args}"));
    }
    for (at, (operand, &arg)) in view.operand_types().zip(&args).enumerate() {
        if !stands_for(ctx, arg, operand) {
            let (arg, operand) = (print_type(ctx, arg), print_type(ctx, operand));
            return Err(format!(
                "argument #{at} of type '{arg}' does not stand for an operand of type '{operand}'"
            ));
        }
    }
    let tensors = outputs.iter().map(|&output| body.ty(output)).filter(|ty| ty.is_tensor(ctx));
    if !tensors.eq(view.result_types()) {
        return Err("expects a result for each output that is a tensor, of the same type".to_owned());
    }
    let last = nested.block(entry).last().map(|last| nested.op(last)).filter(|last| last.is::<Yield>());
    let last = last.ok_or("expects its body to end with 'schedule.yield'")?;
    if !last.operand_types().eq(args[inputs..].iter().copied()) {
        return Err("expects its body to yield a value of the type of each output".to_owned());
    }
    let Some(plan) = kernel.plan(body) else { return Ok(()) };
    let plan: Plan = plan.parse().map_err(|error| format!("has an invalid plan: {error}"))?;
    // The errors of the operations are reported at them.
    if nested.block(entry).ops().any(|inner| verify_op(nested, inner).is_err()) {
        return Ok(());
    }
    let contents =
        Contents::of_block(nested, entry, inputs).map_err(|NotAKernel { op, message }| match op {
            Some(op) => format!("contains '{}', which {message}", nested.op(op).name()),
            None => message,
        })?;
    resolve(&plan, &contents).map_err(|violation| format!("has an illegal plan: {violation}"))?;
    Ok(())
}

/// Whether an argument of a kernel may represent an operand: they have the same type, or the operand is a buffer with the
/// shape and elements of the argument.
fn stands_for(ctx: &minoan_ir::Context, arg: Type, operand: Type) -> bool {
    let array = |ty: Type| (ty.shape(ctx), ty.element_or_self(ctx));
    arg == operand || (arg.is_tensor(ctx) && operand.is_memref(ctx) && array(arg) == array(operand))
}
