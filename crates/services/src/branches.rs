//! Branches between the blocks of a region.

use minoan_ir::{Attr, Block, Body, Op, OpRef, OpState, Value, service};
use std::ops::Range;

/// Where the arguments of a successor's block come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Passed {
    /// The first so many arguments are made by the branch itself.
    pub produced: usize,
    /// The operands that the other arguments get, in order.
    pub operands: Range<usize>,
}

impl Passed {
    /// The number of the operand that an argument of the block gets; `None` for one that the branch makes.
    pub fn operand(&self, arg: usize) -> Option<usize> {
        let at = self.operands.start + arg.checked_sub(self.produced)?;
        self.operands.contains(&at).then_some(at)
    }
}

/// How a terminator passes control to other blocks. Asked by the passes over control flow; without an answer any
/// successor may follow, all operands are used by the operation itself, and it stays as it is.
pub trait Branches: Send + Sync {
    /// What the block of a successor gets.
    fn passed(&self, op: OpRef<'_>, successor: usize) -> Passed;

    /// The successor that follows when some operands are known; `None` when it may be more than one. `operands` has
    /// an entry for each operand.
    fn taken(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<usize>;

    /// Passes other operands to a successor; their number may change.
    fn set_passed(&self, body: &mut Body, op: Op, successor: usize, operands: &[Value]);

    /// The operation that always goes to `block` and passes it these operands: what a branch becomes when it is
    /// known where it goes. `None` where the dialect has none.
    fn straight(&self, op: OpRef<'_>, block: Block, operands: &[Value]) -> Option<OpState>;
}
service!(dyn Branches, "Branches", Optional);

impl dyn Branches {
    /// The operands that a successor's block gets, without what the branch makes itself.
    pub fn operands(&self, op: OpRef<'_>, successor: usize) -> Vec<Value> {
        let range = self.passed(op, successor).operands;
        op.operands().skip(range.start).take(range.len()).collect()
    }
}
