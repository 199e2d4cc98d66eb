//! Edits of blocks and regions: add, split, inline, move.

use super::arena::Link;
use super::{Block, BlockData, Body, DEF_IS_BLOCK, Op, Point, Region, Value, ValueData};
use crate::{Loc, Type};
use smallvec::SmallVec;

impl Body {
    /// Changes one successor.
    ///
    /// # Panics
    /// If there is no such successor.
    #[track_caller]
    pub fn set_successor(&mut self, op: Op, index: usize, block: Block) {
        let at = self.op_link(op);
        self.block_link(block);
        let ext = self.exts.get_mut(self.ops[at].ext as usize).expect("an operation with successors");
        ext.successors[index] = block;
    }

    /// Changes all successors; their number may change.
    #[track_caller]
    pub fn set_successors(&mut self, op: Op, blocks: &[Block]) {
        let at = self.op_link(op);
        for &block in blocks {
            self.block_link(block);
        }
        self.put_successors(at, blocks.into());
    }

    /// Appends a block with arguments to a region.
    #[track_caller]
    pub fn add_block(&mut self, region: Region, args: &[Type]) -> Block {
        let region = self.region_link(region);
        let at = self.blocks.insert(BlockData {
            stamp: 0,
            region,
            first: Link::NONE,
            last: Link::NONE,
            args: SmallVec::new(),
            arg_locs: SmallVec::new(),
            n_ops: 0,
        });
        self.regions[region].blocks.push(at);
        let block = self.block_id(at);
        for &ty in args {
            self.add_arg(block, ty, Loc::UNKNOWN);
        }
        block
    }

    /// Appends an argument to a block.
    #[track_caller]
    pub fn add_arg(&mut self, block: Block, ty: Type, loc: Loc) -> Value {
        let block = self.block_link(block);
        let def = block.0 | DEF_IS_BLOCK;
        let at = self.values.insert(ValueData { stamp: 0, ty, first_use: Link::NONE, def });
        let data = &mut self.blocks[block];
        data.args.push(at);
        data.arg_locs.push(loc);
        self.value_id(at)
    }

    /// Removes an argument that has no use.
    ///
    /// # Panics
    /// If it has a use, or does not exist.
    #[track_caller]
    pub fn erase_arg(&mut self, block: Block, index: usize) {
        let at = self.block_link(block);
        let arg = self.blocks[at].args[index];
        assert!(self.values[arg].first_use == Link::NONE, "a block argument with uses cannot be erased");
        self.blocks[at].args.remove(index);
        self.blocks[at].arg_locs.remove(index);
        self.values.remove(arg);
    }

    /// Cuts a block in two before an operation: it and what follows it move to a new block, which comes next in the
    /// region and has no arguments. The first block is left without a terminator.
    ///
    /// # Panics
    /// If the operation is detached.
    #[track_caller]
    pub fn split_block(&mut self, before: Op) -> Block {
        let block = self.op(before).block().expect("an operation in a block");
        let (at, first) = (self.block_link(block), self.op_link(before));
        let region = self.region_id(self.blocks[at].region);
        let new = self.add_block(region, &[]);
        let new_at = self.block_link(new);
        let blocks = &mut self.regions[self.blocks[at].region].blocks;
        blocks.pop();
        let index = blocks.iter().position(|&other| other == at).expect("a region lists its blocks");
        blocks.insert(index + 1, new_at);
        let mut op = first;
        while op != Link::NONE {
            let next = self.ops[op].next;
            self.unlink_op(op);
            let place = self.place(Point::End(new));
            self.link_op(op, place);
            op = next;
        }
        new
    }

    /// Moves all operations of a block to another place, in order, and replaces its arguments by values. The empty
    /// block is erased.
    ///
    /// # Panics
    /// If the number of values is not the number of arguments, a value is one of those arguments, the place is in the
    /// block, or a branch names the block. The body is unchanged then.
    #[track_caller]
    pub fn inline_block(&mut self, block: Block, point: Point, args: &[Value]) {
        let old: SmallVec<[Value; 4]> = self.block(block).args().collect();
        assert_eq!(old.len(), args.len(), "one value for each block argument");
        assert!(
            !args.iter().any(|arg| old.contains(arg)),
            "a block argument cannot be replaced by one that goes"
        );
        let at = self.block_link(block);
        let place = self.place(point);
        let own = self.block(block).ops().any(|op| self.is_inside(point, op));
        let inside = own || place.is_some_and(|place| place.block() == at);
        assert!(!inside, "a block cannot be inlined into itself");
        assert!(!self.is_named(block, |_| true), "a block cannot be inlined: a branch names it");
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
            if point != Point::Detached {
                point = Point::After(op);
            }
        }
        if let Err(message) = self.try_erase_block(block) {
            panic!("{message}");
        }
    }

    /// Moves all blocks of a region to the end of another one.
    ///
    /// # Panics
    /// If the other region is inside one of those blocks.
    #[track_caller]
    pub fn move_blocks(&mut self, from: Region, to: Region) {
        if from == to {
            return;
        }
        let mut around = self.region(to).parent();
        while let Some(op) = around {
            let region = self.op(op).block().and_then(|block| self.block(block).region());
            assert!(region != Some(from), "the blocks of a region cannot be moved into themselves");
            around = self.op(op).parent();
        }
        let (from, to) = (self.region_link(from), self.region_link(to));
        let blocks = std::mem::take(&mut self.regions[from].blocks);
        for &block in &blocks {
            self.blocks[block].region = to;
        }
        self.regions[to].blocks.extend(blocks);
    }
}
