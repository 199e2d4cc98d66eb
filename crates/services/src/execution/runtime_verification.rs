//! Verification of operations at run time.

use crate::RuntimeChecks;
use minoan_ir::{Op, Value, service};

/// Assertions on what the verifier of an operation cannot check because it depends on run-time values, such as that indices are in
/// bounds and that extents agree. Queried by `generate-runtime-verification`. Default: nothing is asserted.
///
/// An operation whose assertions hold has defined behavior with respect to extents and indices. The interpreter reports the same
/// errors when it executes an operation.
pub trait RuntimeVerification: Send + Sync {
    /// Creates the assertions before an operation.
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op);
}
service!(dyn RuntimeVerification, "RuntimeVerification", Optional);

/// A number of type `index`. Equal ones are the same number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RuntimeIndex {
    /// A constant.
    Constant(i64),
    /// The extent of a dimension of a tensor or a buffer.
    Extent(Value, usize),
    /// Any other value.
    Value(Value),
}

/// A value of type `i1`, or a condition that is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RuntimeCondition {
    /// The condition does not depend on run-time values.
    Known(bool),
    /// The condition is a value.
    Value(Value),
}
