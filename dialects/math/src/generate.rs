//! Random operations, generated from their declarations, with operands for which they are defined.

use crate::{CopySign, IPowI};
use minoan_arith as arith;
use minoan_ir::{Builder, Context, DialectBuilder, Type, Value};
use minoan_services::{Declared, Generate, Maker, Scalar};
use std::sync::Arc;

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect.service::<dyn Generate>(Arc::new(Declared::new()));
    // The sign of a NaN is unspecified.
    dialect.op_service::<CopySign, dyn Generate>(Arc::new(Declared::new().guarded(1, no_nan)));
    let power = Declared::new().operand(0, holds_seven).guarded(1, at_most_seven);
    dialect.op_service::<IPowI, dyn Generate>(Arc::new(power));
}

/// A float converted from an integer, so that it is not NaN.
fn no_nan(b: &mut Builder<'_>, maker: &mut dyn Maker, value: Value) -> Option<Value> {
    let ctx = b.context();
    let ty = b.ty(value);
    let integer = ty.with_element(&ctx, Type::I8).unwrap_or(Type::I8);
    let integer = maker.value(b, integer)?;
    Some(arith::sitofp(b, integer, ty))
}

fn holds_seven(ctx: &Context, ty: Type) -> bool {
    Scalar::of(ctx, ty).and_then(Scalar::width).is_ok_and(|width| width > 3)
}

fn at_most_seven(b: &mut Builder<'_>, maker: &mut dyn Maker, value: Value) -> Option<Value> {
    let most = maker.number(b, 7, b.ty(value))?;
    Some(arith::minui(b, value, most))
}
