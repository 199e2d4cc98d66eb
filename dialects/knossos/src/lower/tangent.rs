//! Lowering of tangent operations, by component; the tangents of integers, booleans and strings are empty tuples.

use super::build::{add, check_sizes, dims, elementwise, extract, flat, zero};
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
            (None, None) if ty.is_tensor(&ctx) => {
                check_sizes(b, values[0], tangents[0], "ts_add of tensors of different sizes");
                let element = ty.element_or_self(&ctx);
                one(elementwise(b, &[values[0], tangents[0]], element, |b, it| add(b, it[0], it[1])))
            }
            (None, None) => one(add(b, values[0], tangents[0])),
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
        let (lhs, rhs) = (self.parts(op.operand(0)), self.parts(op.operand(1)));
        let mut total = zero(b, result_type(op));
        for (lhs, rhs) in lhs.into_iter().zip(rhs) {
            let ty = b.ty(lhs);
            if !ty.element_or_self(&self.ctx).is_float(&self.ctx) {
                continue;
            }
            if !ty.is_tensor(&self.ctx) {
                let product = arith::mulf(b, lhs, rhs);
                total = arith::addf(b, total, product);
                continue;
            }
            check_sizes(b, lhs, rhs, "ts_dot of tensors of different sizes");
            let sizes = dims(b, lhs);
            total = nest(b, &sizes, &[total], &mut |b, indices, total| {
                let (left, right) = (extract(b, lhs, indices), extract(b, rhs, indices));
                let product = arith::mulf(b, left, right);
                one(arith::addf(b, total[0], product))
            })[0];
        }
        total
    }
}
