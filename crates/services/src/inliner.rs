//! Calls, and whether they may be replaced by what they call.

use minoan_ir::{Attr, OpRef, service};

/// Which operations are calls that may be replaced by the callee's body. Asked by inlining; without an answer an
/// operation is no call.
pub trait Inliner: Send + Sync {
    /// The symbol that the operation calls with all its operands as arguments, and whose results are its own; `None`
    /// when it is no such call, or must stay one.
    fn callee(&self, op: OpRef<'_>) -> Option<Attr>;
}
service!(dyn Inliner, "Inliner", Optional);
