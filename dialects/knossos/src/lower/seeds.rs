//! Conversion between tangents, as the language has them, and the tensors of floats that derivatives take and return.
//!
//! A derivative has a tangent for each component of floats of a value, with the layout of the value. The tangent of the
//! language has the structure of the value, too: its extents, and the offsets and the shapes of its rows. A value is *packed*
//! before a request of a derivative, so that its components are laid out like those of a packed tangent: a row of a row is a
//! view, whose first offset is not 0 and whose elements are only some of those of their tensor.

use super::Parts;
use super::build::{assert_values, check_extents, dims, elementwise, extract, flat, to_i64, to_index, zero};
use super::items::{Array, Items, Rows, has_rows, row_parts, says_extents};
use super::loops::nest;
use super::slices::{dim, insert_slice};
use crate::types::is_number;
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_ir::{Builder, Context, Type, Value};

/// Whether values of a type have rows, whose layout is not unique.
pub(super) fn has_layout(ctx: &Context, ty: Type) -> bool {
    match ty.as_tuple(ctx) {
        Some(parts) => parts.iter().any(|&part| has_layout(ctx, part)),
        None => row_parts(ctx, ty).is_some_and(|(_, element)| has_rows(ctx, element)),
    }
}

/// Whether all components of tangents of this type are floats.
pub(super) fn only_floats(ctx: &Context, tangent: Type) -> bool {
    flat(ctx, tangent).into_iter().all(|ty| is_float(ctx, ty))
}

fn is_float(ctx: &Context, ty: Type) -> bool {
    ty.element_or_self(ctx).is_float(ctx)
}

/// The components that are floats.
pub(super) fn floats(b: &Builder<'_>, parts: &[Value]) -> Vec<Value> {
    parts.iter().copied().filter(|&part| is_float(&b.context(), b.ty(part))).collect()
}

/// Calls `each` for the components of a tuple, recursively, or for a value that is not a tuple.
fn by_part(ctx: &Context, ty: Type, parts: &[Value], each: &mut dyn FnMut(Type, &[Value])) {
    let Some(types) = ty.as_tuple(ctx) else { return each(ty, parts) };
    let mut rest = parts;
    for &ty in types {
        let (own, others) = rest.split_at(flat(ctx, ty).len());
        by_part(ctx, ty, own, each);
        rest = others;
    }
}

/// The value with offsets from 0 on, and without elements that belong to no row.
pub(super) fn pack(b: &mut Builder<'_>, ty: Type, parts: &[Value]) -> Parts {
    let ctx = b.context();
    let mut packed = Parts::new();
    by_part(&ctx, ty, parts, &mut |ty, parts| match Array::of(&ctx, ty, parts) {
        Some(array) if array.items.has_rows() => {
            let items = pack_items(b, &array.items);
            packed.extend(array.with_items(items).parts());
        }
        _ => packed.extend(parts.iter().copied()),
    });
    packed
}

fn pack_items(b: &mut Builder<'_>, items: &Items) -> Items {
    match items {
        Items::Numbers(numbers) => Items::Numbers(*numbers),
        Items::Tuples(parts) => Items::Tuples(parts.iter().map(|part| pack_items(b, part)).collect()),
        Items::Rows(rows) => {
            let [first, count] = window(b, rows, None);
            let start = to_i64(b, first);
            let offsets =
                elementwise(b, &[rows.offsets], Type::I64, |b, offset| arith::subi(b, offset[0], start));
            let inside = rows.items.slice(b, [first, count]);
            let items = pack_items(b, &inside);
            Items::Rows(Box::new(Rows { offsets, items, ..Rows::clone(rows) }))
        }
    }
}

/// The first element of all rows, or of those from a row on, and the number of their elements.
fn window(b: &mut Builder<'_>, rows: &Rows, of: Option<[Value; 2]>) -> [Value; 2] {
    let [from, count] = of.unwrap_or_else(|| {
        let (length, one) = (dim(b, rows.offsets, 0), arith::constant_index(b, 1));
        [arith::constant_index(b, 0), arith::subi(b, length, one)]
    });
    let end = arith::addi(b, from, count);
    let [first, last] = [from, end].map(|at| {
        let offset = extract(b, rows.offsets, &[at]);
        to_index(b, offset)
    });
    [first, arith::subi(b, last, first)]
}

/// The tangent of type `tangent` with these floats, and the structure of a value of type `ty`.
pub(super) fn tangent_like(
    b: &mut Builder<'_>,
    ty: Type,
    tangent: Type,
    parts: &[Value],
    floats: &mut dyn Iterator<Item = Value>,
) -> Parts {
    let ctx = b.context();
    let mut built = Parts::new();
    if let (Some(types), Some(tangents)) = (ty.as_tuple(&ctx), tangent.as_tuple(&ctx)) {
        let mut rest = parts;
        for (&ty, &tangent) in types.iter().zip(tangents) {
            let (own, others) = rest.split_at(flat(&ctx, ty).len());
            built.extend(tangent_like(b, ty, tangent, own, floats));
            rest = others;
        }
        return built;
    }
    if is_number(&ctx, ty) {
        built.extend(if is_float(&ctx, ty) { floats.next() } else { None });
        return built;
    }
    let (Some(array), Some((_, element))) = (Array::of(&ctx, ty, parts), row_parts(&ctx, tangent)) else {
        return built;
    };
    if says_extents(&ctx, element) {
        let sizes = array.sizes(b);
        built.extend(sizes.iter().map(|&size| to_i64(b, size)));
    }
    items_like(&ctx, &array.items, array.element, element, floats, &mut built);
    built
}

fn items_like(
    ctx: &Context,
    items: &Items,
    element: Type,
    tangent: Type,
    floats: &mut dyn Iterator<Item = Value>,
    out: &mut Parts,
) {
    match items {
        Items::Numbers(_) => out.extend(if is_float(ctx, element) { floats.next() } else { None }),
        Items::Tuples(parts) => {
            let (types, tangents) =
                (element.as_tuple(ctx).unwrap_or(&[]), tangent.as_tuple(ctx).unwrap_or(&[]));
            for ((part, &element), &tangent) in parts.iter().zip(types).zip(tangents) {
                items_like(ctx, part, element, tangent, floats, out);
            }
        }
        Items::Rows(rows) => {
            // Strings have no tangent.
            let Some((_, inner)) = row_parts(ctx, tangent) else { return };
            out.push(rows.offsets);
            out.extend(rows.shapes);
            items_like(ctx, &rows.items, rows.element, inner, floats, out);
        }
    }
}

/// Stops the program if a tangent does not have the structure of a value; both are packed.
pub(super) fn check_structure(b: &mut Builder<'_>, parts: &[Value], tangent: &[Value], message: &str) {
    let structure = |b: &Builder<'_>, parts: &[Value]| -> Vec<Value> {
        let ctx = b.context();
        let offsets = Type::tensor(&ctx, &[minoan_ir::DYNAMIC], Type::I64);
        parts.iter().copied().filter(|&part| b.ty(part) == offsets).collect()
    };
    let (own, others) = (structure(b, parts), structure(b, tangent));
    if own.len() == others.len() {
        for (own, other) in own.into_iter().zip(others) {
            check_offsets(b, own, other, message);
        }
    }
    for (own, other) in floats(b, parts).into_iter().zip(floats(b, tangent)) {
        let (left, right) = (dims(b, own), dims(b, other));
        check_extents(b, &left, &right, message);
    }
}

/// Stops the program if two lists of offsets differ, with the number of the first tensor of different sizes.
fn check_offsets(b: &mut Builder<'_>, left: Value, right: Value, message: &str) {
    let (sizes, others) = (dims(b, left), dims(b, right));
    let one = arith::constant_index(b, 1);
    let [count, other] = [sizes[0], others[0]].map(|size| arith::subi(b, size, one));
    check_extents(b, &[count], &[other], message);
    let (same, zero) = (arith::constant_bool(b, true), arith::constant_index(b, 0));
    let found = nest(b, &sizes, &[same, zero], &mut |b, at, found| {
        let (left, right) = (extract(b, left, at), extract(b, right, at));
        let equal = arith::cmpi(b, CmpIPredicate::Eq, left, right);
        let last = arith::select(b, found[0], at[0], found[1]);
        Parts::from_slice(&[arith::andi(b, found[0], equal), last])
    });
    let end = found[1];
    let tensor = arith::subi(b, end, one);
    let tensor = arith::maxsi(b, tensor, zero);
    let mut shown: Vec<Value> = [left, right]
        .into_iter()
        .map(|offsets| {
            let (start, end) = (extract(b, offsets, &[tensor]), extract(b, offsets, &[end]));
            arith::subi(b, end, start)
        })
        .collect();
    shown.push(tensor);
    assert_values(b, found[0], &format!("{message}: {{}} and {{}} elements (tensor {{}})"), &shown);
}

/// The floats of a packed tangent in the layout of a value.
pub(super) fn unpacked(b: &mut Builder<'_>, ty: Type, parts: &[Value], packed: &[Value]) -> Vec<Value> {
    let ctx = b.context();
    let mut given = packed.iter().copied();
    let mut found = Vec::new();
    by_part(&ctx, ty, parts, &mut |ty, parts| match Array::of(&ctx, ty, parts) {
        Some(array) => unpack_items(b, &array.items, None, &mut given, &mut found),
        None if is_float(&ctx, ty) => found.extend(given.next()),
        None => {}
    });
    found
}

fn unpack_items(
    b: &mut Builder<'_>,
    items: &Items,
    of: Option<[Value; 2]>,
    packed: &mut dyn Iterator<Item = Value>,
    out: &mut Vec<Value>,
) {
    match items {
        Items::Numbers(numbers) => {
            let ty = b.ty(*numbers);
            if !is_float(&b.context(), ty) {
                return;
            }
            let Some(packed) = packed.next() else { return };
            out.push(match of {
                None => packed,
                Some([from, count]) => {
                    let sizes = dims(b, *numbers);
                    let nothing = zero(b, ty.element_or_self(&b.context()));
                    let zeros = super::build::filled(b, ty, &sizes, nothing);
                    insert_slice(b, packed, zeros, from, count)
                }
            });
        }
        Items::Tuples(parts) => parts.iter().for_each(|part| unpack_items(b, part, of, packed, out)),
        Items::Rows(rows) => {
            let inside = window(b, rows, of);
            unpack_items(b, &rows.items, Some(inside), packed, out);
        }
    }
}
