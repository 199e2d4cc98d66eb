//! Composite operations: chains that libraries and accelerators compute at once; and closures as data.

use minoan_ir::{Body, OpRef, service};

/// A chain of operations with a name.
#[derive(Clone, Copy, Debug)]
pub struct Composite {
    /// The name: `dense_bias_relu`.
    pub name: &'static str,
    /// The operations in order, each an operand of the next; one that ends with `?` may be missing.
    pub ops: &'static [&'static str],
}

/// The chains of operations that `merge-composite` makes functions of unless it is given others. Longer chains come first.
/// Default: there are none.
pub trait Composites: Send + Sync {
    /// The chains, in the order in which they are tried.
    fn composites(&self) -> &'static [Composite];
}
service!(dyn Composites, "Composites", Optional);

/// The boundary of a region of operations that a compiler is to be given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RegionMark {
    /// The result is an operand of the region.
    Begin(String),
    /// The operand is a result of the region, which is for this compiler.
    End(String),
}

/// Operations that return their operand, and mark a boundary of a region. Queried by `partition-graph`, `merge-composite` and
/// `merge-marked-regions`. Default: no operation does.
pub trait RegionMarks: Send + Sync {
    /// The mark; `None` if the operation marks no boundary.
    fn mark(&self, op: OpRef<'_>) -> Option<RegionMark>;
}
service!(dyn RegionMarks, "RegionMarks", Optional);

/// Closures as values of data types. Queried by `defunctionalize`. Default: there are no closures.
pub trait Defunctionalize: Send + Sync {
    /// Replaces the closures of a module, their types, and their applications.
    fn defunctionalize(&self, module: &mut Body);
}
service!(dyn Defunctionalize, "Defunctionalize", Optional);
