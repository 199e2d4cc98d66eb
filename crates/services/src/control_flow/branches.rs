//! Branches between the blocks of a region.

use minoan_ir::{Attr, Block, Body, Op, OpRef, OpState, Value, service};
use rustc_hash::FxHashMap;
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

    /// [`Branches::forwarded_operands`] for each successor, in order. Implemented in addition if an operation may have many
    /// successors, each of which takes time in proportion to all.
    fn all_forwarded_operands(&self, op: OpRef<'_>) -> Vec<ForwardedOperands> {
        (0..op.n_successors()).map(|successor| self.forwarded_operands(op, successor)).collect()
    }

    /// The successor taken if some operands are constant; `None` if more than one is possible. `operands` holds the
    /// constant value of each operand, where known.
    fn successor_for_operands(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<usize>;

    /// Replaces the operands forwarded to a successor; their number may change.
    fn set_forwarded_operands(&self, body: &mut Body, op: Op, successor: usize, operands: &[Value]);

    /// [`Branches::set_forwarded_operands`] for each successor, in order. Implemented in addition if an operation may have many
    /// successors.
    fn set_all_forwarded_operands(&self, body: &mut Body, op: Op, operands: &[Vec<Value>]) {
        for (successor, operands) in operands.iter().enumerate() {
            self.set_forwarded_operands(body, op, successor, operands);
        }
    }

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

/// Removals of forwarded operands. Each branch is edited once, since an edit takes time in proportion to all of its operands.
#[derive(Clone, Default, Debug)]
pub struct ForwardedRemovals {
    /// For each branch: successors, with whether each argument of the block keeps its operand.
    kept: FxHashMap<Op, Vec<(usize, Vec<bool>)>>,
    order: Vec<Op>,
}

impl ForwardedRemovals {
    /// Removes the operands that a branch forwards to a successor for the arguments that are `false` in `keep`. Arguments that
    /// the branch produces itself must be `true`.
    pub fn keep(&mut self, branch: Op, successor: usize, keep: Vec<bool>) {
        let removals = self.kept.entry(branch).or_default();
        if removals.is_empty() {
            self.order.push(branch);
        }
        removals.push((successor, keep));
    }

    /// Edits the branches. Those that do not implement [`Branches`] remain unchanged.
    pub fn apply(self, body: &mut Body) {
        let ctx = body.context().clone();
        for op in self.order {
            let view = body.op(op);
            let Some(service) = ctx.service::<dyn Branches>(view.kind()) else { continue };
            let values: Vec<Value> = view.operands().collect();
            let forwarded = service.all_forwarded_operands(view);
            let mut operands: Vec<Vec<Value>> =
                forwarded.iter().map(|forwarded| values[forwarded.operands.clone()].to_vec()).collect();
            for (successor, keep) in self.kept.get(&op).into_iter().flatten() {
                let mut keep = keep[forwarded[*successor].produced..].iter();
                operands[*successor].retain(|_| keep.next().copied().unwrap_or(true));
            }
            service.set_all_forwarded_operands(body, op, &operands);
        }
    }
}
