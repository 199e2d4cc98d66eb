//! Assertions.

use minoan_ir::{Builder, Context, Op, OpRef, Value, service};
use std::ops::Range;

/// Operations that end the program if a condition of type `i1` is false, and have no other effect. Queried by
/// `hoist-assertions`, `raise-loops`, `raise-updates`,
/// `replay-assertions` and `drop-assertion-values`. Default: the operation is not an assertion.
pub trait Assertion: Send + Sync {
    /// The operand that is the condition.
    fn condition(&self, op: OpRef<'_>) -> usize;

    /// The operands that the message shows. Default: there are none.
    fn values(&self, op: OpRef<'_>) -> Range<usize> {
        let _ = op;
        0..0
    }

    /// Creates an assertion on another condition whose message shows no operands, for an operation whose message does. Default:
    /// creates nothing.
    fn without_values(&self, b: &mut Builder<'_>, op: Op, condition: Value) {
        let _ = (b, op, condition);
    }
}
service!(dyn Assertion, "Assertion", Optional);

/// For assertions whose condition is operand 0.
pub struct FirstCondition;

impl Assertion for FirstCondition {
    fn condition(&self, _: OpRef<'_>) -> usize {
        0
    }
}

/// Creates assertions. A service of a dialect. Queried by `generate-runtime-verification`. Default: none are created.
pub trait AssertionOps: Send + Sync {
    /// Creates an assertion on a condition of type `i1`; each `{}` in the message stands for the next of `values`, which are of
    /// type `index`.
    fn assert(&self, b: &mut Builder<'_>, condition: Value, message: &str, values: &[Value]);
}
service!(dyn AssertionOps, "AssertionOps", Optional);

impl dyn AssertionOps {
    /// The service of the first loaded dialect that provides it.
    pub fn any(ctx: &Context) -> Option<&dyn AssertionOps> {
        ctx.dialects().iter().find_map(|dialect| dialect.service::<dyn AssertionOps>())
    }
}
