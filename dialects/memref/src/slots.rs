//! Memory slots: single-element allocations, and their loads and stores.

use minoan_ir::{Attr, Context, OpRef, Type};
use minoan_services::{Datum, Scalar, Slot, SlotAccess, SlotContents, SlotSource, SlotUse};

/// A stack allocation whose extents, if any, are all one.
pub(crate) struct OneElement;

impl SlotSource for OneElement {
    fn slot(&self, op: OpRef<'_>) -> Option<Slot> {
        let ctx = op.context();
        let value = op.results().next()?;
        let memref = op.body().ty(value);
        memref.shape(ctx)?.iter().all(|&extent| extent == 1).then_some(())?;
        let ty = memref.element(ctx)?;
        Some(Slot { value, ty, initial: zero(ctx, ty).map_or(SlotContents::Unknown, SlotContents::Constant) })
    }
}

/// The value of an uninitialized element is zero, as in the evaluation.
fn zero(ctx: &Context, ty: Type) -> Option<Attr> {
    match (ty.element(ctx), Scalar::of(ctx, ty)) {
        (None, Ok(scalar)) => scalar.zero().to_attr(ctx, ty),
        (Some(_), Ok(scalar)) if ty.is_vector(ctx) => Datum::to_splat(&scalar.zero(), ctx, ty),
        _ if ty.integer_width(ctx).is_some() => Some(Attr::integer(ctx, 0, ty)),
        _ if ty.is_float(ctx) => Some(Attr::float_bits(ctx, 0, ty)),
        _ => None,
    }
}

/// The only valid index of an extent of one is zero.
pub(crate) struct Loads;

impl SlotAccess for Loads {
    fn access(&self, _: OpRef<'_>, operand: usize) -> Option<SlotUse> {
        (operand == 0).then_some(SlotUse::Load)
    }
}

pub(crate) struct Stores;

impl SlotAccess for Stores {
    fn access(&self, op: OpRef<'_>, operand: usize) -> Option<SlotUse> {
        (operand == 1).then(|| SlotUse::Store(op.operand(0)))
    }
}
