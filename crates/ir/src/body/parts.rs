//! Construction from parts: a parser creates regions and blocks before their operation.

use super::arena::Link;
use super::{Block, BlockData, Body, Ext, InsertionPoint, Op, Region, RegionData, Value};
use crate::{Attr, Loc, OpKind, Type};
use smallvec::SmallVec;

/// The parts of an operation, including its regions: detached ones of the body, or `nested`, the body of an isolated
/// operation.
pub(crate) struct OpParts<'a> {
    pub(crate) kind: OpKind,
    pub(crate) loc: Loc,
    pub(crate) operands: &'a [Value],
    pub(crate) results: &'a [Type],
    pub(crate) props: Attr,
    pub(crate) attrs: Attr,
    pub(crate) successors: &'a [Block],
    pub(crate) regions: &'a [Region],
    pub(crate) nested: Option<Box<Body>>,
}

/// Bodies with at least this many operations are large.
const LARGE: usize = 1 << 16;

impl Body {
    /// Creates a region without a parent, for parsing regions before their operation.
    pub(crate) fn new_detached_region(&mut self) -> Region {
        let region = RegionData::of(Link::NONE);
        let at = self.regions.insert(region);
        self.region_id(at)
    }

    /// Adds one of the body's own regions.
    pub(crate) fn push_root(&mut self) -> Region {
        let region = RegionData::of(Link::NONE);
        let at = self.regions.push(region);
        self.roots.push(at);
        self.region_id(at)
    }

    /// Creates an operation with existing regions.
    pub(crate) fn create_from_parts(&mut self, parts: OpParts<'_>, point: InsertionPoint) -> Op {
        self.edits += 1;
        let OpParts { regions, successors, nested, .. } = &parts;
        if regions.is_empty() && successors.is_empty() && nested.is_none() {
            let at = self.new_op(&parts, point);
            return self.op_id(at);
        }
        let regions: SmallVec<_> = regions.iter().map(|&region| self.region_link(region)).collect();
        let at = self.new_op(&parts, point);
        for &region in &regions {
            self.regions[region].parent = at;
        }
        let successors = SmallVec::from_slice(parts.successors);
        self.put_ext(at, Ext { regions, successors, nested: parts.nested });
        self.op_id(at)
    }

    /// Takes the body of an isolated operation, which must not be used afterwards.
    pub(crate) fn take_nested(&mut self, op: Op) -> Option<Box<Body>> {
        self.edits += 1;
        let ext = self.ops[self.op_link(op)].ext;
        self.exts.get_mut(ext as usize)?.nested.take()
    }

    /// Moves the contents to a body without spare capacity, and leaves this one empty, with another tag and its
    /// memory. A large body is moved as it is, to avoid a second copy.
    pub(crate) fn take_exact(&mut self) -> Body {
        if self.op_capacity() > LARGE {
            let mut whole = std::mem::replace(self, Body::new(&self.ctx, 0));
            whole.shrink();
            return whole;
        }
        let tag = self.ctx.new_body_tag();
        Body {
            ctx: self.ctx.clone(),
            tag: std::mem::replace(&mut self.tag, tag),
            ops: self.ops.take_exact(tag),
            values: self.values.take_exact(tag),
            blocks: self.blocks.take_exact(tag),
            regions: self.regions.take_exact(tag),
            operands: self.operands.drain(..).collect(),
            free_operands: std::mem::take(&mut self.free_operands),
            exts: self.exts.drain(..).collect(),
            free_exts: std::mem::take(&mut self.free_exts),
            roots: std::mem::take(&mut self.roots),
            edits: std::mem::take(&mut self.edits),
        }
    }

    /// Releases spare capacity.
    fn shrink(&mut self) {
        self.ops.slots.shrink_to_fit();
        self.values.slots.shrink_to_fit();
        self.blocks.slots.shrink_to_fit();
        self.regions.slots.shrink_to_fit();
        self.operands.shrink_to_fit();
        self.exts.shrink_to_fit();
    }

    /// Creates a detached block, for parsing its name before its contents.
    pub(crate) fn new_detached_block(&mut self) -> Block {
        let at = self.blocks.insert(BlockData {
            generation: 0,
            region: Link::NONE,
            prev: Link::NONE,
            next: Link::NONE,
            first: Link::NONE,
            last: Link::NONE,
            args: SmallVec::new(),
            n_ops: 0,
            n_named: 0,
        });
        self.block_id(at)
    }

    /// Appends a detached block to a region.
    pub(crate) fn attach_block(&mut self, region: Region, block: Block) {
        let (region, block) = (self.region_link(region), self.block_link(block));
        self.link_block(block, region, Link::NONE);
    }
}
