//! Lowering of non-maximum suppression of all classes together.

use super::suppress::{corners, overlap};
use crate::lower::compact::update_if;
use crate::lower::extent::Extent;
use crate::lower::index::index_at;
use crate::lower::scalar::{self, Compare};
use crate::lower::site::{Site, Tensor};
use crate::lower::sort::{SortOrder, sorted};
use crate::lower::tensors::{clamped, extent, extents, filled, generate, insert, nest};
use crate::lower::{Lowered, extract};
use crate::ty::DType;
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_ir::{Builder, Value};

/// The boxes chosen for the classes of each batch.
struct Chosen {
    /// Rows of class and box.
    rows: Tensor,
    /// The scores, by row.
    ranks: Tensor,
    /// The number of rows of each batch.
    counts: Tensor,
}

impl Site {
    /// Non-maximum suppression of each class but the background, up to a number of boxes per class; then the boxes of all classes
    /// in score order. The results have zeros after the last box.
    pub(super) fn lower_regular_nms(&self, b: &mut Builder<'_>) -> Lowered {
        let (boxes, scores, dtype, wide) = (self.arg(0), self.arg(1), self.float_dtype()?, DType::I64);
        (0..2).for_each(|axis| _ = self.expect_same(b, (0, axis), (1, axis)));
        let four = extent(b, boxes, 2);
        four.expect(b, Extent::Known(4), || format!("{}: a box must have 4 elements", self.name));
        let most = self.limit("max_detections");
        let classes = match self.limit("num_classes") {
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
        let all = old[1].times(b, classes);
        let Chosen { rows, ranks, counts } = self.chosen_by_class(b, &old, classes, (background, all));
        let (ranked, places) = sorted(b, &ranks, 1, SortOrder::Descending, wide, None);
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        // The row of a result among the chosen ones, and whether there is one.
        let found = |b: &mut Builder<'_>, batch: Value, place: Value| {
            let count = index_at(b, &counts, &[batch]);
            let valid = arith::cmpi(b, CmpIPredicate::Slt, place, count);
            let place = clamped(b, place, all);
            (index_at(b, &places, &[batch, place]), place, valid)
        };
        let no_number = scalar::zero(b, dtype);
        let selected = generate(b, &wanted, dtype, |b, at| {
            let (row, _, valid) = found(b, at[0], at[1]);
            let own = index_at(b, &rows, &[at[0], row, one]);
            let element = extract(b, boxes.value, &[at[0], own, at[2]]);
            arith::select(b, valid, element, no_number)
        });
        let kinds = generate(b, &wanted[..2], dtype, |b, at| {
            let (row, _, valid) = found(b, at[0], at[1]);
            let class = extract(b, rows.value, &[at[0], row, zero]);
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

    /// The boxes of each class but the background, by score, that are apart from each other.
    fn chosen_by_class(
        &self,
        b: &mut Builder<'_>,
        old: &[Extent],
        classes: Extent,
        (background, all): (Value, Extent),
    ) -> Chosen {
        let (boxes, scores, wide) = (self.arg(0), self.arg(1), DType::I64);
        let dtype = boxes.dtype();
        let per_class = self.limit("max_detections_per_class");
        let [threshold, least] = ["iou_threshold", "score_threshold"]
            .map(|name| scalar::constant(b, self.attrs.float(name).unwrap_or(0.0), dtype));
        let (_, order) = sorted(b, scores, 1, SortOrder::Descending, wide, None);
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
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
                    let ours = corners(b, boxes.value, [batch, own], 0);
                    let apart = nest(b, &[Extent::Value(taken)], &[fits], &mut |b, other, inner| {
                        let row = arith::addi(b, begin, other[0]);
                        let there = extract(b, carried[0], &[batch, row, one]);
                        let there = scalar::to_index(b, there, wide);
                        let theirs = corners(b, boxes.value, [batch, there], 0);
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
        Chosen {
            rows: Tensor { value: done[0], ..chosen },
            ranks: Tensor { value: done[1], ..ranks },
            counts: Tensor { value: done[2], ..counts },
        }
    }

    fn limit(&self, name: &str) -> i64 {
        self.attrs.int(name).unwrap_or(0).max(0)
    }
}
