//! Placement of block arguments: the iterated dominance frontier.

use minoan_ir::verify::Dominance;
use minoan_ir::{Block, Body, Region};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BinaryHeap;

/// The flow graph of a region with several blocks.
pub(super) struct FlowGraph<'a> {
    body: &'a Body,
    dominance: &'a Dominance,
    /// The predecessors of each block.
    preds: FxHashMap<Block, Vec<Block>>,
    /// The depth of each block in the dominator tree.
    level: FxHashMap<Block, u32>,
}

/// The accesses to a variable in a block.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct InBlock {
    /// The variable is used before it is defined in the block.
    pub(super) read: bool,
    /// The variable is defined.
    pub(super) written: bool,
}

impl<'a> FlowGraph<'a> {
    pub(super) fn new(body: &'a Body, dominance: &'a Dominance, region: Region) -> Self {
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

    /// The predecessors of a block.
    pub(super) fn preds(&self, block: Block) -> &[Block] {
        self.preds.get(&block).map_or(&[], Vec::as_slice)
    }

    /// The blocks that need an argument for a variable: where its definitions meet, and it is live-in. The time is
    /// linear in the part of the graph where it is live; Sreedhar and Gao, "A Linear Time Algorithm for Placing
    /// phi-nodes", 1995.
    pub(super) fn merge_points(&self, variable: &FxHashMap<Block, InBlock>) -> Vec<Block> {
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
                // No definition reaches a merge point through a block where the variable is dead.
                let children = self.dominance.children(block).iter();
                pending.extend(children.filter(|child| live.contains(child)));
            }
        }
        let mut merges: Vec<Block> = merges.into_iter().collect();
        merges.sort_unstable();
        merges
    }

    /// The blocks where the variable is live-in.
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
