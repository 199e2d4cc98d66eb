//! Lowering of tangent operations, by component; the tangents of integers, booleans and strings are empty tuples.

use super::build::{add, check_extents, check_sizes, elementwise, flat, zero};
use super::collect::collect;
use super::extents::is_plain;
use super::items::Array;
use super::loops::nest;
use super::{Lowering, Parts};
use minoan_arith as arith;
use minoan_functional::{Functional, one, result_type};
use minoan_ir::{Builder, OpRef, Type, Value};

impl<'a> Lowering<'a> {
    pub(super) fn ts_add(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let (value, tangent) = (op.operand(0), op.operand(1));
        let (values, tangents) = (self.parts(value), self.parts(tangent));
        self.add_tangent(b, self.source.ty(value), self.source.ty(tangent), &values, &tangents)
    }

    fn add_tangent(
        &mut self,
        b: &mut Builder<'_>,
        ty: Type,
        tangent: Type,
        values: &[Value],
        tangents: &[Value],
    ) -> Parts {
        let ctx = self.ctx.clone();
        match (ty.as_tuple(&ctx), tangent.as_tuple(&ctx)) {
            (Some(types), Some(tangent_types)) => {
                let (mut values, mut tangents) = (values, tangents);
                let mut sums = Parts::new();
                for (&ty, &tangent) in types.iter().zip(tangent_types) {
                    let (own, rest) = values.split_at(flat(&ctx, ty).len());
                    let (moves, others) = tangents.split_at(flat(&ctx, tangent).len());
                    sums.extend(self.add_tangent(b, ty, tangent, own, moves));
                    (values, tangents) = (rest, others);
                }
                sums
            }
            (None, None) if is_plain(&ctx, ty) && is_plain(&ctx, tangent) => {
                check_sizes(b, values[0], tangents[0], "ts_add of tensors of different sizes");
                let element = ty.element_or_self(&ctx);
                one(elementwise(b, &[values[0], tangents[0]], element, |b, it| add(b, it[0], it[1])))
            }
            (None, None) if ty == tangent && crate::types::is_number(&ctx, ty) => {
                one(add(b, values[0], tangents[0]))
            }
            (None, None) => {
                let arrays = (Array::of(&ctx, ty, values), Array::of(&ctx, tangent, tangents));
                let (Some(values), Some(tangents)) = arrays else { return values.into() };
                let (sizes, others) = (values.sizes(b), tangents.sizes(b));
                check_extents(b, &sizes, &others, "ts_add of tensors of different sizes");
                collect(b, values.element, &sizes, &mut |b, indices| {
                    let (value, tangent) = (values.element(b, indices), tangents.element(b, indices));
                    self.add_tangent(b, values.element, tangents.element, &value, &tangent)
                })
            }
            _ => values.into(),
        }
    }

    pub(super) fn ts_scale(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let factor = self.single(op.operand(0));
        let ctx = self.ctx.clone();
        self.each_float(b, op.operand(1), |b, value| match b.ty(value).element(&ctx) {
            Some(element) => elementwise(b, &[value], element, |b, it| arith::mulf(b, factor, it[0])),
            None => arith::mulf(b, factor, value),
        })
    }

    pub(super) fn ts_neg(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let ctx = self.ctx.clone();
        self.each_float(b, op.operand(0), |b, value| match b.ty(value).element(&ctx) {
            Some(element) => elementwise(b, &[value], element, |b, it| arith::negf(b, it[0])),
            None => arith::negf(b, value),
        })
    }

    /// Applies `change` to all numbers and tensors of numbers that are floats.
    fn each_float(
        &mut self,
        b: &mut Builder<'_>,
        value: Value,
        mut change: impl FnMut(&mut Builder<'_>, Value) -> Value,
    ) -> Parts {
        let ctx = self.ctx.clone();
        let parts = self.parts(value);
        parts
            .into_iter()
            .map(|part| if b.ty(part).element_or_self(&ctx).is_float(&ctx) { change(b, part) } else { part })
            .collect()
    }

    pub(super) fn ts_dot(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Value {
        let total = zero(b, result_type(op));
        let (lhs, rhs) = (self.parts(op.operand(0)), self.parts(op.operand(1)));
        dot(b, self.source.ty(op.operand(0)), &lhs, &rhs, total)
    }
}

/// Adds the inner product of two tangents to `total`.
fn dot(b: &mut Builder<'_>, ty: Type, lhs: &[Value], rhs: &[Value], mut total: Value) -> Value {
    let ctx = b.context();
    if let Some(types) = ty.as_tuple(&ctx) {
        let (mut lhs, mut rhs) = (lhs, rhs);
        for &ty in types {
            let count = flat(&ctx, ty).len();
            let ((left, lefts), (right, rights)) = (lhs.split_at(count), rhs.split_at(count));
            total = dot(b, ty, left, right, total);
            (lhs, rhs) = (lefts, rights);
        }
        return total;
    }
    if ty.is_float(&ctx) {
        let product = arith::mulf(b, lhs[0], rhs[0]);
        return arith::addf(b, total, product);
    }
    let (Some(left), Some(right)) = (Array::of(&ctx, ty, lhs), Array::of(&ctx, ty, rhs)) else {
        return total;
    };
    if !flat(&ctx, left.element).iter().any(|ty| ty.element_or_self(&ctx).is_float(&ctx)) {
        return total;
    }
    let (sizes, others) = (left.sizes(b), right.sizes(b));
    if lhs != rhs {
        check_extents(b, &sizes, &others, "ts_dot of tensors of different sizes");
    }
    nest(b, &sizes, &[total], &mut |b, indices, total| {
        let (one_side, other) = (left.element(b, indices), right.element(b, indices));
        one(dot(b, left.element, &one_side, &other, total[0]))
    })[0]
}
