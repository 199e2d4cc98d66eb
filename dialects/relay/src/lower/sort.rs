//! Lowering of sorting: a bottom-up merge sort of each row, or for the first few elements of a row an insertion sort of these,
//! both stable. NaN sorts last. Runs of equal length are merged from both ends at once.
//!
//! Copies of the elements are sorted together with their indices. The results are gathered from the source by these indices, so
//! derivatives do not pass through the sort.

use super::extent::Extent;
use super::scalar::{self, Compare};
use super::site::{Site, Tensor};
use super::tensors::{empty, extent, extents, generate, insert, nest};
use super::{Lowered, Rule, extract};
use crate::ty::{DType, Dim};
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_ir::{Builder, OpDef, Type, Value};
use minoan_scf::{For, If, While};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "sort" => |site, b| {
            let (values, _) = site.sorted(b, DType::I32, None);
            Ok(vec![values])
        },
        "argsort" => |site, b| {
            let (_, indices) = site.sorted(b, site.result().dtype, None);
            Ok(vec![indices])
        },
        "topk" => |site, b| site.topk(b),
        _ => return None,
    })
}

/// The most elements of a row that are found by insertion.
const MOST_INSERTED: i64 = 16;

/// The order of sorted elements.
#[derive(Clone, Copy)]
pub(super) enum SortOrder {
    Ascending,
    Descending,
}

/// A row of a tensor: the elements along an axis at a position among the other axes.
struct Row<'t> {
    data: &'t Tensor,
    axis: usize,
    place: Vec<Value>,
    order: SortOrder,
}

impl Row<'_> {
    /// The element at an index of type `i64`.
    fn key(&self, b: &mut Builder<'_>, index: Value) -> Value {
        let index = arith::index_cast(b, index, Type::INDEX);
        let mut at = self.place.clone();
        at.insert(self.axis, index);
        extract(b, self.data.value, &at)
    }

    /// Whether an element must precede another one.
    fn before(&self, b: &mut Builder<'_>, first: Value, second: Value) -> Value {
        let dtype = self.data.dtype();
        if !dtype.is_float() {
            let how = match self.order {
                SortOrder::Ascending => Compare::Lt,
                SortOrder::Descending => Compare::Gt,
            };
            return scalar::compare(b, how, first, second, dtype);
        }
        // A number precedes NaN, to which no comparison applies.
        let how = match self.order {
            SortOrder::Ascending => Compare::Ge,
            SortOrder::Descending => Compare::Le,
        };
        let follows = scalar::compare(b, how, first, second, dtype);
        let is_number = scalar::compare(b, Compare::Eq, first, first, dtype);
        let precedes = scalar::not(b, follows);
        arith::andi(b, is_number, precedes)
    }

    /// The indices of the first `most` elements in sorted order.
    fn order(&self, b: &mut Builder<'_>, count: Extent, most: Extent) -> Value {
        match most {
            Extent::Known(most) if most <= MOST_INSERTED => self.select(b, count, most),
            _ => self.sort(b, count),
        }
    }

    /// The indices of all elements in sorted order.
    fn sort(&self, b: &mut Builder<'_>, count: Extent) -> Value {
        let index = |b: &mut Builder<'_>, at: &[Value]| arith::index_cast(b, at[0], Type::I64);
        let order = generate(b, &[count], DType::I64, index).value;
        let keys = generate(b, &[count], self.data.dtype(), |b, at| {
            let index = arith::index_cast(b, at[0], Type::I64);
            self.key(b, index)
        });
        let (one, types) = (arith::constant_index(b, 1), [keys.value, order].map(|runs| b.ty(runs)));
        let sorted = While::with(
            b,
            &[one, keys.value, order],
            &[Type::INDEX, types[0], types[1]],
            |b, carried| {
                let count = count.value(b);
                (arith::cmpi(b, CmpIPredicate::Ult, carried[0], count), carried.to_vec())
            },
            |b, carried| {
                let [keys, order] = self.merge_runs(b, [carried[1], carried[2]], carried[0], count);
                vec![arith::addi(b, carried[0], carried[0]), keys, order]
            },
        );
        b.body().op(sorted.op()).result(2)
    }

    /// Merges runs of `length` in pairs; `runs` are the keys and their indices.
    fn merge_runs(&self, b: &mut Builder<'_>, runs: [Value; 2], length: Value, count: Extent) -> [Value; 2] {
        let targets = [self.data.dtype(), DType::I64].map(|dtype| empty(b, &[count], dtype).value);
        let (zero, one, count) = (arith::constant_index(b, 0), arith::constant_index(b, 1), count.value(b));
        let both = arith::addi(b, length, length);
        let rest = arith::remui(b, count, both);
        let whole = arith::subi(b, count, rest);
        let merged = For::with(b, [zero, whole, both], &targets, |b, start, targets| {
            let middle = arith::addi(b, start, length);
            let last = arith::subi(b, middle, one);
            let init = [start, last, targets[0], targets[1]];
            let pair = For::with(b, [zero, length, one], &init, |b, step, carried| {
                self.merge_both_ends(b, runs, (start, middle, length), step, carried)
            });
            b.body().op(pair.op()).results().skip(2).collect()
        });
        // The last two runs, unless they have been merged.
        let [middle, end] = [length, both].map(|length| {
            let end = arith::addi(b, whole, length);
            arith::minui(b, end, count)
        });
        let merged: Vec<Value> = b.body().op(merged.op()).results().collect();
        let init = [whole, merged[0], merged[1]];
        let merged = For::with(b, [whole, count, one], &init, |b, at, carried| {
            self.merge_next(b, runs, (middle, end), at, carried)
        });
        let merged: Vec<Value> = b.body().op(merged.op()).results().collect();
        [merged[1], merged[2]]
    }

    /// Writes the first and the last one of the remaining elements of two runs of `length`, the second of which starts at `middle`, to
    /// the merged run, which starts at `start`. As many steps as each run has elements merge them, so no run is empty in a step, and the
    /// two ends do not depend on each other. `carried` are the positions of the first and of the last remaining element of the left run,
    /// and the merged runs.
    fn merge_both_ends(
        &self,
        b: &mut Builder<'_>,
        [keys, order]: [Value; 2],
        (start, middle, length): (Value, Value, Value),
        step: Value,
        carried: &[Value],
    ) -> Vec<Value> {
        let one = arith::constant_index(b, 1);
        let (first, last, mut targets) = (carried[0], carried[1], [carried[2], carried[3]]);
        let mut put = |b: &mut Builder<'_>, from: Value, to: Value, key: Value| {
            let index = extract(b, order, &[from]);
            targets = [insert(b, key, targets[0], &[to]), insert(b, index, targets[1], &[to])];
        };
        // The right run starts where the left one ends: with `step` elements taken, `first - start` of them from the left run.
        let at = arith::addi(b, start, step);
        let taken = arith::subi(b, at, first);
        let right = arith::addi(b, middle, taken);
        let [left_key, right_key] = [first, right].map(|position| extract(b, keys, &[position]));
        let is_right = self.before(b, right_key, left_key);
        let from = arith::select(b, is_right, right, first);
        let key = arith::select(b, is_right, right_key, left_key);
        put(b, from, at, key);
        let next = arith::addi(b, first, one);
        let next_first = arith::select(b, is_right, first, next);

        let from_end = arith::addi(b, step, one);
        let end = arith::addi(b, middle, length);
        let at = arith::subi(b, end, from_end);
        let right = {
            // `middle - 1 - last` of the elements that were taken from the end are of the left run.
            let of_left = arith::subi(b, middle, last);
            let of_right = arith::subi(b, from_end, of_left);
            let behind = arith::subi(b, end, of_right);
            arith::subi(b, behind, one)
        };
        let [left_key, right_key] = [last, right].map(|position| extract(b, keys, &[position]));
        let is_left = self.before(b, right_key, left_key);
        let from = arith::select(b, is_left, last, right);
        let key = arith::select(b, is_left, left_key, right_key);
        put(b, from, at, key);
        let previous = arith::subi(b, last, one);
        let next_last = arith::select(b, is_left, previous, last);
        vec![next_first, next_last, targets[0], targets[1]]
    }

    /// Writes the next element of two runs, which start before `middle` and `end`, to the position `at` of the merged run.
    /// `carried` are the position in the left run and the merged runs.
    fn merge_next(
        &self,
        b: &mut Builder<'_>,
        [keys, order]: [Value; 2],
        (middle, end): (Value, Value),
        at: Value,
        carried: &[Value],
    ) -> Vec<Value> {
        let (one, left) = (arith::constant_index(b, 1), carried[0]);
        let taken = arith::subi(b, at, left);
        let right = arith::addi(b, middle, taken);
        // Both elements are loaded in any case, so that no branch depends on the data.
        let last = arith::subi(b, end, one);
        let [left_key, right_key] = [left, right].map(|position| {
            let position = arith::minui(b, position, last);
            extract(b, keys, &[position])
        });
        let is_left_empty = arith::cmpi(b, CmpIPredicate::Uge, left, middle);
        let has_right = arith::cmpi(b, CmpIPredicate::Ult, right, end);
        let before = self.before(b, right_key, left_key);
        let before = arith::ori(b, is_left_empty, before);
        let is_right = arith::andi(b, has_right, before);
        let from = arith::select(b, is_right, right, left);
        let key = arith::select(b, is_right, right_key, left_key);
        let index = extract(b, order, &[from]);
        let next = arith::addi(b, left, one);
        vec![
            arith::select(b, is_right, left, next),
            insert(b, key, carried[1], &[at]),
            insert(b, index, carried[2], &[at]),
        ]
    }

    /// The indices of the first `most` elements in sorted order: each element of the row that precedes the last of those found
    /// so far is inserted.
    fn select(&self, b: &mut Builder<'_>, count: Extent, most: i64) -> Value {
        let targets =
            [self.data.dtype(), DType::I64].map(|dtype| empty(b, &[Extent::Known(most)], dtype).value);
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        let (most, count) = (arith::constant_index(b, most), count.value(b));
        let filled = For::with(b, [zero, most, one], &targets, |b, at, found| {
            let index = arith::index_cast(b, at, Type::I64);
            let key = self.key(b, index);
            self.insert_sorted(b, found, at, (key, index))
        });
        let filled: Vec<Value> = b.body().op(filled.op()).results().collect();
        let done = For::with(b, [most, count, one], &filled, |b, at, found| {
            let index = arith::index_cast(b, at, Type::I64);
            let key = self.key(b, index);
            let last = arith::subi(b, most, one);
            let worst = extract(b, found[0], &[last]);
            let precedes = self.before(b, key, worst);
            let types: Vec<Type> = found.iter().map(|&found| b.ty(found)).collect();
            let insert = |b: &mut Builder<'_>| self.insert_sorted(b, found, last, (key, index));
            let next = If::with(b, precedes, &types, insert, |_| found.to_vec());
            b.body().op(next.op()).results().collect()
        });
        b.body().op(done.op()).result(1)
    }

    /// Inserts a key and its index into the sorted ones before the position `free`, and moves those that it precedes by one.
    fn insert_sorted(
        &self,
        b: &mut Builder<'_>,
        found: &[Value],
        free: Value,
        (key, index): (Value, Value),
    ) -> Vec<Value> {
        let types = [Type::INDEX, b.ty(found[0]), b.ty(found[1])];
        let moved = While::with(
            b,
            &[free, found[0], found[1]],
            &types,
            |b, carried| {
                let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
                let is_inside = arith::cmpi(b, CmpIPredicate::Ugt, carried[0], zero);
                let previous = arith::subi(b, carried[0], one);
                let previous = arith::maxsi(b, previous, zero);
                let other = extract(b, carried[1], &[previous]);
                let precedes = self.before(b, key, other);
                (arith::andi(b, is_inside, precedes), carried.to_vec())
            },
            |b, carried| {
                let one = arith::constant_index(b, 1);
                let previous = arith::subi(b, carried[0], one);
                let other = extract(b, carried[1], &[previous]);
                let other_index = extract(b, carried[2], &[previous]);
                let keys = insert(b, other, carried[1], &[carried[0]]);
                let order = insert(b, other_index, carried[2], &[carried[0]]);
                vec![previous, keys, order]
            },
        );
        let moved: Vec<Value> = b.body().op(moved.op()).results().collect();
        vec![insert(b, key, moved[1], &[moved[0]]), insert(b, index, moved[2], &[moved[0]])]
    }
}

impl Site {
    /// The sorted elements along an axis, and their indices; only the first `most` if given.
    fn sorted(&self, b: &mut Builder<'_>, indices: DType, most: Option<Extent>) -> (Tensor, Tensor) {
        let data = self.arg(0);
        let ascending = self.attrs.flag("is_ascend");
        let order = if ascending { SortOrder::Ascending } else { SortOrder::Descending };
        sorted(b, data, self.axis("axis", data.rank()), order, indices, most)
    }

    /// The indices that sort a tensor of rank 1.
    pub(super) fn ascending(&self, b: &mut Builder<'_>, data: &Tensor) -> Tensor {
        sorted(b, data, 0, SortOrder::Ascending, DType::I32, None).1
    }

    fn topk(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let axis = self.axis("axis", data.rank());
        let most = match (self.attrs.int("k"), self.result().shape[axis]) {
            (Some(count), Dim::Known(_)) if count >= 1 => {
                let whole = extent(b, data, axis);
                Extent::Known(count).expect_at_most(b, whole, || {
                    format!("topk: 'k' is {{}}, but 'data' has extent {{}} along axis {axis}")
                });
                Some(Extent::Known(count))
            }
            _ => None,
        };
        self.top(b, most)
    }

    /// The first elements in sorted order, their indices, or both.
    pub(super) fn top(&self, b: &mut Builder<'_>, most: Option<Extent>) -> Lowered {
        let (ret, last) = (self.attrs.text("ret_type").unwrap_or("both"), self.results.len() - 1);
        let indices = if ret == "values" { DType::I32 } else { self.results[last].dtype };
        let (values, indices) = self.sorted(b, indices, most);
        Ok(match ret {
            "values" => vec![values],
            "indices" => vec![indices],
            _ => vec![values, indices],
        })
    }
}

/// The elements in order along an axis, and their indices; only the first `most` if given.
pub(super) fn sorted(
    b: &mut Builder<'_>,
    data: &Tensor,
    axis: usize,
    order: SortOrder,
    indices: DType,
    most: Option<Extent>,
) -> (Tensor, Tensor) {
    let mut wanted = extents(b, data);
    let count = wanted[axis];
    let most = most.unwrap_or(count);
    wanted[axis] = most;
    let mut others = wanted.clone();
    others.remove(axis);
    let made = (empty(b, &wanted, data.dtype()), empty(b, &wanted, indices));
    let done = nest(b, &others, &[made.0.value, made.1.value], &mut |b, place, carried| {
        let row = Row { data, axis, place: place.to_vec(), order };
        let order = row.order(b, count, most);
        nest(b, &[most], carried, &mut |b, at, carried| {
            let index = extract(b, order, at);
            let mut target = row.place.clone();
            target.insert(axis, at[0]);
            let element = row.key(b, index);
            let index = scalar::cast(b, index, DType::I64, indices);
            vec![insert(b, element, carried[0], &target), insert(b, index, carried[1], &target)]
        })
    });
    (Tensor { value: done[0], ..made.0 }, Tensor { value: done[1], ..made.1 })
}
