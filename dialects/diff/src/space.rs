//! The tangent space of builtin types: a float, a complex number or a tensor of these is its own tangent space.

use minoan_arith::{self as arith, CmpFPredicate, FastMath};
use minoan_complex as complex;
use minoan_ir::affine::AffineMap;
use minoan_ir::{Builder, Context, DYNAMIC, Type, TypeData, Value};
use minoan_linalg::Generic;
use minoan_services::{IteratorType, TangentClass, TangentSpace, is_complex, is_constant_zero};
use minoan_tensor as tensor;

pub(crate) struct Builtin;

impl TangentSpace for Builtin {
    fn class(&self, ctx: &Context, ty: Type) -> Option<TangentClass> {
        let is_tangent = |ty: Type| ty.is_float(ctx) || is_complex(ctx, ty);
        match *ty.data(ctx) {
            TypeData::Float(_) | TypeData::Complex(_) if is_tangent(ty) => Some(TangentClass::Scalar),
            TypeData::Vector { element, .. } if element.is_float(ctx) => Some(TangentClass::Scalar),
            TypeData::RankedTensor { element, .. } if is_tangent(element) => Some(TangentClass::Dense),
            TypeData::Opaque { .. } => None,
            _ => Some(TangentClass::Inactive),
        }
    }

    fn zero(&self, b: &mut Builder<'_>, ty: Type) -> Value {
        let ctx = b.context();
        let element = ty.element_or_self(&ctx);
        if !is_complex(&ctx, element) {
            return arith::constant_float(b, 0.0, ty);
        }
        let zero = complex::constant_number(b, [0.0; 2], element);
        if element == ty { zero } else { tensor::Splat::build(b, zero, &[], ty).aggregate(b.body()) }
    }

    fn zero_like(&self, b: &mut Builder<'_>, primal: Value) -> Value {
        let ctx = b.context();
        let ty = b.ty(primal);
        if !ty.is_tensor(&ctx) {
            return self.zero(b, ty);
        }
        let sizes = dynamic_extents(b, primal);
        let zero = self.zero(b, ty.element_or_self(&ctx));
        tensor::Splat::build(b, zero, &sizes, ty).aggregate(b.body())
    }

    fn add(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        let ctx = b.context();
        let ty = b.ty(y);
        if !ty.is_tensor(&ctx) {
            // No source determines the order of this sum, nor the sign of a zero.
            let sum = match is_complex(&ctx, ty) {
                true => match sum_of_parts(b, x, y) {
                    Some(sum) => return sum,
                    None => complex::add(b, x, y),
                },
                false => arith::addf(b, x, y),
            };
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

    fn equal(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        let ctx = b.context();
        match is_complex(&ctx, b.ty(x)) {
            true => complex::eq(b, x, y),
            false => arith::cmpf(b, CmpFPredicate::Oeq, x, y),
        }
    }
}

/// The sum of two complex numbers that are put together of their parts, one of which is zero: cotangents of the real and the
/// imaginary part of a number.
fn sum_of_parts(b: &mut Builder<'_>, x: Value, y: Value) -> Option<Value> {
    let parts = |number: Value| {
        let op = b.body().op(b.body().defining_op(number)?);
        let parts = [op.is::<complex::Create>().then(|| op.operand(0))?, op.operand(1)];
        parts.iter().any(|&part| is_constant_zero(b.body(), part)).then_some(parts)
    };
    let (first, second) = (parts(x)?, parts(y)?);
    let [real, imaginary] = [0, 1].map(|at| match [first[at], second[at]] {
        [x, y] if is_constant_zero(b.body(), y) => x,
        [x, y] if is_constant_zero(b.body(), x) => y,
        [x, y] => Builtin.add(b, x, y),
    });
    let ty = b.ty(x);
    Some(complex::create(b, real, imaginary, ty))
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
