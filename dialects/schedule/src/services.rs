//! The services of kernels.

use crate::{Kernel, Yield};
use minoan_ir::{Attr, Body, Builder, Context, Op, OpRef, OpState, Type, Value};
use minoan_services::{
    Alias, AliasModel, BufferOps, Datum, Evaluate, Flow, KernelBody, KernelOps, KernelParts, Machine,
    RegionExecution, RegionFlow, ToBuffers, Trap,
};
use std::rc::Rc;

/// Runs the body on the contents of the operands; the plan does not matter.
pub(crate) struct EvaluateKernel;

impl Evaluate for EvaluateKernel {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let nested = op.nested().ok_or_else(|| Trap::new("a kernel without a body"))?;
        let contents = |operand: &Datum| match operand {
            Datum::Buffer(buffer) => Ok(Datum::Tensor(Rc::new(buffer.snapshot()?))),
            other => Ok(other.clone()),
        };
        let args: Vec<Datum> = operands.iter().map(contents).collect::<Result<_, Trap>>()?;
        let values = machine.run_region(nested, nested.root(0), &args)?;
        let mut results = Vec::new();
        for (output, value) in operands[op.operand_range(1)].iter().zip(values) {
            match (output, value) {
                (Datum::Buffer(buffer), Datum::Tensor(value)) => buffer.assign(Rc::unwrap_or_clone(value))?,
                (_, value) => results.push(value),
            }
        }
        Ok(Flow::Next(results))
    }
}

pub(crate) struct UpdatesOutputs;

impl AliasModel for UpdatesOutputs {
    fn alias(&self, op: OpRef<'_>, result: usize) -> Alias {
        Alias::UpdateOf(op.operand_range(0).len() + result)
    }

    /// The old contents are read if the body reads the argument for a purpose other than initialization.
    fn reads_updated(&self, op: OpRef<'_>, operand: usize) -> bool {
        let Some(nested) = op.nested() else { return true };
        let Some(entry) = nested.region(nested.root(0)).entry() else { return true };
        let arg = nested.block(entry).arg(operand);
        nested.uses(arg).any(|at| {
            let user = nested.op(at.op);
            let alias = op.context().service::<dyn AliasModel>(user.kind());
            alias.is_none_or(|alias| {
                alias.alias(user, 0) != Alias::UpdateOf(at.index) || alias.reads_updated(user, at.index)
            })
        })
    }
}

pub(crate) struct RunsOnce;

impl RegionFlow for RunsOnce {
    fn execution(&self, _: OpRef<'_>) -> RegionExecution {
        RegionExecution::ExactlyOne
    }
}

/// Bufferization: the operands become buffers, and the body stays.
pub(crate) struct OutputsAreWritten;

impl ToBuffers for OutputsAreWritten {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, _: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let view = b.body().op(op);
        let operands: Vec<Value> = view.operands().collect();
        let outputs = operands[view.operand_range(1)].iter().copied().take(view.n_results()).collect();
        let state = OpState::new(view.kind()).loc(view.loc()).operands(&operands).props(view.props());
        let state = state.attrs(view.attrs()).regions(1);
        let body = view.nested().map(Body::duplicate).ok_or("has no body")?;
        let new = b.create(state);
        let nested = b.body_mut().nested_mut(new).ok_or("has no body")?;
        *nested = body;
        Ok(outputs)
    }
}

/// Creates and recognizes kernels.
pub(crate) struct Kernels;

impl KernelOps for Kernels {
    fn create(&self, b: &mut Builder<'_>, ins: &[Value], outs: &[Value], body: &mut KernelBody<'_>) -> Op {
        let ctx = b.context();
        let props = b.dictionary(&[(
            "operandSegmentSizes",
            Some(Attr::dense_i32(&ctx, &[ins.len() as i32, outs.len() as i32])),
        )]);
        let types: Vec<Type> = ins.iter().chain(outs).map(|&value| b.ty(value)).collect();
        let results: Vec<Type> =
            types[ins.len()..].iter().copied().filter(|ty| !ty.is_memref(&ctx)).collect();
        let state = OpState::new(ctx.kind_of::<Kernel>()).operands(ins).operands(outs);
        let op = b.create(state.results(&results).props(props).regions(1));
        let tensor = |&ty: &Type| match ty.shape(&ctx).filter(|_| ty.is_memref(&ctx)) {
            Some(shape) => Type::tensor(&ctx, shape, ty.element_or_self(&ctx)),
            None => ty,
        };
        let args: Vec<Type> = types.iter().map(tensor).collect();
        b.region(op, 0, &args, |b, args| {
            let results = body(b, args);
            Yield::build(b, &results);
        });
        op
    }

    fn kernel(&self, op: OpRef<'_>) -> Option<KernelParts> {
        op.cast::<Kernel>()?;
        let plan = op.attr_named("plan").and_then(|plan| plan.as_str(op.context()));
        Some(KernelParts { inputs: op.operand_range(0).len(), plan: plan.map(str::to_owned) })
    }

    fn has_plan(&self, ctx: &Context, props: Attr) -> bool {
        props.get(ctx, ctx.name("plan")).is_some()
    }

    fn set_plan(&self, body: &mut Body, op: Op, plan: Option<&str>) {
        let ctx = body.context().clone();
        let plan = plan.map(|plan| Attr::string(&ctx, plan));
        body.set_attr(op, ctx.name("plan"), plan);
    }
}
