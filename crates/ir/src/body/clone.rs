//! Copies of operations and regions, within a body or from another one of the same context.

use super::{Block, Body, Op, OpState, Point, Region, Value};
use rustc_hash::FxHashMap;

/// What became of values and blocks when operations were cloned.
#[derive(Clone, Default, Debug)]
pub struct Mapping {
    values: FxHashMap<Value, Value>,
    blocks: FxHashMap<Block, Block>,
}

impl Mapping {
    /// Nothing is mapped.
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on `from` is to be read as `to`.
    pub fn map(&mut self, from: Value, to: Value) {
        self.values.insert(from, to);
    }

    /// From now on block `from` is to be read as `to`.
    pub fn map_block(&mut self, from: Block, to: Block) {
        self.blocks.insert(from, to);
    }

    /// What `value` became, where it is mapped.
    pub fn get(&self, value: Value) -> Option<Value> {
        self.values.get(&value).copied()
    }

    /// What `value` became, or itself.
    pub fn value(&self, value: Value) -> Value {
        self.get(value).unwrap_or(value)
    }

    /// What `block` became, or itself.
    pub fn block(&self, block: Block) -> Block {
        self.blocks.get(&block).copied().unwrap_or(block)
    }
}

impl Body {
    /// Copies an operation of this body with everything inside it.
    ///
    /// # Panics
    /// If the point is inside the operation.
    #[track_caller]
    pub fn clone_op(&mut self, op: Op, point: Point, mapping: &mut Mapping) -> Op {
        assert!(!self.is_inside(point, op), "'{}' cannot be cloned into its own region", self.op(op).name());
        // A source of `None` is this body itself.
        self.clone_tree(None, op, point, mapping)
    }

    /// Copies an operation of another body of the same context with everything inside it. Every value that it uses
    /// from around itself must be mapped.
    #[track_caller]
    pub fn clone_op_from(&mut self, source: &Body, op: Op, point: Point, mapping: &mut Mapping) -> Op {
        self.clone_tree(Some(source), op, point, mapping)
    }

    /// Copies the blocks of a region of another body of the same context to the end of a region of this one.
    #[track_caller]
    pub fn clone_region_from(&mut self, source: &Body, from: Region, to: Region, mapping: &mut Mapping) {
        self.clone_regions(Some(source), vec![(from, to)], mapping);
    }

    fn clone_tree(&mut self, source: Option<&Body>, op: Op, point: Point, mapping: &mut Mapping) -> Op {
        let mut regions = Vec::new();
        let new = self.clone_shallow(source, op, point, mapping, &mut regions, true);
        self.clone_regions(source, regions, mapping);
        new
    }

    /// Copies one operation without what is inside; pairs of old and new regions are left in `regions`.
    fn clone_shallow(
        &mut self,
        source: Option<&Body>,
        op: Op,
        point: Point,
        mapping: &mut Mapping,
        regions: &mut Vec<(Region, Region)>,
        with_operands: bool,
    ) -> Op {
        let old = source.unwrap_or(self).op(op);
        let state = OpState {
            kind: old.kind(),
            loc: old.loc(),
            operands: old.operands().filter(|_| with_operands).map(|value| mapping.value(value)).collect(),
            results: old.result_types().collect(),
            props: old.props(),
            attrs: old.attrs(),
            successors: old.successors().map(|block| mapping.block(block)).collect(),
            regions: old.n_regions(),
        };
        let old_results: Vec<Value> = old.results().collect();
        let old_regions: Vec<Region> = old.regions().collect();
        let nested = old.nested().map(Body::duplicate);
        let new = self.create(&state, point);
        for (from, to) in old_results.into_iter().zip(self.op(new).results()) {
            mapping.map(from, to);
        }
        regions.extend(old_regions.into_iter().zip(self.op(new).regions()));
        if let (Some(copy), Some(slot)) = (nested, self.nested_mut(new)) {
            *slot = copy;
        }
        new
    }

    /// Copies regions, outer ones first; operands that are defined later are mapped in a second step.
    fn clone_regions(
        &mut self,
        source: Option<&Body>,
        mut pending: Vec<(Region, Region)>,
        mapping: &mut Mapping,
    ) {
        let mut copies = Vec::new();
        while let Some((from, to)) = pending.pop() {
            let blocks: Vec<Block> = source.unwrap_or(self).region(from).blocks().collect();
            for &block in &blocks {
                let view = source.unwrap_or(self).block(block);
                let args: Vec<Value> = view.args().collect();
                let new = self.add_block(to, &[]);
                mapping.map_block(block, new);
                for arg in args {
                    let old = source.unwrap_or(self);
                    let (ty, loc) = (old.ty(arg), old.value_loc(arg));
                    let copy = self.add_arg(new, ty, loc);
                    mapping.map(arg, copy);
                }
            }
            for block in blocks {
                let ops: Vec<Op> = source.unwrap_or(self).block(block).ops().collect();
                for op in ops {
                    copies.push((op, mapping.block(block)));
                    // Operands may come from a part that is copied later, so the copy starts without them.
                    self.clone_shallow(
                        source,
                        op,
                        Point::End(mapping.block(block)),
                        mapping,
                        &mut pending,
                        false,
                    );
                }
            }
        }
        // Every value has its copy now.
        let mut cursors: FxHashMap<Block, Option<Op>> = FxHashMap::default();
        for (old, block) in copies {
            let at = cursors.entry(block).or_insert_with(|| self.block(block).first());
            let new = at.expect("one copy for each operation");
            *at = self.op(new).next();
            let operands: Vec<Value> =
                source.unwrap_or(self).op(old).operands().map(|value| mapping.value(value)).collect();
            self.set_operands(new, &operands);
        }
    }

    /// A copy of the whole body.
    pub fn duplicate(&self) -> Body {
        let mut copy = Body::new(&self.ctx, self.roots.len());
        let pairs = self.regions().zip(copy.regions()).collect();
        copy.clone_regions(Some(self), pairs, &mut Mapping::new());
        copy
    }
}
