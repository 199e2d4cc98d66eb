//! Evaluation of the tensor operations.

use crate::runtime_verification::{
    PAD_MESSAGE, cast_message, count_message, expand_message, filled, has_type, insert_message,
    reshape_message,
};
use minoan_ir::{DYNAMIC, OpRef, Type};
use minoan_memref::slices::{SLICE_NAMES, dropped_dims, numbers, reassociation, slice_values};
use minoan_services::{Datum, Evaluate, Flow, Machine, Tensor, Trap};

fn result_type(op: OpRef<'_>) -> Result<Type, Trap> {
    op.result_types().next().ok_or_else(|| Trap::new("an operation without a result"))
}

fn indices(operands: &[Datum]) -> Result<Vec<i64>, Trap> {
    operands.iter().map(Datum::int).collect()
}

/// Uninitialized elements read as zero.
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
            if wanted.len() != have.len() {
                return Err(Trap::new(format!("a tensor of extents {have:?} is cast to {wanted:?}")));
            }
            for (dim, (&want, &have)) in wanted.iter().zip(have).enumerate() {
                if want != DYNAMIC && want != have as i64 {
                    return Err(Trap::assertion(filled(&cast_message(dim, want), &[have as i64])));
                }
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
        let mut position = 0;
        Tensor::each_index(&shape, |at| {
            machine.tick(1)?;
            let args: Vec<Datum> = at.iter().map(|&index| Datum::Int(index)).collect();
            for element in machine.run_region(op.body(), op.region(0), &args)?.iter().take(1) {
                tensor.data.set(position, element)?;
            }
            position += 1;
            Ok(())
        })?;
        Flow::one(tensor)
    }
}

/// The widths may be negative: then the border of the source is cut off.
pub(crate) struct EvaluatePad;

impl Evaluate for EvaluatePad {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let (ty, ctx) = (result_type(op)?, op.context());
        let source = operands[0].tensor()?;
        let widths = |group: usize, name: &str| -> Result<Vec<i64>, Trap> {
            let mut given = indices(&operands[op.operand_range(group)])?.into_iter();
            let numbers = numbers(op, name).into_iter();
            Ok(numbers
                .map(|width| if width == DYNAMIC { given.next().unwrap_or(0) } else { width })
                .collect())
        };
        let (low, high) = (widths(1, "static_low")?, widths(2, "static_high")?);
        let mut shape = Vec::with_capacity(source.shape.len());
        for (&extent, (low, high)) in source.shape.iter().zip(low.iter().zip(&high)) {
            let padded = (extent as i64).checked_add(*low).and_then(|sum| sum.checked_add(*high));
            let padded = padded.and_then(|padded| usize::try_from(padded).ok());
            shape.push(padded.ok_or_else(|| Trap::assertion(PAD_MESSAGE))?);
        }
        has_type(&shape, ty.shape(ctx).unwrap_or(&[]))?;
        let mut tensor = Tensor::splat(&shape, &Tensor::zero_of(ctx, ty.element_or_self(ctx))?)?;
        let mut position = 0;
        Tensor::each_index(&shape, |at| {
            machine.tick(1)?;
            let from: Vec<i64> = at.iter().zip(&low).map(|(index, low)| index - low).collect();
            let mut pairs = from.iter().zip(&source.shape);
            let element = if pairs.all(|(&index, &extent)| (0..extent as i64).contains(&index)) {
                source.data.get(source.offset(&from)?)
            } else {
                let args: Vec<Datum> = at.iter().map(|&index| Datum::Int(index)).collect();
                let yielded = machine.run_region(op.body(), op.region(0), &args)?;
                yielded.into_iter().next().ok_or_else(|| Trap::new("a padding without an element"))?
            };
            tensor.data.set(position, &element)?;
            position += 1;
            Ok(())
        })?;
        Flow::one(tensor)
    }
}

/// Visits the elements of a slice: the index in the source and the linear index in the slice.
fn each_of_slice(
    [offsets, sizes, strides]: &[Vec<i64>; 3],
    machine: &mut dyn Machine,
    mut visit: impl FnMut(&[i64], usize) -> Result<(), Trap>,
) -> Result<(), Trap> {
    let negative = |size: i64| Trap::new(format!("the size {size} of a slice is negative"));
    let extents: Vec<usize> = sizes
        .iter()
        .map(|&size| usize::try_from(size).map_err(|_| negative(size)))
        .collect::<Result<_, _>>()?;
    let mut number = 0;
    Tensor::each_index(&extents, |at| {
        machine.tick(1)?;
        let place = |dim: usize| at[dim].checked_mul(strides[dim])?.checked_add(offsets[dim]);
        let place: Option<Vec<i64>> = (0..at.len()).map(place).collect();
        visit(&place.ok_or_else(|| Trap::new("an index of a slice overflows"))?, number)?;
        number += 1;
        Ok(())
    })
}

pub(crate) struct EvaluateExtractSlice;

impl Evaluate for EvaluateExtractSlice {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let (ty, ctx) = (result_type(op)?, op.context());
        let whole = operands[0].tensor()?;
        let slice = slice_values(op, &operands[1..])?;
        let reduced = ty.shape(ctx).unwrap_or(&[]);
        let static_sizes = numbers(op, SLICE_NAMES[1]);
        let dropped = dropped_dims(&static_sizes, reduced)
            .ok_or_else(|| Trap::new("the part is not a rank-reduced version of the slice"))?;
        let kept = slice[1].iter().zip(&dropped).filter(|(_, dropped)| !**dropped);
        let shape: Vec<usize> = kept.map(|(&size, _)| size.max(0) as usize).collect();
        let mut part = Tensor::splat(&shape, &Tensor::zero_of(ctx, ty.element_or_self(ctx))?)?;
        each_of_slice(&slice, machine, |place, number| {
            part.data.set(number, &whole.data.get(whole.offset(place)?))
        })?;
        Flow::one(part)
    }
}

pub(crate) struct EvaluateInsertSlice;

impl Evaluate for EvaluateInsertSlice {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let part = operands[0].tensor()?;
        let mut whole = Tensor::clone(operands[1].tensor()?);
        let slice = slice_values(op, &operands[2..])?;
        let shape = op.body().ty(op.operand(0)).shape(op.context()).unwrap_or(&[]);
        let dropped = dropped_dims(&numbers(op, SLICE_NAMES[1]), shape)
            .ok_or_else(|| Trap::new("the part is not a rank-reduced version of the slice"))?;
        let kept = slice[1].iter().zip(dropped).filter(|(_, dropped)| !dropped);
        for (dim, ((&size, _), &have)) in kept.zip(&part.shape).enumerate() {
            if size != have as i64 {
                return Err(Trap::assertion(filled(&insert_message(dim), &[have as i64, size])));
            }
        }
        each_of_slice(&slice, machine, |place, number| {
            let offset = whole.offset(place)?;
            whole.data.set(offset, &part.data.get(number))
        })?;
        Flow::one(whole)
    }
}

/// The elements of a tensor in a new shape.
fn reshaped(tensor: &Tensor, shape: Vec<usize>) -> Result<Flow, Trap> {
    let count = shape.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent));
    if count != Some(tensor.data.len()) {
        let numbers: Vec<i64> =
            std::iter::once(tensor.data.len()).chain(shape.iter().copied()).map(|it| it as i64).collect();
        return Err(Trap::assertion(filled(&count_message(shape.len()), &numbers)));
    }
    Flow::one(Tensor { shape, data: tensor.data.clone() })
}

pub(crate) struct EvaluateCollapse;

impl Evaluate for EvaluateCollapse {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let tensor = operands[0].tensor()?;
        let groups = op.attr_named("reassociation").and_then(|attr| reassociation(op.context(), attr));
        let groups = groups.ok_or_else(|| Trap::new("a collapse without groups"))?;
        let extent = |dim: &i64| usize::try_from(*dim).ok().and_then(|dim| tensor.shape.get(dim).copied());
        let product = |group: &Vec<i64>| group.iter().map(extent).product::<Option<usize>>();
        let shape: Option<Vec<usize>> = groups.iter().map(product).collect();
        reshaped(tensor, shape.ok_or_else(|| Trap::new("a group names no dimension"))?)
    }
}

pub(crate) struct EvaluateExpand;

impl Evaluate for EvaluateExpand {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let shape = Tensor::extents(op.context(), result_type(op)?, &operands[1..])?;
        let tensor = operands[0].tensor()?;
        let groups = op.attr_named("reassociation").and_then(|attr| reassociation(op.context(), attr));
        for (dim, group) in groups.unwrap_or_default().into_iter().enumerate() {
            let sizes: Vec<usize> = group.iter().filter_map(|&at| shape.get(at as usize).copied()).collect();
            let extent = tensor.shape.get(dim).copied().unwrap_or(1);
            if sizes.iter().try_fold(1usize, |count, &size| count.checked_mul(size)) != Some(extent) {
                let numbers: Vec<i64> = std::iter::once(extent).chain(sizes).map(|it| it as i64).collect();
                return Err(Trap::assertion(filled(&expand_message(dim, group.len()), &numbers)));
            }
        }
        reshaped(tensor, shape)
    }
}

pub(crate) struct EvaluateReshape;

impl Evaluate for EvaluateReshape {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let extents = &operands[1].tensor()?.data;
        let wanted = result_type(op)?.shape(op.context()).unwrap_or(&[]);
        let extent = |at| {
            let extent = extents.get(at).int()?;
            match wanted.get(at) {
                Some(&wanted) if wanted != DYNAMIC && wanted != extent => {
                    Err(Trap::assertion(filled(&reshape_message(at, wanted), &[extent])))
                }
                _ => {
                    usize::try_from(extent).map_err(|_| Trap::new(format!("the extent {extent} is negative")))
                }
            }
        };
        reshaped(operands[0].tensor()?, (0..extents.len()).map(extent).collect::<Result<_, _>>()?)
    }
}

pub(crate) struct EvaluateRank;

impl Evaluate for EvaluateRank {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Flow::one(operands[0].tensor()?.shape.len() as i64)
    }
}
