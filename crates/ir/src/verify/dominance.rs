//! Dominance in all regions of a body.
//!
//! Immediate dominators are computed by the semi-NCA algorithm (Georgiadis, "Linear-Time Algorithms for Dominators
//! and Related Problems", 2005), as in LLVM, on dense numbers and without recursion.

use crate::{Block, Body, Op, Region, Traits, Value};

const NONE: u32 = u32::MAX;

/// The dominator trees of the regions of one body.
///
/// The result refers to the body at the time of the computation: erasing operations keeps it valid, other changes of
/// blocks or of the order of operations do not.
pub struct Dominance {
    /// The immediate dominator of each block.
    idom: Vec<Option<Block>>,
    /// The children of each block in the dominator tree, in depth-first order.
    children: Vec<Vec<Block>>,
    /// The entry and exit times of each block in a traversal of the dominator tree; `NONE` if it is unreachable.
    enter: Vec<u32>,
    leave: Vec<u32>,
    /// The position of each operation in its block.
    order: Vec<u32>,
}

impl Dominance {
    /// Computes dominance in all regions of a body, without nested bodies.
    pub fn of(body: &Body) -> Self {
        let mut dominance = Self::of_blocks(body);
        dominance.order = vec![NONE; body.op_capacity()];
        for region in body.all_regions() {
            for block in body.region(region).blocks() {
                for (position, op) in body.block(block).ops().enumerate() {
                    dominance.order[op.index()] = position as u32;
                }
            }
        }
        dominance
    }

    /// The same without the order of operations.
    pub(super) fn of_blocks(body: &Body) -> Self {
        let size = body.block_capacity();
        let mut dominance = Self {
            idom: vec![None; size],
            children: vec![Vec::new(); size],
            enter: vec![NONE; size],
            leave: vec![NONE; size],
            order: Vec::new(),
        };
        let mut clock = 0;
        let mut numbers = vec![NONE; size];
        for region in body.all_regions() {
            dominance.add_region(body, region, &mut clock, &mut numbers);
        }
        dominance
    }

    fn add_region(&mut self, body: &Body, region: Region, clock: &mut u32, numbers: &mut [u32]) {
        let Some(entry) = body.region(region).entry() else { return };
        if body.region(region).blocks().len() == 1 {
            self.enter[entry.index()] = *clock;
            *clock += 1;
            self.leave[entry.index()] = *clock;
            return;
        }
        let graph = FlowGraph::new(body, region, entry, numbers);
        let idom = graph.immediate_dominators();
        for (at, &block) in graph.blocks.iter().enumerate().skip(1) {
            let above = graph.blocks[idom[at] as usize];
            self.idom[block.index()] = Some(above);
            self.children[above.index()].push(block);
        }
        // Entry and exit times; a block is exited when it is popped the second time.
        let mut pending = vec![(entry, false)];
        while let Some((block, done)) = pending.pop() {
            if done {
                self.leave[block.index()] = *clock;
                continue;
            }
            self.enter[block.index()] = *clock;
            *clock += 1;
            pending.push((block, true));
            pending.extend(self.children[block.index()].iter().rev().map(|&child| (child, false)));
        }
    }

    /// Whether a block is reachable from the entry of its region.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.enter[block.index()] != NONE
    }

    /// The immediate dominator of `block`; `None` for an entry block and an unreachable block.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.idom[block.index()]
    }

    /// The blocks whose immediate dominator is `block`.
    pub fn children(&self, block: Block) -> &[Block] {
        &self.children[block.index()]
    }

    /// Whether `a` dominates `b`, both in the same region. A block dominates itself; an unreachable block is
    /// dominated by every other one.
    pub fn block_dominates(&self, a: Block, b: Block) -> bool {
        if a == b || !self.is_reachable(b) {
            return true;
        }
        let (a, b) = (a.index(), b.index());
        self.enter[a] != NONE && self.enter[a] <= self.enter[b] && self.leave[b] <= self.leave[a]
    }

    /// Whether `value` dominates its use by `op`: it is defined earlier in the block, in a dominating block, or in
    /// one of these ways relative to an ancestor. Results are not visible in the operation's own regions. In graph
    /// regions, all values of the block are visible. Takes time proportional to the nesting depth between the two.
    pub fn dominates(&self, body: &Body, value: Value, op: Op) -> bool {
        let Some(def_block) = body.block_of(value) else { return false };
        let region = body.block(def_block).region();
        let mut user = body.op(op);
        loop {
            let Some(block) = user.block() else { return false };
            if body.block(block).region() == region {
                if block != def_block {
                    return self.block_dominates(def_block, block);
                }
                let Some(def) = body.defining_op(value) else { return true };
                let unordered = region.is_some_and(|region| is_graph(body, region, None));
                return unordered || self.order[def.index()] < self.order[user.id().index()];
            }
            match user.parent() {
                Some(parent) => user = body.op(parent),
                None => return false,
            }
        }
    }
}

/// Whether a region is a graph region: its operation has the trait, or is unknown and has a single block. `owner` has
/// the traits of the operation that owns the body; without it, the body's own regions have SSA dominance.
pub(super) fn is_graph(body: &Body, region: Region, owner: Option<(bool, Traits)>) -> bool {
    let view = body.region(region);
    let parent = view.parent().map(|parent| (body.op(parent).spec().is_some(), body.op(parent).traits()));
    match parent.or(owner) {
        Some((true, traits)) => traits.has(Traits::GRAPH_REGION),
        Some((false, _)) => view.blocks().len() == 1,
        None => false,
    }
}

/// The reachable blocks of a region, numbered in depth-first order.
struct FlowGraph {
    blocks: Vec<Block>,
    /// The depth-first parent of each block.
    parent: Vec<u32>,
    /// The predecessors of block `n`: `preds[start[n]..start[n + 1]]`.
    start: Vec<u32>,
    preds: Vec<u32>,
}

impl FlowGraph {
    fn new(body: &Body, region: Region, entry: Block, numbers: &mut [u32]) -> Self {
        let (mut blocks, mut parent, mut edges) = (Vec::new(), Vec::new(), Vec::new());
        let mut pending = vec![(entry, 0)];
        while let Some((block, from)) = pending.pop() {
            if numbers[block.index()] != NONE {
                continue;
            }
            let number = blocks.len() as u32;
            numbers[block.index()] = number;
            blocks.push(block);
            parent.push(from);
            let last = body.block(block).last();
            for next in last.into_iter().flat_map(|op| body.op(op).successors()) {
                // Invalid successors are reported elsewhere.
                if body.contains_block(next) && body.block(next).region() == Some(region) {
                    edges.push((number, next));
                    pending.push((next, number));
                }
            }
        }
        let mut start = vec![0; blocks.len() + 2];
        for (_, to) in &edges {
            start[numbers[to.index()] as usize + 2] += 1;
        }
        for at in 2..start.len() {
            start[at] += start[at - 1];
        }
        let mut preds = vec![0; edges.len()];
        for (from, to) in edges {
            let slot = &mut start[numbers[to.index()] as usize + 1];
            preds[*slot as usize] = from;
            *slot += 1;
        }
        Self { blocks, parent, start, preds }
    }

    /// The number of the immediate dominator of each block.
    fn immediate_dominators(&self) -> Vec<u32> {
        let count = self.blocks.len();
        let mut ancestor = self.parent.clone();
        let mut label: Vec<u32> = (0..count as u32).collect();
        let mut semi = label.clone();
        let mut path = Vec::new();
        for at in (1..count).rev() {
            let mut best = self.parent[at];
            let preds = self.start[at] as usize..self.start[at + 1] as usize;
            for &pred in &self.preds[preds] {
                let least = evaluate(pred, at as u32 + 1, &mut ancestor, &mut label, &semi, &mut path);
                best = best.min(semi[least as usize]);
            }
            semi[at] = best;
        }
        let mut idom = self.parent.clone();
        for at in 1..count {
            let mut candidate = idom[at];
            while candidate > semi[at] {
                candidate = idom[candidate as usize];
            }
            idom[at] = candidate;
        }
        idom
    }
}

/// The block with the smallest semidominator on the path from `from` through linked blocks; compresses the path.
fn evaluate(
    from: u32,
    linked: u32,
    ancestor: &mut [u32],
    label: &mut [u32],
    semi: &[u32],
    path: &mut Vec<u32>,
) -> u32 {
    let mut at = from as usize;
    while ancestor[at] >= linked {
        path.push(at as u32);
        at = ancestor[at] as usize;
    }
    while let Some(below) = path.pop() {
        let below = below as usize;
        ancestor[below] = ancestor[at];
        if semi[label[at] as usize] < semi[label[below] as usize] {
            label[below] = label[at];
        }
        at = below;
    }
    label[at]
}
