//! Storage for one value that never escapes, and what reads and writes it.

use minoan_ir::{Attr, OpRef, Type, Value, service};

/// Storage for one value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    /// The result that stands for the storage.
    pub value: Value,
    /// The type of what is stored.
    pub ty: Type,
    /// The constant that is read before anything is written; `None` where no constant has the type. Then the storage can
    /// only be promoted if it is written before it is read.
    pub initial: Option<Attr>,
}

/// Which operations make storage for one value, new each time they are executed. Asked by the promotion of memory to
/// values; without an answer storage stays.
pub trait SlotSource: Send + Sync {
    /// The storage; `None` when it is not for one value.
    fn slot(&self, op: OpRef<'_>) -> Option<Slot>;
}
service!(dyn SlotSource, "SlotSource", Optional);

/// What an operation does with storage that it is given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SlotUse {
    /// Its one result is what is stored.
    Load,
    /// It stores a value, and does nothing else.
    Store(Value),
}

/// Which operations read and write a [`Slot`], and do nothing else with it. Asked by the promotion of memory to values;
/// without an answer an operation may do anything with storage that it is given.
pub trait SlotAccess: Send + Sync {
    /// What the operation does with the storage that is its operand number `operand`; `None` for anything else than
    /// reading or writing all of it.
    fn access(&self, op: OpRef<'_>, operand: usize) -> Option<SlotUse>;
}
service!(dyn SlotAccess, "SlotAccess", Optional);
