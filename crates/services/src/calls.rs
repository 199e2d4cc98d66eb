//! Calls.

use minoan_ir::{Attr, OpRef, service};
use std::ops::Range;

/// Which operations are calls. Asked by whatever follows values from calls into functions and back; without an answer
/// an operation calls nothing by a symbol that other passes need to know, but a symbol that it names may be called
/// all the same.
///
/// The results of a call are what the callee gives back. What is called is an operation with the trait
/// `FUNCTION_LIKE`; its returns have the trait `RETURN_LIKE`.
pub trait Calls: Send + Sync {
    /// The symbol that is called; `None` when it is not known.
    fn callee(&self, op: OpRef<'_>) -> Option<Attr>;

    /// The operands that become the arguments of the callee.
    fn args(&self, op: OpRef<'_>) -> Range<usize> {
        0..op.n_operands()
    }
}
service!(dyn Calls, "Calls", Optional);
