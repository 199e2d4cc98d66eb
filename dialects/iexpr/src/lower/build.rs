//! Helpers shared by the lowering.

use minoan_arith::{self as arith, CmpIPredicate};
use minoan_data::assert_values;
use minoan_ir::{Builder, DYNAMIC, Type, Value};
use minoan_tensor::{Cast, Dim, Empty};
pub(super) use minoan_tensor::{extract, insert};

/// The extent of a dimension: a constant if static.
pub(super) fn dim(b: &mut Builder<'_>, tensor: Value, dimension: usize) -> Value {
    let ctx = b.context();
    match b.ty(tensor).shape(&ctx).and_then(|shape| shape.get(dimension).copied()) {
        Some(known) if known != DYNAMIC => arith::constant_index(b, known),
        _ => {
            let dimension = arith::constant_index(b, dimension as i64);
            Dim::build(b, tensor, dimension).result(b.body())
        }
    }
}

/// Stops the program unless two extents are equal. The message has both.
pub(super) fn assert_same(b: &mut Builder<'_>, lhs: Value, rhs: Value, message: &str) {
    let known = |b: &Builder<'_>, value| arith::constant_value(b.body(), value);
    if lhs == rhs || known(b, lhs).is_some() && known(b, lhs) == known(b, rhs) {
        return;
    }
    let same = arith::cmpi(b, CmpIPredicate::Eq, lhs, rhs);
    assert_values(b, same, message, &[lhs, rhs]);
}

/// An uninitialized tensor, whose dynamic extents are taken from `extents`.
pub(super) fn empty(b: &mut Builder<'_>, ty: Type, extents: &[Value]) -> Value {
    let ctx = b.context();
    let shape = ty.shape(&ctx).unwrap_or_default();
    let dynamic = shape.iter().zip(extents).filter(|&(&known, _)| known == DYNAMIC);
    let dynamic: Vec<Value> = dynamic.map(|(_, &extent)| extent).collect();
    Empty::build(b, &dynamic, ty).result(b.body())
}

/// Casts a tensor to another type of the same rank.
pub(super) fn cast(b: &mut Builder<'_>, tensor: Value, ty: Type) -> Value {
    if b.ty(tensor) == ty { tensor } else { Cast::build(b, tensor, ty).dest(b.body()) }
}
