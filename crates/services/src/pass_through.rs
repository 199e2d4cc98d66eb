//! Operations that can be made to pass more values through their regions.

use minoan_ir::{Body, Op, OpRef, Value, service};

/// An operation through which more values pass than before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threaded {
    /// The operation that stands in the place of the old one; the blocks of its regions are the old ones.
    pub op: Op,
    /// By region: what the values are where it begins.
    pub args: Vec<Vec<Value>>,
    /// The terminators of regions, and the number of the first operand of each that says what the values have become.
    /// These operands are those that the region began with, until they are changed.
    pub ends: Vec<(Op, usize)>,
    /// What the values are behind the operation.
    pub results: Vec<Value>,
}

/// Which operations can pass more values through their regions. Asked by whoever turns memory into values; without an
/// answer an operation passes what it passes.
pub trait PassThrough: Send + Sync {
    /// Whether [`PassThrough::thread`] can be done.
    fn can_thread(&self, op: OpRef<'_>) -> bool;

    /// Replaces an operation by one that passes more values through: `values` come in, each region begins with them,
    /// and what they are at the end of one is what the next one gets, and in the end the operation's further results.
    fn thread(&self, body: &mut Body, op: Op, values: &[Value]) -> Threaded;
}
service!(dyn PassThrough, "PassThrough", Optional);
