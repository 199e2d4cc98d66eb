//! The tangent space of builtin types: a float, a complex number or a tensor of these is its own tangent space.

use minoan_arith::{self as arith, FastMath};
use minoan_ir::affine::AffineMap;
use minoan_ir::{Builder, Context, DYNAMIC, Type, TypeData, Value};
use minoan_linalg::Generic;
use minoan_services::{IteratorType, TangentClass, TangentSpace};
use minoan_tensor as tensor;

pub(crate) struct Builtin;

impl TangentSpace for Builtin {
    fn class(&self, ctx: &Context, ty: Type) -> Option<TangentClass> {
        match ty.data(ctx) {
            TypeData::Float(_) => Some(TangentClass::Scalar),
            TypeData::Vector { element, .. } if element.is_float(ctx) => Some(TangentClass::Scalar),
            TypeData::RankedTensor { element, .. } if element.is_float(ctx) => Some(TangentClass::Dense),
            TypeData::Opaque { .. } => None,
            _ => Some(TangentClass::Inactive),
        }
    }

    fn zero_like(&self, b: &mut Builder<'_>, primal: Value) -> Value {
        let ctx = b.context();
        let ty = b.ty(primal);
        if !ty.is_tensor(&ctx) {
            return arith::constant_float(b, 0.0, ty);
        }
        let sizes = dynamic_extents(b, primal);
        let zero = arith::constant_float(b, 0.0, ty.element_or_self(&ctx));
        tensor::Splat::build(b, zero, &sizes, ty).aggregate(b.body())
    }

    fn add(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        let ctx = b.context();
        let ty = b.ty(y);
        if !ty.is_tensor(&ctx) {
            // No source determines the order of this sum, nor the sign of a zero.
            let sum = arith::addf(b, x, y);
            let flags = [FastMath::Reassoc, FastMath::NoSignedZero, FastMath::Contract];
            return arith::with_fastmath(b, sum, flags);
        }
        if tensor::is_zero_splat(b, y) && b.ty(x) == ty {
            return x;
        }
        // The second tensor is updated.
        let rank = ty.rank(&ctx).unwrap_or(0);
        let map = AffineMap::identity(rank as u32);
        let maps = [map.clone(), map];
        let sum = Generic::with(b, &[x], &[y], &maps, &vec![IteratorType::Parallel; rank], |b, args| {
            vec![self.add(b, args[1], args[0])]
        });
        b.body().op(minoan_ir::OpDef::op(sum)).result(0)
    }
}

/// The extents of the dynamic dimensions of a tensor.
pub(crate) fn dynamic_extents(b: &mut Builder<'_>, value: Value) -> Vec<Value> {
    let ctx = b.context();
    let shape: Vec<i64> = b.ty(value).shape(&ctx).unwrap_or(&[]).to_vec();
    let dynamic = shape.iter().enumerate().filter(|&(_, &extent)| extent == DYNAMIC);
    dynamic.map(|(dim, _)| extent(b, value, dim)).collect()
}

/// An extent of a tensor.
pub(crate) fn extent(b: &mut Builder<'_>, value: Value, dim: usize) -> Value {
    let ctx = b.context();
    match b.ty(value).shape(&ctx).and_then(|shape| shape.get(dim)) {
        Some(&extent) if extent != DYNAMIC => arith::constant_index(b, extent),
        _ => {
            let dim = arith::constant_index(b, dim as i64);
            tensor::Dim::build(b, value, dim).result(b.body())
        }
    }
}
