//! Lowering of pooling over one, two and three axes.

use super::window::{SPATIAL, Window, for_axes, spatial_axes};
use crate::lower::extent::{Extent, product};
use crate::lower::pointwise::each;
use crate::lower::reduce::{ReducedDims, count_as, mean, reduce};
use crate::lower::site::{Site, Tensor};
use crate::lower::slice::padded;
use crate::lower::tensors::{Accumulation, dim, empty, extents, generate, linear, sum};
use crate::lower::{Lowered, Rule, extract, scalar};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, Value};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.max_pool1d" => |site, b| site.max_pool(b, 1),
        "nn.max_pool2d" => |site, b| site.max_pool(b, 2),
        "nn.max_pool3d" => |site, b| site.max_pool(b, 3),
        "nn.avg_pool1d" => |site, b| site.avg_pool(b, 1),
        "nn.avg_pool2d" => |site, b| site.avg_pool(b, 2),
        "nn.avg_pool3d" => |site, b| site.avg_pool(b, 3),
        "nn.global_avg_pool2d" => |site, b| {
            let pooled = site.pooled(2)?;
            Ok(vec![mean(b, site.arg(0), &pooled, ReducedDims::Keep)])
        },
        "nn.global_max_pool2d" => |site, b| {
            let pooled = site.pooled(2)?;
            let least = scalar::least(b, site.arg(0).dtype());
            Ok(vec![reduce(b, site.arg(0), &pooled, ReducedDims::Keep, least, scalar::largest)])
        },
        _ => return None,
    })
}

/// Sliding windows over some axes of a tensor.
pub(in crate::lower) struct Windows {
    /// The pooled axes.
    pub(in crate::lower) axes: Vec<usize>,
    pub(in crate::lower) each: Vec<Window>,
    /// The extents of the data along these axes, and the number of window positions.
    pub(in crate::lower) whole: Vec<Extent>,
    pub(in crate::lower) places: Vec<Extent>,
}

impl Windows {
    /// The windows of a pooling operator over the spatial axes of its first argument.
    pub(in crate::lower) fn of(site: &Site, b: &mut Builder<'_>, axes: usize) -> Result<Windows, String> {
        let sizes: Vec<Extent> = for_axes(site, "pool_size", axes).into_iter().map(Extent::Known).collect();
        let (axes, each) = (spatial_axes(site, SPATIAL[axes - 1])?, Window::along(site, &sizes)?);
        let all = extents(b, site.arg(0));
        let whole: Vec<Extent> = axes.iter().map(|&axis| all[axis]).collect();
        let mut places = Vec::with_capacity(axes.len());
        for (index, window) in each.iter().enumerate() {
            places.push(match site.result().shape[axes[index]].known() {
                Some(places) => Extent::Known(places),
                None => window.places(b, whole[index], site.name),
            });
        }
        Ok(Windows { axes, each, whole, places })
    }

    /// An upper bound on the number of elements after the data that windows read, if it is constant.
    fn reached(&self, b: &mut Builder<'_>, index: usize) -> Option<i64> {
        let window = &self.each[index];
        if let (Some(whole), Some(places)) = (self.whole[index].known(), self.places[index].known()) {
            return Some((places - 1) * window.stride + window.reach(b).known()? - whole - window.padding.0);
        }
        // If the number of positions is rounded down, no window extends beyond the padding.
        (!window.ceil_mode && self.places[index].known().is_none()).then_some(window.padding.1)
    }

    /// Reduces each window; `init` is the value of the padding.
    pub(in crate::lower) fn reduce(
        &self,
        b: &mut Builder<'_>,
        data: &Tensor,
        init: Value,
        next: fn(&mut Builder<'_>, Value, Value, DType) -> Value,
    ) -> Tensor {
        let (dtype, rank) = (data.dtype(), data.rank());
        let mut widths = vec![(0, 0); rank];
        for (index, window) in self.each.iter().enumerate() {
            let (before, after) = window.padding;
            // If the number of positions is rounded up, windows may extend beyond the padding.
            let after = match self.reached(b, index) {
                Some(needed) => after.max(needed),
                None => after + window.stride - 1,
            };
            widths[self.axes[index]] = (before, after);
        }
        let mut wanted = extents(b, data);
        let data = padded(b, data, &widths, init);
        let mut exprs = data.same();
        for (index, window) in self.each.iter().enumerate() {
            let at = self.axes[index];
            wanted[at] = self.places[index];
            exprs[at] = sum(linear(dim(at), window.stride, 0), linear(dim(rank + index), window.dilation, 0));
        }
        // Only its shape matters: its extents are those of a window.
        let sizes: Vec<Extent> = self.each.iter().map(|window| window.size).collect();
        let window = empty(b, &sizes, dtype);
        let dims = rank + self.axes.len();
        let domain = Accumulation {
            inputs: vec![(&data, exprs), (&window, (rank..dims).map(dim).collect())],
            reduced: (0..dims).map(|axis| axis >= rank).collect(),
            output: (wanted, (0..rank).map(dim).collect()),
        };
        let done =
            domain.run(b, &[(dtype, init)], |b, inputs, kept| vec![next(b, kept[0], inputs[0], dtype)]);
        done.into_iter().next().expect("one output for one beginning")
    }

    /// The mean of each window over the elements that count: those of the data and, optionally, of the padding.
    pub(in crate::lower) fn mean(&self, b: &mut Builder<'_>, data: &Tensor, with_padding: bool) -> Tensor {
        let dtype = data.dtype();
        let zero = scalar::zero(b, dtype);
        let total = self.reduce(b, data, zero, scalar::accumulate);
        if self.all_inside(b) {
            let sizes: Vec<Extent> = self.each.iter().map(|window| window.size).collect();
            let count = product(b, &sizes);
            let count = count_as(b, count, dtype);
            return each(b, &total, dtype, |b, total| scalar::div(b, total, count, dtype));
        }
        let wanted = extents(b, &total);
        generate(b, &wanted, dtype, |b, at| {
            let mut count = arith::constant_index(b, 1);
            for (index, &axis) in self.axes.iter().enumerate() {
                let own = self.counted(b, index, at[axis], with_padding);
                count = arith::muli(b, count, own);
            }
            // The sum of a window completely outside the data is 0.
            let one = arith::constant_index(b, 1);
            let count = arith::maxsi(b, count, one);
            let count = scalar::from_index(b, count, dtype);
            let total = extract(b, total.value, at);
            scalar::div(b, total, count, dtype)
        })
    }

    /// Whether all windows are inside the data.
    fn all_inside(&self, b: &mut Builder<'_>) -> bool {
        (0..self.axes.len()).all(|index| {
            self.each[index].padding == (0, 0) && self.reached(b, index).is_some_and(|needed| needed <= 0)
        })
    }

    /// The number of elements of a window along an axis that count.
    fn counted(&self, b: &mut Builder<'_>, axis: usize, place: Value, with_padding: bool) -> Value {
        let index = |b: &mut Builder<'_>, value: i64| arith::constant_index(b, value);
        let window = &self.each[axis];
        let (before, after) = window.padding;
        let (low, beyond) = if with_padding { (-before, after) } else { (0, 0) };
        let low = index(b, low);
        let high = self.whole[axis].plus(b, Extent::Known(beyond)).value(b);
        let (stride, before) = (index(b, window.stride), index(b, before));
        let start = arith::muli(b, place, stride);
        let start = arith::subi(b, start, before);
        // The first element that is not less than a bound.
        let first_from = |b: &mut Builder<'_>, bound: Value| {
            let (zero, dilation) = (index(b, 0), index(b, window.dilation));
            let away = arith::subi(b, bound, start);
            let away = arith::maxsi(b, away, zero);
            arith::ceildivsi(b, away, dilation)
        };
        let (first, last) = (first_from(b, low), first_from(b, high));
        let (size, zero) = (window.size.value(b), index(b, 0));
        let last = arith::minsi(b, last, size);
        let count = arith::subi(b, last, first);
        arith::maxsi(b, count, zero)
    }
}

impl Site {
    /// For each axis of the data: whether it is pooled.
    pub(super) fn pooled(&self, axes: usize) -> Result<Vec<bool>, String> {
        let axes = spatial_axes(self, SPATIAL[axes - 1])?;
        Ok((0..self.arg(0).rank()).map(|axis| axes.contains(&axis)).collect())
    }

    fn max_pool(&self, b: &mut Builder<'_>, axes: usize) -> Lowered {
        let windows = Windows::of(self, b, axes)?;
        let least = scalar::least(b, self.arg(0).dtype());
        Ok(vec![windows.reduce(b, self.arg(0), least, scalar::largest)])
    }

    fn avg_pool(&self, b: &mut Builder<'_>, axes: usize) -> Lowered {
        let windows = Windows::of(self, b, axes)?;
        Ok(vec![windows.mean(b, self.arg(0), self.attrs.flag("count_include_pad"))])
    }
}
