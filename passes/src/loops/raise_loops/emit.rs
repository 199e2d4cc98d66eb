//! Creation of operations over domains.

use super::Tables;
use super::cut::emit_extent;
use super::nest::{Dim, Nest, Output};
use super::slice::Slice;
use crate::analysis::captures::free_values;
use crate::analysis::extents::Size;
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{Attr, Body, Builder, DYNAMIC, InsertionPoint, Mapping, Op, Type, Value};
use minoan_services::{Domain, Extent, IteratorType, LoopLike, Read};
use rustc_hash::{FxHashMap, FxHashSet};

/// A read at indices of the domain.
pub(super) struct DomainRead {
    pub tensor: Value,
    /// The dimension that each index is.
    pub at: Vec<u32>,
    /// The operations that read the element.
    readers: Vec<Op>,
}

/// The initial elements of an output.
#[derive(Clone, Copy)]
pub(super) enum Init {
    /// Undefined: every element is overwritten.
    None,
    /// The same value for all elements.
    Splat(Value),
    Tensor(Value),
}

/// The operation that computes a nest over a domain.
pub(super) struct Plan {
    /// The index of each dimension, inside of the nest.
    indices: Vec<Value>,
    kinds: Vec<IteratorType>,
    pub reads: Vec<DomainRead>,
    /// The indices of dimensions of the nest that are bounded by others: a point contributes if the first of each pair is less.
    masks: Vec<(Value, Value)>,
    writes: Vec<AffineMap>,
    /// The operations of the scalar computation, in order.
    ops: Vec<Op>,
    outputs: Vec<Output>,
    /// The types of the tensors that are written.
    types: Vec<Type>,
}

impl Plan {
    /// Plans the computation of `nest` over `dims`, the first `kept` of which belong to enclosing nests; `None` if it
    /// cannot be expressed over a domain.
    pub(super) fn new(
        tables: &Tables<'_>,
        body: &Body,
        root: Op,
        dims: &[Dim],
        kept: usize,
        nest: &Nest,
        slice: Slice,
    ) -> Option<Plan> {
        let ctx = body.context();
        let place: FxHashMap<Value, u32> = dims.iter().zip(0..).map(|(dim, at)| (dim.index, at)).collect();
        let parallel = matches!(nest.outputs[0], Output::Element(_) | Output::Insert { .. });
        let kinds: Vec<IteratorType> = (0..dims.len())
            .map(|at| if parallel || at < kept { IteratorType::Parallel } else { IteratorType::Reduction })
            .collect();
        let (mut writes, mut types) = (Vec::new(), Vec::new());
        let count = dims.len() as u32;
        let shape = |dims: &[Dim]| -> Vec<i64> {
            dims.iter().map(|dim| if let Size::Known(size) = dim.size { size } else { DYNAMIC }).collect()
        };
        for (index, output) in nest.outputs.iter().enumerate() {
            let ty = body.ty(body.op(nest.op).result(index));
            match output {
                Output::Element(value) => {
                    writes.push(AffineMap::identity(count));
                    types.push(match kept {
                        0 => ty,
                        _ => Type::tensor(ctx, &shape(dims), body.ty(*value)),
                    });
                }
                Output::Combine { .. } | Output::Fold { .. } if !parallel => {
                    writes.push(AffineMap::projection(count, &(0..kept as u32).collect::<Vec<_>>()));
                    types.push(Type::tensor(ctx, &shape(&dims[..kept]), ty));
                }
                Output::Insert { indices, init, .. } if kept == 0 => {
                    let map: Option<Vec<u32>> =
                        indices.iter().map(|index| place.get(index).copied()).collect();
                    let map = AffineMap::projection(count, &map?);
                    // Each element of the initial tensor is replaced exactly once.
                    let keep = map.as_projection().filter(|keep| keep.len() == dims.len())?;
                    let covers =
                        |(at, &dim): (usize, &u32)| tables.covers(body, *init, at, dims[dim as usize].size);
                    let fits = keep.iter().enumerate().all(covers);
                    if !fits {
                        return None;
                    }
                    writes.push(map);
                    types.push(ty);
                }
                _ => return None,
            }
        }
        let mut plan = Plan {
            indices: dims.iter().map(|dim| dim.index).collect(),
            kinds,
            reads: Vec::new(),
            masks: nest.dims.iter().filter_map(|dim| Some((dim.index, dim.below?))).collect(),
            writes,
            ops: Vec::new(),
            outputs: nest.outputs.clone(),
            types,
        };
        for op in slice.ops {
            if let Some((tensor, at)) = domain_read(tables, body, root, dims, &place, op) {
                match plan.reads.iter_mut().find(|read| read.tensor == tensor && read.at == at) {
                    Some(read) => read.readers.push(op),
                    None => plan.reads.push(DomainRead { tensor, at, readers: vec![op] }),
                }
            } else if is_scalar(body, op) {
                plan.ops.push(op);
            } else {
                return None;
            }
        }
        let covered: FxHashSet<u32> = plan.reads.iter().flat_map(|read| read.at.iter().copied()).collect();
        let written = |dim: u32| plan.writes.iter().any(|map| map.results.contains(&AffineExpr::Dim(dim)));
        (0..count).all(|dim| covered.contains(&dim) || written(dim)).then_some(plan)
    }

    /// The operations that are computed at each point.
    pub(super) fn computed(&self) -> impl Iterator<Item = &Op> {
        self.ops.iter()
    }

    /// The tensor that the nest only copies.
    pub(super) fn copied(&self, body: &Body) -> Option<Value> {
        let ([Output::Element(value)], [DomainRead { tensor, at, readers }]) =
            (&self.outputs[..], &self.reads[..])
        else {
            return None;
        };
        let identity = at.iter().copied().eq(0..self.indices.len() as u32);
        let yields = readers.iter().any(|&op| body.op(op).result(0) == *value);
        (identity && yields && body.ty(*tensor) == self.types[0]).then_some(*tensor)
    }

    /// Creates the operation before the root; `sizes` are the extents of the dimensions, `inits` the initial values of
    /// combinations and insertions. Returns the tensors.
    pub(super) fn emit(
        &self,
        tables: &Tables<'_>,
        body: &mut Body,
        root: Op,
        sizes: &[Size],
        inits: &[Init],
    ) -> Option<Vec<Value>> {
        let loc = body.op(root).loc();
        let mut b = Builder::new(body, InsertionPoint::Before(root)).with_loc(loc);
        let mut outs = Vec::new();
        for ((&init, &ty), write) in inits.iter().zip(&self.types).zip(&self.writes) {
            if let Init::Tensor(init) = init {
                outs.push(init);
                continue;
            }
            let shape = ty.shape(&b.context()).map(<[i64]>::to_vec).unwrap_or_default();
            let keep = write.as_projection()?;
            let mut dynamic = Vec::new();
            for (dim, _) in keep.iter().zip(&shape).filter(|(_, extent)| **extent == DYNAMIC) {
                dynamic.push(emit_extent(tables, &mut b, sizes[*dim as usize]));
            }
            outs.push(match init {
                Init::Splat(init) => tables.tensor_ops.splat(&mut b, init, ty, &dynamic),
                _ => tables.tensor_ops.empty(&mut b, ty, &dynamic),
            });
        }
        let extent = |size: &Size| match *size {
            Size::Known(size) => Extent::Known(size),
            Size::Value(value) => Extent::Value(value),
        };
        let count = self.indices.len() as u32;
        let domain = Domain {
            iterator_types: self.kinds.clone(),
            extents: sizes.iter().map(extent).collect(),
            reads: self
                .reads
                .iter()
                .enumerate()
                .map(|(at, read)| Read::new(at, AffineMap::projection(count, &read.at)))
                .collect(),
            writes: self.writes.clone(),
        };
        let ins: Vec<Value> = self.reads.iter().map(|read| read.tensor).collect();
        let op = tables.domain_ops.make(&mut b, &domain, &ins, &outs, &mut |b, elements, index| {
            self.compute(tables, b, elements, index)
        })?;
        Some(b.body().op(op).results().collect())
    }

    /// Copies the scalar computation of one point.
    fn compute(
        &self,
        tables: &Tables<'_>,
        b: &mut Builder<'_>,
        elements: &[Value],
        index: &mut dyn FnMut(&mut Builder<'_>, u32) -> Value,
    ) -> Vec<Value> {
        let mut mapping = Mapping::new();
        let used = self.used(b.body());
        for (at, &value) in self.indices.iter().enumerate() {
            if used.contains(&value) {
                let index = index(b, at as u32);
                mapping.map(value, index);
            }
        }
        for (read, &element) in self.reads.iter().zip(elements) {
            for &reader in &read.readers {
                let result = b.body().op(reader).result(0);
                mapping.map(result, element);
            }
        }
        let current = &elements[self.reads.len()..];
        for (output, &current) in self.outputs.iter().zip(current) {
            if let Output::Combine { carried, .. } | Output::Fold { carried, .. } = output {
                mapping.map(*carried, current);
            }
        }
        for &op in &self.ops {
            clone(b, op, &mut mapping);
        }
        let contributes = self.contributes(tables, b, &mapping);
        let outputs = self.outputs.iter().zip(current);
        outputs
            .map(|(output, &current)| new_value(tables, b, output, current, contributes, &mut mapping))
            .collect()
    }

    /// The values that the computation of an element uses.
    fn used(&self, body: &Body) -> FxHashSet<Value> {
        let mut used: FxHashSet<Value> =
            self.masks.iter().flat_map(|&(index, bound)| [index, bound]).collect();
        for &op in &self.ops {
            used.extend(free_values(body, op));
        }
        for output in &self.outputs {
            match output {
                Output::Element(value) | Output::Insert { stored: value, .. } => _ = used.insert(*value),
                Output::Fold { next, .. } => _ = used.insert(*next),
                Output::Combine { combine, .. } => used.extend(body.op(*combine).operands()),
            }
        }
        used
    }

    /// The condition under which a point is an iteration of the loop; `None` if all points are.
    fn contributes(&self, tables: &Tables<'_>, b: &mut Builder<'_>, mapping: &Mapping) -> Option<Value> {
        let mut all: Option<Value> = None;
        for &(index, bound) in &self.masks {
            let (index, bound) = (mapping.value(index), mapping.value(bound));
            let below = tables.index_ops.less(b, index, bound);
            all = Some(match all {
                Some(others) => {
                    let no = tables.index_ops.constant(b, Attr::FALSE);
                    tables.index_ops.select(b, others, below, no)
                }
                None => below,
            });
        }
        all
    }
}

/// The tensor and the dimensions of a read that is in bounds at every point of a domain.
pub(super) fn domain_read(
    tables: &Tables<'_>,
    body: &Body,
    root: Op,
    dims: &[Dim],
    place: &FxHashMap<Value, u32>,
    op: Op,
) -> Option<(Value, Vec<u32>)> {
    let (tensor, indices) = outer_read(tables, body, root, op)?;
    let at: Vec<u32> = indices.iter().map(|index| place.get(index).copied()).collect::<Option<_>>()?;
    let covers =
        |(position, &dim): (usize, &u32)| tables.covers(body, tensor, position, dims[dim as usize].size);
    at.iter().enumerate().all(covers).then_some((tensor, at))
}

/// The tensor from outside of the root and the indices of a read.
pub(super) fn outer_read(tables: &Tables<'_>, body: &Body, root: Op, op: Op) -> Option<(Value, Vec<Value>)> {
    let view = body.op(op);
    let access = tables.accesses?.get(view.kind())?.access(view).filter(|access| access.stored.is_none())?;
    let tensor = view.operand(access.container);
    let is_tensor = body.ty(tensor).is_tensor(body.context());
    let indices = view.operands().skip(access.indices.start).take(access.indices.len()).collect();
    (is_tensor && <dyn LoopLike>::is_outside(body, root, tensor)).then_some((tensor, indices))
}

/// Whether an operation computes scalars and has no regions.
pub(super) fn is_scalar(body: &Body, op: Op) -> bool {
    let (view, ctx) = (body.op(op), body.context());
    view.n_regions() == 0 && view.result_types().all(|ty| ty.shape(ctx).is_none())
}

fn clone(b: &mut Builder<'_>, op: Op, mapping: &mut Mapping) -> Op {
    let at = b.insertion_point();
    b.body_mut().clone_op(op, at, mapping)
}

/// The value of an output after an iteration that contributes only if a condition holds. `current` is the value before it.
fn new_value(
    tables: &Tables<'_>,
    b: &mut Builder<'_>,
    output: &Output,
    current: Value,
    contributes: Option<Value>,
    mapping: &mut Mapping,
) -> Value {
    match output {
        Output::Element(value) | Output::Insert { stored: value, .. } => mapping.value(*value),
        Output::Fold { next, .. } => {
            let next = mapping.value(*next);
            match contributes {
                Some(condition) => tables.index_ops.select(b, condition, next, current),
                None => next,
            }
        }
        Output::Combine { carried, combine, .. } => {
            let view = b.body().op(*combine);
            let term = view.operands().find(|value| value != carried);
            let monoid = tables.algebra.and_then(|table| table.get(view.kind())?.monoid(view));
            let before = term.map(|term| (term, mapping.value(term)));
            if let (Some(condition), Some((term, value)), Some(monoid)) = (contributes, before, monoid) {
                let none = tables.index_ops.constant(b, monoid.identity);
                let value = tables.index_ops.select(b, condition, value, none);
                mapping.map(term, value);
            }
            let combined = clone(b, *combine, mapping);
            if let Some((term, value)) = before {
                mapping.map(term, value);
            }
            b.body().op(combined).result(0)
        }
    }
}
