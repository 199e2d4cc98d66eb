//! Windows in stages: a reduction over windows along several axes, such as a pooling, becomes one over a single axis of the
//! windows and another one over the rest. The maximum of a window is that of the maxima of its columns, and neighbouring
//! windows share these:
//!
//! ```text
//! t[i, j, k, n] = max over p of x[i, j, 2 k + p, n]
//! y[i, j, k, l] = max over q of t[i, j, k, 2 l + q]
//! ```

use super::initial::fill;
use super::split::{Computation, Split, Splitter, erase};
use crate::analysis::extents::extent_value;
use crate::analysis::over_domain::OverDomain;
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{Attr, Body, Builder, DYNAMIC, InsertionPoint, Mapping, Op, Type, Value};
use minoan_services::{
    Algebra, ConstantMaterializer, Domain, Extent, IteratorType, Monoid, Order, Read, TensorOps,
};

/// An index of the data that adds a step of a window to its position.
struct WindowAxis {
    /// The index.
    at: usize,
    /// The parallel dimension, its factor, and its extent, which may be [`DYNAMIC`].
    place: (u32, i64, i64),
    /// The reduction dimension and its extent.
    inside: (u32, i64),
}

/// A reduction over windows of a tensor.
struct Windows {
    /// The number of the data among the operands that are read.
    data: usize,
    /// The extents of the data, which may be [`DYNAMIC`].
    shape: Vec<i64>,
    /// The windows, in the order of the indices.
    axes: Vec<WindowAxis>,
}

/// Whether an extent in the shape of a type is positive, or known at run time.
fn may_be_positive(extent: i64) -> bool {
    extent > 0 || extent == DYNAMIC
}

impl Windows {
    /// The windows of an operation, if it has several axes of windows, and each parallel dimension is in one index of the data.
    fn of(body: &Body, over: &OverDomain<'_>) -> Option<Self> {
        let domain = &over.domain;
        let is_reduced = |dim: u32| domain.iterator_types[dim as usize] == IteratorType::Reduction;
        let is_window = |expr: &AffineExpr| matches!(expr, AffineExpr::Binary(..));
        let mut windowed = (0..over.ins.len()).filter(|&at| over.ins[at].1.results.iter().any(is_window));
        let (data, None) = (windowed.next()?, windowed.next()) else { return None };
        let (tensor, map) = &over.ins[data];
        let shape = body.ty(*tensor).shape(body.context())?.to_vec();
        let extent = |dim: u32| match domain.extents[dim as usize] {
            Extent::Known(extent) => Some(extent),
            Extent::Of { operand, dim } => {
                let ty = body.ty(body.op(over.op).operand(operand));
                ty.shape(body.context())?.get(dim).copied()
            }
            Extent::Plus { .. } | Extent::Value(_) => Some(DYNAMIC),
        };
        let (mut axes, mut seen) = (Vec::new(), vec![false; domain.iterator_types.len()]);
        for (at, expr) in map.results.iter().enumerate() {
            let mut mark = |dim: u32| !std::mem::replace(&mut seen[dim as usize], true);
            match expr {
                AffineExpr::Dim(dim) if !is_reduced(*dim) && mark(*dim) => {}
                AffineExpr::Binary(AffineOp::Add, lhs, rhs) => {
                    let (a, b) = (term(lhs)?, term(rhs)?);
                    let ((place, stride), (inside, _)) = if is_reduced(a.0) { (b, a) } else { (a, b) };
                    if is_reduced(place) || !is_reduced(inside) || !mark(place) || !mark(inside) {
                        return None;
                    }
                    let places = extent(place).filter(|&extent| may_be_positive(extent))?;
                    let inside = (inside, extent(inside).filter(|&extent| extent > 0)?);
                    axes.push(WindowAxis { at, place: (place, stride, places), inside });
                }
                _ => return None,
            }
        }
        let all = seen.iter().all(|&seen| seen) && shape.iter().all(|&extent| may_be_positive(extent));
        (all && axes.len() > 1).then_some(Self { data, shape, axes })
    }

    /// A tensor with an element for each step of a window, and the map to these: an operation needs an operand with the extents
    /// of its dimensions.
    fn steps(
        &self,
        b: &mut Builder<'_>,
        tensor_ops: &dyn TensorOps,
        over: &OverDomain<'_>,
    ) -> (Value, AffineMap) {
        let ctx = b.context();
        let element = b.ty(over.outs[0]).element_or_self(&ctx);
        let (dims, sizes): (Vec<u32>, Vec<i64>) = self.axes.iter().map(|axis| axis.inside).unzip();
        let steps = tensor_ops.empty(b, Type::tensor(&ctx, &sizes, element), &[]);
        (steps, AffineMap::projection(over.domain.iterator_types.len() as u32, &dims))
    }

    /// The axis of the windows that is reduced first, if that saves loads: one whose index is not that of consecutive elements,
    /// so that the first stage loads these in place.
    fn first(&self) -> Option<&WindowAxis> {
        let (last, first) = (self.axes.last()?, self.axes.first()?);
        let size = |axis: &WindowAxis| axis.inside.1;
        let all: i64 = self.axes.iter().map(size).product();
        // A vector of elements that are not consecutive is selected from several vectors.
        let factor = if last.at + 1 == self.shape.len() { last.place.1 } else { 1 };
        let others = self.axes.iter().skip(1);
        let ratio = |axis: &WindowAxis| match (self.shape[axis.at], axis.place) {
            (DYNAMIC, (_, stride, _)) | (_, (_, stride, DYNAMIC)) => stride as f64,
            (extent, (_, _, places)) => extent as f64 / places as f64,
        };
        let grown = others.map(ratio).product::<f64>();
        let before = (all * factor) as f64;
        let after = grown * (size(first) + 1) as f64 + (all / size(first) * factor) as f64;
        (after <= MAX_COST_RATIO * before).then_some(first)
    }
}

/// The largest ratio of the loads and stores of two stages to the loads of one at which the reduction is split.
const MAX_COST_RATIO: f64 = 0.8;

/// The dimension and the factor of a term of an index.
fn term(expr: &AffineExpr) -> Option<(u32, i64)> {
    match expr {
        AffineExpr::Dim(dim) => Some((*dim, 1)),
        AffineExpr::Binary(AffineOp::Mul, lhs, rhs) => match (&**lhs, &**rhs) {
            (&AffineExpr::Dim(dim), &AffineExpr::Constant(factor)) if factor > 0 => Some((dim, factor)),
            _ => None,
        },
        _ => None,
    }
}

impl Splitter<'_> {
    /// Creates the two stages of a reduction over windows before it, and replaces its result. `None`, with nothing changed, if
    /// the operation is none, its elements must be combined in order, or the stages would not save time.
    pub(super) fn split_windows(&self, body: &mut Body, op: Op) -> Option<Split> {
        let over = OverDomain::of(body, self.domains, self.aliases, op)?;
        let windows = Windows::of(body, &over)?;
        let first = windows.first().filter(|_| over.outs.len() == 1)?;
        let loc = body.op(op).loc();
        let mut b = Builder::before(body, op).with_loc(loc);
        let steps = windows.steps(&mut b, self.tensor_ops, &over);
        let holder = body.defining_op(steps.0)?;
        let Some(computation) = self.copy(body, &over, &[steps]) else {
            body.erase(holder);
            return None;
        };
        let combine = combine(body, &over, &computation, windows.data);
        let made = combine.and_then(|(combine, monoid)| {
            let mut created = Vec::new();
            let mut b = Builder::recording(body, InsertionPoint::Before(op), &mut created).with_loc(loc);
            let stages = Stages { of: self, over: &over, from: &computation, windows: &windows, combine };
            match stages.make(&mut b, first, monoid.identity) {
                Some(parts) => {
                    let results = vec![body.op(parts[1]).result(0)];
                    Some(Split { parts: parts.to_vec(), results, created })
                }
                None => {
                    erase(body, &created);
                    None
                }
            }
        });
        body.erase(computation.copy);
        body.erase(holder);
        let split = made?;
        let old = body.op(op).result(0);
        body.replace_all_uses(old, split.results[0]);
        Some(split)
    }
}

/// The operation that combines the old element with one that depends on the data alone, with its monoid, if that has any order.
fn combine(body: &Body, over: &OverDomain<'_>, from: &Computation, data: usize) -> Option<(Op, Monoid)> {
    let (&old, &[result]) = (from.elements.last()?, &from.yielded[..]) else { return None };
    let combine = body.op(body.defining_op(result)?);
    let is_combined = body.only_use(old).is_some_and(|at| at.op == combine.id());
    let mut others = (0..over.ins.len()).filter(|&at| at != data);
    let reads_others = others.any(|at| body.is_used(from.elements[at]));
    if !is_combined || reads_others || !from.indices.is_empty() || combine.n_operands() != 2 {
        return None;
    }
    let monoid = body.context().service::<dyn Algebra>(combine.kind())?.monoid(combine)?;
    (monoid.order != Order::Fixed).then_some((combine.id(), monoid))
}

/// The operations to be made.
struct Stages<'a> {
    of: &'a Splitter<'a>,
    over: &'a OverDomain<'a>,
    from: &'a Computation,
    windows: &'a Windows,
    combine: Op,
}

impl Stages<'_> {
    fn make(&self, b: &mut Builder<'_>, first: &WindowAxis, identity: Attr) -> Option<[Op; 2]> {
        let (data, map) = &self.over.ins[self.windows.data];
        let out = self.over.outs[0];
        let element = b.ty(out).element_or_self(&b.context());
        let rank = map.results.len() as u32;
        // The first stage has the indices of the data as dimensions, but the places of windows along the first axis, and then
        // the steps inside of these.
        let mut shape = self.windows.shape.clone();
        shape[first.at] = first.place.2;
        let mut written = self.over.domain.writes[0].results.iter();
        let place = written.position(|expr| *expr == AffineExpr::Dim(first.place.0))?;
        let mut sizes = Vec::new();
        for (at, _) in shape.iter().enumerate().filter(|&(_, &extent)| extent == DYNAMIC) {
            let (tensor, dim) = if at == first.at { (out, place) } else { (*data, at) };
            sizes.push(extent_value(b, (self.of.tensor_ops, self.of.index_ops), tensor, dim));
        }
        let partial = self.filled(b, &shape, &sizes, element, identity)?;
        let mut dims = vec![AffineExpr::Constant(0); map.dims as usize];
        dims[first.place.0 as usize] = AffineExpr::Dim(first.at as u32);
        dims[first.inside.0 as usize] = AffineExpr::Dim(rank);
        let index = |(at, expr): (usize, &AffineExpr)| match at == first.at {
            true => expr.substitute(&dims),
            false => Some(AffineExpr::Dim(at as u32)),
        };
        let reads: Box<[AffineExpr]> = map.results.iter().enumerate().map(index).collect::<Option<_>>()?;
        let reads = AffineMap { dims: rank + 1, symbols: 0, results: reads };
        let mut iterators = vec![IteratorType::Parallel; rank as usize];
        iterators.push(IteratorType::Reduction);
        let extent = |(at, &extent): (usize, &i64)| match at == first.at {
            true => Extent::of_dim(2, place, extent),
            false => Extent::of_dim(0, at, extent),
        };
        let extents = shape.iter().enumerate().map(extent).chain([Extent::Known(first.inside.1)]).collect();
        let all: Vec<u32> = (0..rank).collect();
        let write = AffineMap::projection(rank + 1, &all);
        let old = *self.from.elements.last()?;
        let given = self.from.elements[self.windows.data];
        let mut whole = |b: &mut Builder<'_>, element: Value, kept: Value| {
            let mut mapping = Mapping::new();
            mapping.map(given, element);
            mapping.map(old, kept);
            self.clone_ops(b, &self.from.ops, &mut mapping)
        };
        let columns = self.stage(b, iterators, extents, (*data, reads), (partial, write), &mut whole)?;
        let computed = b.body().op(columns).result(0);
        let (iterators, extents, read, write) = self.rest(first)?;
        let mut rest = |b: &mut Builder<'_>, element: Value, kept: Value| {
            let mut mapping = Mapping::new();
            let operands = b.body().op(self.combine).operands().collect::<Vec<_>>();
            let term = operands.into_iter().find(|&operand| operand != old).unwrap_or(old);
            mapping.map(term, element);
            mapping.map(old, kept);
            self.clone_ops(b, &[self.combine], &mut mapping)
        };
        let last = self.stage(b, iterators, extents, (computed, read), (out, write), &mut rest)?;
        Some([columns, last])
    }

    /// The iterators and extents of the operation without the first axis of its windows, and its maps, that of the data with
    /// the places of these windows.
    fn rest(&self, first: &WindowAxis) -> Option<(Vec<IteratorType>, Vec<Extent>, AffineMap, AffineMap)> {
        let (_, map) = &self.over.ins[self.windows.data];
        let write = &self.over.domain.writes[0];
        let gone = first.inside.0;
        let renumbered = |dim: u32| AffineExpr::Dim(if dim > gone { dim - 1 } else { dim });
        let dims: Vec<AffineExpr> = (0..map.dims).map(renumbered).collect();
        let index = |(at, expr): (usize, &AffineExpr)| match at == first.at {
            true => Some(renumbered(first.place.0)),
            false => expr.substitute(&dims),
        };
        let without = |results: Box<[AffineExpr]>| AffineMap { dims: map.dims - 1, symbols: 0, results };
        let read = map.results.iter().enumerate().map(index).collect::<Option<_>>()?;
        let written = write.results.iter().map(|expr| expr.substitute(&dims)).collect::<Option<_>>()?;
        let mut iterators = self.over.domain.iterator_types.clone();
        iterators.remove(gone as usize);
        // Only those of the reduced dimensions are needed: the others index the result.
        let mut extents = vec![Extent::Known(0); map.dims as usize];
        for axis in &self.windows.axes {
            extents[axis.inside.0 as usize] = Extent::Known(axis.inside.1);
        }
        extents.remove(gone as usize);
        Some((iterators, extents, without(read), without(written)))
    }

    /// A reduction of a tensor. The extents of the reduced dimensions, which are static, are those of a tensor without elements
    /// that are used. Operand 2 is the tensor `out`.
    fn stage(
        &self,
        b: &mut Builder<'_>,
        iterator_types: Vec<IteratorType>,
        extents: Vec<Extent>,
        (data, read): (Value, AffineMap),
        (out, write): (Value, AffineMap),
        body: &mut dyn FnMut(&mut Builder<'_>, Value, Value) -> Value,
    ) -> Option<Op> {
        let ctx = b.context();
        let dims = iterator_types.len() as u32;
        let is_reduced = |&dim: &u32| iterator_types[dim as usize] == IteratorType::Reduction;
        let reduced: Vec<u32> = (0..dims).filter(is_reduced).collect();
        let sizes: Vec<i64> = reduced.iter().map(|&dim| extents[dim as usize].in_shape()).collect();
        let element = b.ty(out).element_or_self(&ctx);
        let window = self.of.tensor_ops.empty(b, Type::tensor(&ctx, &sizes, element), &[]);
        let domain = Domain {
            iterator_types,
            extents,
            reads: vec![Read::new(0, read), Read::new(1, AffineMap::projection(dims, &reduced))],
            writes: vec![write],
        };
        self.of.domain_ops.make(b, &domain, &[data, window], &[out], &mut |b, elements, _| {
            vec![body(b, elements[0], elements[2])]
        })
    }

    /// A tensor all of whose elements are a constant; `sizes` are its dynamic extents.
    fn filled(
        &self,
        b: &mut Builder<'_>,
        shape: &[i64],
        sizes: &[Value],
        element: Type,
        value: Attr,
    ) -> Option<Value> {
        let ctx = b.context();
        let kind = b.body().op(self.combine).kind();
        let scalar = b.create(<dyn ConstantMaterializer>::constant(&ctx, kind, value, element)?);
        let scalar = b.body().op(scalar).result(0);
        let room = self.of.tensor_ops.empty(b, Type::tensor(&ctx, shape, element), sizes);
        fill(b, self.of.domain_ops, shape, scalar, room)
    }

    /// Copies scalar operations; returns the new element.
    fn clone_ops(&self, b: &mut Builder<'_>, ops: &[Op], mapping: &mut Mapping) -> Value {
        for &op in ops {
            let point = b.insertion_point();
            b.body_mut().clone_op(op, point, mapping);
        }
        mapping.value(self.from.yielded[0])
    }
}
