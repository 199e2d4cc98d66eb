//! Lowering of reductions and scans.

use super::broadcast::combine;
use super::extent::{Extent, product};
use super::pointwise::{cast, each};
use super::scalar::{self, Compare};
use super::site::{Site, Tensor, from_front, reduced_axes, undefined_for};
use super::slice::{extract_part, insert_part};
use super::tensors::{Accumulation, dim, empty, extent, extents, filled, generate, insert, nest, pointwise};
use super::{Lowered, Rule};
use super::{extract, shape};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::affine::AffineExpr;
use minoan_ir::{Builder, Type, Value};
use minoan_linalg::Index;

/// The number of elements from which on scans compute them at once.
const ROW: i64 = 16;

/// Combines the accumulator and an element.
type Combine = fn(&mut Builder<'_>, Value, Value, DType) -> Value;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "sum" => |site, b| Ok(vec![site.sum(b)]),
        "mean" => |site, b| {
            let axes = reduced_axes(site, site.arg(0).rank());
            Ok(vec![mean(b, site.arg(0), &axes, ReducedDims::of(site))])
        },
        "max" => |site, b| Ok(vec![site.reduce(b, scalar::least, scalar::largest)]),
        "min" => |site, b| Ok(vec![site.reduce(b, scalar::greatest, scalar::min)]),
        "prod" => |site, b| Ok(vec![site.reduce(b, scalar::one, scalar::accumulate_product)]),
        "all" => |site, b| site.logical(b, scalar::one, |b, lhs, rhs, _| arith::andi(b, lhs, rhs)),
        "any" => |site, b| site.logical(b, scalar::zero, |b, lhs, rhs, _| arith::ori(b, lhs, rhs)),
        "variance" => |site, b| site.variance(b),
        "argmax" => |site, b| site.arg_reduce(b, Extremum::Greatest),
        "argmin" => |site, b| site.arg_reduce(b, Extremum::Least),
        "collapse_sum_like" => |site, b| {
            let wanted = extents(b, site.arg(1));
            Ok(vec![site.collapsed(b, &wanted)])
        },
        "collapse_sum_to" => |site, b| {
            let wanted = super::index::values_of(b, site, 1, site.result().rank());
            Ok(vec![site.collapsed(b, &wanted)])
        },
        "cumsum" => |site, b| site.scan(b, scalar::zero, scalar::add),
        "cumprod" => |site, b| site.scan(b, scalar::one, scalar::mul),
        _ => return None,
    })
}

/// The element whose index a reduction returns.
#[derive(Clone, Copy)]
enum Extremum {
    Least,
    Greatest,
}

/// The form of the reduced axes in the result of a reduction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReducedDims {
    /// The reduced axes have one element.
    Keep,
    /// The reduced axes are removed.
    Drop,
}

impl ReducedDims {
    /// The attribute `keepdims` of an operator.
    fn of(site: &Site) -> Self {
        if site.attrs.flag("keepdims") { ReducedDims::Keep } else { ReducedDims::Drop }
    }
}

/// The domain of a reduction over some axes of a tensor.
fn domain<'t>(b: &mut Builder<'_>, data: &'t Tensor, axes: &[bool], dims: ReducedDims) -> Accumulation<'t> {
    let (mut wanted, mut exprs) = (Vec::new(), Vec::new());
    for (axis, &reduced) in axes.iter().enumerate() {
        if !reduced {
            wanted.push(extent(b, data, axis));
            exprs.push(dim(axis));
        } else if dims == ReducedDims::Keep {
            wanted.push(Extent::Known(1));
            exprs.push(AffineExpr::Constant(0));
        }
    }
    Accumulation { inputs: vec![(data, data.same())], reduced: axes.to_vec(), output: (wanted, exprs) }
}

/// Reduces over some axes in the element type, starting from `init`.
pub(super) fn reduce(
    b: &mut Builder<'_>,
    data: &Tensor,
    axes: &[bool],
    dims: ReducedDims,
    init: Value,
    next: Combine,
) -> Tensor {
    let dtype = data.dtype();
    let domain = domain(b, data, axes, dims);
    let done = domain.run(b, &[(dtype, init)], |b, inputs, sums| vec![next(b, sums[0], inputs[0], dtype)]);
    done.into_iter().next().expect("one output for one beginning")
}

pub(super) fn sum(b: &mut Builder<'_>, data: &Tensor, axes: &[bool], dims: ReducedDims) -> Tensor {
    let zero = scalar::zero(b, data.dtype());
    reduce(b, data, axes, dims, zero, scalar::accumulate)
}

/// The number of elements per reduction.
fn reduced_count(b: &mut Builder<'_>, data: &Tensor, axes: &[bool]) -> Extent {
    let all = extents(b, data);
    let reduced: Vec<Extent> =
        all.into_iter().zip(axes).filter(|(_, reduced)| **reduced).map(|(one, _)| one).collect();
    product(b, &reduced)
}

/// Converts a count to an element type, for use as a divisor.
pub(super) fn count_as(b: &mut Builder<'_>, count: Extent, dtype: DType) -> Value {
    match count {
        Extent::Known(count) => scalar::integer(b, count, dtype),
        Extent::Value(count) => scalar::from_index(b, count, dtype),
    }
}

/// The arithmetic mean; integer division truncates.
pub(super) fn mean(b: &mut Builder<'_>, data: &Tensor, axes: &[bool], dims: ReducedDims) -> Tensor {
    let dtype = data.dtype();
    let total = sum(b, data, axes, dims);
    let count = reduced_count(b, data, axes);
    let count = count_as(b, count, dtype);
    each(b, &total, dtype, |b, total| scalar::div(b, total, count, dtype))
}

/// The mean squared difference from a mean that broadcasts to the data.
pub(super) fn variance(
    b: &mut Builder<'_>,
    data: &Tensor,
    mean_of: &Tensor,
    axes: &[bool],
    dims: ReducedDims,
) -> Tensor {
    let dtype = data.dtype();
    let squares = combine(b, &[data, mean_of], dtype, |b, elements| {
        let off = scalar::sub(b, elements[0], elements[1], dtype);
        scalar::mul(b, off, off, dtype)
    });
    mean(b, &squares, axes, dims)
}

impl Site {
    fn reduce(
        &self,
        b: &mut Builder<'_>,
        init: fn(&mut Builder<'_>, DType) -> Value,
        next: Combine,
    ) -> Tensor {
        let data = self.arg(0);
        let axes = reduced_axes(self, data.rank());
        let init = init(b, data.dtype());
        reduce(b, data, &axes, ReducedDims::of(self), init, next)
    }

    fn sum(&self, b: &mut Builder<'_>) -> Tensor {
        self.reduce(b, scalar::zero, scalar::accumulate)
    }

    /// The sums over the axes that broadcasting to the shape of the data would add or repeat.
    fn collapsed(&self, b: &mut Builder<'_>, wanted: &[Extent]) -> Tensor {
        let (data, dtype) = (self.arg(0), self.arg(0).dtype());
        let old = extents(b, data);
        let added = old.len() - wanted.len().min(old.len());
        let all_known = wanted.iter().all(|extent| extent.known().is_some());
        if all_known && old.iter().all(|extent| extent.known().is_some()) {
            let repeated = |axis: usize| axis < added || wanted[axis - added] != old[axis];
            let axes: Vec<bool> = (0..old.len()).map(repeated).collect();
            let total = sum(b, data, &axes, ReducedDims::Keep);
            return shape::reshaped(b, &total, wanted);
        }
        for (axis, &extent) in wanted.iter().enumerate() {
            super::broadcast::expect_repeatable(b, extent, old[added + axis]);
        }
        let zero = scalar::zero(b, dtype);
        generate(b, wanted, dtype, |b, at| {
            // One step along axes that are kept, all along the others.
            let (mut sizes, mut kept) = (old[..added].to_vec(), Vec::with_capacity(at.len()));
            for (axis, extent) in wanted.iter().enumerate() {
                let (extent, own, one) =
                    (extent.value(b), old[added + axis].value(b), arith::constant_index(b, 1));
                let keeps = arith::cmpi(b, arith::CmpIPredicate::Eq, extent, own);
                sizes.push(Extent::Value(arith::select(b, keeps, one, own)));
                kept.push(keeps);
            }
            nest(b, &sizes, &[zero], &mut |b, steps, carried| {
                let mut source = steps[..added].to_vec();
                for (axis, &keeps) in kept.iter().enumerate() {
                    source.push(arith::select(b, keeps, at[axis], steps[added + axis]));
                }
                let element = extract(b, data.value, &source);
                vec![scalar::add(b, carried[0], element, dtype)]
            })[0]
        })
    }

    fn logical(
        &self,
        b: &mut Builder<'_>,
        init: fn(&mut Builder<'_>, DType) -> Value,
        combine: Combine,
    ) -> Lowered {
        if self.arg(0).dtype() != DType::Bool {
            return Err(undefined_for(self.arg(0).dtype()));
        }
        Ok(vec![self.reduce(b, init, combine)])
    }

    fn variance(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, mean_of) = (self.arg(0), self.arg(1));
        let (axes, dims) = (reduced_axes(self, data.rank()), ReducedDims::of(self));
        if !self.attrs.flag("unbiased") {
            return Ok(vec![variance(b, data, mean_of, &axes, dims)]);
        }
        let dtype = data.dtype();
        let squares = combine(b, &[data, mean_of], dtype, |b, elements| {
            let off = scalar::sub(b, elements[0], elements[1], dtype);
            scalar::mul(b, off, off, dtype)
        });
        let total = sum(b, &squares, &axes, dims);
        let count = reduced_count(b, data, &axes).plus(b, Extent::Known(-1));
        let count = count_as(b, count, dtype);
        Ok(vec![each(b, &total, dtype, |b, total| scalar::div(b, total, count, dtype))])
    }

    /// The index of the largest or smallest element, or of NaN; -1 if no element is better than the initial infinity. One
    /// reduction computes the element, another one the first or last index of an equal one: both have a vector form.
    fn arg_reduce(&self, b: &mut Builder<'_>, extremum: Extremum) -> Lowered {
        let data = self.arg(0);
        let (dtype, to) = (data.dtype(), self.result().dtype);
        let (axes, last) = (reduced_axes(self, data.rank()), self.attrs.flag("select_last_index"));
        let (worst, better): (Value, Combine) = match extremum {
            Extremum::Greatest => (scalar::least(b, dtype), scalar::largest),
            Extremum::Least => (scalar::greatest(b, dtype), scalar::min),
        };
        let dims = ReducedDims::of(self);
        let best = reduce(b, data, &axes, dims, worst, better);
        let none = scalar::integer(b, -1, to);
        let (other, first): (Value, Combine) = match last {
            true => (none, scalar::max),
            false => (scalar::greatest(b, to), scalar::min),
        };
        let all = extents(b, data);
        let (_, of_best) = domain(b, data, &axes, dims).output;
        let inputs = [(data, data.same()), (&best, of_best)];
        let indices = pointwise(b, &inputs, &all, to, |b, elements| {
            let mut is_best = scalar::compare(b, Compare::Eq, elements[0], elements[1], dtype);
            if dtype.is_float() {
                // NaN is better than every number.
                let is_nan = scalar::compare(b, Compare::Ne, elements[0], elements[0], dtype);
                is_best = arith::ori(b, is_best, is_nan);
            }
            let here = flat_index(b, &all, &axes);
            let here = scalar::from_index(b, here, to);
            arith::select(b, is_best, here, other)
        });
        let found = reduce(b, &indices, &axes, dims, other, first);
        let has_elements = reduced_count(b, data, &axes).known().is_some_and(|count| count > 0);
        if last || has_elements && !dtype.is_float() {
            return Ok(vec![found]);
        }
        let wanted = extents(b, &found);
        let result =
            pointwise(b, &[(&found, found.same()), (&best, best.same())], &wanted, to, |b, elements| {
                // Integer types have no value that is worse than all others.
                let is_none = match dtype.is_float() {
                    true => scalar::compare(b, Compare::Eq, elements[1], worst, dtype),
                    false => scalar::compare(b, Compare::Eq, elements[0], other, to),
                };
                arith::select(b, is_none, none, elements[0])
            });
        Ok(vec![result])
    }

    fn scan(
        &self,
        b: &mut Builder<'_>,
        init: fn(&mut Builder<'_>, DType) -> Value,
        next: Combine,
    ) -> Lowered {
        let dtype = self.result().dtype;
        let data = cast(b, self.arg(0), dtype);
        let all = extents(b, &data);
        let (data, axis) = match self.attrs.int("axis") {
            Some(axis) => {
                let axis = from_front(axis, data.rank());
                (data, axis)
            }
            None => {
                let count = product(b, &all);
                (shape::reshaped(b, &data, &[count]), 0)
            }
        };
        let sizes = extents(b, &data);
        let mut others = sizes.clone();
        let along = others.remove(axis);
        let exclusive = self.attrs.flag("exclusive");
        let made = empty(b, &sizes, dtype);
        let init = init(b, dtype);
        if is_row(&sizes[axis + 1..]) {
            let value = scan_rows(b, &data, axis, &made, exclusive, init, next);
            return Ok(vec![Tensor { value, ..made }]);
        }
        let done = nest(b, &others, &[made.value], &mut |b, place, carried| {
            let done = nest(b, &[along], &[carried[0], init], &mut |b, index, carried| {
                let mut at = place.to_vec();
                at.insert(axis, index[0]);
                let element = extract(b, data.value, &at);
                let total = next(b, carried[1], element, dtype);
                let kept = if exclusive { carried[1] } else { total };
                vec![insert(b, kept, carried[0], &at), total]
            });
            vec![done[0]]
        });
        Ok(vec![Tensor { value: done[0], ..made }])
    }
}

/// Whether a part with these extents has enough elements to be computed at once.
fn is_row(extents: &[Extent]) -> bool {
    let least = |extent: &Extent| extent.known().unwrap_or(ROW);
    !extents.is_empty() && extents.iter().map(least).fold(1, i64::saturating_mul) >= ROW
}

/// Scans along an axis that is not the last one: the totals up to an index are computed at once, as a tensor over the axes after it.
fn scan_rows(
    b: &mut Builder<'_>,
    data: &Tensor,
    axis: usize,
    made: &Tensor,
    exclusive: bool,
    init: Value,
    next: Combine,
) -> Value {
    let (sizes, dtype) = (extents(b, data), data.dtype());
    let (around, along, row) = (&sizes[..axis], sizes[axis], &sizes[axis + 1..]);
    let mut part = vec![Extent::Known(1); axis + 1];
    part.extend(row);
    let exprs: Vec<AffineExpr> = (0..row.len()).map(dim).collect();
    let done = nest(b, around, &[made.value], &mut |b, place, carried| {
        let start = filled(b, row, dtype, init);
        let done = nest(b, &[along], &[carried[0], start.value], &mut |b, index, carried| {
            let mut offsets: Vec<Extent> =
                place.iter().chain(index).map(|&index| Extent::Value(index)).collect();
            offsets.resize(sizes.len(), Extent::Known(0));
            let elements = extract_part(b, data, &offsets, &part, axis + 1);
            let before = Tensor { value: carried[1], ..start.clone() };
            let inputs = [(&before, exprs.clone()), (&elements, exprs.clone())];
            let total = pointwise(b, &inputs, row, dtype, |b, values| next(b, values[0], values[1], dtype));
            let kept = if exclusive { &before } else { &total };
            vec![insert_part(b, kept, carried[0], &offsets, &part), total.value]
        });
        vec![done[0]]
    });
    done[0]
}

/// The row-major number of the current point among the reduced axes.
fn flat_index(b: &mut Builder<'_>, all: &[Extent], axes: &[bool]) -> Value {
    let (mut indices, mut own) = (Vec::new(), Vec::new());
    for (axis, (&extent, _)) in all.iter().zip(axes).enumerate().filter(|(_, (_, reduced))| **reduced) {
        let index = Index::build(b, axis as i64);
        debug_assert_eq!(b.ty(index.result(b.body())), Type::INDEX);
        indices.push(index.result(b.body()));
        own.push(extent);
    }
    super::tensors::position(b, &indices, &own)
}
