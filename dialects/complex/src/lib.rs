//! The complex dialect: arithmetic and functions of complex numbers with floating-point parts.
//!
//! Names, assembly, attributes and verification are those of MLIR's complex dialect.
//!
//! * Operands are scalars: computations on tensors of complex numbers are `linalg` operations whose bodies contain
//!   operations of this dialect.
//! * All operations are pure. Functions have the branch cuts of C's `<complex.h>`, and no intermediate result overflows in a
//!   quotient, an absolute value, a logarithm or a square root that is representable.
//! * Each function is defined once, by an [algorithm](algorithms) over real arithmetic. Evaluation executes it on numbers;
//!   `expand-math` creates its operations of `arith` and `math` for compiled code, so both have the same rounding steps. Parts
//!   narrower than `f32` are computed in `f32` and rounded once.
//! * `fastmath` flags have no influence on evaluation. Identities that hold for real numbers only, such as `(a - b) + b = a`,
//!   are applied to operations with the flags that permit them.
//!
//! ```
//! use minoan_arith::{self as arith, ArithDialect};
//! use minoan_complex::{self as complex, ComplexDialect};
//! use minoan_ir::{Builder, Context, Loc, Module, Registry, Type};
//!
//! let mut registry = Registry::new();
//! registry.add(ArithDialect).add(minoan_math::MathDialect).add(ComplexDialect);
//! let ctx = Context::new(registry).expect("three dialects");
//! let mut module = Module::new(&ctx, Loc::UNKNOWN);
//! let block = module.block();
//! let mut b = Builder::at_end(module.body_mut(), block);
//! let two = arith::constant_float(&mut b, 2.0, Type::F32);
//! let number = complex::create(&mut b, two, two, complex::complex_type(&ctx, Type::F32));
//! let magnitude = complex::abs(&mut b, number);
//! assert_eq!(b.ty(magnitude), Type::F32);
//! ```
#![forbid(unsafe_code)]

mod algebra;
pub mod algorithms;
mod binary;
mod canonicalize;
mod constraints;
mod differentiate;
mod evaluate;
mod expand;
mod number;
mod parts;
mod to_mlir;
mod unary;

pub use binary::*;
pub use constraints::{complex_type, part_type};
pub use number::NumberAttr;
pub use parts::*;
pub use unary::*;

use minoan_arith::FastMathFlags;
use minoan_ir::dialect;
use minoan_rewrite::{AddPatterns, CanonicalPatterns};
use minoan_services::{ConstantMaterializer, Cost, Declared, FloatFlags, Generate, ToMlir};

dialect! {
    /// The complex dialect.
    pub ComplexDialect = "complex":
        depends(minoan_arith::ArithDialect, minoan_math::MathDialect),
        ops(
            Abs, Add, Angle, Atan2, Bitcast, Constant, Create, Div, Eq, Im, Mul, Neq, Pow, PowI, Re, Sub,
        ),
        attrs(NumberAttr),
        services(
            ToMlir = to_mlir::Structures,
            FloatFlags = FastMathFlags,
            ConstantMaterializer = parts::Constants,
            Generate = Declared::new().types(constraints::types),
            CanonicalPatterns = AddPatterns(canonicalize::patterns),
            // The functions are sequences of library calls.
            Cost = 20,
        ),
        register(unary::declare, expand::register, algebra::register, differentiate::register)
}
