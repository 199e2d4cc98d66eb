//! Lowering of sums and folds.

use super::build::{accumulate, add, assert, choose, dim, dims, dummy, extents, extract, flat, to_i64, zero};
use super::{Lowering, Parts};
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_functional::{Functional, checked_product, result_type};
use minoan_ir::{Builder, OpDef, OpRef, Type, Value};
use minoan_scf::For;

/// The maximum nesting depth of loops that are peeled, since peeling doubles the code.
const MAX_PEELED_DEPTH: u32 = 2;

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
        let types = flat(&self.ctx, result_type(op));
        let sizes = self.singles(op.operands());
        let sizes = extents(b, &sizes, "sumbuild");
        if types.iter().any(|ty| ty.is_tensor(&self.ctx)) {
            return self.sum_build_tensors(b, op, &sizes, &types);
        }
        let init: Parts = types.iter().map(|&ty| zero(b, ty)).collect();
        nest(b, &sizes, &init, &mut |b, indices, sums| {
            let terms = self.term(b, op, indices);
            sums.iter().zip(terms).map(|(&sum, term)| add(b, sum, term)).collect()
        })
    }

    /// Inlines the region for given indices.
    fn term(&mut self, b: &mut Builder<'_>, op: OpRef<'a>, indices: &[Value]) -> Parts {
        let args: Vec<Value> = indices.iter().map(|&index| to_i64(b, index)).collect();
        self.region(b, op, 0, &args)
    }

    /// Peels the first iteration, whose term initializes the sum.
    fn sum_build_tensors(
        &mut self,
        b: &mut Builder<'_>,
        op: OpRef<'a>,
        sizes: &[Value],
        types: &[Type],
    ) -> Parts {
        let total = checked_product(b, sizes, "sumbuild with more terms than can be counted");
        let (none, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        let some = arith::cmpi(b, CmpIPredicate::Sgt, total, none);
        assert(b, some, "sumbuild of tensors of size 0");
        let peels = self.peeled < MAX_PEELED_DEPTH;
        self.peeled += u32::from(peels);
        let first: Parts = if peels {
            self.term(b, op, &vec![none; sizes.len()])
        } else {
            types.iter().map(|&ty| dummy(b, ty)).collect()
        };
        let from = if peels { one } else { none };
        let done = For::with(b, [from, total, one], &first, |b, index, sums| {
            let indices = split(b, index, sizes);
            let terms = self.term(b, op, &indices);
            let add_all = |b: &mut Builder<'_>| -> Parts {
                sums.iter().zip(&terms).map(|(&sum, &term)| add_any(b, sum, term)).collect()
            };
            if peels {
                return add_all(b).into_vec();
            }
            let is_first = arith::cmpi(b, CmpIPredicate::Eq, index, none);
            choose(b, is_first, types, |b, first| if first { terms.clone() } else { add_all(b) }).into_vec()
        });
        self.peeled -= u32::from(peels);
        b.body().op(done.op()).results().collect()
    }

    pub(super) fn fold(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let (init, vector) = (self.parts(op.operand(0)), self.single(op.operand(1)));
        let size = dim(b, vector, 0);
        nest(b, &[size], &init, &mut |b, indices, carried| {
            let element = extract(b, vector, indices);
            let args = [carried, &[element]].concat();
            self.region(b, op, 0, &args)
        })
    }

    pub(super) fn sum(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Value {
        let tensor = self.single(op.operand(0));
        let (init, sizes) = (zero(b, result_type(op)), dims(b, tensor));
        let sums = nest(b, &sizes, &[init], &mut |b, indices, sums| {
            let element = extract(b, tensor, indices);
            sums.iter().map(|&sum| add(b, sum, element)).collect()
        });
        sums[0]
    }
}

/// The sum of two numbers or tensors; the first may be overwritten.
pub(super) fn add_any(b: &mut Builder<'_>, sum: Value, term: Value) -> Value {
    let ctx = b.context();
    if b.ty(sum).is_tensor(&ctx) { accumulate(b, sum, term) } else { add(b, sum, term) }
}

/// The indices of the element with row-major number `index`.
fn split(b: &mut Builder<'_>, index: Value, sizes: &[Value]) -> Vec<Value> {
    let mut rest = index;
    let mut indices = vec![index; sizes.len()];
    for (at, &size) in sizes.iter().enumerate().skip(1).rev() {
        indices[at] = arith::remui(b, rest, size);
        rest = arith::divui(b, rest, size);
    }
    indices[0] = rest;
    indices
}
