//! Erasing operations and blocks with everything in them.

use super::arena::Link;
use super::{Block, Body, EditError, Ext, Op, OpData, PackedDef, Region};
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

/// Operations and everything nested in them.
#[derive(Default)]
struct Tree {
    ops: SmallVec<[Link; 4]>,
    regions: Vec<Link>,
    blocks: Vec<Link>,
}

impl Body {
    /// Erases an operation and everything in it.
    ///
    /// # Errors
    /// A value defined by it or in it is used outside; the body is unchanged.
    #[track_caller]
    pub fn try_erase(&mut self, op: Op) -> Result<(), EditError> {
        self.edits += 1;
        let at = self.op_link(op);
        let tree = self.tree(smallvec![at], Vec::new());
        if let Some((value, user)) = self.outside_use(&tree) {
            let user = self.op(self.op_id(user)).name().to_owned();
            let is_result = self.values[value].def == PackedDef::op(at);
            return Err(EditError::OpIsUsed { op: self.op(op).name().to_owned(), user, is_result });
        }
        self.unlink_op(at);
        self.drop_tree(tree);
        Ok(())
    }

    /// Erases an operation and everything in it.
    ///
    /// # Panics
    /// Panics if a value defined by it is used outside; see [`Body::try_erase`].
    #[track_caller]
    pub fn erase(&mut self, op: Op) {
        if let Err(error) = self.try_erase(op) {
            panic!("{error}");
        }
    }

    /// Erases a block with its operations.
    ///
    /// # Errors
    /// A value defined in the block is used outside, or a branch of another block refers to it; the body is
    /// unchanged.
    #[track_caller]
    pub fn try_erase_block(&mut self, block: Block) -> Result<(), EditError> {
        self.try_erase_blocks(&[block])
    }

    /// Erases blocks with their operations. They may use each other's values and branch to each other.
    ///
    /// # Errors
    /// A value defined in one of the blocks is used outside, or a branch of another block refers to one; the body is
    /// unchanged.
    #[track_caller]
    pub fn try_erase_blocks(&mut self, blocks: &[Block]) -> Result<(), EditError> {
        self.edits += 1;
        let links: Vec<Link> = blocks.iter().map(|&block| self.block_link(block)).collect();
        let ops =
            blocks.iter().flat_map(|&block| self.block(block).ops()).map(|op| self.op_link(op)).collect();
        let tree = self.tree(ops, links.clone());
        if let Some((_, user)) = self.outside_use(&tree) {
            return Err(EditError::BlockIsUsed { user: self.op(self.op_id(user)).name().to_owned() });
        }
        let doomed: FxHashSet<Link> = links.iter().copied().collect();
        if self.is_entered_from_outside(blocks, &doomed) {
            return Err(EditError::BlockIsSuccessor);
        }
        for &block in &links {
            self.unlink_block(block);
        }
        self.drop_tree(tree);
        Ok(())
    }

    /// Whether a block of the same regions that is not one of `blocks` branches to one of them.
    fn is_entered_from_outside(&self, blocks: &[Block], own: &FxHashSet<Link>) -> bool {
        let is_own = |block: Block| own.contains(&self.block_link(block));
        let successors = |block: Block| self.block(block).successors();
        let entries: usize = blocks.iter().map(|&block| self.block(block).n_named()).sum();
        let own_entries = blocks.iter().flat_map(|&block| successors(block)).filter(|&to| is_own(to)).count();
        if entries == own_entries {
            return false;
        }
        let regions: FxHashSet<Region> =
            blocks.iter().filter_map(|&block| self.block(block).region()).collect();
        let all = regions.into_iter().flat_map(|region| self.region(region).blocks());
        all.filter(|&other| !is_own(other)).any(|other| successors(other).into_iter().any(is_own))
    }

    /// Whether a block of the same region branches to `block`.
    pub(super) fn is_named(&self, block: Block) -> bool {
        if self.block(block).n_named() == 0 {
            return false;
        }
        let region = self.block(block).region();
        let mut all = region.into_iter().flat_map(|region| self.region(region).blocks());
        all.any(|other| self.block(other).successors().contains(&block))
    }

    /// Collects `ops` and everything in them; `blocks` are erased with them.
    fn tree(&self, ops: SmallVec<[Link; 4]>, blocks: Vec<Link>) -> Tree {
        let mut tree = Tree { ops, blocks, regions: Vec::new() };
        let mut done = 0;
        while let Some(&op) = tree.ops.get(done) {
            done += 1;
            let Some(ext) = self.exts.get(self.ops[op].ext as usize) else { continue };
            for &region in &ext.regions {
                tree.regions.push(region);
                for block in self.blocks_of(region) {
                    tree.blocks.push(block);
                    let mut at = self.blocks[block].first;
                    while at != Link::NONE {
                        tree.ops.push(at);
                        at = self.ops[at].next;
                    }
                }
            }
        }
        tree
    }

    /// A value defined in the tree, and an operation outside that uses it.
    fn outside_use(&self, tree: &Tree) -> Option<(Link, Link)> {
        let inside: FxHashSet<u32> = match tree.ops[..] {
            // The common case needs no table.
            [_] if tree.blocks.is_empty() => FxHashSet::default(),
            _ => tree.ops.iter().map(|op| op.0).collect(),
        };
        let is_inside = |op: Link| tree.ops.first() == Some(&op) || inside.contains(&op.0);
        let results = tree.ops.iter().flat_map(|&op| {
            let OpData { results, n_results, .. } = self.ops[op];
            (0..u32::from(n_results)).map(move |index| Link(results.0 + index))
        });
        let args = tree.blocks.iter().flat_map(|&block| self.blocks[block].args.iter().map(|arg| arg.value));
        for value in results.chain(args) {
            let mut slot = self.values[value].first_use;
            while slot != Link::NONE {
                let user = self.operands[slot.index()].owner;
                if !is_inside(user) {
                    return Some((value, user));
                }
                slot = self.operands[slot.index()].next;
            }
        }
        None
    }

    /// Frees an unlinked tree: all uses first, then all records, so that cyclic uses do not matter.
    fn drop_tree(&mut self, tree: Tree) {
        for &op in &tree.ops {
            self.detach_operands(op);
        }
        for op in tree.ops {
            self.free_op(op);
        }
        for block in tree.blocks {
            self.free_block(block);
        }
        for region in tree.regions {
            self.regions.remove(region);
        }
    }

    fn free_op(&mut self, op: Link) {
        let OpData { results, n_results, ext, .. } = self.ops[op];
        for index in 0..u32::from(n_results) {
            self.values.remove(Link(results.0 + index));
        }
        if let Some(slot) = self.exts.get_mut(ext as usize) {
            let Ext { successors, .. } = std::mem::take(slot);
            self.free_exts.push(ext);
            self.count_names(&successors, -1);
        }
        self.ops.remove(op);
    }

    fn free_block(&mut self, block: Link) {
        for arg in std::mem::take(&mut self.blocks[block].args) {
            self.values.remove(arg.value);
        }
        self.blocks.remove(block);
    }
}

impl Drop for Body {
    /// Drops nested bodies iteratively, since isolated operations may be nested to any depth.
    fn drop(&mut self) {
        let mut pending: Vec<Box<Body>> = Vec::new();
        pending.extend(self.exts.iter_mut().filter_map(|ext| ext.nested.take()));
        while let Some(mut body) = pending.pop() {
            pending.extend(body.exts.iter_mut().filter_map(|ext| ext.nested.take()));
        }
    }
}
