//! Random operations: as they are declared, with operands for which they are defined, or give poison by their flags alone.

use crate::*;
use minoan_ir::{Builder, Context, DialectBuilder, OpDef, Type, Value};
use minoan_services::{Declared, Generate, Guard, Maker, Scalar};
use std::sync::Arc;

/// Operations with random `nsw`, `nuw`, `exact` and `fastmath`.
fn with_flags() -> Declared {
    Declared::new().flags()
}

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect.service::<dyn Generate>(Arc::new(with_flags()));
    for signed in [DivSI::SPEC, CeilDivSI::SPEC, FloorDivSI::SPEC, RemSI::SPEC] {
        let generator = with_flags().operand(0, has_sign).guarded(1, at_least_one_signed);
        dialect.service_of::<dyn Generate>(signed.name, Arc::new(generator));
    }
    for unsigned in [DivUI::SPEC, CeilDivUI::SPEC, RemUI::SPEC] {
        let generator = with_flags().guarded(1, at_least_one_unsigned);
        dialect.service_of::<dyn Generate>(unsigned.name, Arc::new(generator));
    }
    for shift in [ShLI::SPEC, ShRSI::SPEC, ShRUI::SPEC] {
        dialect.service_of::<dyn Generate>(shift.name, Arc::new(with_flags().guarded(1, below_width)));
    }
    let whole = |from: Guard| with_flags().guarded(0, from).result(0, holds_a_byte);
    dialect.op_service::<FPToSI, dyn Generate>(Arc::new(whole(signed_byte)));
    dialect.op_service::<FPToUI, dyn Generate>(Arc::new(whole(unsigned_byte)));
    // The bits of a NaN are unspecified.
    dialect.op_service::<Bitcast, dyn Generate>(Arc::new(with_flags().operand(0, is_integer)));
    for cast in [IndexCast::SPEC, IndexCastUI::SPEC] {
        dialect.service_of::<dyn Generate>(cast.name, Arc::new(with_flags().operand(0, is_integer)));
    }
    dialect.op_service::<Select, dyn Generate>(Arc::new(with_flags().weight(3)));
    dialect.op_service::<CmpI, dyn Generate>(Arc::new(with_flags().weight(3)));
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

fn signed_byte(b: &mut Builder<'_>, maker: &mut dyn Maker, value: Value) -> Option<Value> {
    let byte = bytes_for(b, maker, value)?;
    let ty = b.ty(value);
    Some(sitofp(b, byte, ty))
}

fn unsigned_byte(b: &mut Builder<'_>, maker: &mut dyn Maker, value: Value) -> Option<Value> {
    let byte = bytes_for(b, maker, value)?;
    let ty = b.ty(value);
    Some(uitofp(b, byte, ty))
}
