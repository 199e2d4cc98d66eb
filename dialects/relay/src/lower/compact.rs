//! Lowering of operators whose number of results depends on the data: the indices of nonzero elements, and distinct
//! elements.

use super::extent::Extent;
use super::index::index_at;
use super::scalar::{self, Compare};
use super::site::{Site, Tensor};
use super::tensors::{empty, extent, extents, filled, generate, insert, nest};
use super::{Lowered, Rule, extract};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, OpDef, Value};
use minoan_scf::If;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "argwhere" => |site, b| site.argwhere(b),
        "unique" => |site, b| site.unique(b),
        _ => return None,
    })
}

/// Executes `then` on the carried values if a condition holds.
pub(super) fn update_if(
    b: &mut Builder<'_>,
    condition: Value,
    carried: &[Value],
    then: impl FnOnce(&mut Builder<'_>) -> Vec<Value>,
) -> Vec<Value> {
    let types: Vec<_> = carried.iter().map(|&value| b.ty(value)).collect();
    let done = If::with(b, condition, &types, then, |_| carried.to_vec());
    b.body().op(done.op()).results().collect()
}

impl Site {
    /// The indices of the nonzero elements in row-major order, as rows: the elements are counted first.
    fn argwhere(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype, to) = (self.arg(0), self.arg(0).dtype(), self.result().dtype);
        let sizes = extents(b, data);
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        let count = nest(b, &sizes, &[zero], &mut |b, at, carried| {
            let element = extract(b, data.value, at);
            let some = scalar::truth(b, element, dtype);
            let step = arith::select(b, some, one, zero);
            vec![arith::addi(b, carried[0], step)]
        })[0];
        let made = empty(b, &[Extent::Value(count), Extent::Known(data.rank() as i64)], to);
        let done = nest(b, &sizes, &[made.value, zero], &mut |b, at, carried| {
            let element = extract(b, data.value, at);
            let some = scalar::truth(b, element, dtype);
            update_if(b, some, carried, |b| {
                let mut rows = carried[0];
                for (axis, &index) in at.iter().enumerate() {
                    let axis = arith::constant_index(b, axis as i64);
                    let index = scalar::from_index(b, index, to);
                    rows = insert(b, index, rows, &[carried[1], axis]);
                }
                vec![rows, arith::addi(b, carried[1], one)]
            })
        });
        Ok(vec![Tensor { value: done[0], ..made }])
    }

    /// Distinct elements, the indices of their first occurrences, for each element the position of its value, their number,
    /// and optionally their counts. As in TVM, the first two results and the last one have the size of the data; elements
    /// beyond the number of distinct elements are zero.
    fn unique(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.arg(0).dtype());
        let (in_order, to) = (self.attrs.flag("sorted"), DType::I32);
        let count = extent(b, data, 0);
        let order = self.ascending(b, data);
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        // The index of the first element that is equal to each, and the place of its value in sorted order.
        let starts = empty(b, &[count], to);
        let places = empty(b, &[count], to);
        let nothing = scalar::zero(b, to);
        let grouped =
            nest(b, &[count], &[starts.value, places.value, zero, nothing], &mut |b, at, carried| {
                let here = index_at(b, &order, at);
                let element = extract(b, data.value, &[here]);
                let back = arith::subi(b, at[0], one);
                let back = arith::maxsi(b, back, zero);
                let before = index_at(b, &order, &[back]);
                let previous = extract(b, data.value, &[before]);
                let differs = scalar::compare(b, Compare::Ne, element, previous, dtype);
                let first = arith::cmpi(b, arith::CmpIPredicate::Eq, at[0], zero);
                let starts_group = arith::ori(b, differs, first);
                let step = scalar::integer(b, 1, to);
                let moved = arith::addi(b, carried[3], step);
                let next = arith::select(b, differs, moved, carried[3]);
                let next = arith::select(b, first, nothing, next);
                let start = arith::select(b, starts_group, here, carried[2]);
                let start_number = scalar::from_index(b, start, to);
                vec![
                    insert(b, start_number, carried[0], &[here]),
                    insert(b, next, carried[1], &[here]),
                    start,
                    next,
                ]
            });
        let starts = Tensor { value: grouped[0], ..starts };
        let sorted_places = Tensor { value: grouped[1], ..places };
        // The values in the order of their first occurrences, or sorted.
        let (unset, zero_element) = (scalar::zero(b, to), scalar::zero(b, dtype));
        let values = filled(b, &[count], dtype, zero_element);
        let [firsts, inverse, counts] = [0, 1, 2].map(|_| filled(b, &[count], to, unset));
        let init = [values.value, firsts.value, inverse.value, counts.value, zero];
        let done = nest(b, &[count], &init, &mut |b, at, carried| {
            let start = index_at(b, &starts, at);
            let new = arith::cmpi(b, arith::CmpIPredicate::Eq, start, at[0]);
            let place = if in_order {
                index_at(b, &sorted_places, at)
            } else {
                let known = extract(b, carried[2], &[start]);
                let known = scalar::to_index(b, known, to);
                arith::select(b, new, carried[4], known)
            };
            let both = update_if(b, new, &[carried[0], carried[1]], |b| {
                let element = extract(b, data.value, at);
                let number = scalar::from_index(b, at[0], to);
                vec![insert(b, element, carried[0], &[place]), insert(b, number, carried[1], &[place])]
            });
            let number = scalar::from_index(b, place, to);
            let inverse = insert(b, number, carried[2], at);
            let step = scalar::one(b, to);
            let seen = extract(b, carried[3], &[place]);
            let seen = arith::addi(b, seen, step);
            let counts = insert(b, seen, carried[3], &[place]);
            let more = arith::addi(b, carried[4], one);
            vec![both[0], both[1], inverse, counts, arith::select(b, new, more, carried[4])]
        });
        let total = generate(b, &[Extent::Known(1)], to, |b, _| scalar::from_index(b, done[4], to));
        let mut results = vec![
            Tensor { value: done[0], ..values },
            Tensor { value: done[1], ..firsts },
            Tensor { value: done[2], ..inverse },
            total,
        ];
        if self.attrs.flag("return_counts") {
            results.push(Tensor { value: done[3], ..counts });
        }
        Ok(results)
    }
}
