//! Views of blocks.

use crate::Loc;
use crate::body::arena::Link;
use crate::body::{Block, BlockData, Body, Op, OpRef, Region, Value};
use std::iter::successors;

/// A view of a block.
#[derive(Clone, Copy)]
pub struct BlockRef<'a> {
    body: &'a Body,
    at: Link,
}

impl<'a> BlockRef<'a> {
    pub(in crate::body) fn new(body: &'a Body, at: Link) -> Self {
        Self { body, at }
    }

    #[inline]
    fn data(self) -> &'a BlockData {
        &self.body.blocks[self.at]
    }

    /// The id.
    #[inline]
    pub fn id(self) -> Block {
        self.body.block_id(self.at)
    }

    /// The number of arguments.
    #[inline]
    pub fn n_args(self) -> usize {
        self.data().args.len()
    }

    /// An argument.
    ///
    /// # Panics
    /// Panics if the index is out of range.
    #[track_caller]
    pub fn arg(self, index: usize) -> Value {
        self.body.value_id(self.data().args[index].value)
    }

    /// The arguments.
    #[inline]
    pub fn args(self) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator + 'a {
        self.data().args.iter().map(move |arg| self.body.value_id(arg.value))
    }

    /// The locations of the arguments.
    pub fn arg_locs(self) -> impl ExactSizeIterator<Item = Loc> + 'a {
        self.data().args.iter().map(|arg| arg.loc)
    }

    /// The number of successors that refer to the block, which is the number of incoming edges of a linked block.
    pub fn n_named(self) -> usize {
        self.data().n_named as usize
    }

    /// The operations in order. For mutation during a traversal, use [`BlockRef::first`] and [`OpRef::next`], and
    /// take the next one before the mutation.
    #[inline]
    pub fn ops(self) -> impl Iterator<Item = Op> + 'a {
        successors(self.data().first.some(), move |&op| self.body.ops[op].next.some())
            .map(move |op| self.body.op_id(op))
    }

    /// The operations in order, as views.
    #[inline]
    pub(crate) fn op_refs(self) -> impl Iterator<Item = OpRef<'a>> {
        let first = self.data().first.some().map(|op| OpRef::new(self.body, op));
        successors(first, |op| op.following())
    }

    /// The first operation.
    #[inline]
    pub fn first(self) -> Option<Op> {
        self.data().first.some().map(|op| self.body.op_id(op))
    }

    /// The last operation, which is the terminator of a complete block.
    #[inline]
    pub fn last(self) -> Option<Op> {
        self.data().last.some().map(|op| self.body.op_id(op))
    }

    /// The number of operations.
    #[inline]
    pub fn len(self) -> usize {
        self.data().n_ops as usize
    }

    /// Whether the block has no operations.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.data().n_ops == 0
    }

    /// The region that contains it; `None` if it is detached.
    #[inline]
    pub fn region(self) -> Option<Region> {
        self.data().region.some().map(|region| self.body.region_id(region))
    }

    /// The parent operation; `None` at the top of its body.
    #[inline]
    pub fn parent(self) -> Option<Op> {
        let region = self.data().region.some()?;
        self.body.regions[region].parent.some().map(|op| self.body.op_id(op))
    }

    /// Whether one of its operations has the successor `target`.
    pub(crate) fn names(self, target: Block) -> bool {
        let ops = successors(self.data().first.some(), move |&op| self.body.ops[op].next.some());
        let mut exts = ops.filter_map(|op| self.body.exts.get(self.body.ops[op].ext as usize));
        exts.any(|ext| ext.successors.contains(&target))
    }

    /// The successors of its last operation.
    #[inline]
    pub fn successors(self) -> Vec<Block> {
        self.last().map_or_else(Vec::new, |op| self.body.op(op).successors().collect())
    }
}
