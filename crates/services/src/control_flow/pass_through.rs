//! Passing additional values through the regions of an operation.

use minoan_ir::{Body, Op, OpRef, Type, Value, service};

/// An operation recreated with additional values through its regions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadedOp {
    /// The operation that replaces the old one; the blocks of its regions are the old ones.
    pub op: Op,
    /// For each region, the new entry arguments.
    pub args: Vec<Vec<Value>>,
    /// The ends of regions.
    pub ends: Vec<ThreadedEnd>,
    /// The added results.
    pub results: Vec<Value>,
}

/// The end of a region through which additional values are passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreadedEnd {
    /// The terminator.
    pub end: Op,
    /// The operation that takes the values: the terminator, or one directly before it.
    pub user: Op,
    /// The index of the first added operand of `user`. The added operands are initially the region's new arguments.
    pub first: usize,
}

impl ThreadedEnd {
    /// Adds operands to a terminator.
    pub fn extend(body: &mut Body, end: Op, values: &[Value]) -> ThreadedEnd {
        let first = body.op(end).n_operands();
        let operands: Vec<Value> = body.op(end).operands().chain(values.iter().copied()).collect();
        body.set_operands(end, &operands);
        ThreadedEnd { end, user: end, first }
    }
}

/// Recreates an operation with additional operands, and results of the types of `values`; replaces the old results. Returns the
/// new operation with the added results.
pub fn with_more_results(body: &mut Body, op: Op, operands: &[Value], values: &[Value]) -> (Op, Vec<Value>) {
    let view = body.op(op);
    let operands: Vec<Value> = view.operands().chain(operands.iter().copied()).collect();
    let types: Vec<Type> = view.result_types().chain(values.iter().map(|&value| body.ty(value))).collect();
    let kept = view.n_results();
    let new = body.recreate(op, &operands, &types);
    let results: Vec<Value> = body.op(new).results().collect();
    body.replace(op, &results[..kept]);
    (new, results[kept..].to_vec())
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
