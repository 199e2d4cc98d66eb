//! Tensors for passes that name no dialect.

use crate::{Dim, Empty, ExtractSlice, Splat};
use minoan_arith::constant_index;
use minoan_ir::{Builder, DYNAMIC, Type, Value};
use minoan_services::{TensorOps, constant_of};

pub(crate) struct Tensors;

impl TensorOps for Tensors {
    fn empty(&self, b: &mut Builder<'_>, ty: Type, sizes: &[Value]) -> Value {
        Empty::build(b, sizes, ty).result(b.body())
    }

    fn splat(&self, b: &mut Builder<'_>, value: Value, ty: Type, sizes: &[Value]) -> Value {
        Splat::build(b, value, sizes, ty).aggregate(b.body())
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
        let element = b.ty(tensor).element_or_self(&ctx);
        let (mut extents, mut kept, mut dynamic) = (Vec::new(), Vec::new(), Vec::new());
        for size in sizes {
            let known = match size {
                Some(size) => constant_of(b.body(), *size).and_then(|size| size.as_i64(&ctx)),
                None => Some(1),
            };
            let extent = known.unwrap_or(DYNAMIC);
            extents.push(extent);
            kept.extend(size.is_some().then_some(extent));
            dynamic.extend(size.filter(|_| extent == DYNAMIC));
        }
        let ty = Type::tensor(&ctx, &kept, element);
        let (places, strides) = (vec![DYNAMIC; offsets.len()], vec![1; offsets.len()]);
        ExtractSlice::build(b, tensor, offsets, &dynamic, &[], places, extents, strides, ty).result(b.body())
    }
}
