//! Lowering of anchor boxes: their generation, and predictions relative to them.

use crate::attrs::AttrValue;
use crate::lower::compact::update_if;
use crate::lower::extent::{Extent, product};
use crate::lower::scalar::{self, Compare};
use crate::lower::shape::{permuted, reshaped};
use crate::lower::site::{Site, Tensor, undefined_for};
use crate::lower::tensors::{extent, extents, filled, generate, insert, nest};
use crate::lower::{Lowered, Rule, extract};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, Value};
use minoan_math as math;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "vision.multibox_prior" => |site, b| site.multibox_prior(b),
        "vision.multibox_transform_loc" => |site, b| site.multibox_transform(b),
        "vision.yolo_reorg" => |site, b| site.yolo_reorg(b),
        _ => return None,
    })
}

impl Site {
    /// The numbers of a list attribute.
    fn numbers(&self, name: &str) -> Vec<f64> {
        match self.attrs.get(name) {
            Some(AttrValue::List(items)) => items.iter().map(|item| item.as_float().unwrap_or(0.0)).collect(),
            _ => Vec::new(),
        }
    }

    /// Boxes around each position: one for each size with the first ratio, then one for each other ratio with the first size.
    fn multibox_prior(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.result().dtype);
        if !dtype.is_float() {
            return Err(undefined_for(dtype));
        }
        let [sizes, ratios, steps, offsets] =
            ["sizes", "ratios", "steps", "offsets"].map(|name| self.numbers(name));
        let (Some(&size), Some(&ratio)) = (sizes.first(), ratios.first()) else {
            return Err("it has no sizes or no ratios".to_owned());
        };
        if steps.len() != 2 || offsets.len() != 2 {
            return Err(format!(
                "expected 2 steps and 2 offsets, found {} and {}",
                steps.len(),
                offsets.len()
            ));
        }
        let (rows, columns) = (extent(b, data, 2), extent(b, data, 3));
        let root = ratio.sqrt();
        let mut shapes: Vec<(f64, f64)> = sizes.iter().map(|size| (size * root, size / root)).collect();
        shapes.extend(ratios[1..].iter().map(|ratio| (size * ratio.sqrt(), size / ratio.sqrt())));
        let wanted = [Extent::Known(1), rows, columns, Extent::Known(shapes.len() as i64), Extent::Known(4)];
        let clips = self.attrs.flag("clip");
        let boxes = generate(b, &wanted, dtype, |b, at| {
            let [height, width] = [rows, columns].map(|extent| {
                let extent = extent.value(b);
                scalar::from_index(b, extent, dtype)
            });
            let center = |b: &mut Builder<'_>, axis: usize, whole: Value| {
                let (offset, index) =
                    (scalar::constant(b, offsets[axis], dtype), scalar::from_index(b, at[axis + 1], dtype));
                let place = arith::addf(b, index, offset);
                if steps[axis] > 0.0 {
                    let step = scalar::constant(b, steps[axis], dtype);
                    arith::mulf(b, place, step)
                } else {
                    arith::divf(b, place, whole)
                }
            };
            let (y, x) = (center(b, 0, height), center(b, 1, width));
            let (mut half_width, mut half_height) = (scalar::zero(b, dtype), scalar::zero(b, dtype));
            for (index, &(across, down)) in shapes.iter().enumerate() {
                let index = arith::constant_index(b, index as i64);
                let here = arith::cmpi(b, arith::CmpIPredicate::Eq, at[3], index);
                let [across, down] =
                    [across / 2.0, down / 2.0].map(|number| scalar::constant(b, number, dtype));
                // The width is relative to the height of the image.
                let across = arith::mulf(b, across, height);
                let across = arith::divf(b, across, width);
                half_width = arith::select(b, here, across, half_width);
                half_height = arith::select(b, here, down, half_height);
            }
            let sides = [
                arith::subf(b, x, half_width),
                arith::subf(b, y, half_height),
                arith::addf(b, x, half_width),
                arith::addf(b, y, half_height),
            ];
            let mut chosen = sides[0];
            for (index, &side) in sides.iter().enumerate().skip(1) {
                let index = arith::constant_index(b, index as i64);
                let here = arith::cmpi(b, arith::CmpIPredicate::Eq, at[4], index);
                chosen = arith::select(b, here, side, chosen);
            }
            if !clips {
                return chosen;
            }
            let (zero, one) = (scalar::zero(b, dtype), scalar::one(b, dtype));
            let below = arith::minimumf(b, chosen, one);
            arith::maximumf(b, below, zero)
        });
        let count = product(b, &wanted[1..4]);
        Ok(vec![reshaped(b, &boxes, &[Extent::Known(1), count, Extent::Known(4)])])
    }

    /// Decodes predicted boxes relative to anchors; those of a class with a score of at least the threshold, the background
    /// apart, are moved to the front, as rows of class, score and corners.
    fn multibox_transform(&self, b: &mut Builder<'_>) -> Lowered {
        let (scores, places, anchors, dtype) = (self.arg(0), self.arg(1), self.arg(2), self.float_dtype()?);
        let variances = self.numbers("variances");
        if variances.len() != 4 {
            return Err(format!("expected 4 variances, found {}", variances.len()));
        }
        let old = extents(b, scores);
        let (batches, classes, count) = (old[0], old[1], old[2]);
        self.expect_same(b, (0, 0), (1, 0));
        self.expect_same(b, (0, 2), (2, 1));
        let (given, needed) = (extent(b, places, 1), count.times(b, Extent::Known(4)));
        given.expect(b, needed, || format!("{}: expected 4 numbers for each anchor", self.name));
        let (single, corners) = (extent(b, anchors, 0), extent(b, anchors, 2));
        single.expect(b, Extent::Known(1), || format!("{}: there are several sets of anchors", self.name));
        corners.expect(b, Extent::Known(4), || format!("{}: an anchor must have 4 elements", self.name));
        Extent::Known(1).expect_at_most(b, classes, || format!("{}: there are no classes", self.name));
        let background = self.attrs.flag("keep_background");
        let (minus, none) = (scalar::constant(b, -1.0, dtype), scalar::zero(b, DType::I32));
        let made = filled(b, &[batches, count, Extent::Known(6)], dtype, minus);
        let counts = filled(b, &[batches], DType::I32, none);
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        let threshold = scalar::constant(b, self.attrs.float("threshold").unwrap_or(0.01), dtype);
        // Class 0 is the background.
        let first = if background { 0 } else { 1 };
        let decode = Decoding { anchors, shifts: places, variances: &variances, dtype };
        let done = nest(b, &[batches, count], &[made.value, counts.value], &mut |b, at, carried| {
            let (batch, anchor) = (at[0], at[1]);
            let best = best_class(b, scores, (batch, anchor), (classes, first), minus);
            let scored = scalar::compare(b, Compare::Ge, best[0], threshold, dtype);
            let positive = arith::cmpi(b, arith::CmpIPredicate::Sgt, best[1], zero);
            let valid = if background { scored } else { arith::andi(b, scored, positive) };
            update_if(b, valid, carried, |b| {
                let sides = decode.sides(b, batch, anchor);
                let class = if background { best[1] } else { arith::subi(b, best[1], one) };
                let class = scalar::from_index(b, class, dtype);
                let row = [class, best[0], sides[0][0], sides[1][0], sides[0][1], sides[1][1]];
                let number = extract(b, carried[1], &[batch]);
                let place = scalar::to_index(b, number, DType::I32);
                let mut rows = carried[0];
                for (column, mut value) in row.into_iter().enumerate() {
                    if column >= 2 && self.attrs.flag("clip") {
                        let (zero, one) = (scalar::zero(b, dtype), scalar::one(b, dtype));
                        value = arith::minimumf(b, value, one);
                        value = arith::maximumf(b, value, zero);
                    }
                    let column = arith::constant_index(b, column as i64);
                    rows = insert(b, value, rows, &[batch, place, column]);
                }
                let step = scalar::one(b, DType::I32);
                let more = arith::addi(b, number, step);
                vec![rows, insert(b, more, carried[1], &[batch])]
            })
        });
        Ok(vec![Tensor { value: done[0], ..made }, Tensor { value: done[1], ..counts }])
    }

    /// Darknet's reorganization of channels and space: the data is read as fewer channels of a larger image, whose blocks of
    /// rows and columns become channels.
    fn yolo_reorg(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let size = self.attrs.int("stride").unwrap_or(1);
        let old = extents(b, data);
        let stride = Extent::Known(size);
        let channels = old[1].divided_by(b, Extent::Known(size * size));
        channels.times(b, Extent::Known(size * size)).expect(b, old[1], || {
            format!("{}: the number of channels is not a multiple of {}", self.name, size * size)
        });
        // Channel (k, l, c) of row j and column i is the element at row j * stride + k and column i * stride + l of channel c.
        let split = [old[0], channels, old[2], stride, old[3], stride];
        let data = reshaped(b, data, &split);
        let moved = permuted(b, &data, &[0, 3, 5, 1, 2, 4]);
        let (new_rows, new_columns) = (old[2].divided_by(b, stride), old[3].divided_by(b, stride));
        let new_channels = old[1].times(b, Extent::Known(size * size));
        for (new, old) in [(new_rows, old[2]), (new_columns, old[3])] {
            new.times(b, stride).expect(b, old, || {
                format!("{}: the numbers of rows and columns are not multiples of {size}", self.name)
            });
        }
        Ok(vec![reshaped(b, &moved, &[old[0], new_channels, new_rows, new_columns])])
    }
}

/// The best score of an anchor and its class, from class `first` on; `least` if no score is greater.
fn best_class(
    b: &mut Builder<'_>,
    scores: &Tensor,
    (batch, anchor): (Value, Value),
    (classes, first): (Extent, i64),
    least: Value,
) -> Vec<Value> {
    let candidates = classes.plus(b, Extent::Known(-first));
    let none = arith::constant_index(b, 0);
    nest(b, &[candidates], &[least, none], &mut |b, class, carried| {
        let offset = arith::constant_index(b, first);
        let class = arith::addi(b, class[0], offset);
        let score = extract(b, scores.value, &[batch, class, anchor]);
        let better = scalar::compare(b, Compare::Gt, score, carried[0], scores.dtype());
        vec![arith::select(b, better, score, carried[0]), arith::select(b, better, class, carried[1])]
    })
}

/// The computation of boxes from anchors, and shifts of their centers and sizes.
struct Decoding<'a> {
    anchors: &'a Tensor,
    shifts: &'a Tensor,
    variances: &'a [f64],
    dtype: DType,
}

impl Decoding<'_> {
    /// The sides of a box, low and high, along both axes.
    fn sides(&self, b: &mut Builder<'_>, batch: Value, anchor: Value) -> [[Value; 2]; 2] {
        let half = scalar::constant(b, 0.5, self.dtype);
        [0, 1].map(|axis| {
            let [low, high] = [axis, axis + 2].map(|side| self.side(b, anchor, side));
            let size = arith::subf(b, high, low);
            let both = arith::addf(b, low, high);
            let center = arith::mulf(b, both, half);
            let [moved, grown] = [axis, axis + 2].map(|shift| self.shift(b, (batch, anchor), shift));
            let moved = arith::mulf(b, moved, size);
            let center = arith::addf(b, center, moved);
            let power = math::exp(b, grown);
            let size = arith::mulf(b, power, size);
            let extent = arith::mulf(b, size, half);
            [arith::subf(b, center, extent), arith::addf(b, center, extent)]
        })
    }

    /// A side of an anchor.
    fn side(&self, b: &mut Builder<'_>, anchor: Value, side: usize) -> Value {
        let (zero, side) = (arith::constant_index(b, 0), arith::constant_index(b, side as i64));
        extract(b, self.anchors.value, &[zero, anchor, side])
    }

    /// A shift of an anchor times its variance.
    fn shift(&self, b: &mut Builder<'_>, (batch, anchor): (Value, Value), shift: usize) -> Value {
        let four = arith::constant_index(b, 4);
        let base = arith::muli(b, anchor, four);
        let offset = arith::constant_index(b, shift as i64);
        let place = arith::addi(b, base, offset);
        let value = extract(b, self.shifts.value, &[batch, place]);
        let value = scalar::cast(b, value, self.shifts.dtype(), self.dtype);
        let variance = scalar::constant(b, self.variances[shift], self.dtype);
        arith::mulf(b, value, variance)
    }
}
