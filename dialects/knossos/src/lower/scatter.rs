//! Addition of a value to one element of a tensor.

use super::build::{accumulate, accumulate_number, check_extents, extract, flat};
use super::items::{Array, Items, position};
use super::slices::{collapse, insert_slice, slice};
use super::{Parts, loops};
use minoan_arith as arith;
use minoan_ir::{Builder, Type, Value};
use minoan_tensor::insert;

/// The components of a tensor after `term` is added to the element at `indices`, which are in bounds.
pub(super) fn add_at(b: &mut Builder<'_>, tensor: &Array, indices: &[Value], term: &[Value]) -> Parts {
    let sizes = tensor.sizes(b);
    let at = position(b, indices, &sizes);
    let items = add_item(b, tensor.element, &tensor.items, indices, at, term);
    tensor.with_items(items).parts()
}

fn add_item(
    b: &mut Builder<'_>,
    element: Type,
    items: &Items,
    indices: &[Value],
    position: Value,
    term: &[Value],
) -> Items {
    let ctx = b.context();
    match items {
        Items::Numbers(numbers) => {
            let old = extract(b, *numbers, indices);
            let sum = accumulate_number(b, old, term[0]);
            Items::Numbers(insert(b, sum, *numbers, indices))
        }
        Items::Tuples(parts) => {
            let (mut rest, mut all) = (term, Vec::new());
            for (part, &ty) in parts.iter().zip(element.as_tuple(&ctx).unwrap_or(&[])) {
                let (own, others) = rest.split_at(flat(&ctx, ty).len());
                all.push(add_item(b, ty, part, indices, position, own));
                rest = others;
            }
            Items::Tuples(all)
        }
        Items::Rows(rows) => {
            let row = Array::of(&ctx, rows.row, &{
                let mut own = Parts::new();
                rows.row(b, position, &mut own);
                own
            });
            let term = Array::of(&ctx, rows.row, term);
            let (Some(row), Some(term)) = (row, term) else { return items.clone() };
            let (sizes, others) = (row.sizes(b), term.sizes(b));
            check_extents(b, &sizes, &others, "a sum of tensors of different sizes");
            let [from, to] = rows.bounds(b, position);
            let count = arith::subi(b, to, from);
            let items = add_all(b, rows.element, &rows.items, &term.items, [from, count], None);
            Items::Rows(Box::new(super::items::Rows { items, ..super::items::Rows::clone(rows) }))
        }
    }
}

/// Adds `count` elements, all of `terms` or those from `start` on, to those from `from` on.
fn add_all(
    b: &mut Builder<'_>,
    element: Type,
    items: &Items,
    terms: &Items,
    [from, count]: [Value; 2],
    start: Option<Value>,
) -> Items {
    let ctx = b.context();
    match (items, terms) {
        (Items::Numbers(numbers), Items::Numbers(terms)) => {
            let terms = match start {
                None => collapse(b, *terms),
                Some(start) => slice(b, *terms, start, count),
            };
            let old = slice(b, *numbers, from, count);
            let sum = accumulate(b, old, terms);
            Items::Numbers(insert_slice(b, sum, *numbers, from, count))
        }
        (Items::Tuples(parts), Items::Tuples(terms)) => {
            let types = element.as_tuple(&ctx).unwrap_or(&[]);
            let all = parts.iter().zip(terms).zip(types);
            Items::Tuples(
                all.map(|((part, term), &ty)| add_all(b, ty, part, term, [from, count], start)).collect(),
            )
        }
        (Items::Rows(rows), Items::Rows(terms)) => {
            // One row after the other: the rows of both sides may begin anywhere.
            let mut init = Parts::new();
            rows.items.flat(&mut init);
            let done = loops::nest(b, &[count], &init, &mut |b, at, carried| {
                let here = arith::addi(b, from, at[0]);
                let there = match start {
                    None => at[0],
                    Some(start) => arith::addi(b, start, at[0]),
                };
                let mut term = Parts::new();
                terms.row(b, there, &mut term);
                let now = rows.with_flat(&b.context(), carried);
                let sums = add_item(b, rows.row, &Items::Rows(Box::new(now)), &[here], here, &term);
                let mut parts = Parts::new();
                if let Items::Rows(rows) = sums {
                    rows.items.flat(&mut parts);
                }
                parts
            });
            Items::Rows(Box::new(rows.with_flat(&ctx, &done)))
        }
        _ => items.clone(),
    }
}
