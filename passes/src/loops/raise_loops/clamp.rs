//! Reductions whose tensors are not known to have equal extents.

use super::cut::{Cutting, emit_size};
use super::emit::outer_read;
use super::nest::{Dim, Nest, Output};
use super::slice::{indices, slice};
use crate::analysis::extents::{Key, Size};
use minoan_ir::{Body, Builder, InsertionPoint, Op, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// A read at indices of dimensions.
struct PlainRead {
    op: Op,
    tensor: Value,
    /// The place of the dimension that each index is.
    at: Vec<usize>,
}

impl Cutting<'_, '_> {
    /// Reads slices of equal extents instead of tensors whose extents along a reduced dimension of `nest` are not known to be
    /// that of the dimension; `dims` are those around the nest and its own. Returns whether dimensions changed.
    ///
    /// If no dimension is empty, every iteration reads from all of these tensors, so none of them is shorter than the dimension.
    /// Otherwise the reduction has no iterations, and fewer of them do not change its result. The dimension may hence be
    /// clamped to the extents of the tensors, and the slices are always in bounds, wherever they are taken.
    pub(super) fn clamp(&mut self, body: &mut Body, dims: &[Dim], nest: &Nest) -> Option<()> {
        let reduces = |output: &Output| matches!(output, Output::Combine { .. } | Output::Fold { .. });
        if self.asserts || !nest.outputs.iter().all(reduces) || dims.iter().any(|dim| dim.below.is_some()) {
            return None;
        }
        let reduced = dims.len() - nest.dims.len()..dims.len();
        let slice = slice(body, self.root, &nest.computed(body), &indices(dims), &nest.carried())?;
        let reads: Vec<PlainRead> =
            slice.ops.iter().filter_map(|&op| self.plain_read(body, dims, op)).collect();
        let mut bounds: FxHashMap<usize, FxHashSet<(Value, usize)>> = FxHashMap::default();
        for read in &reads {
            let others = self.other_extents(body, dims, read);
            // An element that depends on all dimensions is read in place.
            let keeps_fewer = read.at.iter().collect::<FxHashSet<_>>().len() < dims.len();
            let may_clamp = |&position: &usize| {
                let is_shorter = matches!(
                    (self.tables.extents.of_dim(body, read.tensor, position), dims[read.at[position]].size),
                    (Key::Known(extent), Size::Known(size)) if extent < size
                );
                reduced.contains(&read.at[position]) && !is_shorter
            };
            if keeps_fewer && others.iter().all(may_clamp) {
                for position in others {
                    bounds.entry(read.at[position]).or_default().insert((read.tensor, position));
                }
            }
        }
        if bounds.is_empty() {
            return None;
        }
        let mut dims = dims.to_vec();
        for (dim, tensors) in bounds {
            dims[dim].size = self.clamped_size(body, dims[dim].size, tensors)?;
            self.clamped.insert(dims[dim].index, dims[dim].size);
        }
        reads.iter().for_each(|read| self.read_slice(body, &dims, &reduced, read));
        Some(())
    }

    fn plain_read(&self, body: &Body, dims: &[Dim], op: Op) -> Option<PlainRead> {
        let (tensor, at) = outer_read(self.tables, body, self.root, op)?;
        let place = |index: &Value| dims.iter().position(|dim| dim.index == *index);
        let at: Vec<usize> = at.iter().map(place).collect::<Option<_>>()?;
        Some(PlainRead { op, tensor, at })
    }

    /// The positions of a read at which the extent of the tensor is not known to be that of the dimension.
    fn other_extents(&self, body: &Body, dims: &[Dim], read: &PlainRead) -> Vec<usize> {
        let is_other = |&position: &usize| {
            !self.tables.covers(body, read.tensor, position, dims[read.at[position]].size)
        };
        (0..read.at.len()).filter(is_other).collect()
    }

    /// The least of a size and the extents of dimensions of tensors, which is not negative.
    fn clamped_size(
        &mut self,
        body: &mut Body,
        size: Size,
        tensors: FxHashSet<(Value, usize)>,
    ) -> Option<Size> {
        let tables = self.tables;
        let size = self.size(body, size)?;
        let mut tensors: Vec<(Value, usize)> = tensors.into_iter().collect();
        tensors.sort_unstable_by_key(|&(tensor, position)| (tensor.index(), position));
        // A known extent that differs from a known size is greater.
        let (known, unknown): (Vec<_>, Vec<_>) = tensors.into_iter().partition(|&(tensor, position)| {
            matches!(tables.extents.of_dim(body, tensor, position), Key::Known(_))
        });
        if unknown.is_empty() && matches!(size, Size::Known(_)) {
            return Some(size);
        }
        let loc = body.op(self.root).loc();
        let mut b = Builder::new(body, InsertionPoint::Before(self.root)).with_loc(loc);
        let mut least = emit_size(tables, &mut b, size);
        for (tensor, position) in known.into_iter().chain(unknown) {
            let extent = tables.tensor_ops.extent(&mut b, tensor, position);
            least = tables.index_ops.min(&mut b, least, extent);
        }
        let zero = tables.index_ops.index(&mut b, 0);
        Some(Size::Value(tables.index_ops.max(&mut b, least, zero)))
    }

    /// Reads from a slice of the extents of `dims`, if these are not those of the tensor along `reduced` dimensions only.
    fn read_slice(
        &mut self,
        body: &mut Body,
        dims: &[Dim],
        reduced: &std::ops::Range<usize>,
        read: &PlainRead,
    ) {
        let others = self.other_extents(body, dims, read);
        if others.is_empty() || !others.iter().all(|&position| reduced.contains(&read.at[position])) {
            return;
        }
        let tables = self.tables;
        let loc = body.op(self.root).loc();
        let sizes: Vec<Option<Size>> = (0..read.at.len())
            .map(|position| others.contains(&position).then(|| dims[read.at[position]].size))
            .collect();
        let key = (read.tensor, sizes.clone());
        let part = match self.parts.get(&key) {
            Some(&part) => part,
            None => {
                let mut b = Builder::new(body, InsertionPoint::Before(self.root)).with_loc(loc);
                let extent = |(position, size): (usize, Option<Size>)| {
                    Some(match size {
                        Some(size) => emit_size(tables, &mut b, size),
                        None => tables.tensor_ops.extent(&mut b, read.tensor, position),
                    })
                };
                let extents: Vec<Option<Value>> = sizes.into_iter().enumerate().map(extent).collect();
                let offsets: Vec<Value> = extents.iter().map(|_| tables.index_ops.index(&mut b, 0)).collect();
                tables.tensor_ops.slice(&mut b, read.tensor, &offsets, &extents)
            }
        };
        self.parts.insert(key, part);
        let access =
            tables.accesses.and_then(|table| table.get(body.op(read.op).kind())?.access(body.op(read.op)));
        if let Some(access) = access {
            body.set_operand(read.op, access.container, part);
        }
    }
}
