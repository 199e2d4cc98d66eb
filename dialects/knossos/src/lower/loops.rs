//! Lowering of sums and folds.

use super::build::{
    accumulate, accumulate_number, assert, check_extents, choose, dummy, extents, flat, to_i64, zero,
};
use super::collect::collect;
use super::items::Array;
use super::{Lowering, Parts};
use crate::types::{is_number, tensor_parts};
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_functional::{Functional, checked_product, one, result_type};
use minoan_ir::{Builder, OpDef, OpRef, Type, Value};
use minoan_scf::For;

/// Computes the next loop-carried values from the indices and the current ones.
type Step<'f> = dyn FnMut(&mut Builder<'_>, &[Value], &[Value]) -> Parts + 'f;

/// Creates a loop nest over `sizes`; `fill` computes the next loop-carried values from the indices.
pub(super) fn nest(b: &mut Builder<'_>, sizes: &[Value], init: &[Value], fill: &mut Step<'_>) -> Parts {
    fn level(
        b: &mut Builder<'_>,
        sizes: &[Value],
        indices: &mut Vec<Value>,
        init: &[Value],
        fill: &mut Step<'_>,
    ) -> Parts {
        let Some((&size, rest)) = sizes.split_first() else { return fill(b, indices, init) };
        let (from, step) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        let done = For::with(b, [from, size, step], init, |b, index, carried| {
            indices.push(index);
            let next = level(b, rest, indices, carried, fill);
            indices.pop();
            next.into_vec()
        });
        b.body().op(done.op()).results().collect()
    }
    level(b, sizes, &mut Vec::new(), init, fill)
}

impl<'a> Lowering<'a> {
    pub(super) fn sum_build(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let ty = result_type(op);
        let sizes = self.singles(op.operands());
        let sizes = extents(b, &sizes, "sumbuild");
        if !has_tensors(b, ty) {
            let init: Parts = flat(&self.ctx, ty).iter().map(|&ty| zero(b, ty)).collect();
            return nest(b, &sizes, &init, &mut |b, indices, sums| {
                let term = self.at(b, op, indices);
                add_values(b, ty, sums, &term)
            });
        }
        check_some(b, &sizes, "sumbuild of tensors of size 0");
        let none = arith::constant_int(b, 0, Type::I64);
        match self.zero_of_region(b, op, &vec![none; sizes.len()]) {
            Some(zero) => nest(b, &sizes, &zero, &mut |b, indices, sums| {
                let term = self.at(b, op, indices);
                add_values(b, ty, sums, &term)
            }),
            None => sum_from_first(b, ty, &sizes, &mut |b, indices| self.at(b, op, indices)),
        }
    }

    /// Inlines the region for given indices.
    pub(super) fn at(&mut self, b: &mut Builder<'_>, op: OpRef<'a>, indices: &[Value]) -> Parts {
        let args: Vec<Value> = indices.iter().map(|&index| to_i64(b, index)).collect();
        self.region(b, op, 0, &args)
    }

    pub(super) fn fold(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let (init, vector) = (self.parts(op.operand(0)), self.array(op.operand(1)));
        let sizes = vector.sizes(b);
        nest(b, &sizes, &init, &mut |b, indices, carried| {
            let mut args: Vec<Value> = carried.to_vec();
            args.extend(vector.element(b, indices));
            self.region(b, op, 0, &args)
        })
    }

    pub(super) fn sum(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let (tensor, ty) = (self.array(op.operand(0)), result_type(op));
        let sizes = tensor.sizes(b);
        if !has_tensors(b, ty) {
            let init: Parts = flat(&self.ctx, ty).iter().map(|&ty| zero(b, ty)).collect();
            return nest(b, &sizes, &init, &mut |b, indices, sums| {
                let term = tensor.element(b, indices);
                add_values(b, ty, sums, &term)
            });
        }
        check_some(b, &sizes, "sum of tensors of size 0");
        let none = arith::constant_index(b, 0);
        let first = tensor.element(b, &vec![none; sizes.len()]);
        let zero = super::tensors::zero_like(b, ty, &first);
        nest(b, &sizes, &zero, &mut |b, indices, sums| {
            let term = tensor.element(b, indices);
            add_values(b, ty, sums, &term)
        })
    }
}

/// Whether values of this type contain tensors.
fn has_tensors(b: &Builder<'_>, ty: Type) -> bool {
    flat(&b.context(), ty).iter().any(|ty| ty.is_tensor(&b.context()))
}

/// Stops the program if there are no terms.
fn check_some(b: &mut Builder<'_>, sizes: &[Value], message: &str) {
    let total = checked_product(b, sizes, "a sum of more terms than can be counted");
    let none = arith::constant_index(b, 0);
    let some = arith::cmpi(b, CmpIPredicate::Sgt, total, none);
    assert(b, some, message);
}

/// The sum of tensors whose extents are not known before the first term is computed.
fn sum_from_first(
    b: &mut Builder<'_>,
    ty: Type,
    sizes: &[Value],
    term: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Parts,
) -> Parts {
    let types = flat(&b.context(), ty);
    let mut init: Parts = types.iter().map(|&ty| dummy(b, ty)).collect();
    init.push(arith::constant_bool(b, true));
    let mut sums =
        nest(b, sizes, &init, &mut |b, indices, carried| {
            let term = term(b, indices);
            let (&is_first, sums) = carried.split_last().expect("the last value is the flag");
            let mut next = choose(b, is_first, &types, |b, first| {
                if first { term.clone() } else { add_values(b, ty, sums, &term) }
            });
            next.push(arith::constant_bool(b, false));
            next
        });
    sums.pop();
    sums
}

/// The sum of two values; the first may be overwritten. Tensors of different sizes stop the program.
pub(super) fn add_values(b: &mut Builder<'_>, ty: Type, sum: &[Value], term: &[Value]) -> Parts {
    let ctx = b.context();
    if let Some(types) = ty.as_tuple(&ctx) {
        let (mut sum, mut term, mut all) = (sum, term, Parts::new());
        for &ty in types {
            let count = flat(&ctx, ty).len();
            let ((own, others), (more, rest)) = (sum.split_at(count), term.split_at(count));
            all.extend(add_values(b, ty, own, more));
            (sum, term) = (others, rest);
        }
        return all;
    }
    let Some((_, element)) = tensor_parts(&ctx, ty) else {
        return one(accumulate_number(b, sum[0], term[0]));
    };
    if is_number(&ctx, element) {
        return one(accumulate(b, sum[0], term[0]));
    }
    let [sum, term] =
        [sum, term].map(|parts| Array::of(&ctx, ty, parts).expect("the type is that of a tensor"));
    let (sizes, others) = (sum.sizes(b), term.sizes(b));
    check_extents(b, &sizes, &others, "a sum of tensors of different sizes");
    collect(b, element, &sizes, &mut |b, indices| {
        let (own, more) = (sum.element(b, indices), term.element(b, indices));
        add_values(b, element, &own, &more)
    })
}
