//! Random operations, generated from their declarations, with operands for which they are defined, or return poison only due to
//! flags.

use crate::*;
use minoan_ir::{Builder, Context, Type, Value};
use minoan_services::{Declared, Guard, Maker, Scalar};

/// Operations with random `nsw`, `nuw`, `exact` and `fastmath`.
pub(crate) fn with_flags() -> Declared {
    Declared::new().flags()
}

pub(crate) fn signed_division() -> Declared {
    with_flags().operand(0, has_sign).guarded(1, at_least_one_signed)
}

pub(crate) fn unsigned_division() -> Declared {
    with_flags().guarded(1, at_least_one_unsigned)
}

pub(crate) fn shift() -> Declared {
    with_flags().guarded(1, below_width)
}

/// A conversion of floats that an integer of 8 bits holds.
pub(crate) fn to_byte(range: Guard) -> Declared {
    with_flags().guarded(0, range).result(0, holds_a_byte)
}

/// A conversion of integers or indices. The bits of a NaN are unspecified.
pub(crate) fn of_integer() -> Declared {
    with_flags().operand(0, is_integer)
}

fn width(ctx: &Context, ty: Type) -> Option<u32> {
    Scalar::of(ctx, ty).and_then(Scalar::width).ok()
}

/// Whether 1 is positive.
fn has_sign(ctx: &Context, ty: Type) -> bool {
    width(ctx, ty).is_some_and(|width| width > 1)
}

fn holds_a_byte(ctx: &Context, ty: Type) -> bool {
    width(ctx, ty).is_some_and(|width| width >= 8)
}

fn is_integer(ctx: &Context, ty: Type) -> bool {
    width(ctx, ty).is_some() && !ty.is_memref(ctx)
}

fn at_least_one_signed(b: &mut Builder<'_>, maker: &mut dyn Maker, value: Value) -> Option<Value> {
    let one = maker.number(b, 1, b.ty(value))?;
    Some(maxsi(b, value, one))
}

fn at_least_one_unsigned(b: &mut Builder<'_>, maker: &mut dyn Maker, value: Value) -> Option<Value> {
    let one = maker.number(b, 1, b.ty(value))?;
    Some(maxui(b, value, one))
}

fn below_width(b: &mut Builder<'_>, maker: &mut dyn Maker, value: Value) -> Option<Value> {
    let ty = b.ty(value);
    let most = i64::from(width(b.body().context(), ty)?) - 1;
    let most = maker.number(b, most, ty)?;
    Some(minui(b, value, most))
}

/// The integer operand for a float of the type of `value`, with its shape.
fn bytes_for(b: &mut Builder<'_>, maker: &mut dyn Maker, value: Value) -> Option<Value> {
    let ctx = b.context();
    let bytes = b.ty(value).with_element(&ctx, Type::I8).unwrap_or(Type::I8);
    maker.value(b, bytes)
}

pub(crate) fn signed_byte(b: &mut Builder<'_>, maker: &mut dyn Maker, value: Value) -> Option<Value> {
    let byte = bytes_for(b, maker, value)?;
    let ty = b.ty(value);
    Some(sitofp(b, byte, ty))
}

pub(crate) fn unsigned_byte(b: &mut Builder<'_>, maker: &mut dyn Maker, value: Value) -> Option<Value> {
    let byte = bytes_for(b, maker, value)?;
    let ty = b.ty(value);
    Some(uitofp(b, byte, ty))
}
