//! Views of regions.

use crate::body::arena::Link;
use crate::body::{Block, Body, Op, Region, RegionData};
use rustc_hash::FxHashSet;

/// A view of a region.
#[derive(Clone, Copy)]
pub struct RegionRef<'a> {
    body: &'a Body,
    at: Link,
}

impl<'a> RegionRef<'a> {
    pub(in crate::body) fn new(body: &'a Body, at: Link) -> Self {
        Self { body, at }
    }

    #[inline]
    fn data(self) -> &'a RegionData {
        &self.body.regions[self.at]
    }

    /// The id.
    #[inline]
    pub fn id(self) -> Region {
        self.body.region_id(self.at)
    }

    /// The blocks in order.
    #[inline]
    pub fn blocks(self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + 'a {
        self.body.blocks_of(self.at).map(move |block| self.body.block_id(block))
    }

    /// The blocks in an order in which each follows those that dominate it; unreachable blocks come last.
    pub fn reverse_post_order(self) -> Vec<Block> {
        let all: Vec<Block> = self.blocks().collect();
        if all.len() < 2 {
            return all;
        }
        let mut seen = FxHashSet::default();
        let mut order = Vec::with_capacity(all.len());
        for root in all {
            let mut part = Vec::new();
            let mut pending = vec![(root, false)];
            while let Some((block, is_done)) = pending.pop() {
                if is_done {
                    part.push(block);
                } else if seen.insert(block) {
                    pending.push((block, true));
                    pending.extend(self.body.block(block).successors().into_iter().map(|next| (next, false)));
                }
            }
            order.extend(part.into_iter().rev());
        }
        order
    }

    /// The entry block.
    #[inline]
    pub fn entry(self) -> Option<Block> {
        self.data().first.some().map(|block| self.body.block_id(block))
    }

    /// Whether the region has no blocks.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.data().n_blocks == 0
    }

    /// The enclosing operation; `None` for one of the body's own regions.
    #[inline]
    pub fn parent(self) -> Option<Op> {
        self.data().parent.some().map(|op| self.body.op_id(op))
    }
}
