//! Cloning of operations and regions, within a body or from another body of the same context.

use super::arena::Link;
use super::{Block, Body, InsertionPoint, Op, OpState, Region, Value};
use crate::{Loc, Traits, Type};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A mapping from values and blocks to their clones.
#[derive(Clone, Default, Debug)]
pub struct Mapping {
    values: FxHashMap<Value, Value>,
    blocks: FxHashMap<Block, Block>,
}

impl Mapping {
    /// Creates an empty mapping.
    pub fn new() -> Self {
        Self::default()
    }

    /// Maps `from` to `to`.
    pub fn map(&mut self, from: Value, to: Value) {
        self.values.insert(from, to);
    }

    /// Maps block `from` to `to`.
    pub fn map_block(&mut self, from: Block, to: Block) {
        self.blocks.insert(from, to);
    }

    /// The value that `value` is mapped to.
    pub fn get(&self, value: Value) -> Option<Value> {
        self.values.get(&value).copied()
    }

    /// The value that `value` is mapped to, or `value` itself.
    pub fn value(&self, value: Value) -> Value {
        self.get(value).unwrap_or(value)
    }

    /// The block that `block` is mapped to, or `block` itself.
    pub fn block(&self, block: Block) -> Block {
        self.blocks.get(&block).copied().unwrap_or(block)
    }
}

impl Body {
    /// Clones an operation of this body with everything in it.
    ///
    /// # Panics
    /// Panics if the insertion point is inside the operation.
    #[track_caller]
    pub fn clone_op(&mut self, op: Op, point: InsertionPoint, mapping: &mut Mapping) -> Op {
        assert!(!self.is_inside(point, op), "'{}' cannot be cloned into its own region", self.op(op).name());
        // A source of `None` is this body itself.
        self.clone_tree(None, op, point, mapping)
    }

    /// Clones an operation of another body of the same context with everything in it. All values that it captures
    /// must be mapped.
    #[track_caller]
    pub fn clone_op_from(
        &mut self,
        source: &Body,
        op: Op,
        point: InsertionPoint,
        mapping: &mut Mapping,
    ) -> Op {
        self.clone_tree(Some(source), op, point, mapping)
    }

    /// Clones the blocks of a region of another body of the same context to the end of a region of this body.
    #[track_caller]
    pub fn clone_region_from(&mut self, source: &Body, from: Region, to: Region, mapping: &mut Mapping) {
        self.edits += 1;
        let mut copying =
            Copying { source: Some(source), regions: vec![(from, to)], ops: Vec::new(), mapping };
        copying.finish(self);
        copying.nested(self);
    }

    /// Recreates an operation before itself with other operands and results. The blocks of the old operation's
    /// regions move to the new one; the old operation remains, without blocks, until its results are replaced.
    ///
    /// # Panics
    /// Panics if the operation is isolated from above or detached.
    #[track_caller]
    pub fn recreate(&mut self, op: Op, operands: &[Value], results: &[Type]) -> Op {
        let view = self.op(op);
        assert!(!view.has_trait(Traits::ISOLATED), "'{}' owns its body", view.name());
        let state = OpState {
            kind: view.kind(),
            loc: view.loc(),
            operands: operands.into(),
            results: results.into(),
            props: view.props(),
            attrs: view.attrs(),
            successors: view.successors().collect(),
            regions: view.n_regions(),
        };
        let regions: SmallVec<[Region; 2]> = view.own_regions().collect();
        let new = self.create(&state, InsertionPoint::Before(op));
        for (index, from) in regions.into_iter().enumerate() {
            let to = self.op(new).region(index);
            self.splice_blocks(from, to, Link::NONE);
        }
        new
    }

    fn clone_tree(
        &mut self,
        source: Option<&Body>,
        op: Op,
        point: InsertionPoint,
        mapping: &mut Mapping,
    ) -> Op {
        self.edits += 1;
        let mut copying = Copying { source, regions: Vec::new(), ops: Vec::new(), mapping };
        let new = copying.bare(self, op, point);
        copying.finish(self);
        copying.nested(self);
        new
    }

    /// Clones the whole body, including nested bodies.
    pub fn duplicate(&self) -> Body {
        let mut copy = Body::new(&self.ctx, self.roots.len());
        let mut pending: Vec<(&Body, &mut Body)> = vec![(self, &mut copy)];
        while let Some((from, to)) = pending.pop() {
            let regions = from.regions().zip(to.regions()).collect();
            let mapping = &mut Mapping::new();
            let mut copying = Copying { source: Some(from), regions, ops: Vec::new(), mapping };
            copying.finish(to);
            let nested = |&(old, new): &(Op, Op)| Some((to.ops[to.op_link(new)].ext, from.nested(old)?));
            let sources: FxHashMap<u32, &Body> = copying.ops.iter().filter_map(nested).collect();
            for (at, ext) in to.exts.iter_mut().enumerate() {
                if let (Some(&source), Some(copy)) = (sources.get(&(at as u32)), ext.nested.as_deref_mut()) {
                    pending.push((source, copy));
                }
            }
        }
        drop(pending);
        copy
    }
}

/// The state of cloning. Operations are first created without operands and successors, since these may be defined in
/// a part that is cloned later, or by the operation itself.
struct Copying<'a> {
    /// `None` for the destination body itself.
    source: Option<&'a Body>,
    /// The regions whose blocks remain to be cloned, with their destinations.
    regions: Vec<(Region, Region)>,
    /// The operations and their clones.
    ops: Vec<(Op, Op)>,
    mapping: &'a mut Mapping,
}

impl Copying<'_> {
    /// Clones an operation without operands, successors and regions' contents.
    fn bare(&mut self, to: &mut Body, op: Op, point: InsertionPoint) -> Op {
        let old = self.source.unwrap_or(to).op(op);
        let state = OpState {
            kind: old.kind(),
            loc: old.loc(),
            operands: SmallVec::new(),
            results: old.result_types().collect(),
            props: old.props(),
            attrs: old.attrs(),
            successors: SmallVec::new(),
            regions: old.n_regions(),
        };
        let results: SmallVec<[Value; 4]> = old.results().collect();
        let regions: SmallVec<[Region; 2]> = old.own_regions().collect();
        let new = to.create(&state, point);
        for (from, to) in results.into_iter().zip(to.op(new).results()) {
            self.mapping.map(from, to);
        }
        self.regions.extend(regions.into_iter().zip(to.op(new).own_regions()));
        self.ops.push((op, new));
        new
    }

    /// Clones the contents of regions, outer ones first, then sets operands and successors.
    fn finish(&mut self, to: &mut Body) {
        while let Some((from, into)) = self.regions.pop() {
            let blocks: Vec<Block> = self.source.unwrap_or(to).region(from).blocks().collect();
            for &block in &blocks {
                let view = self.source.unwrap_or(to).block(block);
                let args: Vec<(Value, Loc)> = view.args().zip(view.arg_locs()).collect();
                let new = to.add_block(into, &[]);
                self.mapping.map_block(block, new);
                for (arg, loc) in args {
                    let ty = self.source.unwrap_or(to).ty(arg);
                    let copy = to.add_arg(new, ty, loc);
                    self.mapping.map(arg, copy);
                }
            }
            for block in blocks {
                let ops: Vec<Op> = self.source.unwrap_or(to).block(block).ops().collect();
                for op in ops {
                    self.bare(to, op, InsertionPoint::End(self.mapping.block(block)));
                }
            }
        }
        for &(old, new) in &self.ops {
            let old = self.source.unwrap_or(to).op(old);
            let operands: SmallVec<[Value; 8]> =
                old.operands().map(|value| self.mapping.value(value)).collect();
            let successors = old.successors().map(|block| self.mapping.block(block)).collect();
            to.set_operands(new, &operands);
            // A successor may be stale in invalid code; it is copied unchanged.
            to.put_successors(to.op_link(new), successors);
        }
    }

    /// Clones the nested bodies.
    fn nested(&self, to: &mut Body) {
        for &(old, new) in &self.ops {
            let copy = self.source.unwrap_or(to).nested(old).map(Body::duplicate);
            if let (Some(copy), Some(slot)) = (copy, to.nested_mut(new)) {
                *slot = copy;
            }
        }
    }
}
