//! What the operations compute.

use minoan_ir::{DYNAMIC, OpRef, Type};
use minoan_services::{Datum, Evaluate, Flow, Machine, Tensor, Trap};

fn result_type(op: OpRef<'_>) -> Result<Type, Trap> {
    op.result_types().next().ok_or_else(|| Trap::new("an operation without a result"))
}

fn indices(operands: &[Datum]) -> Result<Vec<i64>, Trap> {
    operands.iter().map(Datum::int).collect()
}

/// Elements that are not set read as zero.
pub(crate) struct EvaluateEmpty;

impl Evaluate for EvaluateEmpty {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let (ty, ctx) = (result_type(op)?, op.context());
        let shape = Tensor::extents(ctx, ty, operands)?;
        Flow::one(Tensor::splat(&shape, &Tensor::zero_of(ctx, ty.element_or_self(ctx))?)?)
    }
}

pub(crate) struct EvaluateSplat;

impl Evaluate for EvaluateSplat {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let shape = Tensor::extents(op.context(), result_type(op)?, &operands[1..])?;
        Flow::one(Tensor::splat(&shape, &operands[0])?)
    }
}

pub(crate) struct EvaluateFromElements;

impl Evaluate for EvaluateFromElements {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let (ty, ctx) = (result_type(op)?, op.context());
        let shape = Tensor::extents(ctx, ty, &[])?;
        let mut tensor = Tensor::splat(&shape, &Tensor::zero_of(ctx, ty.element_or_self(ctx))?)?;
        for (index, element) in operands.iter().enumerate() {
            tensor.data.set(index, element)?;
        }
        Flow::one(tensor)
    }
}

pub(crate) struct EvaluateExtract;

impl Evaluate for EvaluateExtract {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let tensor = operands[0].tensor()?;
        Flow::one(tensor.data.get(tensor.offset(&indices(&operands[1..])?)?))
    }
}

pub(crate) struct EvaluateInsert;

impl Evaluate for EvaluateInsert {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let mut tensor = Tensor::clone(operands[1].tensor()?);
        let offset = tensor.offset(&indices(&operands[2..])?)?;
        tensor.data.set(offset, &operands[0])?;
        Flow::one(tensor)
    }
}

pub(crate) struct EvaluateDim;

impl Evaluate for EvaluateDim {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let at = operands[1].int()?;
        let shape = &operands[0].tensor()?.shape;
        match usize::try_from(at).ok().and_then(|at| shape.get(at)) {
            Some(&extent) => Flow::one(extent as i64),
            None => Err(Trap::new(format!("no dimension {at}"))),
        }
    }
}

pub(crate) struct EvaluateCast;

impl Evaluate for EvaluateCast {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let have = &operands[0].tensor()?.shape;
        if let Some(wanted) = result_type(op)?.shape(op.context()) {
            let fits = |(&want, &have): (&i64, &usize)| want == DYNAMIC || want == have as i64;
            if wanted.len() != have.len() || !wanted.iter().zip(have).all(fits) {
                return Err(Trap::new(format!("a tensor of extents {have:?} is cast to {wanted:?}")));
            }
        }
        Flow::one(operands[0].clone())
    }
}

pub(crate) struct EvaluateGenerate;

impl Evaluate for EvaluateGenerate {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let (ty, ctx) = (result_type(op)?, op.context());
        let shape = Tensor::extents(ctx, ty, operands)?;
        let mut tensor = Tensor::splat(&shape, &Tensor::zero_of(ctx, ty.element_or_self(ctx))?)?;
        let mut elements = Vec::with_capacity(tensor.data.len());
        Tensor::each_index(&shape, |at| {
            machine.tick(1)?;
            let args: Vec<Datum> = at.iter().map(|&index| Datum::Int(index)).collect();
            let element = machine.run_region(op.body(), op.region(0), &args)?;
            elements.extend(element);
            Ok(())
        })?;
        for (index, element) in elements.iter().enumerate() {
            tensor.data.set(index, element)?;
        }
        Flow::one(tensor)
    }
}

pub(crate) struct EvaluateYield;

impl Evaluate for EvaluateYield {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Ok(Flow::Yield(operands.to_vec()))
    }
}
