//! Where different definitions of one variable meet: the iterated dominance frontier.

use minoan_ir::verify::Dominance;
use minoan_ir::{Block, Body, Region};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BinaryHeap;

/// The flow graph of a region of several blocks.
pub(crate) struct FlowGraph<'a> {
    body: &'a Body,
    dominance: &'a Dominance,
    /// By block number: the blocks that lead to it.
    preds: FxHashMap<Block, Vec<Block>>,
    /// How deep a block is in the dominator tree.
    level: FxHashMap<Block, u32>,
}

/// What happens to a variable in a block.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct InBlock {
    /// It is read before the block writes it.
    pub(crate) read: bool,
    /// It is written.
    pub(crate) written: bool,
}

impl<'a> FlowGraph<'a> {
    pub(crate) fn new(body: &'a Body, dominance: &'a Dominance, region: Region) -> Self {
        let mut preds: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        let mut level = FxHashMap::default();
        for block in body.region(region).blocks() {
            for next in body.block(block).successors() {
                preds.entry(next).or_default().push(block);
            }
        }
        let mut pending: Vec<(Block, u32)> =
            body.region(region).entry().into_iter().map(|entry| (entry, 0)).collect();
        while let Some((block, depth)) = pending.pop() {
            level.insert(block, depth);
            pending.extend(dominance.children(block).iter().map(|&child| (child, depth + 1)));
        }
        Self { body, dominance, preds, level }
    }

    /// The blocks that lead to a block.
    pub(crate) fn preds(&self, block: Block) -> &[Block] {
        self.preds.get(&block).map_or(&[], Vec::as_slice)
    }

    /// The blocks that a variable needs an argument of: where its definitions meet, and it is read later. The time is
    /// linear in the part of the graph where it will be read; Sreedhar and Gao, "A Linear Time Algorithm for Placing
    /// phi-nodes", 1995.
    pub(crate) fn merge_points(&self, variable: &FxHashMap<Block, InBlock>) -> Vec<Block> {
        let live = self.live_in(variable);
        if live.is_empty() {
            return Vec::new();
        }
        let mut heap: BinaryHeap<(u32, Block)> = BinaryHeap::new();
        let defs = variable.iter().filter(|(_, inside)| inside.written);
        heap.extend(defs.filter_map(|(&block, _)| Some((*self.level.get(&block)?, block))));
        let (mut merges, mut visited) = (FxHashSet::default(), FxHashSet::default());
        while let Some((root_level, root)) = heap.pop() {
            let mut pending = vec![root];
            while let Some(block) = pending.pop() {
                if !visited.insert(block) {
                    continue;
                }
                for next in self.body.block(block).successors() {
                    let level = self.level.get(&next).copied().unwrap_or(0);
                    if level <= root_level && live.contains(&next) && merges.insert(next) {
                        heap.push((level, next));
                    }
                }
                // Below a block where the variable is not read later nothing of it arrives at a merge point.
                let children = self.dominance.children(block).iter();
                pending.extend(children.filter(|child| live.contains(child)));
            }
        }
        let mut merges: Vec<Block> = merges.into_iter().collect();
        merges.sort_unstable();
        merges
    }

    /// The blocks at whose beginning the variable has a value that is read later.
    fn live_in(&self, variable: &FxHashMap<Block, InBlock>) -> FxHashSet<Block> {
        let read = variable.iter().filter(|(_, inside)| inside.read).map(|(&block, _)| block);
        let mut pending: Vec<Block> = read.filter(|block| self.level.contains_key(block)).collect();
        let mut live: FxHashSet<Block> = FxHashSet::default();
        while let Some(block) = pending.pop() {
            if !live.insert(block) {
                continue;
            }
            let open = |pred: &Block| !variable.get(pred).is_some_and(|inside| inside.written);
            pending.extend(self.preds(block).iter().copied().filter(open));
        }
        live
    }
}
