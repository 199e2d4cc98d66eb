//! Lowering of the proposal of regions of interest from anchors.

use crate::lower::compact::update_if;
use crate::lower::extent::{Extent, product};
use crate::lower::index::index_at;
use crate::lower::scalar::{self, Compare};
use crate::lower::site::{Site, Tensor, undefined_for};
use crate::lower::sort::{SortOrder, sorted};
use crate::lower::tensors::{extent, extents, filled, generate, insert, nest, position};
use crate::lower::{Lowered, Rule, extract};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, Value};
use minoan_math as math;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "vision.proposal" => |site, b| site.proposal(b),
        _ => return None,
    })
}

/// The corners of the anchor with a ratio and a scale at the origin: left, top, right, bottom.
fn anchor(ratio: f64, scale: f64, base: f64) -> [f64; 4] {
    let center = 0.5 * (base - 1.0);
    let area = (base * base / ratio).floor();
    let width = (area.sqrt() + 0.5).floor() * scale;
    let height = (width / scale * ratio + 0.5).floor() * scale;
    let (across, down) = (0.5 * (width - 1.0), 0.5 * (height - 1.0));
    [center - across, center - down, center + across, center + down]
}

/// The overlap of two boxes, whose last row and column belong to them, relative to their union.
fn overlap(b: &mut Builder<'_>, first: &[Value; 4], second: &[Value; 4], dtype: DType) -> Value {
    let (zero, one) = (scalar::zero(b, dtype), scalar::one(b, dtype));
    let length = |b: &mut Builder<'_>, begin: Value, end: Value| {
        let length = arith::subf(b, end, begin);
        arith::addf(b, length, one)
    };
    let (mut shared, mut areas) = (one, [one, one]);
    for axis in 0..2 {
        let begin = arith::maximumf(b, first[axis], second[axis]);
        let end = arith::minimumf(b, first[axis + 2], second[axis + 2]);
        let common = length(b, begin, end);
        let common = arith::maximumf(b, common, zero);
        shared = arith::mulf(b, shared, common);
        for (area, corners) in areas.iter_mut().zip([first, second]) {
            let side = length(b, corners[axis], corners[axis + 2]);
            *area = arith::mulf(b, *area, side);
        }
    }
    let both = arith::addf(b, areas[0], areas[1]);
    let union = arith::subf(b, both, shared);
    arith::divf(b, shared, union)
}

/// The parameters and operands.
struct Proposal<'s> {
    site: &'s Site,
    dtype: DType,
    anchors: Vec<[f64; 4]>,
    stride: f64,
}

impl Proposal<'_> {
    fn constant(&self, b: &mut Builder<'_>, value: f64) -> Value {
        scalar::constant(b, value, self.dtype)
    }

    /// The corners and the score of the box of an anchor at a position of the image.
    fn predicted(&self, b: &mut Builder<'_>, [batch, row, column]: [Value; 3], number: usize) -> Vec<Value> {
        let (site, dtype) = (self.site, self.dtype);
        let info = |b: &mut Builder<'_>, entry: i64| {
            let entry = arith::constant_index(b, entry);
            extract(b, site.arg(2).value, &[batch, entry])
        };
        let image = [info(b, 1), info(b, 0)];
        let (zero, one, half) = (self.constant(b, 0.0), self.constant(b, 1.0), self.constant(b, 0.5));
        let step = self.constant(b, self.stride);
        let delta = |b: &mut Builder<'_>, entry: usize| {
            let channel = arith::constant_index(b, (number * 4 + entry) as i64);
            extract(b, site.arg(1).value, &[batch, channel, row, column])
        };
        let mut corners = [zero; 4];
        for (axis, place) in [column, row].into_iter().enumerate() {
            let place = scalar::from_index(b, place, dtype);
            let offset = arith::mulf(b, place, step);
            let [low, high] = [axis, axis + 2].map(|corner| {
                let at_origin = self.constant(b, self.anchors[number][corner]);
                arith::addf(b, at_origin, offset)
            });
            let (first, second) = (delta(b, axis), delta(b, axis + 2));
            let (low, high) = if site.attrs.flag("iou_loss") {
                (arith::addf(b, low, first), arith::addf(b, high, second))
            } else {
                let size = arith::subf(b, high, low);
                let size = arith::addf(b, size, one);
                let reach = |b: &mut Builder<'_>, size: Value| {
                    let less = arith::subf(b, size, one);
                    arith::mulf(b, less, half)
                };
                let middle = reach(b, size);
                let middle = arith::addf(b, low, middle);
                let moved = arith::mulf(b, first, size);
                let middle = arith::addf(b, moved, middle);
                let factor = math::exp(b, second);
                let size = arith::mulf(b, factor, size);
                let reach = reach(b, size);
                (arith::subf(b, middle, reach), arith::addf(b, middle, reach))
            };
            let last = arith::subf(b, image[axis], one);
            for (corner, value) in [(axis, low), (axis + 2, high)] {
                let value = arith::minimumf(b, value, last);
                corners[corner] = arith::maximumf(b, value, zero);
            }
        }
        let channel = arith::constant_index(b, (self.anchors.len() + number) as i64);
        let mut score = extract(b, site.arg(0).value, &[batch, channel, row, column]);
        let none = self.constant(b, -1.0);
        for (axis, place) in [column, row].into_iter().enumerate() {
            let real = arith::divf(b, image[axis], step);
            let real = scalar::to_index(b, real, dtype);
            let beyond = arith::cmpi(b, arith::CmpIPredicate::Sge, place, real);
            score = arith::select(b, beyond, none, score);
        }
        let scale = info(b, 2);
        let least = self.constant(b, site.attrs.int("rpn_min_size").unwrap_or(16) as f64);
        let least = arith::mulf(b, scale, least);
        let mut small = arith::constant_bool(b, false);
        for axis in 0..2 {
            let size = arith::subf(b, corners[axis + 2], corners[axis]);
            let size = arith::addf(b, size, one);
            let less = scalar::compare(b, Compare::Lt, size, least, dtype);
            small = arith::ori(b, small, less);
        }
        let grown = arith::mulf(b, least, half);
        let mut entries = Vec::with_capacity(5);
        for (corner, value) in corners.into_iter().enumerate() {
            let other = if corner < 2 { arith::subf(b, value, grown) } else { arith::addf(b, value, grown) };
            entries.push(arith::select(b, small, other, value));
        }
        entries.push(arith::select(b, small, none, score));
        entries
    }
}

impl Site {
    fn floats(&self, name: &str) -> Result<Vec<f64>, String> {
        let items = match self.attrs.get(name) {
            Some(crate::attrs::AttrValue::List(items)) => items.iter().map(|item| item.as_float()).collect(),
            _ => None,
        };
        items
            .filter(|items: &Vec<f64>| !items.is_empty())
            .ok_or_else(|| format!("its {name} are not numbers"))
    }

    /// Non-maximum suppression of the boxes of all anchors, as rows of batch and corners. If there are fewer boxes than
    /// requested, they are repeated.
    fn proposal(&self, b: &mut Builder<'_>) -> Lowered {
        let dtype = self.arg(0).dtype();
        if !dtype.is_float() || self.args.iter().any(|arg| arg[0].dtype() != dtype) {
            return Err(undefined_for(dtype));
        }
        let (scales, ratios) = (self.floats("scales")?, self.floats("ratios")?);
        let stride = self.attrs.int("feature_stride").unwrap_or(16);
        if stride < 1 || ratios.iter().any(|&ratio| ratio <= 0.0) {
            return Err(format!("its feature_stride is {stride}, and its ratios are {ratios:?}"));
        }
        let each = |&ratio: &f64| scales.iter().map(move |&scale| anchor(ratio, scale, stride as f64));
        let anchors: Vec<[f64; 4]> = ratios.iter().flat_map(each).collect();
        let count = anchors.len() as i64;
        let old = extents(b, self.arg(0));
        for (argument, axis, wanted) in [(0, 1, 2 * count), (1, 1, 4 * count), (2, 1, 3)] {
            let found = extent(b, self.arg(argument), axis);
            found.expect(b, Extent::Known(wanted), || {
                format!("{}: the extent of argument {} along axis 1 is not {wanted}", self.name, argument + 1)
            });
        }
        for axis in [0, 2, 3] {
            self.expect_same(b, (0, axis), (1, axis));
        }
        self.expect_same(b, (0, 0), (2, 0));
        let proposal = Proposal { site: self, dtype, anchors, stride: stride as f64 };
        let all = product(b, &[old[2], old[3], Extent::Known(count)]);
        let zero = scalar::zero(b, dtype);
        let boxes = filled(b, &[old[0], all, Extent::Known(5)], dtype, zero);
        let places = [old[0], old[2], old[3]];
        let value = nest(b, &places, &[boxes.value], &mut |b, at, carried| {
            let mut boxes = carried[0];
            for number in 0..proposal.anchors.len() {
                let own = arith::constant_index(b, number as i64);
                let row = position(b, &[at[1], at[2], own], &[old[2], old[3], Extent::Known(count)]);
                for (column, entry) in
                    proposal.predicted(b, [at[0], at[1], at[2]], number).into_iter().enumerate()
                {
                    let column = arith::constant_index(b, column as i64);
                    boxes = insert(b, entry, boxes, &[at[0], row, column]);
                }
            }
            vec![boxes]
        })[0];
        let boxes = Tensor { value, ..boxes };
        self.kept_boxes(b, &boxes)
    }

    /// The boxes, rows of corners and score, that remain, from the highest score on.
    fn kept_boxes(&self, b: &mut Builder<'_>, boxes: &Tensor) -> Lowered {
        let (dtype, wide) = (boxes.dtype(), DType::I64);
        let old = extents(b, boxes);
        let scores = generate(b, &old[..2], dtype, |b, at| {
            let column = arith::constant_index(b, 4);
            extract(b, boxes.value, &[at[0], at[1], column])
        });
        let (_, order) = sorted(b, &scores, 1, SortOrder::Descending, wide, None);
        let first = match self.attrs.int("rpn_pre_nms_top_n").unwrap_or(-1) {
            limit if limit > 0 => {
                let (limit, whole) = (arith::constant_index(b, limit), old[1].value(b));
                Extent::Value(arith::minsi(b, limit, whole))
            }
            _ => old[1],
        };
        let last = self.attrs.int("rpn_post_nms_top_n").unwrap_or(0);
        let wanted = [old[0].times(b, Extent::Known(last)), Extent::Known(5)];
        crate::lower::extent::expect_elements(b, old[1], &wanted, || {
            format!("{}: there are no boxes", self.name)
        });
        let threshold = self.attrs.float("threshold").unwrap_or(0.7);
        let threshold = scalar::constant(b, threshold, dtype);
        let corners = |b: &mut Builder<'_>, batch: Value, row: Value| {
            [0, 1, 2, 3].map(|corner| {
                let corner = arith::constant_index(b, corner);
                extract(b, boxes.value, &[batch, row, corner])
            })
        };
        let nothing = scalar::zero(b, wide);
        let kept = filled(b, &old[..2], wide, nothing);
        let counts = filled(b, &old[..1], wide, nothing);
        let done = nest(b, &old[..1], &[kept.value, counts.value], &mut |b, batch, carried| {
            let batch = batch[0];
            let zero = arith::constant_index(b, 0);
            let row = nest(b, &[first], &[carried[0], zero], &mut |b, place, carried| {
                let own = index_at(b, &order, &[batch, place[0]]);
                let ours = corners(b, batch, own);
                let yes = arith::constant_bool(b, true);
                let apart = nest(b, &[Extent::Value(carried[1])], &[yes], &mut |b, other, inner| {
                    let there = extract(b, carried[0], &[batch, other[0]]);
                    let there = scalar::to_index(b, there, wide);
                    let theirs = corners(b, batch, there);
                    let ratio = overlap(b, &theirs, &ours, dtype);
                    let close = scalar::compare(b, Compare::Gt, ratio, threshold, dtype);
                    let apart = scalar::not(b, close);
                    vec![arith::andi(b, inner[0], apart)]
                })[0];
                update_if(b, apart, carried, |b| {
                    let number = scalar::from_index(b, own, wide);
                    let one = arith::constant_index(b, 1);
                    let kept = insert(b, number, carried[0], &[batch, carried[1]]);
                    vec![kept, arith::addi(b, carried[1], one)]
                })
            });
            let count = scalar::from_index(b, row[1], wide);
            vec![row[0], insert(b, count, carried[1], &[batch])]
        });
        let (kept, counts) = (Tensor { value: done[0], ..kept }, Tensor { value: done[1], ..counts });
        Ok(vec![generate(b, &wanted, dtype, |b, at| {
            let rows = arith::constant_index(b, last.max(1));
            let (batch, place) = (arith::divui(b, at[0], rows), arith::remui(b, at[0], rows));
            let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
            let count = index_at(b, &counts, &[batch]);
            let count = arith::maxsi(b, count, one);
            let place = arith::remui(b, place, count);
            let row = index_at(b, &kept, &[batch, place]);
            let column = arith::subi(b, at[1], one);
            let column = arith::maxsi(b, column, zero);
            let corner = extract(b, boxes.value, &[batch, row, column]);
            let number = scalar::from_index(b, batch, dtype);
            let leading = arith::cmpi(b, arith::CmpIPredicate::Eq, at[1], zero);
            arith::select(b, leading, number, corner)
        })])
    }
}
