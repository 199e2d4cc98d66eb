//! Evaluation.

use crate::Dealloc;
use minoan_ir::{DYNAMIC, OpDef, OpRef, Type};
use minoan_services::{Buffer, Datum, Evaluate, Flow, Machine, Tensor, Trap};

pub(crate) struct EvaluateAllocTensor;

impl Evaluate for EvaluateAllocTensor {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let (sizes, copied) = (op.operand_group(0).len(), op.operand_group(1).len());
        if copied > 0 {
            return Flow::one(operands[sizes].clone());
        }
        let (ctx, ty) = (op.context(), op.result_types().next().unwrap_or(Type::NONE));
        let shape = Tensor::extents(ctx, ty, &operands[..sizes])?;
        Flow::one(Tensor::splat(&shape, &Tensor::zero_of(ctx, ty.element_or_self(ctx))?)?)
    }
}

pub(crate) struct EvaluateClone;

impl Evaluate for EvaluateClone {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let contents = operands[0].buffer()?.snapshot()?;
        let wanted = op.result_types().next().and_then(|ty| ty.shape(op.context()));
        let fits = |(&want, &have): (&i64, &usize)| want == DYNAMIC || usize::try_from(want) == Ok(have);
        if let Some(wanted) = wanted.filter(|wanted| {
            wanted.len() != contents.shape.len() || !wanted.iter().zip(&contents.shape).all(fits)
        }) {
            let have = &contents.shape;
            return Err(Trap::new(format!("a buffer of extents {have:?} is cloned to {wanted:?}")));
        }
        Flow::one(Datum::Buffer(machine.alloc(contents)))
    }
}

pub(crate) struct EvaluateDealloc;

impl Evaluate for EvaluateDealloc {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let body = op.body();
        let freed = Dealloc::from_op_unchecked(op.id()).memrefs(body).len();
        let (freed, rest) = operands.split_at(freed);
        let (conditions, retained) = rest.split_at(freed.len());
        let buffers = |values: &[Datum]| -> Result<Vec<Buffer>, Trap> {
            values.iter().map(|value| value.buffer().cloned()).collect()
        };
        let (freed, retained) = (buffers(freed)?, buffers(retained)?);
        let conditions: Vec<bool> =
            conditions.iter().map(|condition| Ok(condition.int()? != 0)).collect::<Result<_, Trap>>()?;
        for (at, buffer) in freed.iter().enumerate() {
            let shares = |other: &Buffer| other.id == buffer.id;
            let before = freed[..at].iter().zip(&conditions).any(|(other, &holds)| holds && shares(other));
            if conditions[at] && !retained.iter().any(shares) && !before {
                machine.free(buffer)?;
            }
        }
        let owned = |kept: &Buffer| {
            freed.iter().zip(&conditions).any(|(buffer, &holds)| holds && buffer.id == kept.id)
        };
        Ok(Flow::Next(retained.iter().map(|kept| Datum::from(owned(kept))).collect()))
    }
}

/// A tensor has no memory of its own here.
pub(crate) struct EvaluateDeallocTensor;

impl Evaluate for EvaluateDeallocTensor {
    fn evaluate(&self, _: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Flow::none()
    }
}

pub(crate) struct EvaluateMaterialize;

impl Evaluate for EvaluateMaterialize {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let source = operands[0].tensor()?;
        if op.n_results() == 0 {
            operands[1].buffer()?.assign(Tensor::clone(source))?;
            return Flow::none();
        }
        let dest = &operands[1].tensor()?.shape;
        if source.shape != *dest {
            let have = &source.shape;
            return Err(Trap::new(format!(
                "a tensor of extents {have:?} is materialized in extents {dest:?}"
            )));
        }
        Flow::one(operands[0].clone())
    }
}

/// The buffer is freed with the tensor, unless the program does so.
pub(crate) struct EvaluateToBuffer;

impl Evaluate for EvaluateToBuffer {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let buffer = machine.alloc_for_tensor(Tensor::clone(operands[0].tensor()?));
        Flow::one(Datum::Buffer(buffer))
    }
}

pub(crate) struct EvaluateToTensor;

impl Evaluate for EvaluateToTensor {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Flow::one(operands[0].buffer()?.snapshot()?)
    }
}
