//! References as memory slots.

use crate::ops::{RefRead, RefWrite};
use crate::types::Ref;
use minoan_ir::OpRef;
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
