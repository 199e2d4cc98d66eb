//! Assertions, and the arithmetic of the indices that they check.

use minoan_ir::{OpRef, Value, service};

/// Operations that end the program if a condition of type `i1` is false, and have no other effect. Queried by
/// `hoist-assertions`, `raise-loops` and `raise-updates`. Default: the operation is no assertion.
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

/// A scalar operation on integers as a term over its operands. The arithmetic is modulo 2^64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IndexTerm {
    /// The sum.
    Sum(Value, Value),
    /// The first less the second.
    Difference(Value, Value),
    /// The product.
    Product(Value, Value),
    /// The same number, if `index` has 64 bits.
    Same(Value),
    /// Whether the first, as an unsigned number, is less than the second.
    Below(Value, Value),
    /// Whether the first, as a signed number, is less than the second.
    Less(Value, Value),
    /// Whether both are the same number.
    Equal(Value, Value),
}

/// Integer arithmetic of 64 bits, as analyses of indices see it. Queried by `hoist-assertions`, `raise-updates`, `slice-reads` and kernels. Default: the
/// operation computes an unknown number.
pub trait IndexTerms: Send + Sync {
    /// The term that an operation computes; `None` if its type is neither `index` nor an integer of 64 bits.
    fn term(&self, op: OpRef<'_>) -> Option<IndexTerm>;
}
service!(dyn IndexTerms, "IndexTerms", Optional);

/// A function as an implementation.
impl<F: Fn(OpRef<'_>) -> Option<IndexTerm> + Send + Sync> IndexTerms for F {
    fn term(&self, op: OpRef<'_>) -> Option<IndexTerm> {
        self(op)
    }
}

/// The operands of an operation that chooses between two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The condition.
    pub condition: Value,
    /// The result if the condition holds.
    pub yes: Value,
    /// The result otherwise.
    pub no: Value,
}

/// Operations whose result is one of two operands. Queried by kernels, for the points at which a reduction combines nothing. Default: the
/// operation computes something else.
pub trait SelectLike: Send + Sync {
    /// The operands; `None` if the operation does not choose by one condition.
    fn choice(&self, op: OpRef<'_>) -> Option<Choice>;
}
service!(dyn SelectLike, "SelectLike", Optional);
