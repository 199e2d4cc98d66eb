//! Shape inference.

use crate::Cast;
use minoan_ir::{Context, DYNAMIC, OpRef, OpState, Type, Value};
use minoan_memref::folding::{groups_of, slice_of};
use minoan_memref::slices::{dropped_dims, in_bounds, numbers};
use minoan_services::{
    Extent, ExtentOf, Inferred, ShapeCast, ShapeInference, constant_of, meet_shapes, refine_shape,
};

/// The integer value of a constant.
fn known(op: OpRef<'_>, value: Value) -> Option<i64> {
    constant_of(op.body(), value)?.as_i64(op.context())
}

fn declared(op: OpRef<'_>) -> Vec<Type> {
    op.result_types().collect()
}

/// The declared types of an operation: the inferred ones contradict them.
fn as_declared(op: OpRef<'_>) -> Inferred {
    Inferred::in_place(&op.operand_types().collect::<Vec<_>>(), declared(op))
}

/// Whether a slice, whose operands start at group `first`, is in bounds of a type.
pub(crate) fn slice_fits(op: OpRef<'_>, first: usize, whole: Type) -> bool {
    let lists = slice_of(op, first).map(|(numbers, _)| numbers);
    whole
        .shape(op.context())
        .is_none_or(|shape| in_bounds(lists.each_ref().map(Vec::as_slice), shape).is_ok())
}

/// Static numbers, with operands in place of dynamic ones.
fn with_values(op: OpRef<'_>, numbers: &[i64], values: &[Value]) -> Vec<Option<i64>> {
    let mut values = values.iter();
    let number = |&number: &i64| match number {
        DYNAMIC => values.next().and_then(|&value| known(op, value)),
        number => Some(number),
    };
    numbers.iter().map(number).collect()
}

/// `tensor.cast` between types of the same rank.
pub(crate) struct Casts;

impl ShapeCast for Casts {
    fn cast(&self, ctx: &Context, value: Value, from: Type, to: Type) -> Option<OpState> {
        let fits = from.is_tensor(ctx) && to.is_tensor(ctx) && meet_shapes(ctx, from, to).is_some();
        fits.then(|| OpState::new(ctx.kind_of::<Cast>()).operands(&[value]).results(&[to]))
    }

    fn is_cast(&self, op: OpRef<'_>) -> bool {
        op.is::<Cast>()
    }
}

/// Both sides of a cast have equal extents. If the two contradict each other, the cast keeps its operand type: it
/// fails when it is executed, but verifies.
pub(crate) struct CastShape;

impl ShapeInference for CastShape {
    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred> {
        let result = op.result_types().next()?;
        match meet_shapes(op.context(), result, *operands.first()?) {
            Some(met) => Some(Inferred::in_place(operands, vec![met])),
            None => Some(as_declared(op)),
        }
    }
}

/// Operations whose result is not a tensor.
pub(crate) struct AnyOperands;

impl ShapeInference for AnyOperands {
    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred> {
        Some(Inferred::in_place(operands, declared(op)))
    }
}

/// Operations with one operand per dynamic extent of the result.
pub(crate) struct SizesShape;

impl ShapeInference for SizesShape {
    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred> {
        let sizes: Vec<Value> = op.operands().filter(|&value| op.body().ty(value) == Type::INDEX).collect();
        let shape = op.result_types().next()?.shape(op.context())?;
        // A splat of an index has one more leading operand.
        let open = shape.iter().filter(|&&extent| extent == DYNAMIC).count();
        let sizes = sizes.get(sizes.len().checked_sub(open)?..)?;
        Inferred::behind(op, operands, &with_values(op, shape, sizes))
    }
}

/// Operations whose result has the type of the destination.
pub(crate) struct DestShape;

impl ShapeInference for DestShape {
    fn infer(&self, _: OpRef<'_>, operands: &[Type]) -> Option<Inferred> {
        Some(Inferred::in_place(operands, vec![*operands.get(1)?]))
    }
}

/// Like [`DestShape`], where the inserted part has the sizes of the slice.
pub(crate) struct InsertedShape;

impl ShapeInference for InsertedShape {
    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred> {
        if !slice_fits(op, 2, *operands.get(1)?) {
            return Some(as_declared(op));
        }
        let mut inferred = DestShape.infer(op, operands)?;
        inferred.operands[0] = op.operand_types().next()?;
        Some(inferred)
    }
}

/// The extents of the slice, without dropped dimensions.
pub(crate) struct SliceShape;

impl ShapeInference for SliceShape {
    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred> {
        let shape = op.result_types().next()?.shape(op.context())?;
        if !slice_fits(op, 1, *operands.first()?) {
            return Some(as_declared(op));
        }
        let sizes = numbers(op, "static_sizes");
        let dropped = dropped_dims(&sizes, shape)?;
        let sizes = with_values(op, &sizes, &op.operand_group(2)).into_iter().enumerate();
        let kept: Vec<Option<i64>> = sizes.filter(|&(at, _)| !dropped[at]).map(|(_, size)| size).collect();
        Inferred::behind(op, operands, &kept)
    }
}

/// The dynamic extents of a slice.
pub(crate) struct SliceExtents;

impl ExtentOf for SliceExtents {
    fn extent(&self, op: OpRef<'_>, _: usize, dim: usize) -> Option<Extent> {
        crate::fold::size_of_part(op, dim).map(Extent::Value)
    }
}

/// The extents of the source plus the padding, if its widths are static.
pub(crate) struct PaddedExtents;

impl ExtentOf for PaddedExtents {
    fn extent(&self, op: OpRef<'_>, _: usize, dim: usize) -> Option<Extent> {
        let width = |name| numbers(op, name).get(dim).copied().filter(|&width| width != DYNAMIC);
        let by = width("static_low")?.checked_add(width("static_high")?)?;
        Some(if by == 0 { Extent::Of { operand: 0, dim } } else { Extent::Plus { operand: 0, dim, by } })
    }
}

/// The extents of the source plus the padding.
pub(crate) struct PadShape;

impl ShapeInference for PadShape {
    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred> {
        let source = operands.first()?.shape(op.context())?;
        let low = with_values(op, &numbers(op, "static_low"), &op.operand_group(1));
        let high = with_values(op, &numbers(op, "static_high"), &op.operand_group(2));
        let extent = |((&source, low), high): ((&i64, Option<i64>), Option<i64>)| {
            (source != DYNAMIC).then_some(source)?.checked_add(low?)?.checked_add(high?)
        };
        let extents: Vec<Option<i64>> = source.iter().zip(low).zip(high).map(extent).collect();
        let result = refine_shape(op.context(), op.result_types().next()?, &extents)?;
        // The extents contradict the result type: the operation keeps its types.
        let agrees = |(&have, &known): (&i64, &Option<i64>)| known.is_none_or(|known| have == known);
        if !result.shape(op.context())?.iter().zip(&extents).all(agrees) {
            return Some(as_declared(op));
        }
        Some(Inferred::in_place(operands, vec![result]))
    }
}

/// Each extent of the result is the product of its group.
pub(crate) struct CollapsedShape;

impl ShapeInference for CollapsedShape {
    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred> {
        let ctx = op.context();
        let extents = operands.first()?.shape(ctx)?;
        let product = |group: &Vec<i64>| {
            group.iter().try_fold(1i64, |product, &dim| {
                let extent = *extents.get(usize::try_from(dim).ok()?)?;
                (extent != DYNAMIC).then_some(extent).and_then(|extent| product.checked_mul(extent))
            })
        };
        let extents: Vec<Option<i64>> = groups_of(ctx, op)?.iter().map(product).collect();
        let result = refine_shape(ctx, op.result_types().next()?, &extents)?;
        Some(Inferred::in_place(operands, vec![result]))
    }
}
