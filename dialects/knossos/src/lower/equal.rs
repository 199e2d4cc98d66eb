//! Structural equality of values.

use super::Lowering;
use super::build::{Parts, choose, flat, same_extents};
use super::items::{Array, row_parts};
use super::loops::nest;
use minoan_arith::{self as arith, CmpFPredicate, CmpIPredicate};
use minoan_functional::{Functional, one};
use minoan_ir::{Builder, Type, Value};

impl Lowering<'_> {
    /// Whether two values of equal type are equal in all components.
    pub(super) fn equal(&mut self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
        equal(b, self.source.ty(lhs), &self.parts(lhs), &self.parts(rhs))
    }
}

fn equal(b: &mut Builder<'_>, ty: Type, lhs: &[Value], rhs: &[Value]) -> Value {
    let ctx = b.context();
    if let Some(types) = ty.as_tuple(&ctx) {
        let (mut lhs, mut rhs, mut all) = (lhs, rhs, None);
        for &ty in types {
            let count = flat(&ctx, ty).len();
            let ((left, lefts), (right, rights)) = (lhs.split_at(count), rhs.split_at(count));
            let same = equal(b, ty, left, right);
            all = Some(match all {
                None => same,
                Some(all) => arith::andi(b, all, same),
            });
            (lhs, rhs) = (lefts, rights);
        }
        return all.unwrap_or_else(|| arith::constant_bool(b, true));
    }
    match (Array::of(&ctx, ty, lhs), Array::of(&ctx, ty, rhs)) {
        (Some(lhs), Some(rhs)) => arrays(b, ty, &lhs, &rhs),
        _ => numbers(b, lhs[0], rhs[0]),
    }
}

fn numbers(b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
    let ctx = b.context();
    if b.ty(lhs).is_float(&ctx) {
        arith::cmpf(b, CmpFPredicate::Oeq, lhs, rhs)
    } else {
        arith::cmpi(b, CmpIPredicate::Eq, lhs, rhs)
    }
}

fn arrays(b: &mut Builder<'_>, ty: Type, lhs: &Array, rhs: &Array) -> Value {
    let (left, right) = (lhs.sizes(b), rhs.sizes(b));
    let same = same_extents(b, &left, &right);
    let element = row_parts(&b.context(), ty).map_or(ty, |(_, element)| element);
    let all: Parts = choose(b, same, &[Type::I1], |b, same| {
        let start = arith::constant_bool(b, same);
        if !same {
            return one(start);
        }
        nest(b, &left, &[start], &mut |b, indices, all| {
            let (left, right) = (lhs.element(b, indices), rhs.element(b, indices));
            let same = equal(b, element, &left, &right);
            one(arith::andi(b, all[0], same))
        })
    });
    all[0]
}
