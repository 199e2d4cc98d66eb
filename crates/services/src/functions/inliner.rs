//! Legality of inlining.

use minoan_ir::{OpRef, service};

/// Legality of inlining [`Calls`](crate::Calls). Queried by `inline`, for calls and for functions. Default: a call is kept, and a
/// function may be inlined where the call permits it.
pub trait Inliner: Send + Sync {
    /// Whether the call may be replaced by the callee's body, or calls of the function by its body.
    fn is_legal_to_inline(&self, op: OpRef<'_>) -> bool;
}
service!(dyn Inliner, "Inliner", Optional);

/// Calls and functions without the attribute `no_inline` may be inlined.
pub struct UnlessNoInline;

impl Inliner for UnlessNoInline {
    fn is_legal_to_inline(&self, op: OpRef<'_>) -> bool {
        op.attr_named("no_inline").is_none()
    }
}
