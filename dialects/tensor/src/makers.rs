//! Tensors for passes that name no dialect.

use crate::{Empty, Splat};
use minoan_ir::{Builder, Type, Value};
use minoan_services::TensorOps;

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
}
