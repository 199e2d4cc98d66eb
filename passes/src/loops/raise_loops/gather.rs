//! Tensors made from others for the parts of a nest: gathered elements and transposes.

use super::cut::{Cutting, emit_extent};
use super::emit::{Plan, domain_read, is_scalar, outer_read};
use super::guard::visits;
use super::nest::Dim;
use super::slice::{indices, slice};
use crate::analysis::extents::Size;
use minoan_ir::affine::AffineMap;
use minoan_ir::{Body, Builder, DYNAMIC, InsertionPoint, Mapping, Op, Type, Value};
use minoan_services::{Domain, Extent, IteratorType, Read, zero_attr};
use rustc_hash::{FxHashMap, FxHashSet};

impl Cutting<'_, '_> {
    /// Gathers the elements that `values` need and that no domain has as a read: those at computed indices, or of tensors of
    /// other extents. They are copied once to a tensor over the dimensions that they depend on, unless these are all of `dims`.
    pub(super) fn gather(
        &mut self,
        body: &mut Body,
        dims: &[Dim],
        values: &[Value],
        given: &FxHashSet<Value>,
    ) {
        // Reads must not move above the assertions that guard them.
        if self.asserts {
            return;
        }
        let Some(slice) = slice(body, self.root, values, &indices(dims), given) else { return };
        let place: FxHashMap<Value, u32> = dims.iter().zip(0..).map(|(dim, at)| (dim.index, at)).collect();
        for op in slice.ops {
            if domain_read(self.tables, body, self.root, dims, &place, op).is_none() {
                self.gather_read(body, dims, op);
            }
        }
    }

    fn gather_read(&mut self, body: &mut Body, dims: &[Dim], op: Op) -> Option<()> {
        let tables = self.tables;
        let (_, at) = outer_read(tables, body, self.root, op)?;
        let element = body.ty(body.op(op).result(0));
        let zero = zero_attr(body.context(), element)?;
        let slice = slice(body, self.root, &at, &indices(dims), &FxHashSet::default())?;
        if slice.indices.len() == dims.len() || !slice.ops.iter().all(|&op| is_scalar(body, op)) {
            return None;
        }
        let sizes = self.sizes(body, dims)?;
        let own = (0..dims.len()).filter(|&dim| slice.indices.contains(&dims[dim].index));
        let is_last = |&dim: &usize| self.lane == Some(dims[dim].index);
        let (last, mut own): (Vec<usize>, Vec<usize>) = own.partition(is_last);
        own.extend(last);
        let loc = body.op(op).loc();
        let mut b = Builder::new(body, InsertionPoint::Before(self.root)).with_loc(loc);
        // Elements of points that the program does not visit may be out of bounds.
        let read = |b: &mut Builder<'_>, point: &FxHashMap<Value, Value>| {
            let visited = visits(tables, b, dims, &sizes, point);
            let copy = |b: &mut Builder<'_>| {
                let mut mapping = Mapping::new();
                point.iter().for_each(|(&index, &value)| mapping.map(index, value));
                for &op in slice.ops.iter().chain([&op]) {
                    let at = b.insertion_point();
                    b.body_mut().clone_op(op, at, &mut mapping);
                }
                mapping.value(b.body().op(op).result(0))
            };
            match visited {
                Some(visited) => {
                    let mut otherwise = |b: &mut Builder<'_>| vec![tables.index_ops.constant(b, zero)];
                    tables.loop_ops.choose(b, visited, &[element], &mut |b| vec![copy(b)], &mut otherwise)[0]
                }
                None => copy(b),
            }
        };
        let value = if own.is_empty() {
            read(&mut b, &FxHashMap::default())
        } else {
            let chosen: Vec<Size> = own.iter().map(|&dim| sizes[dim]).collect();
            let count = own.len() as u32;
            let domain = Domain {
                iterator_types: vec![IteratorType::Parallel; own.len()],
                extents: chosen.iter().map(extent).collect(),
                reads: Vec::new(),
                writes: vec![AffineMap::identity(count)],
            };
            let out = self.room(&mut b, &chosen, element);
            let made = tables.domain_ops.make(&mut b, &domain, &[], &[out], &mut |b, _, index| {
                let mut point = FxHashMap::default();
                for (&dim, number) in own.iter().zip(0..) {
                    let value = index(b, number);
                    point.insert(dims[dim].index, value);
                }
                vec![read(b, &point)]
            })?;
            let tensor = b.body().op(made).result(0);
            b.set_insertion_point(InsertionPoint::Before(op));
            let at: Vec<Value> = own.iter().map(|&dim| dims[dim].index).collect();
            tables.tensor_ops.extract(&mut b, tensor, &at)
        };
        body.replace(op, &[value]);
        Some(())
    }

    /// Makes the dimension of the lanes the last one of the tensors that a plan reads repeatedly.
    pub(super) fn transpose(&mut self, body: &mut Body, plan: &mut Plan, dims: &[Dim], sizes: &[Size]) {
        let Some(lane) = self.lane else { return };
        let loc = body.op(self.root).loc();
        for read in plan.reads.iter_mut().filter(|read| read.at.len() < dims.len()) {
            let is_last = |dim: &u32| dims[*dim as usize].index == lane;
            let mut order = read.at.clone();
            order.sort_by_key(is_last);
            let places: Vec<u32> = read
                .at
                .iter()
                .filter_map(|dim| order.iter().position(|other| other == dim))
                .map(|place| place as u32)
                .collect();
            let is_permuted = places.iter().collect::<FxHashSet<_>>().len() == places.len();
            if order == read.at || !is_permuted {
                continue;
            }
            let key = (read.tensor, places.clone());
            let tensor = match self.transposed.get(&key) {
                Some(&tensor) => tensor,
                None => {
                    let mut b = Builder::new(body, InsertionPoint::Before(self.root)).with_loc(loc);
                    let chosen: Vec<Size> = order.iter().map(|&dim| sizes[dim as usize]).collect();
                    let count = order.len() as u32;
                    let domain = Domain {
                        iterator_types: vec![IteratorType::Parallel; order.len()],
                        extents: chosen.iter().map(extent).collect(),
                        reads: vec![Read::new(0, AffineMap::projection(count, &places))],
                        writes: vec![AffineMap::identity(count)],
                    };
                    let ty = b.ty(read.tensor).element_or_self(&b.context());
                    let out = self.room(&mut b, &chosen, ty);
                    let made = self.tables.domain_ops.make(
                        &mut b,
                        &domain,
                        &[read.tensor],
                        &[out],
                        &mut |_, elements, _| vec![elements[0]],
                    );
                    let Some(made) = made else { continue };
                    b.body().op(made).result(0)
                }
            };
            self.transposed.insert(key, tensor);
            (read.tensor, read.at) = (tensor, order);
        }
    }

    /// A tensor of unspecified elements.
    fn room(&self, b: &mut Builder<'_>, sizes: &[Size], element: Type) -> Value {
        let known = |size: &Size| if let Size::Known(size) = size { *size } else { DYNAMIC };
        let shape: Vec<i64> = sizes.iter().map(known).collect();
        let dynamic = sizes.iter().filter(|size| known(size) == DYNAMIC);
        let dynamic: Vec<Value> = dynamic.map(|&size| emit_extent(self.tables, b, size)).collect();
        let ty = Type::tensor(&b.context(), &shape, element);
        self.tables.tensor_ops.empty(b, ty, &dynamic)
    }
}

fn extent(size: &Size) -> Extent {
    match *size {
        Size::Known(size) => Extent::Known(size),
        Size::Value(value) => Extent::Value(value),
    }
}
