//! The math dialect: mathematical functions on scalars, and elementwise on vectors and tensors.
//!
//! Names, assembly, attributes and verification are those of MLIR's math dialect, with one more operation: [`Ldexp`].
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
mod signs;
mod strength;
mod unary;

pub use classify::*;
pub use integer::*;
pub use several::*;
pub use unary::*;

use minoan_arith::FastMathFlags;
use minoan_ir::dialect;
use minoan_rewrite::PatternSets;
use minoan_services::{
    Cost, Declared, ElementwiseDomain, ElementwiseTypes, FloatFlags, Generate, IterationDomain, SameInMlir,
    ToMlir, TypeInference,
};

dialect! {
    /// The math dialect.
    pub MathDialect = "math":
        depends(minoan_arith::ArithDialect),
        ops(AbsI, Atan2, ClampF, CopySign, CtLz, CtPop, CtTz, FPowI, Fma, IPowI, Ldexp, PowF, SinCos),
        services(
            ToMlir = SameInMlir,
            FloatFlags = FastMathFlags,
            IterationDomain = ElementwiseDomain,
            // Most are lowered to polynomial approximations or library calls.
            Cost = 10,
            TypeInference = ElementwiseTypes,
            Generate = Declared::new(),
            PatternSets = strength::SETS,
        ),
        register(
            unary::declare, classify::declare, classify::register, evaluate::register, algebra::register,
            expand::register, differentiate::register, signs::register,
        )
}
