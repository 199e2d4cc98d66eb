//! Integer arithmetic on indices, for analyses.

use minoan_ir::{OpRef, Value, service};

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

/// Integer arithmetic of 64 bits, as analyses of indices see it. Queried by `hoist-assertions`, `join-kernels`, `raise-updates`,
/// `slice-reads` and kernels. Default: the operation computes an unknown number.
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
