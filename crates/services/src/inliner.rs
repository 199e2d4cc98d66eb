//! Whether calls may be replaced by what they call.

use minoan_ir::{OpRef, service};

/// Which calls, of those that [`Calls`](crate::Calls) knows, may be replaced by the callee's body. Asked by inlining;
/// without an answer a call stays.
pub trait Inliner: Send + Sync {
    /// Whether the callee's body may take the call's place.
    fn may_inline(&self, op: OpRef<'_>) -> bool;
}
service!(dyn Inliner, "Inliner", Optional);
