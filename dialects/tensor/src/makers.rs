//! Tensors for passes that name no dialect.

use crate::{Dim, Empty, ExtractSlice, Generate, Insert, InsertSlice, Splat};
use minoan_arith::constant_index;
use minoan_ir::{Builder, DYNAMIC, Type, Value};
use minoan_services::{ElementBody, TensorOps, constant_of};

pub(crate) struct Tensors;

impl TensorOps for Tensors {
    fn empty(&self, b: &mut Builder<'_>, ty: Type, sizes: &[Value]) -> Value {
        Empty::build(b, sizes, ty).result(b.body())
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
        let ctx = b.context();
        let (extents, dynamic) = part_extents(b, sizes);
        let kept = sizes.iter().zip(&extents).filter(|(size, _)| size.is_some());
        let kept: Vec<i64> = kept.map(|(_, &extent)| extent).collect();
        let ty = Type::tensor(&ctx, &kept, b.ty(tensor).element_or_self(&ctx));
        let (places, strides) = (vec![DYNAMIC; offsets.len()], vec![1; offsets.len()]);
        ExtractSlice::build(b, tensor, offsets, &dynamic, &[], places, extents, strides, ty).result(b.body())
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

/// The extents of a part, 1 for a single index, and the values of those that are dynamic.
fn part_extents(b: &Builder<'_>, sizes: &[Option<Value>]) -> (Vec<i64>, Vec<Value>) {
    let known = |size: Value| constant_of(b.body(), size)?.as_i64(&b.context());
    let extent = |size: &Option<Value>| size.map_or(1, |size| known(size).unwrap_or(DYNAMIC));
    let extents: Vec<i64> = sizes.iter().map(extent).collect();
    let dynamic = sizes.iter().zip(&extents).filter(|(_, extent)| **extent == DYNAMIC);
    let dynamic = dynamic.filter_map(|(size, _)| *size).collect();
    (extents, dynamic)
}
