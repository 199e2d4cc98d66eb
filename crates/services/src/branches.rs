//! Branches between the blocks of a region.

use minoan_ir::{Attr, Block, Body, Op, OpRef, OpState, Value, service};
use std::ops::Range;

/// The operands that a branch forwards to the arguments of a successor block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ForwardedOperands {
    /// The number of leading block arguments that the branch produces itself.
    pub produced: usize,
    /// The operands forwarded to the remaining arguments, in order.
    pub operands: Range<usize>,
}

impl ForwardedOperands {
    /// The index of the operand forwarded to block argument `arg`; `None` if the branch produces it.
    pub fn operand(&self, arg: usize) -> Option<usize> {
        let at = self.operands.start + arg.checked_sub(self.produced)?;
        self.operands.contains(&at).then_some(at)
    }
}

/// Terminators that branch to other blocks. Queried by the passes over control flow. Default: any successor may be taken,
/// every operand is used by the operation itself, and the operation is left unchanged.
pub trait Branches: Send + Sync {
    /// The operands forwarded to the block of a successor.
    fn forwarded_operands(&self, op: OpRef<'_>, successor: usize) -> ForwardedOperands;

    /// The successor taken if some operands are constant; `None` if more than one is possible. `operands` holds the
    /// constant value of each operand, where known.
    fn successor_for_operands(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<usize>;

    /// Replaces the operands forwarded to a successor; their number may change.
    fn set_forwarded_operands(&self, body: &mut Body, op: Op, successor: usize, operands: &[Value]);

    /// An unconditional branch to `block` that forwards `operands`: replaces a branch whose successor is known. `None` if
    /// the dialect has no such operation.
    fn unconditional_branch(&self, op: OpRef<'_>, block: Block, operands: &[Value]) -> Option<OpState>;
}
service!(dyn Branches, "Branches", Optional);

impl dyn Branches {
    /// The operands forwarded to the block of a successor, without the arguments that the branch produces.
    pub fn operands(&self, op: OpRef<'_>, successor: usize) -> Vec<Value> {
        let range = self.forwarded_operands(op, successor).operands;
        op.operands().skip(range.start).take(range.len()).collect()
    }
}
