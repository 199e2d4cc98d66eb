//! Lowering of pooling over regions of interest.

use crate::layout::Layout;
use crate::lower::extent::{Extent, expect_elements};
use crate::lower::relayout::relayout;
use crate::lower::scalar::{self, Compare};
use crate::lower::site::{Site, Tensor};
use crate::lower::tensors::{clamped, extent, extents, generate, nest};
use crate::lower::{Lowered, Rule, extract};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, Value};
use minoan_math as math;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "vision.roi_align" => |site, b| site.roi_align(b),
        "vision.roi_pool" => |site, b| site.roi_pool(b),
        _ => return None,
    })
}

/// The data and the regions, rows of batch and corners.
struct Regions<'s> {
    data: Tensor,
    rois: &'s Tensor,
    dtype: DType,
    old: Vec<Extent>,
    wanted: Vec<Extent>,
    size: Vec<i64>,
    scale: f64,
}

impl<'s> Regions<'s> {
    fn of(site: &'s Site, b: &mut Builder<'_>) -> Result<(Regions<'s>, Layout, Layout), String> {
        let text = site.attrs.text("layout").unwrap_or_default();
        let given = Layout::of(text, "NCHW").ok_or_else(|| format!("its layout is {text:?}"))?;
        let plain = Layout::of("NCHW", "NCHW").ok_or("its layout is not known")?;
        let data = relayout(b, site.arg(0), &given, &plain);
        let (rois, dtype) = (site.arg(1), site.arg(0).dtype());
        if !dtype.is_float() || rois.dtype() != dtype {
            return Err(format!("it is not defined for elements of type {dtype} and {}", rois.dtype()));
        }
        let columns = extent(b, rois, 1);
        columns.expect(b, Extent::Known(5), || format!("{}: a region must have 5 elements", site.name));
        let size = site.attrs.ints("pooled_size").unwrap_or_default();
        let size = if size.len() == 1 { vec![size[0]; 2] } else { size };
        let old = extents(b, &data);
        let count = extent(b, rois, 0);
        let wanted = vec![count, old[1], Extent::Known(size[0]), Extent::Known(size[1])];
        for axis in [0, 2, 3] {
            expect_elements(b, old[axis], &wanted, || {
                format!("{}: 'data' has no elements along axis {axis}", site.name)
            });
        }
        let scale = site.attrs.float("spatial_scale").unwrap_or(1.0);
        Ok((Regions { data, rois, dtype, old, wanted, size, scale }, given, plain))
    }

    fn constant(&self, b: &mut Builder<'_>, value: f64) -> Value {
        scalar::constant(b, value, self.dtype)
    }

    /// The number in a column of a region.
    fn column(&self, b: &mut Builder<'_>, region: Value, column: i64) -> Value {
        let column = arith::constant_index(b, column);
        extract(b, self.rois.value, &[region, column])
    }

    /// The batch of a region.
    fn batch(&self, b: &mut Builder<'_>, region: Value) -> Value {
        let batch = self.column(b, region, 0);
        let batch = scalar::to_index(b, batch, self.dtype);
        clamped(b, batch, self.old[0])
    }

    /// The scaled first and last coordinate of a region along an axis, 0 for rows.
    fn sides(&self, b: &mut Builder<'_>, region: Value, axis: i64) -> (Value, Value) {
        let scale = self.constant(b, self.scale);
        let side = |b: &mut Builder<'_>, column: i64| {
            let value = self.column(b, region, column);
            arith::mulf(b, value, scale)
        };
        (side(b, 2 - axis), side(b, 4 - axis))
    }

    /// The places of the samples of a part of a region along an axis: where the part begins, their distance, and their number,
    /// which is `samples` if that is positive. `at` is the index of the result.
    fn sampled(&self, b: &mut Builder<'_>, at: &[Value], axis: usize, samples: i64) -> (Value, Value, Value) {
        let one = self.constant(b, 1.0);
        let (first, last) = self.sides(b, at[0], axis as i64);
        let length = arith::subf(b, last, first);
        let length = arith::maximumf(b, length, one);
        let parts = self.constant(b, self.size[axis] as f64);
        let part = arith::divf(b, length, parts);
        let count = if samples > 0 {
            arith::constant_index(b, samples)
        } else {
            let whole = math::ceil(b, part);
            let most = self.constant(b, 1e6);
            let whole = arith::minimumf(b, whole, most);
            scalar::to_index(b, whole, self.dtype)
        };
        let place = scalar::from_index(b, at[axis + 2], self.dtype);
        let offset = arith::mulf(b, place, part);
        let begin = arith::addf(b, first, offset);
        let number = scalar::from_index(b, count, self.dtype);
        (begin, arith::divf(b, part, number), count)
    }

    /// The two elements next to a coordinate along an axis with their weights, and whether the coordinate is outside of the data.
    fn taps(&self, b: &mut Builder<'_>, axis: usize, here: Value) -> (Value, [(Value, Value); 2]) {
        let (dtype, old) = (self.dtype, self.old[axis + 2]);
        let whole = old.value(b);
        let whole = scalar::from_index(b, whole, dtype);
        let [low, zero, one] = [-1.0, 0.0, 1.0].map(|number| self.constant(b, number));
        let before = scalar::compare(b, Compare::Lt, here, low, dtype);
        let after = scalar::compare(b, Compare::Gt, here, whole, dtype);
        let outside = arith::ori(b, before, after);
        let last = arith::subf(b, whole, one);
        let inside = arith::maximumf(b, here, zero);
        let inside = arith::minimumf(b, inside, last);
        let floor = math::floor(b, inside);
        let weight = arith::subf(b, inside, floor);
        let index = scalar::to_index(b, floor, dtype);
        let index = clamped(b, index, old);
        let step = arith::constant_index(b, 1);
        let next = arith::addi(b, index, step);
        let next = clamped(b, next, old);
        let rest = arith::subf(b, one, weight);
        (outside, [(index, rest), (next, weight)])
    }
}

impl Site {
    /// The mean or maximum of interpolated elements at places evenly spread over each part of a region.
    fn roi_align(&self, b: &mut Builder<'_>) -> Lowered {
        let (regions, given, plain) = Regions::of(self, b)?;
        let dtype = regions.dtype;
        let samples = self.attrs.int("sample_ratio").unwrap_or(-1);
        let max = match self.attrs.text("mode") {
            Some("avg") => false,
            Some("max") => true,
            other => return Err(format!("its mode is {:?}", other.unwrap_or_default())),
        };
        let done = generate(b, &regions.wanted, dtype, |b, at| {
            let batch = regions.batch(b, at[0]);
            let half = regions.constant(b, 0.5);
            let mut axes = Vec::with_capacity(2);
            for axis in 0..2 {
                axes.push(regions.sampled(b, at, axis, samples));
            }
            let sizes = [Extent::Value(axes[0].2), Extent::Value(axes[1].2)];
            let init = if max { scalar::least(b, dtype) } else { scalar::zero(b, dtype) };
            let total = nest(b, &sizes, &[init], &mut |b, place, carried| {
                let mut taps = Vec::with_capacity(2);
                let mut outside = arith::constant_bool(b, false);
                for (axis, &(begin, step, _)) in axes.iter().enumerate() {
                    let number = scalar::from_index(b, place[axis], dtype);
                    let center = arith::addf(b, number, half);
                    let offset = arith::mulf(b, center, step);
                    let here = arith::addf(b, begin, offset);
                    let (off, pair) = regions.taps(b, axis, here);
                    outside = arith::ori(b, outside, off);
                    taps.push(pair);
                }
                let mut value = regions.constant(b, 0.0);
                for (row, row_weight) in taps[0] {
                    for (column, column_weight) in taps[1] {
                        let element = extract(b, regions.data.value, &[batch, at[1], row, column]);
                        let weight = arith::mulf(b, row_weight, column_weight);
                        let scaled = arith::mulf(b, element, weight);
                        value = arith::addf(b, value, scaled);
                    }
                }
                let zero = regions.constant(b, 0.0);
                let value = arith::select(b, outside, zero, value);
                vec![if max {
                    scalar::max(b, carried[0], value, dtype)
                } else {
                    arith::addf(b, carried[0], value)
                }]
            })[0];
            if max {
                return total;
            }
            let count = arith::muli(b, axes[0].2, axes[1].2);
            let count = scalar::from_index(b, count, dtype);
            arith::divf(b, total, count)
        });
        Ok(vec![relayout(b, &done, &plain, &given)])
    }

    /// The maximum over each part of a region; 0 over an empty one.
    fn roi_pool(&self, b: &mut Builder<'_>) -> Lowered {
        let (regions, given, plain) = Regions::of(self, b)?;
        let dtype = regions.dtype;
        let done = generate(b, &regions.wanted, dtype, |b, at| {
            let batch = regions.batch(b, at[0]);
            let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
            let (mut begins, mut counts) = (Vec::new(), Vec::new());
            for axis in 0..2 {
                let (first, last) = regions.sides(b, at[0], axis as i64);
                let [first, last] = [first, last].map(|side| {
                    let whole = math::round(b, side);
                    scalar::to_index(b, whole, dtype)
                });
                let length = arith::subi(b, last, first);
                let length = arith::addi(b, length, one);
                let length = arith::maxsi(b, length, one);
                let length = scalar::from_index(b, length, dtype);
                let parts = regions.constant(b, regions.size[axis] as f64);
                let part = arith::divf(b, length, parts);
                // The tolerance for rounding errors is TVM's.
                let tolerance = regions.constant(b, 1e-5);
                let place = scalar::from_index(b, at[axis + 2], dtype);
                let number = regions.constant(b, 1.0);
                let next = arith::addf(b, place, number);
                let (begin, end) = (arith::mulf(b, place, part), arith::mulf(b, next, part));
                let (begin, end) = (arith::addf(b, begin, tolerance), arith::subf(b, end, tolerance));
                let (begin, end) = (math::floor(b, begin), math::ceil(b, end));
                let whole = regions.old[axis + 2].value(b);
                let [begin, end] = [begin, end].map(|side| {
                    let side = scalar::to_index(b, side, dtype);
                    let side = arith::addi(b, side, first);
                    let side = arith::maxsi(b, side, zero);
                    arith::minsi(b, side, whole)
                });
                begins.push(begin);
                let count = arith::subi(b, end, begin);
                counts.push(Extent::Value(arith::maxsi(b, count, zero)));
            }
            let least = scalar::least(b, dtype);
            let best = nest(b, &counts, &[least], &mut |b, place, carried| {
                let row = arith::addi(b, begins[0], place[0]);
                let column = arith::addi(b, begins[1], place[1]);
                let element = extract(b, regions.data.value, &[batch, at[1], row, column]);
                vec![scalar::max(b, carried[0], element, dtype)]
            })[0];
            let (rows, columns) = (counts[0].value(b), counts[1].value(b));
            let count = arith::muli(b, rows, columns);
            let empty = arith::cmpi(b, arith::CmpIPredicate::Eq, count, zero);
            let nothing = scalar::zero(b, dtype);
            arith::select(b, empty, nothing, best)
        });
        Ok(vec![relayout(b, &done, &plain, &given)])
    }
}
