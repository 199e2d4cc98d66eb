//! The math dialect: mathematical functions on scalars, and elementwise on vectors and tensors.
//!
//! Names, assembly, attributes and verification are those of MLIR's math dialect.
//!
//! * Evaluation computes `f32` in `f32` and `f64` in `f64`, with the same C library functions as compiled code, and
//!   narrower floats in `f32` with one more rounding. `fastmath` flags have no influence.
//! * All operations except `math.ipowi` are speculatable: zero to a negative power is undefined.
//!
//! ```
//! use minoan_arith::{self as arith, ArithDialect};
//! use minoan_ir::{Builder, Context, Loc, Module, Registry, Type};
//! use minoan_math::{self as math, MathDialect};
//!
//! let mut registry = Registry::new();
//! registry.add(ArithDialect).add(MathDialect);
//! let ctx = Context::new(registry).expect("two dialects");
//! let mut module = Module::new(&ctx, Loc::UNKNOWN);
//! let block = module.block();
//! let mut b = Builder::at_end(module.body_mut(), block);
//! let two = arith::constant_float(&mut b, 2.0, Type::F32);
//! let root = math::sqrt(&mut b, two);
//! assert_eq!(b.ty(root), Type::F32);
//! ```
#![forbid(unsafe_code)]

mod algebra;
mod classify;
mod differentiate;
mod evaluate;
pub mod expand;
mod generate;
mod integer;
mod several;
mod unary;

pub use classify::*;
pub use integer::*;
pub use several::*;
pub use unary::*;

use minoan_arith::FastMathFlags;
use minoan_ir::{Dialect, DialectBuilder};
use minoan_services::{
    Cost, ElementwiseDomain, ElementwiseTypes, FloatFlags, IterationDomain, SameInMlir, ToMlir, TypeInference,
};
use std::sync::Arc;

/// The math dialect.
pub struct MathDialect;

impl Dialect for MathDialect {
    fn name(&self) -> &'static str {
        "math"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.service::<dyn ToMlir>(Arc::new(SameInMlir));
        unary::declare(dialect);
        classify::declare(dialect);
        classify::register(dialect);
        dialect.op::<Atan2>().op::<CopySign>().op::<PowF>().op::<Fma>().op::<ClampF>();
        dialect.op::<FPowI>().op::<SinCos>();
        dialect.op::<AbsI>().op::<CtLz>().op::<CtTz>().op::<CtPop>().op::<IPowI>();
        evaluate::register(dialect);
        generate::register(dialect);
        algebra::register(dialect);
        expand::register(dialect);
        dialect.service::<dyn FloatFlags>(Arc::new(FastMathFlags));
        differentiate::register(dialect);
        dialect.service::<dyn IterationDomain>(Arc::new(ElementwiseDomain));
        // Most are lowered to polynomial approximations or library calls.
        dialect.service::<dyn Cost>(Arc::new(10));
        dialect.service::<dyn TypeInference>(Arc::new(ElementwiseTypes));
    }
}
