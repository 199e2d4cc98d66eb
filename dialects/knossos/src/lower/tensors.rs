//! Lowering of construction of and access to tensors.

use super::build::{
    assert, check_sizes, choose, dim, dims, elementwise, extents, extract, filled, to_i64, to_index, zero,
};
use super::{Lowering, Parts, prelude};
use crate::types::array;
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_functional::{Functional, result_type};
use minoan_ir::OpDef;
use minoan_ir::{Builder, OpRef, Type, Value};
use minoan_tensor::{Cast, FromElements, Generate};

impl<'a> Lowering<'a> {
    pub(super) fn build(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Value {
        let sizes = self.singles(op.operands());
        let sizes = extents(b, &sizes, "build");
        let made = Generate::with(b, result_type(op), &sizes, |b, indices| {
            let args: Vec<Value> = indices.iter().map(|&index| to_i64(b, index)).collect();
            self.region(b, op, 0, &args)[0]
        });
        b.body().op(made.op()).result(0)
    }

    /// Lowers scalar arithmetic to linalg, which enables further optimization; anything else to a loop nest.
    pub(super) fn map(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Value {
        let tensors = self.singles(op.operands());
        if let [lhs, rhs] = tensors[..] {
            check_sizes(b, lhs, rhs, "map2 of tensors of different sizes");
        }
        let ty = result_type(op);
        if self.is_scalar(op) {
            let element = ty.element_or_self(&self.ctx);
            return elementwise(b, &tensors, element, |b, elements| self.region(b, op, 0, elements)[0]);
        }
        let sizes = dims(b, tensors[0]);
        let made = Generate::with(b, ty, &sizes, |b, indices| {
            let args: Vec<Value> = tensors.iter().map(|&tensor| extract(b, tensor, indices)).collect();
            self.region(b, op, 0, &args)[0]
        });
        b.body().op(made.op()).result(0)
    }

    /// Whether the region of an operation is scalar arithmetic that cannot fail.
    fn is_scalar(&self, op: OpRef<'a>) -> bool {
        let Some(entry) = self.source.region(op.region(0)).entry() else { return false };
        self.source.block(entry).ops().all(|op| {
            let op = self.source.op(op);
            match op.name() {
                "knossos.constant" | "knossos.tuple" | "knossos.get" | "knossos.yield" => true,
                "knossos.prelude" => prelude::find(op).is_some_and(|function| function.is_arithmetic()),
                _ => false,
            }
        })
    }

    pub(super) fn index(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Value {
        let values = self.singles(op.operands());
        let (tensor, indices) = (values[0], &values[1..]);
        let indices: Vec<Value> = indices.iter().map(|&index| to_index(b, index)).collect();
        if self.check_bounds {
            for (dimension, &index) in indices.iter().enumerate() {
                let extent = dim(b, tensor, dimension);
                // As an unsigned number, a negative index is larger than any extent.
                let inside = arith::cmpi(b, CmpIPredicate::Ult, index, extent);
                assert(b, inside, "index out of bounds");
            }
        }
        extract(b, tensor, &indices)
    }

    pub(super) fn size(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let sizes = dims(b, self.single(op.operand(0)));
        sizes.into_iter().map(|size| to_i64(b, size)).collect()
    }

    pub(super) fn const_vec(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Value {
        let values = self.singles(op.operands());
        let sizes = extents(b, &values[1..], "constVec");
        filled(b, result_type(op), &sizes, values[0])
    }

    pub(super) fn delta_vec(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Value {
        let values = self.singles(op.operands());
        let (sizes, indices) = values[1..].split_at((values.len() - 1) / 2);
        let sizes = extents(b, sizes, "deltaVec");
        let ty = result_type(op);
        let nothing = zero(b, b.ty(values[0]));
        let zeros = filled(b, ty, &sizes, nothing);
        let indices: Vec<Value> = indices.iter().map(|&index| to_index(b, index)).collect();
        let mut inside = None;
        for (&index, &size) in indices.iter().zip(&sizes) {
            let fits = arith::cmpi(b, CmpIPredicate::Ult, index, size);
            inside = Some(match inside {
                None => fits,
                Some(inside) => arith::andi(b, inside, fits),
            });
        }
        let inside = inside.unwrap_or_else(|| arith::constant_bool(b, false));
        let made = choose(b, inside, &[ty], |b, inside| {
            let value = if inside { minoan_tensor::insert(b, values[0], zeros, &indices) } else { zeros };
            minoan_functional::one(value)
        });
        made[0]
    }

    pub(super) fn delta(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let same = self.equal(b, op.operand(0), op.operand(1));
        let values = self.parts(op.operand(2));
        let types: Vec<Type> = values.iter().map(|&value| b.ty(value)).collect();
        if !types.iter().any(|ty| ty.is_tensor(&self.ctx)) {
            return values
                .iter()
                .map(|&value| {
                    let nothing = zero(b, b.ty(value));
                    arith::select(b, same, value, nothing)
                })
                .collect();
        }
        choose(b, same, &types, |b, same| {
            if same { values.clone() } else { values.iter().map(|&value| zero_like(b, value)).collect() }
        })
    }

    pub(super) fn vec_init(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Value {
        let elements = self.singles(op.operands());
        let element = result_type(op).element_or_self(&self.ctx);
        let ty = Type::tensor(&self.ctx, &[elements.len() as i64], element);
        let known = FromElements::build(b, &elements, ty).result(b.body());
        Cast::build(b, known, array(&self.ctx, 1, element)).dest(b.body())
    }
}

/// A zero of the size of a value.
pub(super) fn zero_like(b: &mut Builder<'_>, value: Value) -> Value {
    let (ctx, ty) = (b.context(), b.ty(value));
    match ty.element(&ctx) {
        None => zero(b, ty),
        Some(element) => {
            let (sizes, nothing) = (dims(b, value), zero(b, element));
            filled(b, ty, &sizes, nothing)
        }
    }
}
