//! The cotangent of an operand that is read in windows, as a sum over the windows that contain an element.
//!
//! An operation that reads element `s * h + d * k` at position `h` and tap `k`, like a convolution, adds to the cotangents of
//! elements at computed indices. If `s` and `d` are coprime, the windows that contain the elements of a residue class are those of a
//! convolution ([`WindowAxis`]), and the cotangents of all classes are one sum over `m` at the points `(r, t)`, the elements of which are
//! interleaved afterwards. Reads at positions and taps that do not exist are reads of zeros.

use super::{Compute, Input, Output, Point};
use crate::differentiate::work::{Work, nested};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{Body, Builder, DYNAMIC, Op, Type, Value};
use minoan_services::{Domain, Extent, IteratorType, Read, WindowAxis};

/// A dimension of an operand that is read in windows.
struct Axis {
    /// The dimension of the operand.
    at: usize,
    /// The index of the element.
    index: AffineExpr,
    /// The dimensions of the domain, with their extents.
    position: (u32, i64),
    tap: (u32, i64),
    window: WindowAxis,
    /// The number of elements.
    extent: i64,
}

impl Axis {
    /// The number of residues of elements that are in windows.
    fn residues(&self) -> i64 {
        let stride = self.window.stride();
        if self.window.dilation() == 1 { stride.min(self.tap.1) } else { stride }
    }

    /// The number of elements of each residue, including those that do not exist for some residues.
    fn elements(&self) -> i64 {
        (self.extent + self.window.stride() - 1) / self.window.stride()
    }

    /// The numbers of positions before the first and after the last one that are read.
    fn outside(&self) -> (i64, i64) {
        let (low, high) = self.window.first_positions(self.residues());
        let low = low - self.window.dilation() * (self.window.taps() - 1);
        ((-low).max(0), (high + self.elements() - self.position.1).max(0))
    }

    /// The number of taps after the last one that are read.
    fn missing(&self) -> i64 {
        self.window.missing(self.residues())
    }

    /// The position, counted from the first one outside, and the tap at a point.
    fn inverted(
        &self,
        element: AffineExpr,
        residue: &AffineExpr,
        tap: AffineExpr,
    ) -> (AffineExpr, AffineExpr) {
        let add = |lhs, rhs| AffineExpr::binary(AffineOp::Add, lhs, rhs);
        let times = |lhs, factor| AffineExpr::binary(AffineOp::Mul, lhs, AffineExpr::Constant(factor));
        let window = &self.window;
        let position = add(element, window.first_position(residue));
        let position = add(position, times(tap.clone(), -window.dilation()));
        let tap = add(times(tap, window.stride()), window.first_tap(residue));
        (add(position, AffineExpr::Constant(self.outside().0)), tap)
    }
}

/// The points at which elements that are read in windows get their cotangents.
pub(super) struct Windows {
    axes: Vec<Axis>,
    extents: Vec<Extent>,
    /// The index of each dimension of the old domain; those of positions count the positions outside.
    indices: Vec<AffineExpr>,
    /// The indices `t` and `r` of each axis; the residue of an axis with stride 1 is the constant 0.
    elements: Vec<(AffineExpr, AffineExpr)>,
}

/// The dimensions of `s * d0 + d * d1` with their factors, which are positive.
fn terms(expr: &AffineExpr) -> Option<[(u32, i64); 2]> {
    let term = |expr: &AffineExpr| match expr {
        AffineExpr::Dim(dim) => Some((*dim, 1)),
        AffineExpr::Binary(AffineOp::Mul, lhs, rhs) => match (&**lhs, &**rhs) {
            (AffineExpr::Dim(dim), AffineExpr::Constant(factor)) if *factor > 0 => Some((*dim, *factor)),
            _ => None,
        },
        _ => None,
    };
    let AffineExpr::Binary(AffineOp::Add, lhs, rhs) = expr else { return None };
    Some([term(lhs)?, term(rhs)?])
}

impl Windows {
    /// `None` if the indices `map` of a tensor are not those of windows of known extents. `is_written` are the dimensions of the
    /// results, which are the positions.
    pub(super) fn of(
        map: &AffineMap,
        shape: &[i64],
        extents: &[Extent],
        is_written: &dyn Fn(u32) -> bool,
    ) -> Option<Self> {
        let mut axes = Vec::new();
        for (at, index) in map.results.iter().enumerate() {
            if let AffineExpr::Dim(_) = index {
                continue;
            }
            let both = terms(index)?;
            let position = both.iter().find(|&&(dim, _)| is_written(dim))?;
            let tap = both.iter().find(|&&(dim, _)| !is_written(dim))?;
            let known = |dim: u32| match extents[dim as usize] {
                Extent::Known(extent) if extent > 0 => Some((dim, extent)),
                _ => None,
            };
            let others = map.results.iter().enumerate().filter(|&(other, _)| other != at);
            if others.clone().any(|(_, expr)| expr.uses_dim(position.0) || expr.uses_dim(tap.0)) {
                return None;
            }
            let (taps, extent) = (known(tap.0)?, shape.get(at).copied().filter(|&extent| extent != DYNAMIC)?);
            let window = WindowAxis::new(position.1, tap.1, 0, taps.1)?;
            let position = known(position.0)?;
            axes.push(Axis { at, index: index.clone(), position, tap: taps, window, extent });
        }
        if axes.is_empty() {
            return None;
        }
        let mut windows = Self { axes, extents: Vec::new(), indices: Vec::new(), elements: Vec::new() };
        for (dim, extent) in (0u32..).zip(extents) {
            let is_inverted = |axis: &Axis| axis.position.0 == dim || axis.tap.0 == dim;
            let index = match windows.axes.iter().any(is_inverted) {
                true => AffineExpr::Constant(0),
                false => windows.dim(*extent),
            };
            windows.indices.push(index);
        }
        for at in 0..windows.axes.len() {
            let axis = &windows.axes[at];
            let (residues, elements, taps) = (axis.residues(), axis.elements(), axis.window.taps());
            let residue =
                if axis.window.stride() > 1 { Some(windows.dim(Extent::Known(residues))) } else { None };
            let residue = residue.unwrap_or(AffineExpr::Constant(0));
            let element = windows.dim(Extent::Known(elements));
            let tap = if taps > 1 { windows.dim(Extent::Known(taps)) } else { AffineExpr::Constant(0) };
            let axis = &windows.axes[at];
            let (position, tap) = axis.inverted(element.clone(), &residue, tap);
            windows.indices[axis.position.0 as usize] = position;
            windows.indices[axis.tap.0 as usize] = tap;
            windows.elements.push((element, residue));
        }
        Some(windows)
    }

    /// A new dimension.
    fn dim(&mut self, extent: Extent) -> AffineExpr {
        self.extents.push(extent);
        AffineExpr::Dim(self.extents.len() as u32 - 1)
    }

    fn map(&self, results: Vec<AffineExpr>) -> AffineMap {
        AffineMap { dims: self.extents.len() as u32, symbols: 0, results: results.into() }
    }

    /// An input at the points of the new domain, and its padding with zeros before and after each dimension. `None` if there is
    /// no padding.
    fn input(&self, map: &AffineMap) -> Option<(AffineMap, Vec<(i64, i64)>)> {
        let mut results = Vec::with_capacity(map.results.len());
        let mut widths = Vec::with_capacity(map.results.len());
        for expr in &map.results {
            if let Some(at) = self.axes.iter().position(|axis| axis.index == *expr) {
                let (axis, (element, residue)) = (&self.axes[at], &self.elements[at]);
                let stride = AffineExpr::Constant(axis.window.stride());
                let start = AffineExpr::binary(AffineOp::Mul, element.clone(), stride);
                results.push(AffineExpr::binary(AffineOp::Add, start, residue.clone()));
                widths.push((0, axis.elements() * axis.window.stride() - axis.extent));
                continue;
            }
            let of = |axis: &&Axis| expr.uses_dim(axis.position.0) || expr.uses_dim(axis.tap.0);
            widths.push(match (self.axes.iter().find(of), expr) {
                (None, _) => (0, 0),
                (Some(axis), AffineExpr::Dim(dim)) if *dim == axis.position.0 => axis.outside(),
                (Some(axis), AffineExpr::Dim(_)) => (0, axis.missing()),
                _ => return None,
            });
            results.push(expr.substitute(&self.indices)?);
        }
        Some((self.map(results), widths))
    }
}

impl<'w, 'c> Work<'w, 'c> {
    /// Adds the cotangents of elements that are read in windows to `so_far`, zeros if it is `None`. `None` if the computation of a
    /// point is not a product, which is zero where an element does not exist.
    pub(super) fn over_windows(
        &mut self,
        b: &mut Builder<'_>,
        windows: &Windows,
        inputs: &[Input],
        (target, map, so_far): (Value, &AffineMap, Option<Value>),
        compute: Compute<'_, 'w, 'c>,
    ) -> Option<Value> {
        let mut given = Vec::with_capacity(inputs.len() + windows.axes.len());
        for (value, map) in inputs {
            let (map, widths) = windows.input(map)?;
            given.push((self.engine.padded(b, *value, &widths)?, map));
        }
        let (exprs, extents) = self.window_sums(b, windows, target, map);
        let is_direct = windows.axes.iter().all(|axis| axis.window.stride() == 1);
        let is_reduction =
            (0..windows.extents.len() as u32).any(|dim| !exprs.contains(&AffineExpr::Dim(dim)));
        let (init, adds) = match so_far.filter(|_| is_direct) {
            Some(so_far) => (so_far, true),
            None => {
                let shape: Vec<i64> = extents.iter().map(|extent| extent.in_shape()).collect();
                let element = b.ty(target).element_or_self(self.engine.ctx);
                let sizes: Vec<Value> = extents.iter().map(|extent| self.engine.size(b, *extent)).collect();
                let room = self.engine.ops.empty(b, Type::tensor(self.engine.ctx, &shape, element), &sizes);
                (if is_reduction { self.zero_like(b, room) } else { room }, is_reduction)
            }
        };
        let output = Output { init, map: windows.map(exprs), adds };
        let sums = self.window_products(b, windows, &given, inputs, &output, compute)?;
        if is_direct { Some(sums) } else { self.interleaved(b, windows, sums, target, so_far) }
    }

    /// The indices and extents of the sums: the residues, then those of the target. Channels stay next to the elements: schedules
    /// unroll the innermost dimension that only a kernel has.
    fn window_sums(
        &self,
        b: &mut Builder<'_>,
        windows: &Windows,
        target: Value,
        map: &AffineMap,
    ) -> (Vec<AffineExpr>, Vec<Extent>) {
        let mut sums = (Vec::new(), Vec::new());
        let mut push = |expr: AffineExpr, extent: Extent| {
            sums.0.push(expr);
            sums.1.push(extent);
        };
        let shape: Vec<i64> = b.ty(target).shape(self.engine.ctx).unwrap_or(&[]).to_vec();
        let strided = windows.axes.iter().zip(&windows.elements).filter(|(axis, _)| axis.window.stride() > 1);
        strided.for_each(|(axis, (_, residue))| push(residue.clone(), Extent::Known(axis.residues())));
        for (at, expr) in map.results.iter().enumerate() {
            if let Some(own) = windows.axes.iter().position(|axis| axis.at == at) {
                push(windows.elements[own].0.clone(), Extent::Known(windows.axes[own].elements()));
                continue;
            }
            let extent = match shape[at] {
                DYNAMIC => Extent::Value(self.engine.ops.extent(b, target, at)),
                extent => Extent::Known(extent),
            };
            push(expr.substitute(&windows.indices).unwrap_or(AffineExpr::Constant(0)), extent);
        }
        sums
    }

    /// Creates the sums of products. Taps that do not exist are factors of zero, or elements of a mask.
    fn window_products(
        &mut self,
        b: &mut Builder<'_>,
        windows: &Windows,
        given: &[Input],
        inputs: &[Input],
        output: &Output,
        compute: Compute<'_, 'w, 'c>,
    ) -> Option<Value> {
        let ops = self.engine.ops;
        let indexed = std::cell::Cell::new(false);
        let before = b.insertion_point();
        let [made] = self
            .over_domain(b, &windows.extents, given, std::slice::from_ref(output), &mut |work, b, point| {
                let mut index = |b: &mut Builder<'_>, _: u32| {
                    indexed.set(true);
                    ops.index(b, 0)
                };
                compute(work, b, &mut Point { inputs: point.inputs, index: &mut index })
            })?
            .try_into()
            .ok()?;
        // The computation may be a copy, which needs no operation.
        let is_copy = given.iter().any(|(value, _)| *value == made);
        let op = b.body().defining_op(made).filter(|_| !is_copy);
        let is_product = !indexed.get() && op.is_none_or(|op| self.is_product(b.body(), op, output.adds));
        let factors: Vec<Value> = op.map_or(vec![made], |op| b.body().op(op).operands().collect());
        let is_factor = |axis: &Axis| {
            let tap = AffineExpr::Dim(axis.tap.0);
            let mut read = given.iter().zip(inputs).filter(|(_, (_, map))| map.results.contains(&tap));
            read.any(|((value, _), _)| factors.contains(value))
        };
        if is_product && windows.axes.iter().all(|axis| axis.missing() == 0 || is_factor(axis)) {
            return Some(made);
        }
        if let Some(op) = op {
            b.set_insertion_point(before);
            b.body_mut().erase(op);
        }
        if !is_product {
            return None;
        }
        let element = b.ty(output.init).element_or_self(self.engine.ctx);
        let mut masked = given.to_vec();
        for axis in windows.axes.iter().filter(|axis| axis.missing() > 0) {
            let room = ops.empty(b, Type::tensor(self.engine.ctx, &[axis.tap.1], element), &[]);
            let ones = ops.filled_like(b, room, 1)?;
            let mask = self.engine.padded(b, ones, &[(0, axis.missing())])?;
            masked.push((mask, windows.map(vec![windows.indices[axis.tap.0 as usize].clone()])));
        }
        let made = self.over_domain(
            b,
            &windows.extents,
            &masked,
            std::slice::from_ref(output),
            &mut |work, b, point| {
                let own = &point.inputs[..given.len()];
                let mut values = compute(work, b, &mut Point { inputs: own, index: point.index });
                for &mask in point.inputs[given.len()..masked.len()].iter().flatten() {
                    values[0] = ops.product(b, values[0], mask);
                }
                values
            },
        )?;
        made.first().copied()
    }

    /// Whether the computation of a point of an operation is a product, that is added to the old element if it `adds`.
    fn is_product(&self, body: &Body, op: Op, adds: bool) -> bool {
        let Some(algebra) = self.engine.algebra else { return false };
        let inner: Vec<Op> = nested(body, op);
        let laws =
            inner.iter().filter_map(|&inner| Some((algebra.get(body.op(inner).kind())?, body.op(inner))));
        let sums = laws.clone().filter(|(algebra, op)| algebra.adds(*op)).count();
        let products = laws.filter(|(algebra, op)| algebra.multiplies(*op)).count();
        sums == usize::from(adds) && sums + products + 1 == inner.len()
    }

    /// The tensor whose elements are the sums of their residues, added to `so_far`.
    fn interleaved(
        &self,
        b: &mut Builder<'_>,
        windows: &Windows,
        sums: Value,
        target: Value,
        so_far: Option<Value>,
    ) -> Option<Value> {
        let (ops, ty) = (self.engine.ops, b.ty(target));
        let rank = ty.shape(self.engine.ctx)?.len();
        let mut places: Vec<AffineExpr> = (0..rank as u32).map(AffineExpr::Dim).collect();
        let (mut residues, mut widths) = (Vec::new(), Vec::new());
        for axis in windows.axes.iter().filter(|axis| axis.window.stride() > 1) {
            let stride = AffineExpr::Constant(axis.window.stride());
            let place = AffineExpr::Dim(axis.at as u32);
            places[axis.at] = AffineExpr::binary(AffineOp::FloorDiv, place.clone(), stride.clone());
            residues.push(AffineExpr::binary(AffineOp::Mod, place, stride));
            widths.push((0, axis.window.stride() - axis.residues()));
        }
        residues.append(&mut places);
        widths.resize(residues.len(), (0, 0));
        let sums = self.engine.padded(b, sums, &widths)?;
        let sizes: Vec<Value> = (0..rank).map(|at| ops.extent(b, target, at)).collect();
        let init = match so_far {
            Some(so_far) => so_far,
            None => ops.empty(b, ty, &sizes),
        };
        let dims = rank as u32;
        let domain = Domain {
            iterator_types: vec![IteratorType::Parallel; rank],
            extents: sizes.into_iter().map(Extent::Value).collect(),
            reads: vec![Read::new(0, AffineMap { dims, symbols: 0, results: residues.into() })],
            writes: vec![AffineMap::identity(dims)],
        };
        let made = self.engine.makers?.make(b, &domain, &[sums], &[init], &mut |b, elements, _| {
            vec![if so_far.is_some() { self.add(b, elements[0], elements[1]) } else { elements[0] }]
        })?;
        Some(b.body().op(made).result(0))
    }
}
