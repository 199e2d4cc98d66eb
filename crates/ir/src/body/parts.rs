//! Parts that exist before what they belong to: a parser meets regions and blocks before their operation.

use super::arena::Link;
use super::{Block, BlockData, Body, Ext, Op, OpState, Point, Region, RegionData};
use smallvec::SmallVec;

impl Body {
    /// A region without a parent, for a parser that reads regions before their operation.
    pub(crate) fn new_detached_region(&mut self) -> Region {
        let region = RegionData { stamp: 0, parent: Link::NONE, blocks: SmallVec::new() };
        let at = self.regions.insert(region);
        self.region_id(at)
    }

    /// One more region of the body's own.
    pub(crate) fn push_root(&mut self) -> Region {
        let region = RegionData { stamp: 0, parent: Link::NONE, blocks: SmallVec::new() };
        let at = self.regions.push(region);
        self.roots.push(at);
        self.region_id(at)
    }

    /// Creates an operation whose regions exist already: detached ones of this body, or `nested`, the storage of
    /// an isolated operation. `state.regions` is not read.
    pub(crate) fn create_with_regions(
        &mut self,
        state: &OpState,
        point: Point,
        regions: &[Region],
        nested: Option<Box<Body>>,
    ) -> Op {
        let op = self.create(state, point);
        let at = self.op_link(op);
        let regions: SmallVec<[Link; 2]> = regions.iter().map(|&region| self.region_link(region)).collect();
        for &region in &regions {
            self.regions[region].parent = at;
        }
        if let Some(nested) = nested {
            let ext = self.ext_of(at);
            ext.nested = Some(nested);
        } else if !regions.is_empty() {
            self.ext_of(at).regions = regions;
        }
        op
    }

    fn ext_of(&mut self, at: Link) -> &mut Ext {
        if self.ops[at].ext == u32::MAX {
            self.put_ext(at, Ext::default());
        }
        &mut self.exts[self.ops[at].ext as usize]
    }

    /// A block in no region, for a parser that meets its name before its text.
    pub(crate) fn new_detached_block(&mut self) -> Block {
        let at = self.blocks.insert(BlockData {
            stamp: 0,
            region: Link::NONE,
            first: Link::NONE,
            last: Link::NONE,
            args: SmallVec::new(),
            arg_locs: SmallVec::new(),
            n_ops: 0,
        });
        self.block_id(at)
    }

    /// Appends a detached block to a region.
    pub(crate) fn attach_block(&mut self, region: Region, block: Block) {
        let (region, block) = (self.region_link(region), self.block_link(block));
        self.blocks[block].region = region;
        self.regions[region].blocks.push(block);
    }
}
