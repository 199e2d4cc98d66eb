//! Assertions.

use minoan_ir::{OpRef, service};

/// Operations that end the program if a condition of type `i1` is false, and have no other effect. Queried by
/// `hoist-assertions`, `raise-loops` and `raise-updates`. Default: the operation is not an assertion.
pub trait Assertion: Send + Sync {
    /// The operand that is the condition.
    fn condition(&self, op: OpRef<'_>) -> usize;
}
service!(dyn Assertion, "Assertion", Optional);

/// For assertions whose condition is operand 0.
pub struct FirstCondition;

impl Assertion for FirstCondition {
    fn condition(&self, _: OpRef<'_>) -> usize {
        0
    }
}
