//! Lowering of sorting: a bottom-up merge sort, which is stable.
//!
//! The indices of a row are sorted. A pass merges runs in pairs: an element goes to its position in its own run plus
//! the number of elements of the other run that precede it, found by binary search. NaN sorts last.

use super::extent::Extent;
use super::scalar::{self, Compare};
use super::site::{Site, Tensor};
use super::tensors::{empty, extent, extents, generate, insert, nest};
use super::{Lowered, Rule, extract};
use crate::ty::{DType, Dim};
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_ir::{Builder, OpDef, Type, Value};
use minoan_scf::While;

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

/// A row of a tensor: the elements along an axis at a position among the other axes.
struct Row<'t> {
    data: &'t Tensor,
    axis: usize,
    place: Vec<Value>,
    ascending: bool,
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
        let how = if self.ascending { Compare::Lt } else { Compare::Gt };
        let before = scalar::compare(b, how, first, second, dtype);
        if !dtype.is_float() {
            return before;
        }
        let number = scalar::compare(b, Compare::Eq, first, first, dtype);
        let nan = scalar::compare(b, Compare::Ne, second, second, dtype);
        let last = arith::andi(b, number, nan);
        arith::ori(b, before, last)
    }

    /// The indices of the elements in sorted order.
    fn order(&self, b: &mut Builder<'_>, count: Extent) -> Value {
        let first = generate(b, &[count], DType::I64, |b, at| arith::index_cast(b, at[0], Type::I64));
        let (one, count) = (arith::constant_index(b, 1), count.value(b));
        let ty = b.ty(first.value);
        let sorted = While::with(
            b,
            &[one, first.value],
            &[Type::INDEX, ty],
            |b, carried| (arith::cmpi(b, CmpIPredicate::Ult, carried[0], count), carried.to_vec()),
            |b, carried| {
                let merged = self.pass(b, carried[1], carried[0], count);
                vec![arith::addi(b, carried[0], carried[0]), merged]
            },
        );
        b.body().op(sorted.op()).result(1)
    }

    /// Merges runs of `length` in pairs.
    fn pass(&self, b: &mut Builder<'_>, order: Value, length: Value, count: Value) -> Value {
        let known = b.ty(order).shape(&b.context()).and_then(|shape| shape.first().copied());
        let extent = known.filter(|&known| known >= 0).map_or(Extent::Value(count), Extent::Known);
        let target = empty(b, &[extent], DType::I64);
        nest(b, &[extent], &[target.value], &mut |b, at, carried| {
            let at = at[0];
            let index = extract(b, order, &[at]);
            let both = arith::addi(b, length, length);
            let pair = arith::divui(b, at, both);
            let start = arith::muli(b, pair, both);
            let [middle, end] = [length, both].map(|length| {
                let end = arith::addi(b, start, length);
                arith::minui(b, end, count)
            });
            let left = arith::cmpi(b, CmpIPredicate::Ult, at, middle);
            let own = arith::select(b, left, start, middle);
            let other = (arith::select(b, left, middle, start), arith::select(b, left, end, middle));
            let found = self.search(b, order, index, left, other);
            let passed = arith::subi(b, found, other.0);
            let offset = arith::subi(b, at, own);
            let offset = arith::addi(b, offset, passed);
            let place = arith::addi(b, start, offset);
            vec![insert(b, index, carried[0], &[place])]
        })[0]
    }

    /// The number of elements of a run that precede an element: strictly smaller ones of a right run, smaller or
    /// equal ones of a left run.
    fn search(
        &self,
        b: &mut Builder<'_>,
        order: Value,
        index: Value,
        left: Value,
        run: (Value, Value),
    ) -> Value {
        let key = self.key(b, index);
        let found = While::with(
            b,
            &[run.0, run.1],
            &[Type::INDEX, Type::INDEX],
            |b, carried| (arith::cmpi(b, CmpIPredicate::Ult, carried[0], carried[1]), carried.to_vec()),
            |b, carried| {
                let (one, two) = (arith::constant_index(b, 1), arith::constant_index(b, 2));
                let sum = arith::addi(b, carried[0], carried[1]);
                let middle = arith::divui(b, sum, two);
                let other = extract(b, order, &[middle]);
                let other = self.key(b, other);
                let must = self.before(b, other, key);
                let after = self.before(b, key, other);
                let may = scalar::not(b, after);
                let passes = arith::select(b, left, must, may);
                let next = arith::addi(b, middle, one);
                vec![arith::select(b, passes, next, carried[0]), arith::select(b, passes, carried[1], middle)]
            },
        );
        b.body().op(found.op()).result(0)
    }
}

impl Site {
    /// The sorted elements along an axis, and their indices; only the first `most` if given.
    fn sorted(&self, b: &mut Builder<'_>, indices: DType, most: Option<Extent>) -> (Tensor, Tensor) {
        let data = self.arg(0);
        let how = (self.axis("axis", data.rank()), self.attrs.flag("is_ascend"));
        sorted(b, data, how, indices, most)
    }

    /// The indices that sort a tensor of rank 1.
    pub(super) fn ascending(&self, b: &mut Builder<'_>, data: &Tensor) -> Tensor {
        sorted(b, data, (0, true), DType::I32, None).1
    }

    fn topk(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let axis = self.axis("axis", data.rank());
        let most = match (self.attrs.int("k"), self.result().shape[axis]) {
            (Some(count), Dim::Known(_)) if count >= 1 => {
                let whole = extent(b, data, axis);
                Extent::Known(count).expect_at_most(b, whole, || {
                    format!("topk: 'data' has fewer than {count} elements along axis {axis}")
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

/// The elements in order along an axis, ascending or not, and their indices; only the first `most` if given.
pub(super) fn sorted(
    b: &mut Builder<'_>,
    data: &Tensor,
    (axis, ascending): (usize, bool),
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
        let row = Row { data, axis, place: place.to_vec(), ascending };
        let order = row.order(b, count);
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
