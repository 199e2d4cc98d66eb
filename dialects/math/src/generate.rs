//! Random operations, generated from their declarations, with operands for which they are defined.

use minoan_arith as arith;
use minoan_ir::{Builder, Context, Type, Value};
use minoan_services::{Declared, Maker, Scalar};

/// The sign of a NaN is unspecified.
pub(crate) fn copy_sign() -> Declared {
    Declared::new().guarded(1, no_nan)
}

pub(crate) fn power() -> Declared {
    Declared::new().operand(0, holds_seven).guarded(1, at_most_seven)
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
