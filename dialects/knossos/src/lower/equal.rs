//! Structural equality of values.

use super::Lowering;
use super::build::{choose, dims, extract, same_sizes};
use super::loops::nest;
use minoan_arith::{self as arith, CmpFPredicate, CmpIPredicate};
use minoan_functional::{Functional, one};
use minoan_ir::{Builder, Type, Value};

impl Lowering<'_> {
    /// Whether two values of equal type are equal in all components.
    pub(super) fn equal(&mut self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
        let (lhs, rhs) = (self.parts(lhs), self.parts(rhs));
        let mut all = None;
        for (lhs, rhs) in lhs.into_iter().zip(rhs) {
            let same =
                if b.ty(lhs).is_tensor(&self.ctx) { tensors(b, lhs, rhs) } else { numbers(b, lhs, rhs) };
            all = Some(match all {
                None => same,
                Some(all) => arith::andi(b, all, same),
            });
        }
        all.unwrap_or_else(|| arith::constant_bool(b, true))
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

fn tensors(b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
    let same = same_sizes(b, lhs, rhs);
    let all = choose(b, same, &[Type::I1], |b, same| {
        let start = arith::constant_bool(b, same);
        if !same {
            return one(start);
        }
        let sizes = dims(b, lhs);
        nest(b, &sizes, &[start], &mut |b, indices, all| {
            let (left, right) = (extract(b, lhs, indices), extract(b, rhs, indices));
            let same = numbers(b, left, right);
            one(arith::andi(b, all[0], same))
        })
    });
    all[0]
}
