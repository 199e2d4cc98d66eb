//! Slices of tensors of rank 1 and of rows of matrices, and accesses that look through them.
//!
//! An element of a row is read where the row is stored, and the extents of the row are those of the slice, so
//! a slice is only materialized if the row is needed as a whole.

use minoan_arith as arith;
use minoan_ir::{Array, Builder, DYNAMIC, OpDef, Type, Value};
use minoan_tensor::{CollapseShape, Dim, Empty, ExpandShape, ExtractSlice, InsertSlice};

/// The offsets, sizes and strides of a slice that takes `count` rows from row `from` on.
fn rows(b: &mut Builder<'_>, ty: Type, tensor: Value) -> (Vec<Value>, [Vec<i64>; 3]) {
    let ctx = b.context();
    let rank = ty.rank(&ctx).unwrap_or(1);
    let others = (1..rank).map(|dimension| dim(b, tensor, dimension)).collect();
    let offsets: Vec<i64> = (0..rank).map(|at| if at == 0 { DYNAMIC } else { 0 }).collect();
    (others, [offsets, vec![DYNAMIC; rank], vec![1; rank]])
}

/// The elements or rows `from .. from + count` of a tensor.
pub(super) fn slice(b: &mut Builder<'_>, tensor: Value, from: Value, count: Value) -> Value {
    let ty = b.ty(tensor);
    let (others, [offsets, sizes, strides]) = rows(b, ty, tensor);
    let extents: Vec<Value> = std::iter::once(count).chain(others).collect();
    ExtractSlice::build(b, tensor, &[from], &extents, &[], offsets, sizes, strides, ty).result(b.body())
}

/// Replaces the `count` elements or rows from `from` on by those of `source`.
pub(super) fn insert_slice(
    b: &mut Builder<'_>,
    source: Value,
    tensor: Value,
    from: Value,
    count: Value,
) -> Value {
    let ty = b.ty(tensor);
    let (others, [offsets, sizes, strides]) = rows(b, ty, tensor);
    let extents: Vec<Value> = std::iter::once(count).chain(others).collect();
    InsertSlice::build(b, source, tensor, &[from], &extents, &[], offsets, sizes, strides).result(b.body())
}

/// A tensor of rank 1 as a tensor of these extents.
pub(super) fn expand(b: &mut Builder<'_>, tensor: Value, sizes: &[Value]) -> Value {
    let ctx = b.context();
    let ty = Type::tensor(&ctx, &vec![DYNAMIC; sizes.len()], b.ty(tensor).element_or_self(&ctx));
    let shape = vec![DYNAMIC; sizes.len()];
    let groups = one_group(sizes.len());
    ExpandShape::build(b, tensor, sizes, groups, shape, ty).result(b.body())
}

/// A tensor as a tensor of rank 1.
pub(super) fn collapse(b: &mut Builder<'_>, tensor: Value) -> Value {
    let ctx = b.context();
    let rank = b.ty(tensor).rank(&ctx).unwrap_or(1);
    if rank == 1 {
        return tensor;
    }
    let ty = Type::tensor(&ctx, &[DYNAMIC], b.ty(tensor).element_or_self(&ctx));
    let groups = one_group(rank);
    CollapseShape::build(b, tensor, groups, ty).result(b.body())
}

fn one_group(rank: usize) -> [Array<i64>; 1] {
    [(0..rank as i64).collect()]
}

/// An element of a tensor; an element of a slice is read from the tensor that the slice was taken of.
pub(crate) fn extract(b: &mut Builder<'_>, tensor: Value, indices: &[Value]) -> Value {
    let made = b.body().defining_op(tensor);
    if let Some(op) = made.and_then(|op| ExtractSlice::cast(b.body(), op))
        && let Some(([source, from], _)) = slice_of_rows(b, op)
    {
        let first = arith::addi(b, from, indices[0]);
        let mut place = indices.to_vec();
        place[0] = first;
        return extract(b, source, &place);
    }
    if let Some(op) = made.and_then(|op| ExpandShape::cast(b.body(), op))
        && let Some((source, sizes)) = expanded(b, op)
    {
        let position = super::items::position(b, indices, &sizes);
        return extract(b, source, &[position]);
    }
    minoan_tensor::extract(b, tensor, indices)
}

/// The extent of a dimension.
pub(crate) fn dim(b: &mut Builder<'_>, tensor: Value, dimension: usize) -> Value {
    let made = b.body().defining_op(tensor);
    if let Some(op) = made.and_then(|op| ExtractSlice::cast(b.body(), op))
        && let Some((_, sizes)) = slice_of_rows(b, op)
    {
        return sizes[dimension];
    }
    if let Some(op) = made.and_then(|op| ExpandShape::cast(b.body(), op))
        && let Some((_, sizes)) = expanded(b, op)
    {
        return sizes[dimension];
    }
    if let Some(op) = made.and_then(|op| Empty::cast(b.body(), op)) {
        let sizes: Vec<Value> = b.body().op(op.op()).operands().collect();
        if b.ty(tensor).rank(&b.context()) == Some(sizes.len()) {
            return sizes[dimension];
        }
    }
    let dimension = arith::constant_index(b, dimension as i64);
    Dim::build(b, tensor, dimension).result(b.body())
}

/// The tensor and the first row of a slice that [`slice`] created, and the extents of the slice.
fn slice_of_rows(b: &Builder<'_>, op: ExtractSlice) -> Option<([Value; 2], Vec<Value>)> {
    let view = b.body().op(op.op());
    let &[from] = &view.operand_group(1)[..] else { return None };
    let sizes = view.operand_group(2).to_vec();
    let rank = b.ty(op.result(b.body())).rank(&b.context())?;
    (view.operand_group(3).is_empty() && sizes.len() == rank).then(|| ([view.operand(0), from], sizes))
}

/// The tensor of rank 1 that was expanded, and the extents.
fn expanded(b: &Builder<'_>, op: ExpandShape) -> Option<(Value, Vec<Value>)> {
    let view = b.body().op(op.op());
    let sizes: Vec<Value> = view.operands().skip(1).collect();
    let source = view.operand(0);
    (b.ty(source).rank(&b.context()) == Some(1)
        && Some(sizes.len()) == view.result_types().next()?.rank(&b.context()))
    .then_some((source, sizes))
}
