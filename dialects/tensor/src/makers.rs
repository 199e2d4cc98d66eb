//! Tensors for passes that name no dialect.

use crate::{CollapseShape, Dim, Empty, ExpandShape, ExtractSlice, Generate, Insert, InsertSlice, Splat};
use minoan_arith::{addi, constant_index};
use minoan_ir::{Array, Builder, DYNAMIC, OpRef, Type, Value};
use minoan_memref::folding::slice_of;
use minoan_memref::slices::dropped_dims;
use minoan_services::{ElementBody, TensorOps, collapsed_extent, constant_of};

pub(crate) struct Tensors;

impl TensorOps for Tensors {
    fn empty(&self, b: &mut Builder<'_>, ty: Type, sizes: &[Value]) -> Value {
        Empty::build(b, sizes, ty).result(b.body())
    }

    fn is_empty(&self, op: OpRef<'_>) -> bool {
        op.is::<Empty>()
    }

    fn splat(&self, b: &mut Builder<'_>, value: Value, ty: Type, sizes: &[Value]) -> Value {
        Splat::build(b, value, sizes, ty).aggregate(b.body())
    }

    fn generate(
        &self,
        b: &mut Builder<'_>,
        ty: Type,
        sizes: &[Value],
        element: &mut ElementBody<'_>,
    ) -> Value {
        Generate::with(b, ty, sizes, |b, indices| element(b, indices)).result(b.body())
    }

    fn extract(&self, b: &mut Builder<'_>, tensor: Value, indices: &[Value]) -> Value {
        crate::extract(b, tensor, indices)
    }

    fn extent(&self, b: &mut Builder<'_>, tensor: Value, dim: usize) -> Value {
        let dim = constant_index(b, dim as i64);
        Dim::build(b, tensor, dim).result(b.body())
    }

    fn slice(&self, b: &mut Builder<'_>, tensor: Value, offsets: &[Value], sizes: &[Option<Value>]) -> Value {
        if let Some((source, offsets, sizes)) = slice_of_source(b, tensor, offsets, sizes) {
            return self.slice(b, source, &offsets, &sizes);
        }
        let ctx = b.context();
        let (extents, dynamic) = part_extents(b, sizes);
        let kept = sizes.iter().zip(&extents).filter(|(size, _)| size.is_some());
        let kept: Vec<i64> = kept.map(|(_, &extent)| extent).collect();
        let ty = Type::tensor(&ctx, &kept, b.ty(tensor).element_or_self(&ctx));
        let (places, strides) = (vec![DYNAMIC; offsets.len()], vec![1; offsets.len()]);
        ExtractSlice::build(b, tensor, offsets, &dynamic, &[], places, extents, strides, ty).result(b.body())
    }

    fn collapse(&self, b: &mut Builder<'_>, tensor: Value, groups: &[Vec<i64>]) -> Value {
        let (ctx, ty) = (b.context(), b.ty(tensor));
        let shape = ty.shape(&ctx).unwrap_or(&[]);
        let shape: Vec<i64> = groups.iter().map(|group| collapsed_extent(shape, group)).collect();
        let ty = Type::tensor(&ctx, &shape, ty.element_or_self(&ctx));
        CollapseShape::build(b, tensor, reassociation(groups), ty).result(b.body())
    }

    fn expand(
        &self,
        b: &mut Builder<'_>,
        tensor: Value,
        groups: &[Vec<i64>],
        ty: Type,
        sizes: &[Value],
    ) -> Value {
        let shape = ty.shape(&b.context()).unwrap_or(&[]).to_vec();
        ExpandShape::build(b, tensor, sizes, reassociation(groups), shape, ty).result(b.body())
    }

    fn replace_slice(
        &self,
        b: &mut Builder<'_>,
        part: Value,
        tensor: Value,
        offsets: &[Value],
        sizes: &[Option<Value>],
    ) -> Value {
        if sizes.iter().all(Option::is_none) {
            return Insert::build(b, part, tensor, offsets).result(b.body());
        }
        let (extents, dynamic) = part_extents(b, sizes);
        let (places, strides) = (vec![DYNAMIC; offsets.len()], vec![1; offsets.len()]);
        InsertSlice::build(b, part, tensor, offsets, &dynamic, &[], places, extents, strides).result(b.body())
    }
}

/// Composes a slice of a slice with unit strides to a slice of the source: the source, the offsets and the sizes.
fn slice_of_source(
    b: &mut Builder<'_>,
    tensor: Value,
    offsets: &[Value],
    sizes: &[Option<Value>],
) -> Option<(Value, Vec<Value>, Vec<Option<Value>>)> {
    let outer = b.body().op(b.body().defining_op(tensor)?);
    if !outer.is::<ExtractSlice>() {
        return None;
    }
    let source = outer.operand(0);
    let [(starts, start_values), (extents, _), (strides, _)] = slice_of(outer, 1);
    let dropped = dropped_dims(&extents, b.ty(tensor).shape(&b.context())?)?;
    if strides.iter().any(|&stride| stride != 1) {
        return None;
    }
    let mut start_values = start_values.into_iter();
    let mut own = offsets.iter().zip(sizes);
    let (mut places, mut parts) = (Vec::with_capacity(starts.len()), Vec::with_capacity(starts.len()));
    for (start, dropped) in starts.into_iter().zip(dropped) {
        let start = if start == DYNAMIC { start_values.next()? } else { constant_index(b, start) };
        let (place, size) = match dropped {
            true => (start, None),
            false => own.next().map(|(&offset, &size)| (index_sum(b, start, offset), size))?,
        };
        places.push(place);
        parts.push(size);
    }
    Some((source, places, parts))
}

/// The sum of two indices.
fn index_sum(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let is_zero =
        |value: Value| constant_of(b.body(), value).and_then(|attr| attr.as_i64(&b.context())) == Some(0);
    match (is_zero(x), is_zero(y)) {
        (true, _) => y,
        (_, true) => x,
        _ => addi(b, x, y),
    }
}

/// The extents of a part, 1 for a single index, and the values of dynamic extents.
fn part_extents(b: &Builder<'_>, sizes: &[Option<Value>]) -> (Vec<i64>, Vec<Value>) {
    let known = |size: Value| constant_of(b.body(), size)?.as_i64(&b.context());
    let extent = |size: &Option<Value>| size.map_or(1, |size| known(size).unwrap_or(DYNAMIC));
    let extents: Vec<i64> = sizes.iter().map(extent).collect();
    let dynamic = sizes.iter().zip(&extents).filter(|(_, extent)| **extent == DYNAMIC);
    let dynamic = dynamic.filter_map(|(size, _)| *size).collect();
    (extents, dynamic)
}

/// The attribute of groups of dimensions.
pub fn reassociation(groups: &[Vec<i64>]) -> Array<Array<i64>> {
    Array(groups.iter().map(|group| Array(group.clone())).collect())
}
