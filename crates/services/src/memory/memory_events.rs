//! Memory events of programs, for statistics.

use minoan_ir::{OpRef, service};

/// An event that the statistics of `--memory-check` count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemoryEvent {
    /// The elements of a buffer are copied to another one.
    Copy,
    /// An object is created in new memory.
    NewObject,
    /// New memory is allocated for an object that is then placed there.
    NewMemory,
    /// An object is created in given memory: that of another object, or new memory.
    Placed,
}

impl MemoryEvent {
    /// The function of the runtime that counts the event.
    pub fn counter(self) -> &'static str {
        match self {
            MemoryEvent::Copy => "minoan_count_copy",
            MemoryEvent::NewObject => "minoan_count_object",
            MemoryEvent::NewMemory => "minoan_count_memory",
            MemoryEvent::Placed => "minoan_count_placed",
        }
    }
}

/// Classifies operations as memory events. Queried by `count-memory`, after `expand-counts`. Default: nothing is counted.
pub trait MemoryEvents: Send + Sync {
    /// The event to count for each execution of the operation; `None` if it is not a memory event.
    fn event(&self, op: OpRef<'_>) -> Option<MemoryEvent>;
}
service!(dyn MemoryEvents, "MemoryEvents", Optional);

impl MemoryEvents for MemoryEvent {
    fn event(&self, _: OpRef<'_>) -> Option<MemoryEvent> {
        Some(*self)
    }
}
