//! Passing additional values through the regions of an operation.

use minoan_ir::{Body, Op, OpRef, Value, service};

/// An operation recreated with additional values through its regions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadedOp {
    /// The operation that replaces the old one; the blocks of its regions are the old ones.
    pub op: Op,
    /// For each region, the new entry arguments.
    pub args: Vec<Vec<Value>>,
    /// The terminators of regions, with the index of the first added operand. The added operands are initially the
    /// region's new arguments.
    pub ends: Vec<(Op, usize)>,
    /// The added results.
    pub results: Vec<Value>,
}

/// Operations that can pass additional values through their regions. Queried by `mem2reg`. Default: not possible.
pub trait PassThrough: Send + Sync {
    /// Whether [`PassThrough::thread`] is possible.
    fn can_thread(&self, op: OpRef<'_>) -> bool;

    /// Replaces an operation by one with additional operands `values`, region arguments and results: each region
    /// receives the values that its predecessor forwards, and the last ones are the results.
    fn thread(&self, body: &mut Body, op: Op, values: &[Value]) -> ThreadedOp;
}
service!(dyn PassThrough, "PassThrough", Optional);
