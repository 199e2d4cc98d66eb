//! Lowering of sampling at computed coordinates, and of the computation of such coordinates.

use super::coordinates::{Rounding, precision, region_coordinate};
use super::resize::{Method, interpolated};
use crate::layout::Layout;
use crate::lower::extent::Extent;
use crate::lower::index::index_at;
use crate::lower::nn::{SPATIAL, Window};
use crate::lower::relayout::relayout;
use crate::lower::scalar::{self, Compare};
use crate::lower::site::{Site, Tensor};
use crate::lower::slice::padded;
use crate::lower::tensors::{Accumulation, clamped, dim, extent, extents, generate, inside, linear, sum};
use crate::lower::{Lowered, Rule, extract};
use crate::relation::paddings;
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, OpDef, Value};
use minoan_math as math;
use minoan_scf::If;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "image.crop_and_resize" => |site, b| site.crop_and_resize(b),
        "image.affine_grid" => |site, b| site.affine_grid(b),
        "image.grid_sample" => |site, b| site.grid_sample(b),
        "image.dilation2d" => |site, b| site.dilation(b),
        _ => return None,
    })
}

/// The values of elements outside of the data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outside {
    Zeros,
    Border,
    Reflection,
}

impl Site {
    /// The argument at `index` with its axes in the order of `letters`, and its layout.
    fn plain(
        &self,
        b: &mut Builder<'_>,
        index: usize,
        attr: &str,
        letters: &str,
    ) -> Result<(Tensor, Layout, Layout), String> {
        let text = self.attrs.text(attr).unwrap_or_default();
        let given = Layout::of(text, letters).ok_or_else(|| format!("its layout is {text:?}"))?;
        let plain = Layout::of(letters, letters).ok_or("its layout is not known")?;
        Ok((relayout(b, self.arg(index), &given, &plain), given, plain))
    }

    fn crop_and_resize(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, given, plain) = self.plain(b, 0, "layout", "NCHW")?;
        let (boxes, numbers, to) = (self.arg(1), self.arg(2), self.result().dtype);
        let method = match self.attrs.text("method") {
            Some("bilinear") => Method::Linear,
            Some("nearest_neighbor") => Method::Nearest(Rounding::HalfAway),
            other => return Err(format!("its method is {:?}", other.unwrap_or_default())),
        };
        let dtype = precision(data.dtype());
        let old = extents(b, &data);
        self.expect_same(b, (1, 0), (2, 0));
        let four = extent(b, boxes, 1);
        four.expect(b, Extent::Known(4), || {
            "image.crop_and_resize: a box must have 4 elements, found {}".to_owned()
        });
        let count = extent(b, boxes, 0);
        let size = self.attrs.ints("crop_size").unwrap_or_default();
        let size = if size.len() == 1 { vec![size[0]; 2] } else { size };
        let wanted = [count, old[1], Extent::Known(size[0]), Extent::Known(size[1])];
        for axis in [0, 2, 3] {
            crate::lower::extent::expect_elements(b, old[axis], &wanted, || {
                format!("image.crop_and_resize: 'data' has no elements along axis {axis}")
            });
        }
        let done = generate(b, &wanted, to, |b, at| {
            let (mut taps, mut outside) = (Vec::new(), arith::constant_bool(b, false));
            for axis in 0..2 {
                let corner = |b: &mut Builder<'_>, column: usize| {
                    let column = arith::constant_index(b, column as i64);
                    let element = extract(b, boxes.value, &[at[0], column]);
                    scalar::cast(b, element, boxes.dtype(), dtype)
                };
                let region = (corner(b, axis), corner(b, axis + 2));
                let [place, from, to] = [at[axis + 2], old[axis + 2].value(b), wanted[axis + 2].value(b)]
                    .map(|index| scalar::from_index(b, index, dtype));
                let place = region_coordinate(b, place, (from, to), region, dtype);
                taps.push(method.taps(b, (axis + 2, old[axis + 2]), place, dtype, &clamped));
                let (zero, one) = (scalar::zero(b, dtype), scalar::one(b, dtype));
                let last = arith::subf(b, from, one);
                let before = scalar::compare(b, Compare::Lt, place, zero, dtype);
                let after = scalar::compare(b, Compare::Gt, place, last, dtype);
                let here = arith::ori(b, before, after);
                outside = arith::ori(b, outside, here);
            }
            let mut source = at.to_vec();
            let number = index_at(b, numbers, &at[..1]);
            source[0] = clamped(b, number, old[0]);
            let value = interpolated(b, &taps, &mut source, &mut |b, at| {
                let element = extract(b, data.value, at);
                scalar::cast(b, element, data.dtype(), dtype)
            });
            let other = self.attrs.float("extrapolation_value").unwrap_or(0.0);
            let other = scalar::constant(b, other, dtype);
            let value = arith::select(b, outside, other, value);
            scalar::cast(b, value, dtype, to)
        });
        Ok(vec![relayout(b, &done, &plain, &given)])
    }

    /// The coordinates of a grid over [-1, 1] in each direction, mapped by an affine transformation.
    fn affine_grid(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.float_dtype()?);
        for (axis, size) in [(1, 2), (2, 3)] {
            let own = extent(b, data, axis);
            own.expect(b, Extent::Known(size), || {
                format!("image.affine_grid: expected extent {size} of 'data' along axis {axis}, found {{}}")
            });
        }
        let batch = extent(b, data, 0);
        let size = self.attrs.ints("target_shape").unwrap_or_default();
        let wanted = [batch, Extent::Known(2), Extent::Known(size[0]), Extent::Known(size[1])];
        Ok(vec![generate(b, &wanted, dtype, |b, at| {
            let place = |b: &mut Builder<'_>, axis: usize| {
                let steps = scalar::constant(b, (size[axis - 2] - 1).max(1) as f64, dtype);
                let (index, two, minus) = (
                    scalar::from_index(b, at[axis], dtype),
                    scalar::constant(b, 2.0, dtype),
                    scalar::constant(b, -1.0, dtype),
                );
                let step = arith::divf(b, two, steps);
                let offset = arith::mulf(b, index, step);
                arith::addf(b, minus, offset)
            };
            let (x, y) = (place(b, 3), place(b, 2));
            let entry = |b: &mut Builder<'_>, column: i64| {
                let column = arith::constant_index(b, column);
                extract(b, data.value, &[at[0], at[1], column])
            };
            let (first, second, third) = (entry(b, 0), entry(b, 1), entry(b, 2));
            let (along_x, along_y) = (arith::mulf(b, first, x), arith::mulf(b, second, y));
            let total = arith::addf(b, along_x, along_y);
            arith::addf(b, total, third)
        })])
    }

    fn grid_sample(&self, b: &mut Builder<'_>) -> Lowered {
        let axes = self.arg(0).rank() - 2;
        let letters = format!("NC{}", SPATIAL[axes - 1]);
        let (data, given, plain) = self.plain(b, 0, "layout", &letters)?;
        let (grid, to) = (self.arg(1), self.result().dtype);
        let (dtype, grid_dtype) = (precision(data.dtype()), grid.dtype());
        let aligned = self.attrs.flag("align_corners");
        let method = match self.attrs.text("method") {
            Some("bilinear") => Method::Linear,
            Some("nearest") => Method::Nearest(Rounding::HalfAway),
            Some("bicubic") if axes == 2 => Method::Cubic(-0.75, false),
            other => return Err(format!("its method is {:?}", other.unwrap_or_default())),
        };
        let outside = match self.attrs.text("padding_mode") {
            Some("zeros") => Outside::Zeros,
            Some("border") => Outside::Border,
            Some("reflection") => Outside::Reflection,
            other => return Err(format!("its padding_mode is {:?}", other.unwrap_or_default())),
        };
        self.expect_same(b, (0, 0), (1, 0));
        let coordinates = extent(b, grid, 1);
        coordinates.expect(b, Extent::Known(axes as i64), || {
            format!("{}: expected extent {axes} of 'grid' along axis 1, found {{}}", self.name)
        });
        let old = extents(b, &data);
        let places = extents(b, grid);
        let wanted = [&old[..2], &places[2..]].concat();
        if outside != Outside::Zeros {
            for (axis, &own) in old.iter().enumerate().skip(2) {
                crate::lower::extent::expect_elements(b, own, &wanted, || {
                    format!("{}: 'data' has no elements along axis {axis}", self.name)
                });
            }
        }
        let ty = scalar::element(&b.context(), dtype);
        let done = generate(b, &wanted, to, |b, at| {
            let mut taps = Vec::with_capacity(axes);
            for axis in 0..axes {
                // The coordinates are those of the last axis first.
                let number = arith::constant_index(b, (axes - 1 - axis) as i64);
                let own = [&[at[0], number], &at[2..]].concat();
                let place = extract(b, grid.value, &own);
                let place = scalar::cast(b, place, grid_dtype, dtype);
                let whole = old[axis + 2];
                let place = unnormalized(b, place, whole, aligned, dtype);
                let cubic = matches!(method, Method::Cubic(..));
                let place = match outside {
                    Outside::Border if !cubic => bordered(b, place, whole, dtype),
                    Outside::Reflection if !cubic => {
                        let place = reflected(b, place, whole, aligned, dtype);
                        bordered(b, place, whole, dtype)
                    }
                    _ => place,
                };
                let bound = |b: &mut Builder<'_>, index: Value, whole: Extent| match outside {
                    Outside::Zeros => index,
                    Outside::Border => clamped(b, index, whole),
                    Outside::Reflection => {
                        let place = scalar::from_index(b, index, dtype);
                        let place = reflected(b, place, whole, aligned, dtype);
                        let place = bordered(b, place, whole, dtype);
                        let index = scalar::to_index(b, place, dtype);
                        clamped(b, index, whole)
                    }
                };
                taps.push(method.taps(b, (axis + 2, whole), place, dtype, &bound));
            }
            let value = interpolated(b, &taps, &mut at.to_vec(), &mut |b, at| {
                let element = |b: &mut Builder<'_>| {
                    let element = extract(b, data.value, at);
                    scalar::cast(b, element, data.dtype(), dtype)
                };
                if outside != Outside::Zeros {
                    return element(b);
                }
                let mut here = arith::constant_bool(b, true);
                for axis in 2..axes + 2 {
                    let fits = inside(b, at[axis], old[axis]);
                    here = arith::andi(b, here, fits);
                }
                let zero = scalar::zero(b, dtype);
                let chosen = If::with(b, here, &[ty], |b| vec![element(b)], |_| vec![zero]);
                b.body().op(chosen.op()).result(0)
            });
            scalar::cast(b, value, dtype, to)
        });
        Ok(vec![relayout(b, &done, &plain, &given)])
    }

    /// The maximum over each window of the data plus the kernel.
    fn dilation(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, given, plain) = self.plain(b, 0, "data_layout", "NCHW")?;
        let (kernel, ..) = self.plain(b, 1, "kernel_layout", "IHW")?;
        let dtype = self.result().dtype;
        let (strides, dilations) = (
            crate::lower::nn::for_axes(self, "strides", 2),
            crate::lower::nn::for_axes(self, "dilations", 2),
        );
        let padding = self.attrs.ints("padding").unwrap_or_default();
        let padding = paddings(&padding, 2).ok_or("its padding has another number of elements")?;
        let widths = [(0, 0), (0, 0), padding[0], padding[1]];
        let least = scalar::least(b, data.dtype());
        let data = padded(b, &data, &widths, least);
        let mut wanted = extents(b, &data);
        let mut left = vec![dim(0), dim(1)];
        for axis in 0..2 {
            let size = extent(b, &kernel, axis + 1);
            let window = Window {
                size,
                stride: strides[axis],
                dilation: dilations[axis],
                padding: (0, 0),
                ceil_mode: false,
            };
            wanted[axis + 2] = window.places(b, wanted[axis + 2], self.name);
            left.push(sum(
                linear(dim(axis + 2), strides[axis], 0),
                linear(dim(axis + 4), dilations[axis], 0),
            ));
        }
        let domain = Accumulation {
            inputs: vec![(&data, left), (&kernel, vec![dim(1), dim(4), dim(5)])],
            reduced: (0..6).map(|dimension| dimension >= 4).collect(),
            output: (wanted, (0..4).map(dim).collect()),
        };
        domain.check(b, self.name);
        let types = (data.dtype(), kernel.dtype());
        let init = scalar::least(b, dtype);
        let done = domain.run(b, &[(dtype, init)], |b, inputs, best| {
            let (element, weight) =
                (scalar::cast(b, inputs[0], types.0, dtype), scalar::cast(b, inputs[1], types.1, dtype));
            let total = scalar::add(b, element, weight, dtype);
            vec![scalar::max(b, best[0], total, dtype)]
        });
        let done = done.into_iter().next().ok_or("there is no result")?;
        Ok(vec![relayout(b, &done, &plain, &given)])
    }
}

/// Denormalizes a coordinate in [-1, 1] to pixels.
fn unnormalized(b: &mut Builder<'_>, at: Value, whole: Extent, aligned: bool, dtype: DType) -> Value {
    let whole = whole.value(b);
    let whole = scalar::from_index(b, whole, dtype);
    let [half, one] = [0.5, 1.0].map(|number| scalar::constant(b, number, dtype));
    let moved = arith::addf(b, at, one);
    if aligned {
        let last = arith::subf(b, whole, one);
        let scaled = arith::mulf(b, moved, last);
        return arith::mulf(b, scaled, half);
    }
    let scaled = arith::mulf(b, moved, whole);
    let scaled = arith::subf(b, scaled, one);
    arith::mulf(b, scaled, half)
}

/// The nearest coordinate inside the data.
fn bordered(b: &mut Builder<'_>, at: Value, whole: Extent, dtype: DType) -> Value {
    let last = whole.plus(b, Extent::Known(-1)).value(b);
    let (last, zero) = (scalar::from_index(b, last, dtype), scalar::zero(b, dtype));
    let at = arith::minimumf(b, at, last);
    arith::maximumf(b, at, zero)
}

/// A coordinate reflected at the centers of the outer elements, or at their borders.
fn reflected(b: &mut Builder<'_>, at: Value, whole: Extent, aligned: bool, dtype: DType) -> Value {
    let whole = whole.value(b);
    let whole = scalar::from_index(b, whole, dtype);
    let [zero, one, two] = [0.0, 1.0, 2.0].map(|number| scalar::constant(b, number, dtype));
    let low = if aligned { zero } else { scalar::constant(b, -0.5, dtype) };
    let span = if aligned { arith::subf(b, whole, one) } else { whole };
    let some = scalar::compare(b, Compare::Gt, span, zero, dtype);
    let defined = arith::select(b, some, span, one);
    let away = arith::subf(b, at, low);
    let away = math::absf(b, away);
    let period = arith::mulf(b, defined, two);
    let rest = arith::remf(b, away, period);
    let back = arith::subf(b, period, rest);
    let folded = arith::minimumf(b, rest, back);
    let place = arith::addf(b, folded, low);
    arith::select(b, some, place, zero)
}
