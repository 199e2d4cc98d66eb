//! Mutation of blocks and regions: create, split, inline, move.

use super::arena::Link;
use super::{
    Arg, Block, BlockData, Body, InsertionPoint, Op, PackedDef, Region, RegionData, Value, ValueData,
};
use crate::{Def, Loc, Type};
use smallvec::SmallVec;

impl Body {
    /// Sets a successor.
    ///
    /// # Panics
    /// Panics if the successor does not exist.
    #[track_caller]
    pub fn set_successor(&mut self, op: Op, index: usize, block: Block) {
        self.edits += 1;
        let at = self.op_link(op);
        self.block_link(block);
        let ext = self.exts.get_mut(self.ops[at].ext as usize).expect("an operation with successors");
        let old = std::mem::replace(&mut ext.successors[index], block);
        self.count_names(&[block], 1);
        self.count_names(&[old], -1);
    }

    /// Adds to the number of successors that name each block. Blocks that were erased while an operation in another
    /// region named them are passed over.
    pub(super) fn count_names(&mut self, blocks: &[Block], by: i32) {
        for &block in blocks {
            if let Some(at) = self.blocks.check(block.index, block.stamp) {
                let data = &mut self.blocks[at];
                data.n_named = data.n_named.wrapping_add_signed(by);
            }
        }
    }

    /// Changes all successors; their number may change.
    #[track_caller]
    pub fn set_successors(&mut self, op: Op, blocks: &[Block]) {
        self.edits += 1;
        let at = self.op_link(op);
        for &block in blocks {
            self.block_link(block);
        }
        self.put_successors(at, blocks.into());
    }

    /// Appends a block with arguments to a region.
    #[track_caller]
    pub fn add_block(&mut self, region: Region, args: &[Type]) -> Block {
        self.edits += 1;
        let region = self.region_link(region);
        let block = self.new_detached_block();
        self.link_block(self.block_link(block), region, Link::NONE);
        for &ty in args {
            self.add_arg(block, ty, Loc::UNKNOWN);
        }
        block
    }

    /// Inserts a block with arguments before another one, in its region.
    ///
    /// # Panics
    /// Panics if the other block is detached.
    #[track_caller]
    pub fn add_block_before(&mut self, next: Block, args: &[Type]) -> Block {
        self.edits += 1;
        let next = self.block_link(next);
        let region = self.blocks[next].region;
        assert!(region != Link::NONE, "a block in no region has no neighbors");
        let block = self.new_detached_block();
        self.link_block(self.block_link(block), region, next);
        for &ty in args {
            self.add_arg(block, ty, Loc::UNKNOWN);
        }
        block
    }

    /// Links a detached block before `next`, or at the end.
    pub(super) fn link_block(&mut self, at: Link, region: Link, next: Link) {
        let list = &mut self.regions[region];
        let prev = match next.some() {
            Some(next) => std::mem::replace(&mut self.blocks[next].prev, at),
            None => std::mem::replace(&mut list.last, at),
        };
        match prev.some() {
            Some(prev) => self.blocks[prev].next = at,
            None => list.first = at,
        }
        list.n_blocks += 1;
        let data = &mut self.blocks[at];
        (data.region, data.prev, data.next) = (region, prev, next);
    }

    /// Unlinks a block from its region.
    pub(super) fn unlink_block(&mut self, at: Link) {
        let BlockData { region, prev, next, .. } = self.blocks[at];
        let Some(region) = region.some() else { return };
        let list = &mut self.regions[region];
        match prev.some() {
            Some(prev) => self.blocks[prev].next = next,
            None => list.first = next,
        }
        match next.some() {
            Some(next) => self.blocks[next].prev = prev,
            None => list.last = prev,
        }
        list.n_blocks -= 1;
        let data = &mut self.blocks[at];
        (data.region, data.prev, data.next) = (Link::NONE, Link::NONE, Link::NONE);
    }

    /// The blocks of a region in order.
    pub(super) fn blocks_of(&self, region: Link) -> Blocks<'_> {
        let RegionData { first, last, n_blocks, .. } = self.regions[region];
        Blocks { body: self, first, last, left: n_blocks }
    }

    /// Appends an argument to a block.
    #[track_caller]
    pub fn add_arg(&mut self, block: Block, ty: Type, loc: Loc) -> Value {
        self.edits += 1;
        let block = self.block_link(block);
        let def = PackedDef::block(block);
        let at = self.values.insert(ValueData { generation: 0, ty, first_use: Link::NONE, def });
        self.blocks[block].args.push(Arg { value: at, loc });
        self.value_id(at)
    }

    /// Sets the location of an argument.
    ///
    /// # Panics
    /// Panics if the argument does not exist.
    #[track_caller]
    pub fn set_arg_loc(&mut self, block: Block, index: usize, loc: Loc) {
        self.edits += 1;
        let at = self.block_link(block);
        self.blocks[at].args[index].loc = loc;
    }

    /// Erases an unused argument.
    ///
    /// # Panics
    /// Panics if the argument has uses or does not exist.
    #[track_caller]
    pub fn erase_arg(&mut self, block: Block, index: usize) {
        self.edits += 1;
        let at = self.block_link(block);
        let arg = self.blocks[at].args[index].value;
        assert!(self.values[arg].first_use == Link::NONE, "a block argument with uses cannot be erased");
        self.blocks[at].args.remove(index);
        self.values.remove(arg);
    }

    /// Splits a block before an operation: the operation and those after it move to a new block, which follows in the
    /// region and has no arguments. The first block is left without a terminator.
    ///
    /// # Panics
    /// Panics if the operation is detached.
    #[track_caller]
    pub fn split_block(&mut self, before: Op) -> Block {
        self.edits += 1;
        let block = self.op(before).block().expect("an operation in a block");
        let (at, first) = (self.block_link(block), self.op_link(before));
        let BlockData { region, next, .. } = self.blocks[at];
        let new = self.new_detached_block();
        self.link_block(self.block_link(new), region, next);
        let mut op = first;
        while op != Link::NONE {
            let next = self.ops[op].next;
            self.unlink_op(op);
            let place = self.place(InsertionPoint::End(new));
            self.link_op(op, place);
            op = next;
        }
        new
    }

    /// Inlines the operations of a block at another position, in order, and replaces its arguments by values. Erases
    /// the block.
    ///
    /// # Panics
    /// Panics, with the body unchanged, if the number of values is not the number of arguments, a value is one of
    /// those arguments, the position is in the block, or a branch refers to the block.
    #[track_caller]
    pub fn inline_block(&mut self, block: Block, point: InsertionPoint, args: &[Value]) {
        self.edits += 1;
        let old: SmallVec<[Value; 4]> = self.block(block).args().collect();
        assert_eq!(old.len(), args.len(), "one value for each block argument");
        assert!(
            !args.iter().any(|&arg| matches!(self.def(arg), Def::Arg(of, _) if of == block)),
            "a block argument cannot be replaced by an argument of the erased block"
        );
        self.place(point);
        let mut around = match point {
            InsertionPoint::End(block) | InsertionPoint::Start(block) => Some(block),
            InsertionPoint::Before(op) | InsertionPoint::After(op) => self.op(op).block(),
            InsertionPoint::Detached => None,
        };
        while let Some(outer) = around.filter(|&outer| outer != block) {
            around = self.block(outer).parent().and_then(|op| self.op(op).block());
        }
        let inside = around.is_some();
        assert!(!inside, "a block cannot be inlined into itself");
        assert!(!self.is_named(block), "a block cannot be inlined: a branch names it");
        for (&arg, &value) in old.iter().zip(args) {
            self.replace_all_uses(arg, value);
        }
        let ops: Vec<Op> = self.block(block).ops().collect();
        let mut point = point;
        for op in ops {
            let at = self.op_link(op);
            self.unlink_op(at);
            let place = self.place(point);
            self.link_op(at, place);
            if point != InsertionPoint::Detached {
                point = InsertionPoint::After(op);
            }
        }
        if let Err(error) = self.try_erase_block(block) {
            panic!("{error}");
        }
    }

    /// Moves all blocks of a region to the end of another one.
    ///
    /// # Panics
    /// Panics if the other region is nested in one of the blocks.
    #[track_caller]
    pub fn move_blocks(&mut self, from: Region, to: Region) {
        self.edits += 1;
        if from == to {
            return;
        }
        self.assert_outside(from, to);
        self.splice_blocks(from, to, Link::NONE);
    }

    /// Moves all blocks of a region before a block of another one.
    ///
    /// # Panics
    /// Panics if that block is detached, in the same region, or nested in one of the blocks.
    #[track_caller]
    pub fn move_blocks_before(&mut self, from: Region, next: Block) {
        self.edits += 1;
        let to = self.block(next).region().expect("a block in a region");
        assert!(from != to, "the blocks of a region cannot be moved in front of one of them");
        self.assert_outside(from, to);
        self.splice_blocks(from, to, self.block_link(next));
    }

    #[track_caller]
    fn assert_outside(&self, from: Region, to: Region) {
        let mut around = self.region(to).parent();
        while let Some(op) = around {
            let region = self.op(op).block().and_then(|block| self.block(block).region());
            assert!(region != Some(from), "the blocks of a region cannot be moved into themselves");
            around = self.op(op).parent();
        }
    }

    pub(super) fn splice_blocks(&mut self, from: Region, to: Region, next: Link) {
        let (from, to) = (self.region_link(from), self.region_link(to));
        let moved: Vec<Link> = self.blocks_of(from).collect();
        for block in moved {
            self.unlink_block(block);
            self.link_block(block, to, next);
        }
    }
}

/// A double-ended iterator over the blocks of a region.
#[derive(Clone)]
pub(super) struct Blocks<'a> {
    body: &'a Body,
    first: Link,
    last: Link,
    left: u32,
}

impl Iterator for Blocks<'_> {
    type Item = Link;

    #[inline]
    fn next(&mut self) -> Option<Link> {
        self.left = self.left.checked_sub(1)?;
        let at = self.first;
        self.first = self.body.blocks[at].next;
        Some(at)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl DoubleEndedIterator for Blocks<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Link> {
        self.left = self.left.checked_sub(1)?;
        let at = self.last;
        self.last = self.body.blocks[at].prev;
        Some(at)
    }
}

impl ExactSizeIterator for Blocks<'_> {}
