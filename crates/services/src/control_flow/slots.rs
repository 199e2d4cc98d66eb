//! Memory slots: storage for one value that does not escape, and its loads and stores.

use minoan_ir::{Attr, Body, Op, OpRef, Type, Value, service};

/// A memory slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    /// The result that represents the slot.
    pub value: Value,
    /// The type of the stored value.
    pub ty: Type,
    /// The contents before every store.
    pub initial: SlotContents,
}

/// The initial contents of a memory slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SlotContents {
    /// None: the slot is promoted only if it is stored to before it is loaded.
    Unknown,
    /// A constant.
    Constant(Attr),
    /// This operand of the operation that creates the slot.
    Operand(usize),
}

/// Operations that create a memory slot, at each execution. Queried by `mem2reg`. Default: not a slot.
pub trait SlotSource: Send + Sync {
    /// The slot; `None` if the storage is not for a single value.
    fn slot(&self, op: OpRef<'_>) -> Option<Slot>;

    /// Replaces storage for several values by storage for each of them, if it does not escape. Default: nothing.
    fn split(&self, _body: &mut Body, _op: Op) {}
}
service!(dyn SlotSource, "SlotSource", Optional);

/// The use of a slot by an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SlotUse {
    /// Loads the value as its only result.
    Load,
    /// Stores a value, without other effects.
    Store(Value),
}

/// Operations that load or store a [`Slot`], without any other use of it. Queried by `mem2reg`. Default: the slot
/// escapes.
pub trait SlotAccess: Send + Sync {
    /// The use of the slot that is operand `operand`; `None` for anything other than loading or storing all of it.
    fn access(&self, op: OpRef<'_>, operand: usize) -> Option<SlotUse>;
}
service!(dyn SlotAccess, "SlotAccess", Optional);
