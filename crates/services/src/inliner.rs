//! Legality of inlining.

use minoan_ir::{OpRef, service};

/// Which [`Calls`](crate::Calls) may be inlined. Asked by `inline`. Default: the call is kept.
pub trait Inliner: Send + Sync {
    /// Whether the call may be replaced by the callee's body.
    fn is_legal_to_inline(&self, op: OpRef<'_>) -> bool;
}
service!(dyn Inliner, "Inliner", Optional);
