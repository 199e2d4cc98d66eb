//! References as memory slots.

use crate::ops::{Nothing, RefNew, RefRead, RefWrite};
use crate::types::{Ref, is_object};
use minoan_arith as arith;
use minoan_ir::{Body, Builder, InsertionPoint, Op, OpRef, Type, Value};
use minoan_services::{Slot, SlotAccess, SlotSource, SlotUse};

/// A reference with one component is a slot. If it is created with contents that are not constant, it is only promoted if it
/// is written before it is read; see [`open_references`].
pub(crate) struct NewSlot;

impl SlotSource for NewSlot {
    fn slot(&self, op: OpRef<'_>) -> Option<Slot> {
        let value = op.result(0);
        match Ref::cast(op.context(), op.body().ty(value))?.contents(op.context())[..] {
            [ty] if op.attr_named("counted").is_none() => {
                Some(Slot { value, ty, initial: arith::constant_value(op.body(), op.operand(0)) })
            }
            _ => None,
        }
    }
}

pub(crate) struct ReadOrWrite;

impl SlotAccess for ReadOrWrite {
    fn access(&self, op: OpRef<'_>, operand: usize) -> Option<SlotUse> {
        match operand {
            0 if op.is::<RefRead>() && op.n_results() == 1 => Some(SlotUse::Load),
            0 if op.is::<RefWrite>() && op.n_operands() == 2 => Some(SlotUse::Store(op.operand(1))),
            _ => None,
        }
    }
}

/// Writes the initial contents of references that do not escape directly after their creation, so that they can be promoted.
pub(crate) fn open_references(body: &mut Body) {
    for op in body.walk() {
        if body.op(op).is::<RefNew>() {
            open_reference(body, op);
        }
    }
    for nested in body.nested_bodies_mut() {
        minoan_ir::with_stack(|| open_references(nested));
    }
}

fn open_reference(body: &mut Body, op: Op) {
    let view = body.op(op);
    let (reference, loc) = (view.result(0), view.loc());
    let escapes = body.uses(reference).any(|user| ReadOrWrite.access(body.op(user.op), user.index).is_none());
    if NewSlot.slot(view).is_none() || escapes {
        return;
    }
    let contents = view.operand(0);
    let is_constant = arith::constant_value(body, contents).is_some();
    let is_nothing = body.defining_op(contents).is_some_and(|op| body.op(op).is::<Nothing>());
    if is_constant || is_nothing {
        return;
    }
    let ty = body.ty(contents);
    let mut b = Builder::before(body, op).with_loc(loc);
    let Some(unread) = any_value(&mut b, ty) else { return };
    body.set_operand(op, 0, unread);
    let mut b = Builder::new(body, InsertionPoint::After(op)).with_loc(loc);
    RefWrite::build(&mut b, reference, &[contents]);
}

/// A value of a type that is never used.
fn any_value(b: &mut Builder<'_>, ty: Type) -> Option<Value> {
    let ctx = b.context();
    if is_object(&ctx, ty) {
        return Some(Nothing::build(b, ty).result(b.body()));
    }
    if ty.is_float(&ctx) {
        return Some(arith::constant_float(b, 0.0, ty));
    }
    (ty == Type::INDEX || ty.integer_width(&ctx).is_some()).then(|| arith::constant_int(b, 0, ty))
}
