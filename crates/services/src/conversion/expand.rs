//! Expansion of operations into simpler ones.

use crate::MachineModel;
use minoan_diag::Diagnostics;
use minoan_ir::{Body, Builder, Module, Op, Value, service};

/// The accuracy of floating-point functions and the freedom to reorder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FloatPolicy {
    /// Nothing is reordered: `fastmath` flags are dropped. Functions have the same error bounds as by default.
    Strict,
    /// The flags of the operations hold; functions have an error of at most 2 ulp.
    #[default]
    Default,
    /// Operations may assume finite values, ignore the sign of zero, and use reciprocals and contraction; functions may
    /// have an error of 4 ulp.
    Fast,
}

impl FloatPolicy {
    /// The policy by its name: `strict`, `default` or `fast`.
    pub fn of_keyword(word: &str) -> Option<Self> {
        [Self::Strict, Self::Default, Self::Fast].into_iter().find(|policy| policy.keyword() == word)
    }

    /// The name.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Default => "default",
            Self::Fast => "fast",
        }
    }
}

/// Operations that can be computed by simpler ones, such as a function by a polynomial. Queried by `expand-math`.
/// Default: the operation is kept.
pub trait Expand: Send + Sync {
    /// Creates the simpler operations at the insertion point, which is before `op`, and returns one value per result;
    /// `None`, with nothing created, if the operation is kept.
    fn expand(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        machine: &MachineModel,
        policy: FloatPolicy,
    ) -> Option<Vec<Value>>;
}
service!(dyn Expand, "Expand", Optional);

/// Expansion of operations on objects with counted owners into operations that machine code has: tests and updates of counts,
/// accesses to memory, calls of the runtime. Queried by `expand-counts`, for each dialect. Default: the operations are kept.
pub trait ExpandCounts: Send + Sync {
    /// Expands the operations of the dialect in a module.
    ///
    /// # Errors
    /// The operations that have no form in machine code, at their locations.
    fn expand_counts(&self, module: &mut Module) -> Result<(), Diagnostics>;
}
service!(dyn ExpandCounts, "ExpandCounts", Optional);

/// The permissions of operations to deviate from IEEE 754. Queried by `float-policy`. Default: the operation has none.
pub trait FloatFlags: Send + Sync {
    /// Sets the flags of an operation to those that a policy grants: drops all, keeps them, or adds those of
    /// [`FloatPolicy::Fast`]. Returns whether they changed.
    fn apply(&self, body: &mut Body, op: Op, policy: FloatPolicy) -> bool;
}
service!(dyn FloatFlags, "FloatFlags", Optional);
