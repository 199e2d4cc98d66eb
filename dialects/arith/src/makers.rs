//! Index arithmetic and constants for passes.

use crate::{
    CmpFPredicate, CmpIPredicate, addf, addi, andi, cmpf, cmpi, constant, constant_float, constant_index,
    divf, divui, index_cast, maxsi, minsi, mulf, muli, ori, remui, select, subf, subi,
};
use minoan_ir::affine::{AffineExpr, AffineOp};
use minoan_ir::{Attr, Builder, Type, Value};
use minoan_services::{Correction, IndexOps, constant_of};

pub(crate) struct IndexArithmetic;

/// The value of a constant of type `index`.
fn known(b: &Builder<'_>, value: Value) -> Option<i64> {
    let constant = constant_of(b.body(), value).filter(|_| b.ty(value) == Type::INDEX)?;
    constant.as_i64(b.body().context())
}

impl IndexOps for IndexArithmetic {
    fn index(&self, b: &mut Builder<'_>, value: i64) -> Value {
        constant_index(b, value)
    }

    fn constant(&self, b: &mut Builder<'_>, value: Attr) -> Value {
        constant(b, value)
    }

    fn add(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
        match (known(b, lhs), known(b, rhs)) {
            (Some(x), Some(y)) => constant_index(b, x.wrapping_add(y)),
            (Some(0), _) => rhs,
            (_, Some(0)) => lhs,
            _ => addi(b, lhs, rhs),
        }
    }

    fn sub(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
        match (known(b, lhs), known(b, rhs)) {
            (Some(x), Some(y)) => constant_index(b, x.wrapping_sub(y)),
            (_, Some(0)) => lhs,
            _ => subi(b, lhs, rhs),
        }
    }

    fn mul(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
        match (known(b, lhs), known(b, rhs)) {
            (Some(x), Some(y)) => constant_index(b, x.wrapping_mul(y)),
            (Some(1), _) => rhs,
            (_, Some(1)) => lhs,
            _ => muli(b, lhs, rhs),
        }
    }

    fn div(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
        match (known(b, lhs), known(b, rhs)) {
            (Some(x), Some(y)) if x >= 0 && y > 0 => constant_index(b, x / y),
            (_, Some(1)) => lhs,
            _ => divui(b, lhs, rhs),
        }
    }

    fn rem(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
        match (known(b, lhs), known(b, rhs)) {
            (Some(x), Some(y)) if x >= 0 && y > 0 => constant_index(b, x % y),
            (_, Some(1)) => constant_index(b, 0),
            _ => remui(b, lhs, rhs),
        }
    }

    fn min(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
        match (known(b, lhs), known(b, rhs)) {
            (Some(x), Some(y)) => constant_index(b, x.min(y)),
            _ => minsi(b, lhs, rhs),
        }
    }

    fn max(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
        match (known(b, lhs), known(b, rhs)) {
            (Some(x), Some(y)) => constant_index(b, x.max(y)),
            _ => maxsi(b, lhs, rhs),
        }
    }

    fn less(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
        cmpi(b, CmpIPredicate::Slt, lhs, rhs)
    }

    fn equal(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
        cmpi(b, CmpIPredicate::Eq, lhs, rhs)
    }

    fn below(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
        cmpi(b, CmpIPredicate::Ult, lhs, rhs)
    }

    fn and(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
        andi(b, lhs, rhs)
    }

    fn or(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
        ori(b, lhs, rhs)
    }

    fn select(&self, b: &mut Builder<'_>, condition: Value, yes: Value, no: Value) -> Value {
        select(b, condition, yes, no)
    }

    fn cast(&self, b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
        if b.ty(value) == ty { value } else { index_cast(b, value, ty) }
    }

    fn apply(&self, b: &mut Builder<'_>, expr: &AffineExpr, dims: &[Value]) -> Option<Value> {
        Some(match expr {
            AffineExpr::Dim(at) => *dims.get(*at as usize)?,
            AffineExpr::Symbol(_) => return None,
            AffineExpr::Constant(value) => constant_index(b, *value),
            AffineExpr::Binary(op, lhs, rhs) => {
                if *op != AffineOp::Add && *op != AffineOp::Mul {
                    let AffineExpr::Constant(by) = **rhs else { return None };
                    let lhs = self.apply(b, lhs, dims)?;
                    return self.divide(b, *op, lhs, by);
                }
                let (lhs, rhs) = (self.apply(b, lhs, dims)?, self.apply(b, rhs, dims)?);
                if *op == AffineOp::Add { self.add(b, lhs, rhs) } else { self.mul(b, lhs, rhs) }
            }
        })
    }

    fn correct(&self, b: &mut Builder<'_>, correction: Correction, value: Value, by: Value) -> Value {
        match correction {
            Correction::Plus => addf(b, value, by),
            Correction::Times => mulf(b, value, by),
        }
    }

    fn correction(&self, b: &mut Builder<'_>, correction: Correction, old: Value, new: Value) -> Value {
        let ty = b.ty(old);
        let (neutral, change) = match correction {
            Correction::Plus => (0.0, subf(b, new, old)),
            Correction::Times => (1.0, divf(b, new, old)),
        };
        let neutral = constant_float(b, neutral, ty);
        let same = cmpf(b, CmpFPredicate::Oeq, old, new);
        select(b, same, neutral, change)
    }
}

impl IndexArithmetic {
    /// A division or remainder of a number of any sign by a positive constant.
    fn divide(&self, b: &mut Builder<'_>, op: AffineOp, lhs: Value, by: i64) -> Option<Value> {
        if by <= 0 {
            return None;
        }
        let rhs = constant_index(b, by);
        Some(match op {
            AffineOp::FloorDiv => crate::floordivsi(b, lhs, rhs),
            AffineOp::CeilDiv => crate::ceildivsi(b, lhs, rhs),
            _ => {
                let quotient = crate::floordivsi(b, lhs, rhs);
                let floor = muli(b, quotient, rhs);
                subi(b, lhs, floor)
            }
        })
    }
}
