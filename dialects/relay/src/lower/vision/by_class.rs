//! Lowering of non-maximum suppression per class.

use super::suppress::{corners, number_at, overlap};
use crate::lower::compact::update_if;
use crate::lower::extent::{Extent, product};
use crate::lower::index::index_at;
use crate::lower::scalar::{self, Compare};
use crate::lower::site::{Site, Tensor};
use crate::lower::sort::{SortOrder, sorted};
use crate::lower::tensors::{extent, extents, filled, insert, nest, number};
use crate::lower::{Lowered, extract};
use crate::ty::DType;
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_ir::{Builder, Value};

impl Site {
    /// For each batch and class, the boxes by score, up to a number of them, above a score, and apart from each other, as rows
    /// of batch, class and box and the number of rows; or, for `output_format="tensorflow"`, per batch as rows of class and
    /// box, their scores and their number, class by class, with zeros after the last box.
    pub(super) fn suppress_by_class(&self, b: &mut Builder<'_>) -> Lowered {
        let (boxes, scores, dtype) = (self.arg(0), self.arg(1), self.float_dtype()?);
        self.expect_same(b, (0, 0), (1, 0));
        self.expect_same(b, (0, 1), (1, 2));
        let width = extent(b, boxes, 2);
        width.expect(b, Extent::Known(4), || format!("{}: a box must have 4 elements", self.name));
        let (most, wide) = (number_at(b, self, 2, DType::I64), DType::I64);
        let [threshold, least] = [3, 4].map(|index| number_at(b, self, index, dtype));
        let old = extents(b, scores);
        let (batches, classes, count) = (old[0], old[1], old[2]);
        let (_, order) = sorted(b, scores, 2, SortOrder::Descending, DType::I32, None);
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        let all = product(b, &old);
        let nothing = scalar::zero(b, wide);
        let chosen = filled(b, &[all, Extent::Known(3)], wide, nothing);
        let most = scalar::to_index(b, most, wide);
        // The place of the next row, the place of the first row of the class.
        let done = nest(b, &[batches, classes], &[chosen.value, zero], &mut |b, at, carried| {
            let (batch, class, begin) = (at[0], at[1], carried[1]);
            nest(b, &[count], carried, &mut |b, place, carried| {
                let own = index_at(b, &order, &[batch, class, place[0]]);
                let score = extract(b, scores.value, &[batch, class, own]);
                let scored = scalar::compare(b, Compare::Gt, score, least, dtype);
                let taken = arith::subi(b, carried[1], begin);
                let open = arith::cmpi(b, CmpIPredicate::Slt, taken, most);
                let fits = arith::andi(b, scored, open);
                let ours = corners(b, boxes.value, [batch, own], 0);
                let apart = nest(b, &[Extent::Value(taken)], &[fits], &mut |b, other, inner| {
                    let row = arith::addi(b, begin, other[0]);
                    let column = arith::constant_index(b, 2);
                    let there = extract(b, carried[0], &[row, column]);
                    let there = scalar::to_index(b, there, wide);
                    let theirs = corners(b, boxes.value, [batch, there], 0);
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
        Ok(self.rows_by_batch(b, &old, &rows, done[1]))
    }

    /// The first `n_rows` rows of batch, class and box as rows of class and box per batch, their scores, and their number.
    fn rows_by_batch(
        &self,
        b: &mut Builder<'_>,
        old: &[Extent],
        rows: &Tensor,
        n_rows: Value,
    ) -> Vec<Tensor> {
        let (scores, dtype, wide) = (self.arg(1), self.arg(1).dtype(), DType::I64);
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        let nothing = scalar::zero(b, wide);
        let each = [old[0], old[1].times(b, old[2])];
        let no_score = scalar::zero(b, DType::F32);
        let indices = filled(b, &[each[0], each[1], Extent::Known(2)], wide, nothing);
        let best = filled(b, &each, DType::F32, no_score);
        let counts = filled(b, &each[..1], wide, nothing);
        let init = [indices.value, best.value, counts.value];
        let done = nest(b, &[Extent::Value(n_rows)], &init, &mut |b, row, carried| {
            let [batch, class, own] = [0, 1, 2].map(|column| {
                let column = arith::constant_index(b, column);
                index_at(b, rows, &[row[0], column])
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
        vec![
            Tensor { value: done[0], ..indices },
            Tensor { value: done[1], ..best },
            Tensor { value: done[2], ..counts },
        ]
    }
}
