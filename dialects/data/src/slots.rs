//! References as memory slots.

use crate::ops::{RefNew, RefRead, RefWrite};
use crate::types::Ref;
use minoan_ir::{Body, Builder, InsertionPoint, Op, OpDef, OpRef, Type, Value};
use minoan_services::{Slot, SlotAccess, SlotContents, SlotSource, SlotUse};

/// A reference with one component is a slot.
pub(crate) struct NewSlot;

impl SlotSource for NewSlot {
    fn slot(&self, op: OpRef<'_>) -> Option<Slot> {
        let value = op.result(0);
        match Ref::cast(op.context(), op.body().ty(value))?.contents(op.context())[..] {
            [ty] if op.attr_named("counted").is_none() => {
                Some(Slot { value, ty, initial: SlotContents::Operand(0) })
            }
            _ => None,
        }
    }

    /// A reference with several components, or none, is split into one for each component.
    fn split(&self, body: &mut Body, op: Op) {
        let view = body.op(op);
        let (reference, contents): (Value, Vec<Value>) = (view.result(0), view.operands().collect());
        let is_access = |user: Op, operand: usize| {
            operand == 0 && (body.op(user).is::<RefRead>() || body.op(user).is::<RefWrite>())
        };
        if contents.len() == 1
            || view.attr_named("counted").is_some()
            || !body.uses(reference).all(|user| is_access(user.op, user.index))
        {
            return;
        }
        let users: Vec<Op> = body.uses(reference).map(|user| user.op).collect();
        let loc = view.loc();
        let mut b = Builder::new(body, InsertionPoint::Before(op)).with_loc(loc);
        let part = |&value: &Value| {
            let ty: Type = Ref::get(&b.context(), vec![b.ty(value)]).into();
            RefNew::build(&mut b, &[value], ty).result(b.body())
        };
        let parts: Vec<Value> = contents.iter().map(part).collect();
        for user in users {
            split_access(body, user, &parts);
        }
        body.erase(op);
    }
}

/// Replaces the access to a reference by one to a reference for each component.
fn split_access(body: &mut Body, access: Op, parts: &[Value]) {
    let view = body.op(access);
    let (loc, is_read) = (view.loc(), view.is::<RefRead>());
    let types: Vec<Type> = view.result_types().collect();
    let written: Vec<Value> = view.operands().skip(1).collect();
    let mut b = Builder::new(body, InsertionPoint::Before(access)).with_loc(loc);
    if is_read {
        let mut values = Vec::new();
        for (&part, ty) in parts.iter().zip(types) {
            let read = RefRead::build(&mut b, part, &[ty]).op();
            values.push(b.body().op(read).result(0));
        }
        body.replace(access, &values);
    } else {
        for (&part, value) in parts.iter().zip(written) {
            RefWrite::build(&mut b, part, &[value]);
        }
        body.erase(access);
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
