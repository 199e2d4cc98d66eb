//! Atomic updates by a region.

use minoan_ir::{OpRef, Value, service};

/// Operations that atomically replace an element by a function of it, which their region computes without side effects. Queried by
/// `generate-runtime-verification`, which asserts the preconditions in the region after the update. Default: the operation is none.
pub trait AtomicUpdate: Send + Sync {
    /// The old element as an argument of the region, and as a result.
    fn old(&self, op: OpRef<'_>) -> Option<(Value, Value)>;
}
service!(dyn AtomicUpdate, "AtomicUpdate", Optional);
