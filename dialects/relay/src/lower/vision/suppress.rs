//! Lowering of the selection of boxes by their scores and overlaps.

use crate::lower::compact::update_if;
use crate::lower::extent::Extent;
use crate::lower::index::index_at;
use crate::lower::scalar::{self, Compare};
use crate::lower::site::{Site, Tensor};
use crate::lower::sort::sorted;
use crate::lower::tensors::{self, extent, extents, filled, generate, insert, nest, number};
use crate::lower::{Lowered, Rule, extract};
use crate::ty::DType;
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_ir::{Builder, Value};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "vision.get_valid_counts" => |site, b| site.valid_counts(b),
        "vision.non_max_suppression" => |site, b| site.suppress(b),
        "vision.all_class_non_max_suppression" => |site, b| site.suppress_by_class(b),
        "vision.regular_non_max_suppression" => |site, b| site.lower_regular_nms(b),
        _ => return None,
    })
}

/// The corners of a box, in any order: two of each axis.
type Corners = [Value; 4];

/// The overlap of two boxes relative to their union; 0 if the union is empty.
pub(super) fn overlap(b: &mut Builder<'_>, first: &Corners, second: &Corners, dtype: DType) -> Value {
    let sides = |b: &mut Builder<'_>, corners: &Corners, axis: usize| {
        let (one, other) = (corners[axis], corners[axis + 2]);
        (arith::minimumf(b, one, other), arith::maximumf(b, one, other))
    };
    let zero = scalar::zero(b, dtype);
    let (mut shared, mut areas) = (None, [None, None]);
    for axis in 0..2 {
        let ((low, high), (other_low, other_high)) = (sides(b, first, axis), sides(b, second, axis));
        let (begin, end) = (arith::maximumf(b, low, other_low), arith::minimumf(b, high, other_high));
        let length = arith::subf(b, end, begin);
        let length = arith::maximumf(b, length, zero);
        let lengths = [arith::subf(b, high, low), arith::subf(b, other_high, other_low)];
        let times = |b: &mut Builder<'_>, so_far: Option<Value>, length: Value| {
            Some(so_far.map_or(length, |so_far| arith::mulf(b, so_far, length)))
        };
        shared = times(b, shared, length);
        areas = [times(b, areas[0], lengths[0]), times(b, areas[1], lengths[1])];
    }
    let [shared, first, second] = [shared, areas[0], areas[1]].map(|area| area.unwrap_or(zero));
    let both = arith::addf(b, first, second);
    let union = arith::subf(b, both, shared);
    let some = scalar::compare(b, Compare::Gt, union, zero, dtype);
    let one = scalar::one(b, dtype);
    let divisor = arith::select(b, some, union, one);
    let ratio = arith::divf(b, shared, divisor);
    arith::select(b, some, ratio, zero)
}

/// A number given by an argument.
fn number_at(b: &mut Builder<'_>, site: &Site, index: usize, dtype: DType) -> Value {
    let given = site.arg(index);
    let value = tensors::scalar(b, given.value);
    scalar::cast(b, value, given.dtype(), dtype)
}

/// Copies a row of one tensor of rank 3 to a row of another one.
fn copied_row(b: &mut Builder<'_>, data: &Tensor, from: [Value; 2], target: Value, to: [Value; 2]) -> Value {
    let columns = extent(b, data, 2);
    nest(b, &[columns], &[target], &mut |b, column, carried| {
        let element = extract(b, data.value, &[from[0], from[1], column[0]]);
        vec![insert(b, element, carried[0], &[to[0], to[1], column[0]])]
    })[0]
}

impl Site {
    fn column(&self, name: &str, otherwise: i64) -> i64 {
        self.attrs.int(name).unwrap_or(otherwise)
    }

    fn float_boxes(&self) -> Result<DType, String> {
        let dtype = self.arg(0).dtype();
        if dtype.is_float() {
            Ok(dtype)
        } else {
            Err(format!("it is not defined for elements of type {dtype}"))
        }
    }

    /// Asserts that the boxes have the columns that are used.
    fn expect_columns(&self, b: &mut Builder<'_>, used: &[i64]) {
        let most = used.iter().copied().max().unwrap_or(0) + 1;
        let columns = extent(b, self.arg(0), 2);
        Extent::Known(most)
            .expect_at_most(b, columns, || format!("{}: a box has less than {most} elements", self.name));
    }

    /// The boxes with a score above a threshold, and a class, moved to the front; -1 after them.
    fn valid_counts(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.float_boxes()?);
        let (class, score) = (self.column("id_index", 0), self.column("score_index", 1));
        self.expect_columns(b, &[class, score]);
        let threshold = number_at(b, self, 1, dtype);
        let old = extents(b, data);
        let (none, minus) = (scalar::integer(b, -1, DType::I32), scalar::constant(b, -1.0, dtype));
        let zero = scalar::zero(b, DType::I32);
        let counts = filled(b, &old[..1], DType::I32, zero);
        let boxes = filled(b, &old, dtype, minus);
        let indices = filled(b, &old[..2], DType::I32, none);
        let init = [counts.value, boxes.value, indices.value];
        let done = nest(b, &old[..2], &init, &mut |b, at, carried| {
            let (batch, anchor) = (at[0], at[1]);
            let element = |b: &mut Builder<'_>, column: i64| {
                let column = arith::constant_index(b, column);
                extract(b, data.value, &[batch, anchor, column])
            };
            let own = element(b, score);
            let mut valid = scalar::compare(b, Compare::Gt, own, threshold, dtype);
            if class >= 0 {
                let (own, zero) = (element(b, class), scalar::zero(b, dtype));
                let known = scalar::compare(b, Compare::Ge, own, zero, dtype);
                valid = arith::andi(b, valid, known);
            }
            update_if(b, valid, carried, |b| {
                let count = extract(b, carried[0], &[batch]);
                let place = scalar::to_index(b, count, DType::I32);
                let boxes = copied_row(b, data, [batch, anchor], carried[1], [batch, place]);
                let number = scalar::from_index(b, anchor, DType::I32);
                let indices = insert(b, number, carried[2], &[batch, place]);
                let one = scalar::one(b, DType::I32);
                let more = arith::addi(b, count, one);
                vec![insert(b, more, carried[0], &[batch]), boxes, indices]
            })
        });
        Ok(vec![
            Tensor { value: done[0], ..counts },
            Tensor { value: done[1], ..boxes },
            Tensor { value: done[2], ..indices },
        ])
    }

    /// Non-maximum suppression: keeps boxes, in score order, whose overlap with every kept box is below the threshold.
    fn suppress(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, counts, indices, dtype) = (self.arg(0), self.arg(1), self.arg(2), self.float_boxes()?);
        let (class, score, first) =
            (self.column("id_index", 0), self.column("score_index", 1), self.column("coord_start", 2));
        let (top, forced) = (self.column("top_k", -1), self.attrs.flag("force_suppress"));
        self.expect_columns(b, &[class, score, first + 3]);
        self.expect_same(b, (0, 0), (1, 0));
        (0..2).for_each(|axis| _ = self.expect_same(b, (0, axis), (2, axis)));
        let most = number_at(b, self, 3, DType::I64);
        let most = scalar::to_index(b, most, DType::I64);
        let threshold = number_at(b, self, 4, dtype);
        let old = extents(b, data);
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        let no_score = scalar::zero(b, dtype);
        let selects = scalar::compare(b, Compare::Gt, threshold, no_score, dtype);
        // Boxes beyond the valid ones sort last.
        let scores = generate(b, &old[..2], dtype, |b, at| {
            let column = arith::constant_index(b, score);
            let own = extract(b, data.value, &[at[0], at[1], column]);
            let count = index_at(b, counts, &at[..1]);
            let valid = arith::cmpi(b, CmpIPredicate::Slt, at[1], count);
            let least = scalar::least(b, dtype);
            arith::select(b, valid, own, least)
        });
        let (_, order) = sorted(b, &scores, (1, false), DType::I32, None);
        let (minus, none) = (scalar::constant(b, -1.0, dtype), scalar::integer(b, -1, DType::I32));
        let boxes = filled(b, &old, dtype, minus);
        let kept = filled(b, &old[..2], DType::I32, none);
        let done = nest(b, &old[..1], &[boxes.value, kept.value], &mut |b, batch, carried| {
            let batch = batch[0];
            let whole = old[1].value(b);
            let valid = index_at(b, counts, &[batch]);
            let valid = arith::maxsi(b, valid, zero);
            let valid = arith::minsi(b, valid, whole);
            let limit = if top > 0 {
                let top = arith::constant_index(b, top);
                let limited = arith::minsi(b, valid, top);
                arith::select(b, selects, limited, valid)
            } else {
                valid
            };
            let row = [carried[0], carried[1], zero];
            nest(b, &[Extent::Value(limit)], &row, &mut |b, place, carried| {
                let place = place[0];
                let ordered = index_at(b, &order, &[batch, place]);
                let source = arith::select(b, selects, ordered, place);
                let element = |b: &mut Builder<'_>, from: Value, row: Value, column: i64| {
                    let column = arith::constant_index(b, column);
                    extract(b, from, &[batch, row, column])
                };
                let corners = |b: &mut Builder<'_>, from: Value, row: Value| {
                    [0, 1, 2, 3].map(|corner| element(b, from, row, first + corner))
                };
                let (boxes, chosen) = (carried[0], carried[2]);
                let own = corners(b, data.value, source);
                let own_score = element(b, data.value, source, score);
                let scored = scalar::compare(b, Compare::Gt, own_score, no_score, dtype);
                let full = arith::cmpi(b, CmpIPredicate::Eq, chosen, most);
                let open = scalar::not(b, full);
                let fits = arith::andi(b, scored, open);
                // The earlier boxes that were kept.
                let apart = nest(b, &[Extent::Value(place)], &[fits], &mut |b, other, carried| {
                    let (there, yes) = (other[0], carried[0]);
                    let other_score = element(b, boxes, there, score);
                    let mut counts = scalar::compare(b, Compare::Gt, other_score, no_score, dtype);
                    if class >= 0 {
                        let theirs = element(b, boxes, there, class);
                        let known = scalar::compare(b, Compare::Ge, theirs, no_score, dtype);
                        counts = arith::andi(b, counts, known);
                        if !forced {
                            let ours = element(b, data.value, source, class);
                            let same = scalar::compare(b, Compare::Eq, ours, theirs, dtype);
                            counts = arith::andi(b, counts, same);
                        }
                    }
                    let theirs = corners(b, boxes, there);
                    let ratio = overlap(b, &own, &theirs, dtype);
                    let close = scalar::compare(b, Compare::Ge, ratio, threshold, dtype);
                    let suppressed = arith::andi(b, counts, close);
                    let apart = scalar::not(b, suppressed);
                    vec![arith::andi(b, yes, apart)]
                })[0];
                // All boxes are copied if there is no threshold; a box without a score is copied unchanged.
                let unscored = scalar::not(b, scored);
                let unscored = arith::andi(b, unscored, open);
                let all = scalar::not(b, selects);
                let copies = arith::ori(b, apart, unscored);
                let copies = arith::ori(b, copies, all);
                let next = arith::addi(b, chosen, one);
                let next = arith::select(b, apart, next, chosen);
                let both = update_if(b, copies, &carried[..2], |b| {
                    let boxes = copied_row(b, data, [batch, source], carried[0], [batch, place]);
                    let number = if self.attrs.flag("return_indices") {
                        extract(b, indices.value, &[batch, source])
                    } else {
                        scalar::from_index(b, source, indices.dtype())
                    };
                    let number = scalar::cast(b, number, indices.dtype(), DType::I32);
                    vec![boxes, insert(b, number, carried[1], &[batch, place])]
                });
                vec![both[0], both[1], next]
            })[..2]
                .to_vec()
        });
        let (boxes, kept) = (Tensor { value: done[0], ..boxes }, Tensor { value: done[1], ..kept });
        if self.attrs.flag("return_indices") {
            return Ok(self.indices_first(b, &kept));
        }
        if !self.attrs.flag("invalid_to_bottom") {
            return Ok(vec![boxes]);
        }
        let moved = filled(b, &old, dtype, minus);
        let done = nest(b, &old[..1], &[moved.value], &mut |b, batch, carried| {
            let row = [carried[0], zero];
            nest(b, &old[1..2], &row, &mut |b, place, carried| {
                let first = extract(b, boxes.value, &[batch[0], place[0], zero]);
                let valid = scalar::compare(b, Compare::Ge, first, no_score, dtype);
                update_if(b, valid, carried, |b| {
                    let (from, to) = ([batch[0], place[0]], [batch[0], carried[1]]);
                    vec![copied_row(b, &boxes, from, carried[0], to), arith::addi(b, carried[1], one)]
                })
            })[..1]
                .to_vec()
        });
        Ok(vec![Tensor { value: done[0], ..moved }])
    }

    /// The indices that are not negative, moved to the front of each batch, and their number.
    fn indices_first(&self, b: &mut Builder<'_>, kept: &Tensor) -> Vec<Tensor> {
        let old = extents(b, kept);
        let (none, zero) = (scalar::integer(b, -1, DType::I32), arith::constant_index(b, 0));
        let one = arith::constant_index(b, 1);
        let moved = filled(b, &old, DType::I32, none);
        let nothing = scalar::zero(b, DType::I32);
        let counts = filled(b, &[old[0], Extent::Known(1)], DType::I32, nothing);
        let done = nest(b, &old[..1], &[moved.value, counts.value], &mut |b, batch, carried| {
            let row = nest(b, &old[1..], &[carried[0], zero], &mut |b, place, carried| {
                let index = extract(b, kept.value, &[batch[0], place[0]]);
                let valid = scalar::compare(b, Compare::Ge, index, nothing, DType::I32);
                update_if(b, valid, carried, |b| {
                    let moved = insert(b, index, carried[0], &[batch[0], carried[1]]);
                    vec![moved, arith::addi(b, carried[1], one)]
                })
            });
            let count = scalar::from_index(b, row[1], DType::I32);
            vec![row[0], insert(b, count, carried[1], &[batch[0], zero])]
        });
        vec![Tensor { value: done[0], ..moved }, Tensor { value: done[1], ..counts }]
    }

    /// For each batch and class, the boxes by score, up to a number of them, above a score, and apart from each other, as rows
    /// of batch, class and box and the number of rows; or, for `output_format="tensorflow"`, per batch as rows of class and
    /// box, their scores and their number, class by class, with zeros after the last box.
    fn suppress_by_class(&self, b: &mut Builder<'_>) -> Lowered {
        let (boxes, scores, dtype) = (self.arg(0), self.arg(1), self.float_boxes()?);
        self.expect_same(b, (0, 0), (1, 0));
        self.expect_same(b, (0, 1), (1, 2));
        let corners = extent(b, boxes, 2);
        corners.expect(b, Extent::Known(4), || format!("{}: a box must have 4 elements", self.name));
        let (most, wide) = (number_at(b, self, 2, DType::I64), DType::I64);
        let [threshold, least] = [3, 4].map(|index| number_at(b, self, index, dtype));
        let old = extents(b, scores);
        let (batches, classes, count) = (old[0], old[1], old[2]);
        let (_, order) = sorted(b, scores, (2, false), DType::I32, None);
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        let all = super::super::extent::product(b, &old);
        let nothing = scalar::zero(b, wide);
        let chosen = filled(b, &[all, Extent::Known(3)], wide, nothing);
        let most = scalar::to_index(b, most, wide);
        // The place of the next row, the place of the first row of the class.
        let done = nest(b, &[batches, classes], &[chosen.value, zero], &mut |b, at, carried| {
            let (batch, class, begin) = (at[0], at[1], carried[1]);
            nest(b, &[count], carried, &mut |b, place, carried| {
                let own = index_at(b, &order, &[batch, class, place[0]]);
                let corners = |b: &mut Builder<'_>, index: Value| {
                    [0, 1, 2, 3].map(|corner| {
                        let corner = arith::constant_index(b, corner);
                        extract(b, boxes.value, &[batch, index, corner])
                    })
                };
                let score = extract(b, scores.value, &[batch, class, own]);
                let scored = scalar::compare(b, Compare::Gt, score, least, dtype);
                let taken = arith::subi(b, carried[1], begin);
                let open = arith::cmpi(b, CmpIPredicate::Slt, taken, most);
                let fits = arith::andi(b, scored, open);
                let ours = corners(b, own);
                let apart = nest(b, &[Extent::Value(taken)], &[fits], &mut |b, other, inner| {
                    let row = arith::addi(b, begin, other[0]);
                    let column = arith::constant_index(b, 2);
                    let there = extract(b, carried[0], &[row, column]);
                    let there = scalar::to_index(b, there, wide);
                    let theirs = corners(b, there);
                    let ratio = overlap(b, &ours, &theirs, dtype);
                    let close = scalar::compare(b, Compare::Ge, ratio, threshold, dtype);
                    let apart = scalar::not(b, close);
                    vec![arith::andi(b, inner[0], apart)]
                })[0];
                update_if(b, apart, carried, |b| {
                    let mut rows = carried[0];
                    for (column, index) in [batch, class, own].into_iter().enumerate() {
                        let column = arith::constant_index(b, column as i64);
                        let number = scalar::from_index(b, index, wide);
                        rows = insert(b, number, rows, &[carried[1], column]);
                    }
                    vec![rows, arith::addi(b, carried[1], one)]
                })
            })
        });
        let total = scalar::from_index(b, done[1], wide);
        let rows = Tensor { value: done[0], ..chosen };
        if self.attrs.text("output_format") != Some("tensorflow") {
            let total = number(b, wide, total);
            let total = crate::lower::shape::reshaped(b, &total, &[Extent::Known(1)]);
            return Ok(vec![rows, total]);
        }
        let each = [batches, classes.times(b, count)];
        let no_score = scalar::zero(b, DType::F32);
        let indices = filled(b, &[each[0], each[1], Extent::Known(2)], wide, nothing);
        let best = filled(b, &each, DType::F32, no_score);
        let counts = filled(b, &each[..1], wide, nothing);
        let init = [indices.value, best.value, counts.value];
        let done = nest(b, &[Extent::Value(done[1])], &init, &mut |b, row, carried| {
            let [batch, class, own] = [0, 1, 2].map(|column| {
                let column = arith::constant_index(b, column);
                index_at(b, &rows, &[row[0], column])
            });
            let taken = extract(b, carried[2], &[batch]);
            let place = scalar::to_index(b, taken, wide);
            let mut indices = carried[0];
            for (column, index) in [(zero, class), (one, own)] {
                let number = scalar::from_index(b, index, wide);
                indices = insert(b, number, indices, &[batch, place, column]);
            }
            let score = extract(b, scores.value, &[batch, class, own]);
            let score = scalar::cast(b, score, dtype, DType::F32);
            let best = insert(b, score, carried[1], &[batch, place]);
            let step = scalar::one(b, wide);
            let taken = arith::addi(b, taken, step);
            vec![indices, best, insert(b, taken, carried[2], &[batch])]
        });
        Ok(vec![
            Tensor { value: done[0], ..indices },
            Tensor { value: done[1], ..best },
            Tensor { value: done[2], ..counts },
        ])
    }

    /// Non-maximum suppression of each class but the background, up to a number of boxes per class; then the boxes of all classes
    /// in score order. The results have zeros after the last box.
    fn lower_regular_nms(&self, b: &mut Builder<'_>) -> Lowered {
        let (boxes, scores, dtype, wide) = (self.arg(0), self.arg(1), self.float_boxes()?, DType::I64);
        (0..2).for_each(|axis| _ = self.expect_same(b, (0, axis), (1, axis)));
        let four = extent(b, boxes, 2);
        four.expect(b, Extent::Known(4), || format!("{}: a box must have 4 elements", self.name));
        let limit = |name: &str| self.attrs.int(name).unwrap_or(0).max(0);
        let (most, per_class) = (limit("max_detections"), limit("max_detections_per_class"));
        let classes = match limit("num_classes") {
            0 => return Err("it has no classes".to_owned()),
            classes => Extent::Known(classes),
        };
        let old = extents(b, scores);
        classes.expect_at_most(b, old[2], || {
            format!("{}: 'scores' must have a column for each class", self.name)
        });
        let background = old[2].minus(b, classes).value(b);
        let wanted = [old[0], Extent::Known(most), Extent::Known(4)];
        self.expect_elements(b, 1, &wanted);
        let [threshold, least] = ["iou_threshold", "score_threshold"]
            .map(|name| scalar::constant(b, self.attrs.float(name).unwrap_or(0.0), dtype));
        let corners = |b: &mut Builder<'_>, batch: Value, row: Value| {
            [0, 1, 2, 3].map(|corner| {
                let corner = arith::constant_index(b, corner);
                extract(b, boxes.value, &[batch, row, corner])
            })
        };
        let (_, order) = sorted(b, scores, (1, false), wide, None);
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        let all = old[1].times(b, classes);
        let (nothing, lowest) = (scalar::zero(b, wide), scalar::least(b, dtype));
        let chosen = filled(b, &[old[0], all, Extent::Known(2)], wide, nothing);
        let ranks = filled(b, &[old[0], all], dtype, lowest);
        let counts = filled(b, &old[..1], wide, nothing);
        let init = [chosen.value, ranks.value, counts.value];
        let done = nest(b, &old[..1], &init, &mut |b, batch, carried| {
            let batch = batch[0];
            let row = [carried[0], carried[1], zero];
            let row = nest(b, &[classes], &row, &mut |b, class, carried| {
                let (class, begin) = (class[0], carried[2]);
                let column = arith::addi(b, background, class);
                nest(b, &[old[1]], carried, &mut |b, place, carried| {
                    let own = index_at(b, &order, &[batch, place[0], column]);
                    let score = extract(b, scores.value, &[batch, own, column]);
                    let scored = scalar::compare(b, Compare::Ge, score, least, dtype);
                    let (taken, limit) =
                        (arith::subi(b, carried[2], begin), arith::constant_index(b, per_class));
                    let open = arith::cmpi(b, CmpIPredicate::Slt, taken, limit);
                    let fits = arith::andi(b, scored, open);
                    let ours = corners(b, batch, own);
                    let apart = nest(b, &[Extent::Value(taken)], &[fits], &mut |b, other, inner| {
                        let row = arith::addi(b, begin, other[0]);
                        let there = extract(b, carried[0], &[batch, row, one]);
                        let there = scalar::to_index(b, there, wide);
                        let theirs = corners(b, batch, there);
                        let ratio = overlap(b, &theirs, &ours, dtype);
                        let close = scalar::compare(b, Compare::Gt, ratio, threshold, dtype);
                        let apart = scalar::not(b, close);
                        vec![arith::andi(b, inner[0], apart)]
                    })[0];
                    update_if(b, apart, carried, |b| {
                        let mut rows = carried[0];
                        for (column, index) in [(zero, class), (one, own)] {
                            let number = scalar::from_index(b, index, wide);
                            rows = insert(b, number, rows, &[batch, carried[2], column]);
                        }
                        let ranks = insert(b, score, carried[1], &[batch, carried[2]]);
                        vec![rows, ranks, arith::addi(b, carried[2], one)]
                    })
                })
            });
            let count = scalar::from_index(b, row[2], wide);
            vec![row[0], row[1], insert(b, count, carried[2], &[batch])]
        });
        let (chosen, ranks) = (Tensor { value: done[0], ..chosen }, Tensor { value: done[1], ..ranks });
        let counts = Tensor { value: done[2], ..counts };
        let (ranked, places) = sorted(b, &ranks, (1, false), wide, None);
        // The row of a result among the chosen ones, and whether there is one.
        let found = |b: &mut Builder<'_>, batch: Value, place: Value| {
            let count = index_at(b, &counts, &[batch]);
            let valid = arith::cmpi(b, CmpIPredicate::Slt, place, count);
            let place = tensors::clamped(b, place, all);
            (index_at(b, &places, &[batch, place]), place, valid)
        };
        let no_number = scalar::zero(b, dtype);
        let selected = generate(b, &wanted, dtype, |b, at| {
            let (row, _, valid) = found(b, at[0], at[1]);
            let own = index_at(b, &chosen, &[at[0], row, one]);
            let element = extract(b, boxes.value, &[at[0], own, at[2]]);
            arith::select(b, valid, element, no_number)
        });
        let kinds = generate(b, &wanted[..2], dtype, |b, at| {
            let (row, _, valid) = found(b, at[0], at[1]);
            let class = extract(b, chosen.value, &[at[0], row, zero]);
            let class = scalar::cast(b, class, wide, dtype);
            arith::select(b, valid, class, no_number)
        });
        let best = generate(b, &wanted[..2], dtype, |b, at| {
            let (_, place, valid) = found(b, at[0], at[1]);
            let score = extract(b, ranked.value, &[at[0], place]);
            arith::select(b, valid, score, no_number)
        });
        let numbers = generate(b, &old[..1], dtype, |b, at| {
            let (count, most) = (index_at(b, &counts, at), arith::constant_index(b, most));
            let count = arith::minsi(b, count, most);
            scalar::from_index(b, count, dtype)
        });
        Ok(vec![selected, kinds, best, numbers])
    }
}
