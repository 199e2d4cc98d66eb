//! Expansion of functions on vectors of floats into arithmetic: of `f32` and `f64`, and by way of `f32` of narrower ones.
//!
//! Scalars are left to the C library. The expansions have no undefined behavior and follow C for NaN, infinities,
//! signed zeros and denormal numbers; the flags of the operation and the environment have no influence. They need fused
//! multiply-add. The measured errors are in the book; each function has the same rounding steps on every machine.

mod arithmetic;
mod asin;
mod atan;
mod cbrt;
mod constants;
mod emit;
mod erf;
mod exp;
mod hyperbolic;
mod log;
mod pow;
mod trig;

pub use arithmetic::{Arithmetic, Double, LibraryFunction, Single};
pub use asin::{acos, asin};
pub use atan::{atan, atan2};
pub use cbrt::cbrt;
pub use constants::Format;
pub use emit::Emit;
pub use erf::erf;
pub use exp::{exp, exp2, expm1};
pub use hyperbolic::{acosh, asinh, atanh, cosh, sinh, tanh};
pub use log::{log, log1p, log2, log10};
pub use pow::pow;
pub use trig::{LIMIT, cos, sin, tan};

use crate::{
    Acos, Acosh, Asin, Asinh, Atan, Atanh, Cbrt, Cos, Cosh, Erf, Exp, Exp2, ExpM1, Log, Log1p, Log2, Log10,
    Rsqrt, Sin, Sinh, Tan, Tanh,
};
use minoan_arith as arith;
use minoan_ir::{Builder, DialectBuilder, Op, Type, Value};
use minoan_services::{Expand, FloatPolicy, LoopOps, MachineModel, VectorOps};
use std::sync::Arc;

/// The reciprocal of the square root, by two operations that are rounded correctly.
#[inline(always)]
pub fn rsqrt<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    a.div(a.float(1.0), a.sqrt(x))
}

/// An expansion of an operation.
pub(crate) struct Expansion {
    /// Creates the results from the operands.
    emit: fn(&Emit<'_, '_>, &[Value]) -> Vec<Value>,
    /// Whether single lanes may be computed by the C library, in a loop.
    has_loop: bool,
}

impl Expand for Expansion {
    fn expand(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        machine: &MachineModel,
        _: FloatPolicy,
    ) -> Option<Vec<Value>> {
        let ctx = b.context();
        let has_makers = <dyn LoopOps>::any(&ctx).is_some() && <dyn VectorOps>::any(&ctx).is_some();
        if !machine.has_fma || (self.has_loop && !has_makers) {
            return None;
        }
        let view = b.body().op(op);
        let ty = view.result_types().next()?;
        let mut operands: Vec<Value> = view.operands().collect();
        let width = ty.element_or_self(&ctx).float_kind(&ctx)?.width();
        if width >= 32 {
            let emit = Emit::new(b, machine, ty)?;
            return Some((self.emit)(&emit, &operands));
        }
        // Narrow floats are computed in `f32` and rounded.
        let wide = ty.with_element(&ctx, Type::F32)?;
        emit::format_of(&ctx, wide)?;
        for operand in &mut operands {
            *operand = arith::extf(b, *operand, wide);
        }
        let results = (self.emit)(&Emit::new(b, machine, wide)?, &operands);
        Some(results.into_iter().map(|result| arith::truncf(b, result, ty)).collect())
    }
}

pub(crate) const POWER: Expansion =
    Expansion { emit: |a, operands| vec![pow(a, operands[0], operands[1])], has_loop: false };

pub(crate) const ANGLE: Expansion =
    Expansion { emit: |a, operands| vec![atan2(a, operands[0], operands[1])], has_loop: false };

pub(crate) const SINE_AND_COSINE: Expansion =
    Expansion { emit: |a, operands| vec![sin(a, operands[0]), cos(a, operands[0])], has_loop: true };

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    macro_rules! unary {
        ($($op:ident $function:ident $has_loop:literal;)*) => {$(
            dialect.op_service::<$op, dyn Expand>(Arc::new(Expansion {
                emit: |a, operands| vec![$function(a, operands[0])],
                has_loop: $has_loop,
            }));
        )*};
    }
    unary! {
        Exp exp false;
        Exp2 exp2 false;
        ExpM1 expm1 false;
        Log log false;
        Log2 log2 false;
        Log1p log1p false;
        Tanh tanh false;
        Erf erf false;
        Rsqrt rsqrt false;
        Sin sin true;
        Cos cos true;
        Tan tan true;
        Atan atan false;
        Asin asin false;
        Acos acos false;
        Log10 log10 false;
        Sinh sinh false;
        Cosh cosh false;
        Asinh asinh false;
        Acosh acosh false;
        Atanh atanh false;
        Cbrt cbrt false;
    }
}
