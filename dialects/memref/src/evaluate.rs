//! Evaluation of allocation, access and copy operations.

use minoan_ir::{DYNAMIC, OpRef, Type};
use minoan_services::{Datum, Evaluate, Flow, Machine, Tensor, Trap};

pub(crate) fn alloc(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Datum, Trap> {
    let ctx = op.context();
    let ty = op.result_types().next().ok_or_else(|| Trap::new("an allocation without a result"))?;
    let shape = Tensor::extents(ctx, ty, operands)?;
    let zero = Tensor::zero_of(ctx, ty.element_or_self(ctx))?;
    Ok(Datum::Buffer(machine.alloc(Tensor::splat(&shape, &zero)?)))
}

pub(crate) struct EvaluateAlloc;

impl Evaluate for EvaluateAlloc {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        Flow::one(alloc(op, operands, machine)?)
    }
}

/// Stack allocations are not freed and do not count as leaks.
pub(crate) struct EvaluateAlloca;

impl Evaluate for EvaluateAlloca {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let Datum::Buffer(buffer) = alloc(op, operands, machine)? else {
            return Err(Trap::new("an allocation gives a buffer"));
        };
        let contents = buffer.read(|tensor| Ok(tensor.clone()))?;
        machine.free(&buffer)?;
        *buffer.contents.borrow_mut() = Some(contents);
        Flow::one(Datum::Buffer(buffer))
    }
}

pub(crate) struct EvaluateDealloc;

impl Evaluate for EvaluateDealloc {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        machine.free(operands[0].buffer()?)?;
        Flow::none()
    }
}

pub(crate) fn indices(operands: &[Datum]) -> Result<Vec<i64>, Trap> {
    operands.iter().map(Datum::int).collect()
}

pub(crate) struct EvaluateLoad;

impl Evaluate for EvaluateLoad {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let at = indices(&operands[1..])?;
        Flow::one(operands[0].buffer()?.get(&at)?)
    }
}

pub(crate) struct EvaluateStore;

impl Evaluate for EvaluateStore {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let at = indices(&operands[2..])?;
        operands[1].buffer()?.set(&at, &operands[0])?;
        Flow::none()
    }
}

pub(crate) struct EvaluateDim;

impl Evaluate for EvaluateDim {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let at = operands[1].int()?;
        let shape = operands[0].buffer()?.shape()?;
        let extent = usize::try_from(at).ok().and_then(|at| shape.get(at).copied());
        let extent = extent.ok_or_else(|| Trap::new(format!("no dimension {at}")))?;
        Flow::one(extent as i64)
    }
}

pub(crate) struct EvaluateCast;

impl Evaluate for EvaluateCast {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let ty = op.result_types().next().unwrap_or(Type::NONE);
        if let Some(wanted) = ty.shape(op.context()) {
            let shape = operands[0].buffer()?.shape()?;
            if shape.len() != wanted.len() {
                return Err(Trap::new(format!("a buffer of extents {shape:?} is cast to {wanted:?}")));
            }
            for (dim, (&want, have)) in wanted.iter().zip(shape).enumerate() {
                if want != DYNAMIC && want != have as i64 {
                    return Err(Trap::assertion(format!(
                        "a buffer of extent {have} in dimension {dim} is cast to extent {want}"
                    )));
                }
            }
        }
        Flow::one(operands[0].clone())
    }
}

pub(crate) struct EvaluateCopy;

impl Evaluate for EvaluateCopy {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        operands[1].buffer()?.assign(operands[0].buffer()?.snapshot()?)?;
        Flow::none()
    }
}

pub(crate) struct EvaluateGetGlobal;

impl Evaluate for EvaluateGetGlobal {
    fn evaluate(&self, op: OpRef<'_>, _: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let ctx = op.context();
        let name = op.attr_named("name").and_then(|attr| attr.as_flat_symbol(ctx));
        let name = name.ok_or_else(|| Trap::new("'memref.get_global' without a name"))?;
        Flow::one(Datum::Buffer(machine.global(name.as_str(ctx))?))
    }
}

/// A global evaluates to its initial contents.
pub(crate) struct EvaluateGlobal;

impl Evaluate for EvaluateGlobal {
    fn evaluate(&self, op: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let contents =
            op.attr_named("initial_value").ok_or_else(|| Trap::new("a global without contents"))?;
        Flow::one(Datum::of_attr(op.context(), contents)?)
    }
}
