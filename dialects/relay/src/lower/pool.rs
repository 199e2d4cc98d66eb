//! Lowering of pooling.

use super::conv::for_axes;
use super::extent::Extent;
use super::pointwise::each;
use super::reduce::{count_as, mean};
use super::scalar;
use super::site::{Site, Tensor};
use super::slice::padded;
use super::tensors::{Accumulation, dim, empty, extents, generate, linear, sum};
use super::{Rule, extract};
use crate::layout::Layout;
use crate::relation::paddings;
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, Value};

type Lowered = Result<Vec<Tensor>, String>;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.max_pool2d" => |site, b| {
            let windows = Windows::of(site)?;
            let least = scalar::least(b, site.arg(0).dtype());
            Ok(vec![windows.reduce(b, site.arg(0), least, scalar::max)])
        },
        "nn.avg_pool2d" => |site, b| site.avg_pool(b),
        "nn.global_avg_pool2d" => |site, b| {
            let axes = pooled_axes(site)?;
            let reduced: Vec<bool> = (0..site.arg(0).rank()).map(|axis| axes.contains(&axis)).collect();
            Ok(vec![mean(b, site.arg(0), &reduced, true)])
        },
        "nn.global_max_pool2d" => |site, b| {
            let axes = pooled_axes(site)?;
            let reduced: Vec<bool> = (0..site.arg(0).rank()).map(|axis| axes.contains(&axis)).collect();
            let least = scalar::least(b, site.arg(0).dtype());
            Ok(vec![super::reduce::reduce(b, site.arg(0), &reduced, true, least, scalar::max)])
        },
        _ => return None,
    })
}

/// The positions of the pooled axes.
fn pooled_axes(site: &Site) -> Result<[usize; 2], String> {
    let text = site.attrs.text("layout").unwrap_or_default();
    let layout = Layout::parse(text).ok_or("its layout is not known")?;
    match (layout.position('H'), layout.position('W')) {
        (Some(height), Some(width)) => Ok([height, width]),
        _ => Err(format!("its layout is {text}")),
    }
}

/// Numbers for two axes.
fn pair(site: &Site, name: &str) -> [i64; 2] {
    let given = for_axes(site, name, 2);
    [given[0], given[1]]
}

/// Sliding windows over two axes.
struct Windows {
    axes: [usize; 2],
    size: [i64; 2],
    stride: [i64; 2],
    dilation: [i64; 2],
    padding: [(i64, i64); 2],
    /// The extents of the data, and the number of window positions.
    whole: [i64; 2],
    places: [i64; 2],
}

impl Windows {
    fn of(site: &Site) -> Result<Windows, String> {
        let axes = pooled_axes(site)?;
        let given = site.attrs.ints("padding").unwrap_or_default();
        let padding = paddings(&given, 2).ok_or("its padding has another number of elements")?;
        let known = |shape: &[crate::ty::Dim], axis: usize| {
            shape[axes[axis]].known().ok_or("the extents that its windows move over are not known")
        };
        let (data, result) = (&site.arg(0).ty.shape, &site.result().shape);
        Ok(Windows {
            axes,
            size: pair(site, "pool_size"),
            stride: pair(site, "strides"),
            dilation: pair(site, "dilation"),
            padding: [padding[0], padding[1]],
            whole: [known(data, 0)?, known(data, 1)?],
            places: [known(result, 0)?, known(result, 1)?],
        })
    }

    /// Reduces each window; `init` is the value of the padding.
    fn reduce(
        &self,
        b: &mut Builder<'_>,
        data: &Tensor,
        init: Value,
        next: fn(&mut Builder<'_>, Value, Value, DType) -> Value,
    ) -> Tensor {
        let (dtype, rank) = (data.dtype(), data.rank());
        let mut widths = vec![(0, 0); rank];
        for axis in 0..2 {
            let (before, after) = self.padding[axis];
            let reach = (self.size[axis] - 1) * self.dilation[axis] + 1;
            // If their number is rounded up, windows may extend beyond the padding.
            let needed = (self.places[axis] - 1) * self.stride[axis] + reach - self.whole[axis] - before;
            widths[self.axes[axis]] = (before, after.max(needed));
        }
        let mut wanted = extents(b, data);
        let data = padded(b, data, &widths, init);
        let mut exprs = data.same();
        for axis in 0..2 {
            let at = self.axes[axis];
            wanted[at] = Extent::Known(self.places[axis]);
            exprs[at] =
                sum(linear(dim(at), self.stride[axis], 0), linear(dim(rank + axis), self.dilation[axis], 0));
        }
        // Only its shape matters: its extents are those of a window.
        let window = empty(b, &self.size.map(Extent::Known), dtype);
        let domain = Accumulation {
            inputs: vec![(&data, exprs), (&window, vec![dim(rank), dim(rank + 1)])],
            reduced: (0..rank + 2).map(|axis| axis >= rank).collect(),
            output: (wanted, (0..rank).map(dim).collect()),
        };
        let done =
            domain.run(b, &[(dtype, init)], |b, inputs, kept| vec![next(b, kept[0], inputs[0], dtype)]);
        done.into_iter().next().expect("one output for one beginning")
    }

    /// Whether all windows are inside the data.
    fn all_inside(&self) -> bool {
        (0..2).all(|axis| {
            let reach = (self.size[axis] - 1) * self.dilation[axis] + 1;
            let last = (self.places[axis] - 1) * self.stride[axis] + reach;
            self.padding[axis] == (0, 0) && last <= self.whole[axis]
        })
    }

    /// The number of elements of a window that count: those of the data and, optionally, of the padding.
    fn counted(&self, b: &mut Builder<'_>, axis: usize, place: Value, with_padding: bool) -> Value {
        let index = |b: &mut Builder<'_>, value: i64| arith::constant_index(b, value);
        let (before, after) = self.padding[axis];
        let (low, high) =
            if with_padding { (-before, self.whole[axis] + after) } else { (0, self.whole[axis]) };
        let (stride, before) = (index(b, self.stride[axis]), index(b, before));
        let start = arith::muli(b, place, stride);
        let start = arith::subi(b, start, before);
        // The first element that is not less than a bound.
        let first_from = |b: &mut Builder<'_>, bound: i64| {
            let (bound, zero, dilation) = (index(b, bound), index(b, 0), index(b, self.dilation[axis]));
            let away = arith::subi(b, bound, start);
            let away = arith::maxsi(b, away, zero);
            arith::ceildivsi(b, away, dilation)
        };
        let (first, last) = (first_from(b, low), first_from(b, high));
        let (size, zero) = (index(b, self.size[axis]), index(b, 0));
        let last = arith::minsi(b, last, size);
        let count = arith::subi(b, last, first);
        arith::maxsi(b, count, zero)
    }
}

impl Site {
    fn avg_pool(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.arg(0).dtype());
        let windows = Windows::of(self)?;
        let zero = scalar::zero(b, dtype);
        let total = windows.reduce(b, data, zero, scalar::add);
        if windows.all_inside() {
            let count = count_as(b, Extent::Known(windows.size[0] * windows.size[1]), dtype);
            return Ok(vec![each(b, &total, dtype, |b, total| scalar::div(b, total, count, dtype))]);
        }
        let with_padding = self.attrs.flag("count_include_pad");
        let wanted = extents(b, &total);
        Ok(vec![generate(b, &wanted, dtype, |b, at| {
            let counts = [0, 1].map(|axis| windows.counted(b, axis, at[windows.axes[axis]], with_padding));
            let count = arith::muli(b, counts[0], counts[1]);
            // The sum of a window completely outside the data is 0.
            let one = arith::constant_index(b, 1);
            let count = arith::maxsi(b, count, one);
            let count = scalar::from_index(b, count, dtype);
            let total = extract(b, total.value, at);
            scalar::div(b, total, count, dtype)
        })])
    }
}
