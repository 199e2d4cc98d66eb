//! Legality of inlining.

use minoan_ir::{OpRef, service};

/// Legality of inlining [`Calls`](crate::Calls). Queried by `inline`, for calls, functions and the operations in them. Default: a call
/// is kept, a function may be inlined where the call permits it, and an operation may be moved into any other one.
pub trait Inliner: Send + Sync {
    /// Whether the call may be replaced by the callee's body, calls of the function by its body, or the operation may be moved into
    /// the operation around a call; if not, a function with it is only inlined at the top of another function.
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
