//! Lowering of scatters, one update at a time.

use super::extent::Extent;
use super::index::{from_end, index_at};
use super::scalar;
use super::site::{Site, Tensor};
use super::tensors::{extent, extents, insert, inside, nest};
use super::{Lowered, Rule, extract};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, OpDef, Value};
use minoan_scf::If;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "scatter_elements" => |site, b| site.scatter_elements(b),
        "scatter_nd" => |site, b| site.scatter_nd(b),
        _ => return None,
    })
}

/// Combines the old element and an update; the type relation rejects other modes.
fn combined(b: &mut Builder<'_>, how: &str, old: Value, update: Value, dtype: DType) -> Value {
    match how {
        "add" => scalar::add(b, old, update, dtype),
        "mul" => scalar::mul(b, old, update, dtype),
        "max" => scalar::max(b, old, update, dtype),
        "min" => scalar::min(b, old, update, dtype),
        // The mean of the update and the result of all preceding ones.
        "mean" => {
            let sum = scalar::add(b, old, update, dtype);
            let two = scalar::integer(b, 2, dtype);
            scalar::div(b, sum, two, dtype)
        }
        _ => update,
    }
}

/// Combines the element at `at` with an update; out-of-bounds updates are ignored.
fn updated(
    b: &mut Builder<'_>,
    how: &str,
    target: Value,
    at: &[Value],
    (update, dtype): (Value, DType),
    bounds: &[(Value, Extent)],
) -> Value {
    let mut fits = arith::constant_bool(b, true);
    for &(index, extent) in bounds {
        let inside = inside(b, index, extent);
        fits = arith::andi(b, fits, inside);
    }
    let ty = b.ty(target);
    let done = If::with(
        b,
        fits,
        &[ty],
        |b| {
            let old = extract(b, target, at);
            let new = combined(b, how, old, update, dtype);
            vec![insert(b, new, target, at)]
        },
        |_| vec![target],
    );
    b.body().op(done.op()).result(0)
}

impl Site {
    fn scatter_elements(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, indices, updates) = (self.arg(0), self.arg(1), self.arg(2));
        let how = self.attrs.text("reduction").unwrap_or("update");
        let axis = self.axis("axis", data.rank());
        for other in 0..data.rank() {
            self.expect_same(b, (1, other), (2, other));
            if other != axis {
                self.expect_at_most(b, (1, other), (0, other));
            }
        }
        let (old, sizes) = (extents(b, data), extents(b, indices));
        let done = nest(b, &sizes, &[data.value], &mut |b, place, carried| {
            let update = extract(b, updates.value, place);
            let index = index_at(b, indices, place);
            let index = from_end(b, index, old[axis]);
            let mut at = place.to_vec();
            at[axis] = index;
            vec![updated(b, how, carried[0], &at, (update, data.dtype()), &[(index, old[axis])])]
        });
        Ok(vec![Tensor { value: done[0], ty: data.ty.clone() }])
    }

    fn scatter_nd(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, indices, updates) = (self.arg(0), self.arg(1), self.arg(2));
        let how = self.attrs.text("mode").unwrap_or("update");
        let places = indices.rank() - 1;
        // The updates have the axes of the places and those of the data after the coordinates.
        let length = (places + data.rank()).saturating_sub(updates.rank()) as i64;
        let found = extent(b, indices, 0);
        found.expect(b, Extent::Known(length), || {
            format!("{}: an index must have {length} coordinates, found {{}}", self.name)
        });
        (0..places).for_each(|axis| _ = self.expect_same(b, (1, axis + 1), (2, axis)));
        let first = usize::try_from(length).unwrap_or(0);
        for (own, axis) in (places..updates.rank()).zip(first..) {
            self.expect_same(b, (0, axis), (2, own));
        }
        let (old, sizes) = (extents(b, data), extents(b, updates));
        let done = nest(b, &sizes, &[data.value], &mut |b, place, carried| {
            let update = extract(b, updates.value, place);
            let (mut at, mut bounds) = (Vec::new(), Vec::new());
            for coordinate in 0..length {
                let number = arith::constant_index(b, coordinate);
                let here = [&[number], &place[..places]].concat();
                let index = index_at(b, indices, &here);
                bounds.push((index, old[coordinate as usize]));
                at.push(index);
            }
            at.extend(&place[places..]);
            vec![updated(b, how, carried[0], &at, (update, data.dtype()), &bounds)]
        });
        Ok(vec![Tensor { value: done[0], ty: data.ty.clone() }])
    }
}
