//! Lowering of elementwise computations with broadcasting.

use super::extent::Extent;
use super::extract;
use super::site::Tensor;
use super::tensors::{dim, extent, generate, pointwise};
use crate::ty::{DType, Dim};
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_data::assert_values;
use minoan_ir::affine::AffineExpr;
use minoan_ir::{Builder, Value};

/// Computes a tensor elementwise from several that are broadcast against each other.
pub(super) fn combine(
    b: &mut Builder<'_>,
    inputs: &[&Tensor],
    dtype: DType,
    fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Value,
) -> Tensor {
    let rank = inputs.iter().map(|input| input.rank()).max().unwrap_or(0);
    if inputs.len() > 1 && inputs.iter().any(|input| input.ty.shape.iter().any(|dim| dim.known().is_none())) {
        return combine_dynamic(b, inputs, rank, dtype, fill);
    }
    let extents = joined_extents(b, inputs);
    let with_maps: Vec<(&Tensor, Vec<AffineExpr>)> =
        inputs.iter().map(|input| (*input, broadcast_map(input, &extents))).collect();
    pointwise(b, &with_maps, &extents, dtype, fill)
}

/// The indexing expressions of an input that is replicated along axes of extent 1.
pub(super) fn broadcast_map(input: &Tensor, extents: &[Extent]) -> Vec<AffineExpr> {
    let offset = extents.len() - input.rank();
    let exprs = input.ty.shape.iter().enumerate().map(|(axis, extent)| {
        let repeated = *extent == Dim::Known(1) && extents[offset + axis] != Extent::Known(1);
        if repeated { AffineExpr::Constant(0) } else { dim(offset + axis) }
    });
    exprs.collect()
}

/// The extents of inputs that are broadcast against each other.
pub(super) fn joined_extents(b: &mut Builder<'_>, inputs: &[&Tensor]) -> Vec<Extent> {
    let rank = inputs.iter().map(|input| input.rank()).max().unwrap_or(0);
    (0..rank).map(|axis| joined(b, inputs, axis, rank)).collect()
}

/// The joint extent of inputs along an axis counted from the front of `rank` axes.
fn joined(b: &mut Builder<'_>, inputs: &[&Tensor], axis: usize, rank: usize) -> Extent {
    let mut joined = Extent::Known(1);
    for input in inputs {
        let Some(own) = (axis + input.rank()).checked_sub(rank) else { continue };
        let found = extent(b, input, own);
        joined = joined_extent(b, joined, found);
    }
    joined
}

/// The extent of two axes that are broadcast against each other.
pub(super) fn joined_extent(b: &mut Builder<'_>, first: Extent, second: Extent) -> Extent {
    match (first, second) {
        (Extent::Known(1), other) | (other, Extent::Known(1)) => other,
        (known @ Extent::Known(_), _) | (_, known @ Extent::Known(_)) => known,
        (Extent::Value(_), Extent::Value(_)) if first.is(b, second) => first,
        (Extent::Value(_), Extent::Value(_)) => larger(b, first, second),
    }
}

/// If one of two extents is 1, the other one.
fn larger(b: &mut Builder<'_>, first: Extent, second: Extent) -> Extent {
    let (first, second) = (first.value(b), second.value(b));
    let one = arith::constant_index(b, 1);
    let repeated = arith::cmpi(b, CmpIPredicate::Eq, first, one);
    Extent::Value(arith::select(b, repeated, second, first))
}

/// Dynamic extents may be 1: indices are selected at run time.
fn combine_dynamic(
    b: &mut Builder<'_>,
    inputs: &[&Tensor],
    rank: usize,
    dtype: DType,
    fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Value,
) -> Tensor {
    let extents = joined_extents(b, inputs);
    let mut own: Vec<Vec<Extent>> = Vec::new();
    for input in inputs {
        let offset = rank - input.rank();
        let mut found = Vec::new();
        for axis in 0..input.rank() {
            let extent = extent(b, input, axis);
            expect_repeatable(b, extent, extents[offset + axis]);
            found.push(extent);
        }
        own.push(found);
    }
    generate(b, &extents, dtype, |b, indices| {
        let mut elements = Vec::with_capacity(inputs.len());
        for (input, own) in inputs.iter().zip(&own) {
            let places = &indices[rank - own.len()..];
            let at: Vec<Value> =
                places.iter().zip(own).map(|(&index, &extent)| repeated(b, index, extent)).collect();
            elements.push(extract(b, input.value, &at));
        }
        fill(b, &elements)
    })
}

/// Asserts that an extent is 1 or equal to that of the result.
pub(super) fn expect_repeatable(b: &mut Builder<'_>, extent: Extent, whole: Extent) {
    if extent.is(b, whole) || matches!((extent, whole), (Extent::Known(_), Extent::Known(_))) {
        return;
    }
    let (extent, whole, one) = (extent.value(b), whole.value(b), arith::constant_index(b, 1));
    let same = arith::cmpi(b, CmpIPredicate::Eq, extent, whole);
    let single = arith::cmpi(b, CmpIPredicate::Eq, extent, one);
    let fits = arith::ori(b, same, single);
    assert_values(b, fits, "an extent of {} cannot be broadcast to {}", &[extent, whole]);
}

/// An index of an axis that is repeated when it has one element.
pub(super) fn repeated(b: &mut Builder<'_>, index: Value, extent: Extent) -> Value {
    match extent {
        Extent::Known(1) => arith::constant_index(b, 0),
        Extent::Known(_) => index,
        Extent::Value(extent) => {
            let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
            let single = arith::cmpi(b, CmpIPredicate::Eq, extent, one);
            arith::select(b, single, zero, index)
        }
    }
}
