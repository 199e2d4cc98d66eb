//! Assertions in a nest, and the conditions under which points are visited.

use super::Tables;
use super::cut::{Cutting, emit_size};
use super::nest::{Dim, Nest};
use super::slice::{indices, slice};
use crate::analysis::extents::Size;
use minoan_ir::{Attr, Body, Builder, InsertionPoint, Mapping, Op, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether an iteration of `dims` has the indices `at` of some of them, which are within their extents; `None` if always.
pub(super) fn visits(
    tables: &Tables<'_>,
    b: &mut Builder<'_>,
    dims: &[Dim],
    sizes: &[Size],
    at: &FxHashMap<Value, Value>,
) -> Option<Value> {
    let ops = tables.index_ops;
    let mut holds: Option<Value> = None;
    for (dim, &size) in dims.iter().zip(sizes) {
        let own = at.get(&dim.index).copied();
        if own.is_some() && dim.below.is_none() {
            continue;
        }
        // Each index between this one and the known bound has a different value, so the distance grows by one.
        let (mut room, mut bound, mut limit) = (0, dim.below, None);
        while let Some(index) = bound {
            limit = at.get(&index).copied();
            if limit.is_some() {
                break;
            }
            room += 1;
            bound = dims.iter().find(|dim| dim.index == index).and_then(|dim| dim.below);
        }
        let limit = match limit {
            Some(limit) => limit,
            None => emit_size(tables, b, size),
        };
        let mut least = ops.index(b, room);
        if let Some(own) = own {
            least = ops.add(b, own, least);
        }
        let below = ops.less(b, least, limit);
        holds = Some(match holds {
            Some(others) => {
                let no = ops.constant(b, Attr::FALSE);
                ops.select(b, others, below, no)
            }
            None => below,
        });
    }
    holds
}

impl Cutting<'_, '_> {
    /// Checks the assertions in a nest before the root; `dims` are those of the nest and around it.
    pub(super) fn assertions(&mut self, body: &mut Body, dims: &[Dim], nest: &Nest) {
        for &block in &nest.blocks {
            for op in body.block(block).ops().collect::<Vec<Op>>() {
                if self.tables.assertions.is_some_and(|table| table.get(body.op(op).kind()).is_some()) {
                    self.hoist_assertion(body, dims, op);
                }
            }
        }
        for (_, inner) in self.nests_in(body, dims, nest) {
            let all = [dims, &inner.dims].concat();
            self.assertions(body, &all, &inner);
        }
    }

    /// Checks an assertion once for each point of the dimensions that it depends on, unless these are all dimensions.
    fn hoist_assertion(&mut self, body: &mut Body, dims: &[Dim], op: Op) -> Option<()> {
        let tables = self.tables;
        let view = body.op(op);
        let condition = view.operand(tables.assertions?.get(view.kind())?.condition(view));
        // The values of the message are computed from the same indices as a rule.
        let operands: Vec<Value> = view.operands().collect();
        let slice = slice(body, self.root, &operands, &indices(dims), &FxHashSet::default())?;
        let harmless = |&op: &Op| body.op(op).n_regions() == 0 && tables.speculation.is_harmless(body.op(op));
        if slice.indices.len() == dims.len() || !slice.ops.iter().all(harmless) {
            return None;
        }
        let sizes = self.sizes(body, dims)?;
        let own: Vec<usize> =
            (0..dims.len()).filter(|&dim| slice.indices.contains(&dims[dim].index)).collect();
        let loc = body.op(op).loc();
        let mut b = Builder::new(body, InsertionPoint::Before(self.root)).with_loc(loc);
        let mut point = FxHashMap::default();
        let root = self.root;
        loops(tables, &mut b, dims, &sizes, &own, &mut point, &mut |b, point| {
            let mut mapping = Mapping::new();
            point.iter().for_each(|(&index, &value)| mapping.map(index, value));
            let at = match own.is_empty() {
                true => InsertionPoint::Before(root),
                false => b.insertion_point(),
            };
            for &op in &slice.ops {
                b.body_mut().clone_op(op, at, &mut mapping);
            }
            let mut checked = mapping.value(condition);
            if let Some(visited) = visits(tables, b, dims, &sizes, point) {
                let holds = tables.index_ops.constant(b, Attr::TRUE);
                checked = tables.index_ops.select(b, visited, checked, holds);
            }
            mapping.map(condition, checked);
            b.body_mut().clone_op(op, at, &mut mapping);
        });
        body.erase(op);
        Some(())
    }
}

/// Creates loops over some dimensions; `point` has their indices.
fn loops(
    tables: &Tables<'_>,
    b: &mut Builder<'_>,
    dims: &[Dim],
    sizes: &[Size],
    own: &[usize],
    point: &mut FxHashMap<Value, Value>,
    leaf: &mut dyn FnMut(&mut Builder<'_>, &FxHashMap<Value, Value>),
) {
    let Some((&dim, rest)) = own.split_first() else { return leaf(b, point) };
    let (zero, one) = (tables.index_ops.index(b, 0), tables.index_ops.index(b, 1));
    let size = emit_size(tables, b, sizes[dim]);
    tables.loop_ops.repeat(b, [zero, size, one], &[], &mut |b, index, _| {
        point.insert(dims[dim].index, index);
        loops(tables, b, dims, sizes, rest, point, leaf);
        Vec::new()
    });
}
