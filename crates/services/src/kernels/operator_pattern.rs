//! Operator patterns, as in TVM: they decide which operators one kernel computes together.

use minoan_ir::{OpRef, service};

/// The dependence of the elements of an operator's result on those of its operands. Later patterns are less regular.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OperatorPattern {
    /// On one element in the same place.
    Elementwise,
    /// Each axis of the result is an axis of an operand or a new one.
    Broadcast,
    /// On one element of an operand.
    Injective,
    /// A commutative reduction.
    Reduction,
    /// A computation, such as a convolution, to whose result elementwise operators can be applied in the same kernel.
    Complex,
    /// A tuple of results.
    Tuple,
    /// A kernel of its own.
    Opaque,
}

/// The patterns of operators. Queried by `group-operators`. Default: the operation has no kernel, such as a call or a constant.
pub trait OperatorPatterns: Send + Sync {
    /// The pattern; `None` if the operation has no kernel.
    fn pattern(&self, op: OpRef<'_>) -> Option<OperatorPattern>;

    /// Whether the operator needs no kernel unless it is grouped with others, such as one that makes a tuple.
    fn is_free(&self, op: OpRef<'_>) -> bool;
}
service!(dyn OperatorPatterns, "OperatorPatterns", Optional);
