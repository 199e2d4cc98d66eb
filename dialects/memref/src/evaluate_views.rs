//! Evaluation of views and atomic updates.

use crate::evaluate::indices;
use crate::reshape::groups;
use crate::slices::{fill_in, numbers, slice_values};
use crate::{SubView, Transpose};
use minoan_arith::AtomicKind;
use minoan_ir::{OpDef, OpRef, Type};
use minoan_services::{
    Buffer, DataLayout, Datum, Encoding, Evaluate, Flow, LayoutSpec, Machine, Scalar, Tensor, Trap, View,
};

fn extent(size: i64) -> Result<usize, Trap> {
    usize::try_from(size).map_err(|_| Trap::new(format!("the size {size} of a view is negative")))
}

fn one(buffer: &Buffer, view: View) -> Result<Flow, Trap> {
    Flow::one(Datum::Buffer(buffer.with_view(view)))
}

pub(crate) struct EvaluateSubView;

impl Evaluate for EvaluateSubView {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let buffer = operands[0].buffer()?;
        let (from, [offsets, sizes, strides]) = (buffer.layout()?, slice_values(op, &operands[1..])?);
        let dropped = SubView::from_op_unchecked(op.id()).dropped(op.body());
        let dropped =
            dropped.ok_or_else(|| Trap::new("the part is not a rank-reduced version of the slice"))?;
        let overflow = || Trap::new("the position of a part overflows");
        let mut part = View { shape: Vec::new(), offset: from.offset, strides: Vec::new() };
        for (dim, &stride) in from.strides.iter().enumerate() {
            let step = offsets[dim].checked_mul(stride).and_then(|step| part.offset.checked_add(step));
            part.offset = step.ok_or_else(overflow)?;
            if !dropped[dim] {
                part.shape.push(extent(sizes[dim])?);
                part.strides.push(stride.checked_mul(strides[dim]).ok_or_else(overflow)?);
            }
        }
        one(buffer, part)
    }
}

pub(crate) struct EvaluateReinterpretCast;

impl Evaluate for EvaluateReinterpretCast {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let [offsets, sizes, strides] = slice_values(op, &operands[1..])?;
        let shape = sizes.into_iter().map(extent).collect::<Result<_, _>>()?;
        one(operands[0].buffer()?, View { shape, offset: offsets[0], strides })
    }
}

pub(crate) struct EvaluateTranspose;

impl Evaluate for EvaluateTranspose {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let from = operands[0].buffer()?.layout()?;
        let dims = Transpose::from_op_unchecked(op.id()).dims(op.body());
        let dims = dims.ok_or_else(|| Trap::new("a transposition without a permutation"))?;
        let shape = dims.iter().map(|&dim| from.shape[dim]).collect();
        let strides = dims.iter().map(|&dim| from.strides[dim]).collect();
        one(operands[0].buffer()?, View { shape, offset: from.offset, strides })
    }
}

pub(crate) struct EvaluateCollapse;

impl Evaluate for EvaluateCollapse {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let from = operands[0].buffer()?.layout()?;
        let mut to = View { shape: Vec::new(), offset: from.offset, strides: Vec::new() };
        for group in groups(op) {
            let (mut length, mut least) = (1usize, 1i64);
            // Dimensions with one element may have any stride.
            for dim in group.into_iter().map(|dim| dim as usize).rev().filter(|&dim| from.shape[dim] != 1) {
                let (extent, stride) = (from.shape[dim], from.strides[dim]);
                if length == 1 {
                    least = stride;
                } else if i64::try_from(length).ok().and_then(|length| length.checked_mul(least))
                    != Some(stride)
                {
                    return Err(Trap::new("collapsed dimensions are not contiguous"));
                }
                length = length.checked_mul(extent).ok_or_else(|| Trap::new("an extent overflows"))?;
            }
            to.shape.push(length);
            to.strides.push(least);
        }
        one(operands[0].buffer()?, to)
    }
}

pub(crate) struct EvaluateExpand;

impl Evaluate for EvaluateExpand {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let from = operands[0].buffer()?.layout()?;
        let mut sizes = numbers(op, "static_output_shape");
        fill_in(&mut sizes, &mut operands[1..].iter())?;
        let shape: Vec<usize> = sizes.into_iter().map(extent).collect::<Result<_, _>>()?;
        let mut strides = vec![1; shape.len()];
        for ((group, &stride), &length) in groups(op).iter().zip(&from.strides).zip(&from.shape) {
            let mut inner = View::contiguous(group.iter().map(|&dim| shape[dim as usize]).collect())?;
            if inner.shape.iter().product::<usize>() != length {
                let shape = inner.shape;
                return Err(Trap::new(format!("{length} elements do not fill extents {shape:?}")));
            }
            for (&dim, step) in group.iter().zip(&mut inner.strides) {
                let step = step.checked_mul(stride);
                strides[dim as usize] = step.ok_or_else(|| Trap::new("a stride overflows"))?;
            }
        }
        one(operands[0].buffer()?, View { shape, offset: from.offset, strides })
    }
}

pub(crate) struct EvaluateView;

impl Evaluate for EvaluateView {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let (ctx, buffer) = (op.context(), operands[0].buffer()?);
        let ty = op.result_types().next().unwrap_or(Type::NONE);
        let element = ty.element(ctx).filter(|element| element.shape(ctx).is_none()).unwrap_or(Type::NONE);
        let shape = Tensor::extents(ctx, ty, &operands[2..])?;
        let stride = <dyn DataLayout>::of(ctx, element, &LayoutSpec::default())
            .and_then(|layout| usize::try_from(layout.stride()?).ok());
        let stride = stride.ok_or_else(|| Trap::new("the elements of a view have no size"))?;
        let start = operands[1].int()?.checked_add(buffer.layout()?.offset);
        let start = start.ok_or_else(|| Trap::new("the position of a view overflows"))?;
        let encoding = Encoding { scalar: Scalar::of(ctx, element)?, stride, start };
        Flow::one(Datum::Buffer(buffer.with_encoding(encoding, View::contiguous(shape)?)?))
    }
}

pub(crate) struct EvaluateReshape;

impl Evaluate for EvaluateReshape {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let (buffer, sizes) = (operands[0].buffer()?, operands[1].buffer()?.snapshot()?);
        let size = |at| sizes.data.get(at).int().and_then(extent);
        let shape: Vec<usize> = (0..sizes.data.len()).map(size).collect::<Result<_, _>>()?;
        let (from, mut to) = (buffer.layout()?, View::contiguous(shape)?);
        if from.shape.iter().product::<usize>() != to.shape.iter().product() {
            let (have, want) = (from.shape, to.shape);
            return Err(Trap::new(format!("a buffer of extents {have:?} is given extents {want:?}")));
        }
        to.offset = from.offset;
        one(buffer, to)
    }
}

/// Evaluates operations that return their operands.
pub(crate) struct EvaluateSame;

impl Evaluate for EvaluateSame {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Ok(Flow::Next(operands.to_vec()))
    }
}

pub(crate) struct EvaluateRank;

impl Evaluate for EvaluateRank {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Flow::one(operands[0].buffer()?.shape()?.len() as i64)
    }
}

/// Each storage has a range of addresses of its own.
pub(crate) struct EvaluateAddress;

impl Evaluate for EvaluateAddress {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        /// The distance between the addresses of two storages: more bytes than one has.
        const BITS: u32 = 40;
        let buffer = operands[0].buffer()?;
        let start = buffer.encoding.map_or(0, |encoding| encoding.start);
        Flow::one(((buffer.id as i64 + 1) << BITS) + start)
    }
}

pub(crate) struct EvaluateMetadata;

impl Evaluate for EvaluateMetadata {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let buffer = operands[0].buffer()?;
        let layout = buffer.layout()?;
        let mut results = vec![Datum::Buffer(buffer.with_view(View::contiguous(Vec::new())?))];
        results.push(layout.offset.into());
        results.extend(layout.shape.iter().map(|&extent| Datum::Int(extent as i64)));
        results.extend(layout.strides.iter().map(|&stride| Datum::Int(stride)));
        Ok(Flow::Next(results))
    }
}

/// Prefetching has no observable effect.
pub(crate) struct EvaluateNothing;

impl Evaluate for EvaluateNothing {
    fn evaluate(&self, _: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Flow::none()
    }
}

/// Execution is single-threaded, so every update is atomic.
pub(crate) struct EvaluateAtomicRMW;

impl Evaluate for EvaluateAtomicRMW {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let (ctx, buffer, at) = (op.context(), operands[1].buffer()?, indices(&operands[2..])?);
        let kind = op.attr_value::<AtomicKind>("kind").ok_or_else(|| Trap::new("an update of no kind"))?;
        let old = buffer.get(&at)?;
        let new = match kind.operation() {
            None => operands[0].clone(),
            Some(name) => {
                let service = ctx.op_kind(name).and_then(|kind| ctx.service::<dyn Evaluate>(kind));
                let service = service.ok_or_else(|| Trap::new(format!("'{name}' is not loaded")))?;
                match service.evaluate(op, &[old.clone(), operands[0].clone()], machine)? {
                    Flow::Next(results) if results.len() == 1 => results[0].clone(),
                    _ => return Err(Trap::new(format!("'{name}' gives one result"))),
                }
            }
        };
        buffer.set(&at, &new)?;
        Flow::one(old)
    }
}

pub(crate) struct EvaluateGenericAtomicRMW;

impl Evaluate for EvaluateGenericAtomicRMW {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let (buffer, at) = (operands[0].buffer()?, indices(&operands[1..])?);
        let old = buffer.get(&at)?;
        match &machine.run_region(op.body(), op.region(0), std::slice::from_ref(&old))?[..] {
            [new] => buffer.set(&at, new)?,
            _ => return Err(Trap::new("an update yields one element")),
        }
        Flow::one(old)
    }
}

pub(crate) struct EvaluateScope;

impl Evaluate for EvaluateScope {
    fn evaluate(&self, op: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Ok(Flow::Enter(op.region(0), Vec::new()))
    }
}

/// Elements beyond the old length are zero.
pub(crate) struct EvaluateRealloc;

impl Evaluate for EvaluateRealloc {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let old = operands[0].buffer()?;
        let contents = old.snapshot()?;
        machine.free(old)?;
        let Datum::Buffer(new) = crate::evaluate::alloc(op, &operands[1..], machine)? else {
            return Err(Trap::new("an allocation gives a buffer"));
        };
        new.write(|tensor| {
            let kept = tensor.data.len().min(contents.data.len());
            (0..kept).try_for_each(|at| tensor.data.set(at, &contents.data.get(at)))
        })?;
        Flow::one(Datum::Buffer(new))
    }
}
