//! Lowering of the selection of boxes by their scores and overlaps.

use crate::lower::compact::update_if;
use crate::lower::extent::Extent;
use crate::lower::index::index_at;
use crate::lower::scalar::{self, Compare};
use crate::lower::site::{Site, Tensor};
use crate::lower::sort::{SortOrder, sorted};
use crate::lower::tensors::{self, extent, extents, filled, generate, insert, nest};
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

/// An element of a row of a tensor of rank 3.
fn element(b: &mut Builder<'_>, rows: Value, [batch, row]: [Value; 2], column: i64) -> Value {
    let column = arith::constant_index(b, column);
    extract(b, rows, &[batch, row, column])
}

/// The corners of a box in a row of a tensor of rank 3, from column `first` on.
pub(super) fn corners(b: &mut Builder<'_>, rows: Value, row: [Value; 2], first: i64) -> Corners {
    [0, 1, 2, 3].map(|corner| element(b, rows, row, first + corner))
}

/// A number given by an argument.
pub(super) fn number_at(b: &mut Builder<'_>, site: &Site, index: usize, dtype: DType) -> Value {
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

    /// Asserts that the boxes have the columns that are used.
    fn expect_columns(&self, b: &mut Builder<'_>, used: &[i64]) {
        let most = used.iter().copied().max().unwrap_or(0) + 1;
        let columns = extent(b, self.arg(0), 2);
        Extent::Known(most)
            .expect_at_most(b, columns, || format!("{}: a box has less than {most} elements", self.name));
    }

    /// The boxes with a score above a threshold, and a class, moved to the front; -1 after them.
    fn valid_counts(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.float_dtype()?);
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
            let own = element(b, data.value, [batch, anchor], score);
            let mut valid = scalar::compare(b, Compare::Gt, own, threshold, dtype);
            if class >= 0 {
                let (own, zero) = (element(b, data.value, [batch, anchor], class), scalar::zero(b, dtype));
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
        let (data, counts, indices) = (self.arg(0), self.arg(1), self.arg(2));
        let suppression = Suppression::new(self, b)?;
        let old = extents(b, data);
        let scores = suppression.scores(b, &old[..2]);
        let (_, order) = sorted(b, &scores, 1, SortOrder::Descending, DType::I32, None);
        let (minus, none) =
            (scalar::constant(b, -1.0, suppression.dtype), scalar::integer(b, -1, DType::I32));
        let boxes = filled(b, &old, suppression.dtype, minus);
        let kept = filled(b, &old[..2], DType::I32, none);
        let done = nest(b, &old[..1], &[boxes.value, kept.value], &mut |b, batch, carried| {
            let batch = batch[0];
            let limit = suppression.limit(b, counts, batch, old[1]);
            let row = [carried[0], carried[1], suppression.zero];
            nest(b, &[Extent::Value(limit)], &row, &mut |b, place, carried| {
                suppression.step(b, indices, &order, [batch, place[0]], carried)
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
        let moved = filled(b, &old, suppression.dtype, minus);
        Ok(vec![suppression.valid_first(b, &boxes, moved)])
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
}

/// A lowering of `vision.non_max_suppression`: its parameters, and constants that the loops share.
struct Suppression<'s> {
    site: &'s Site,
    data: &'s Tensor,
    dtype: DType,
    /// The columns of the class, if not negative, of the score and of the first corner of a box.
    class: i64,
    score: i64,
    first: i64,
    /// The maximum number of boxes, an index.
    most: Value,
    threshold: Value,
    no_score: Value,
    /// Whether the threshold is positive. If not, all boxes are copied.
    selects: Value,
    zero: Value,
    one: Value,
}

impl<'s> Suppression<'s> {
    fn new(site: &'s Site, b: &mut Builder<'_>) -> Result<Self, String> {
        let dtype = site.float_dtype()?;
        let (class, score, first) =
            (site.column("id_index", 0), site.column("score_index", 1), site.column("coord_start", 2));
        site.expect_columns(b, &[class, score, first + 3]);
        site.expect_same(b, (0, 0), (1, 0));
        (0..2).for_each(|axis| _ = site.expect_same(b, (0, axis), (2, axis)));
        let most = number_at(b, site, 3, DType::I64);
        let most = scalar::to_index(b, most, DType::I64);
        let threshold = number_at(b, site, 4, dtype);
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        let no_score = scalar::zero(b, dtype);
        let selects = scalar::compare(b, Compare::Gt, threshold, no_score, dtype);
        let data = site.arg(0);
        Ok(Self { site, data, dtype, class, score, first, most, threshold, no_score, selects, zero, one })
    }

    /// The scores by batch and box. Boxes beyond the valid ones have the lowest score, so they are sorted last.
    fn scores(&self, b: &mut Builder<'_>, sizes: &[Extent]) -> Tensor {
        let (data, counts, dtype) = (self.data, self.site.arg(1), self.dtype);
        generate(b, sizes, dtype, |b, at| {
            let own = element(b, data.value, [at[0], at[1]], self.score);
            let count = index_at(b, counts, &at[..1]);
            let valid = arith::cmpi(b, CmpIPredicate::Slt, at[1], count);
            let least = scalar::least(b, dtype);
            arith::select(b, valid, own, least)
        })
    }

    /// The number of boxes of a batch that are visited: the valid ones, or the best `top_k` of them.
    fn limit(&self, b: &mut Builder<'_>, counts: &Tensor, batch: Value, boxes: Extent) -> Value {
        let whole = boxes.value(b);
        let valid = index_at(b, counts, &[batch]);
        let valid = arith::maxsi(b, valid, self.zero);
        let valid = arith::minsi(b, valid, whole);
        let top = self.site.column("top_k", -1);
        if top <= 0 {
            return valid;
        }
        let top = arith::constant_index(b, top);
        let limited = arith::minsi(b, valid, top);
        arith::select(b, self.selects, limited, valid)
    }

    /// Visits a box by its place in the order. `carried` are the boxes, the indices and the number of the kept boxes.
    fn step(
        &self,
        b: &mut Builder<'_>,
        indices: &Tensor,
        order: &Tensor,
        [batch, place]: [Value; 2],
        carried: &[Value],
    ) -> Vec<Value> {
        let (boxes, chosen) = (carried[0], carried[2]);
        let ordered = index_at(b, order, &[batch, place]);
        let source = arith::select(b, self.selects, ordered, place);
        let own = corners(b, self.data.value, [batch, source], self.first);
        let score = element(b, self.data.value, [batch, source], self.score);
        let scored = scalar::compare(b, Compare::Gt, score, self.no_score, self.dtype);
        let full = arith::cmpi(b, CmpIPredicate::Eq, chosen, self.most);
        let open = scalar::not(b, full);
        let fits = arith::andi(b, scored, open);
        // The earlier boxes that were kept.
        let apart = nest(b, &[Extent::Value(place)], &[fits], &mut |b, other, carried| {
            let suppressed = self.suppresses(b, (boxes, other[0]), (&own, source), batch);
            let apart = scalar::not(b, suppressed);
            vec![arith::andi(b, carried[0], apart)]
        })[0];
        // All boxes are copied if there is no threshold; a box without a score is copied unchanged.
        let unscored = scalar::not(b, scored);
        let unscored = arith::andi(b, unscored, open);
        let all = scalar::not(b, self.selects);
        let copies = arith::ori(b, apart, unscored);
        let copies = arith::ori(b, copies, all);
        let next = arith::addi(b, chosen, self.one);
        let next = arith::select(b, apart, next, chosen);
        let both = update_if(b, copies, &carried[..2], |b| {
            let boxes = copied_row(b, self.data, [batch, source], carried[0], [batch, place]);
            let number = if self.site.attrs.flag("return_indices") {
                extract(b, indices.value, &[batch, source])
            } else {
                scalar::from_index(b, source, indices.dtype())
            };
            let number = scalar::cast(b, number, indices.dtype(), DType::I32);
            vec![boxes, insert(b, number, carried[1], &[batch, place])]
        });
        vec![both[0], both[1], next]
    }

    /// Whether a kept box suppresses the one with the corners `own` in row `source` of the data.
    fn suppresses(
        &self,
        b: &mut Builder<'_>,
        (boxes, kept): (Value, Value),
        (own, source): (&Corners, Value),
        batch: Value,
    ) -> Value {
        let (dtype, no_score) = (self.dtype, self.no_score);
        let score = element(b, boxes, [batch, kept], self.score);
        let mut counts = scalar::compare(b, Compare::Gt, score, no_score, dtype);
        if self.class >= 0 {
            let theirs = element(b, boxes, [batch, kept], self.class);
            let known = scalar::compare(b, Compare::Ge, theirs, no_score, dtype);
            counts = arith::andi(b, counts, known);
            if !self.site.attrs.flag("force_suppress") {
                let ours = element(b, self.data.value, [batch, source], self.class);
                let same = scalar::compare(b, Compare::Eq, ours, theirs, dtype);
                counts = arith::andi(b, counts, same);
            }
        }
        let theirs = corners(b, boxes, [batch, kept], self.first);
        let ratio = overlap(b, own, &theirs, dtype);
        let close = scalar::compare(b, Compare::Ge, ratio, self.threshold, dtype);
        arith::andi(b, counts, close)
    }

    /// Moves the kept boxes to the front of each batch of `moved`.
    fn valid_first(&self, b: &mut Builder<'_>, boxes: &Tensor, moved: Tensor) -> Tensor {
        let old = extents(b, self.data);
        let done = nest(b, &old[..1], &[moved.value], &mut |b, batch, carried| {
            let row = [carried[0], self.zero];
            nest(b, &old[1..2], &row, &mut |b, place, carried| {
                let first = extract(b, boxes.value, &[batch[0], place[0], self.zero]);
                let valid = scalar::compare(b, Compare::Ge, first, self.no_score, self.dtype);
                update_if(b, valid, carried, |b| {
                    let (from, to) = ([batch[0], place[0]], [batch[0], carried[1]]);
                    vec![copied_row(b, boxes, from, carried[0], to), arith::addi(b, carried[1], self.one)]
                })
            })[..1]
                .to_vec()
        });
        Tensor { value: done[0], ..moved }
    }
}
