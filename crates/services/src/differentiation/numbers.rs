//! Numbers: the types of them, and constants that are zero.

use crate::{Datum, constant_of};
use minoan_ir::{AttrData, Body, Context, Type, TypeData, Value};

/// Whether a type is one of complex numbers with floating-point parts.
pub fn is_complex(ctx: &Context, ty: Type) -> bool {
    matches!(*ty.data(ctx), TypeData::Complex(part) if part.is_float(ctx))
}

/// Whether the values of a type are numbers: indices, integers, floats, or complex numbers with floating-point parts.
pub fn is_number(ctx: &Context, ty: Type) -> bool {
    ty == Type::INDEX || ty.integer_width(ctx).is_some() || ty.is_float(ctx) || is_complex(ctx, ty)
}

/// Whether a value is a constant zero: a float or complex number, or a tensor or vector of which all elements are zero. The sign
/// of a zero is ignored.
pub fn is_constant_zero(body: &Body, value: Value) -> bool {
    let ctx = body.context();
    let number = constant_of(body, value).and_then(|attr| match attr.data(ctx) {
        AttrData::DenseElements { .. } => Datum::of_splat(ctx, attr),
        AttrData::Float { .. } | AttrData::Array(_) => Datum::of_attr(ctx, attr).ok(),
        _ => None,
    });
    match number {
        Some(Datum::F32(number)) => number == 0.0,
        Some(Datum::F64(number)) => number == 0.0,
        Some(Datum::Complex32(parts)) => parts == [0.0; 2],
        Some(Datum::Complex64(parts)) => parts == [0.0; 2],
        _ => false,
    }
}
