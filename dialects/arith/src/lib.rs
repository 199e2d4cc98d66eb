//! The arith dialect: integer and floating-point arithmetic on scalars, and elementwise on vectors and tensors.
//!
//! Names, assembly, attributes and verification are those of MLIR's arith dialect.
//!
//! * Integers are signless: the operation determines the interpretation. Results are taken modulo 2^width; `index` is
//!   evaluated with 64 bits.
//! * A shift by the width or more, a float that does not fit the integer type, and a violated flag (`nsw`, `nuw`, `exact`)
//!   return poison, element by element. An operation on poison returns poison; `arith.select` forwards the selected value,
//!   even if the other one is poison. All other results are defined: `fastmath` flags have no effect on evaluation.
//! * Undefined behavior is a division or remainder by zero or by poison, and a signed division or remainder whose quotient
//!   does not fit (the least integer by -1). An evaluation ends with a [`Trap`](minoan_services::Trap) there, and where
//!   control flow or an effect depends on poison.
//! * So all operations except divisions are pure, and may be executed anywhere. A division has no effect, and is
//!   [speculatable](minoan_services::Speculation) if the divisor is a constant for which it is defined.
//! * Rewrites refine: they may replace poison by any value, and never introduce poison in place of a value.
//!
//! ```
//! use minoan_arith::{self as arith, AddI, ArithDialect};
//! use minoan_ir::{Builder, Context, Loc, Module, Registry, Type};
//!
//! let mut registry = Registry::new();
//! registry.add(ArithDialect);
//! let ctx = Context::new(registry).expect("one dialect");
//! let mut module = Module::new(&ctx, Loc::UNKNOWN);
//! let block = module.block();
//! let mut b = Builder::at_end(module.body_mut(), block);
//! let two = arith::constant_int(&mut b, 2, Type::I32);
//! let sum = AddI::build(&mut b, two, two).result(b.body());
//! assert_eq!(b.ty(sum), Type::I32);
//! ```
#![forbid(unsafe_code)]

mod algebra;
mod atomic;
mod bits;
mod buffers;
mod canonicalize;
mod cast;
mod compare;
mod constants;
pub mod constraints;
mod differentiate;
mod division;
mod divisors;
mod evaluate;
mod expand;
mod float;
mod fold;
mod generate;
mod index_terms;
mod integer;
mod lanes;
mod makers;
mod materialize;
mod names;
mod signs;

pub use algebra::{FastMathFlags, has_fastmath_flag, with_fastmath};
pub use atomic::{AtomicKind, AtomicOperands};
pub use bits::*;
pub use cast::*;
pub use compare::*;
pub use constants::*;
pub use constraints::{FastMath, FastMathAttr, Overflow, OverflowAttr};
pub use differentiate::{on_selected, zero_without_cause};
pub use division::*;
pub use float::*;
pub use integer::*;

use minoan_ir::dialect;
use minoan_rewrite::{AddPatterns, CanonicalPatterns};
use minoan_services::{
    ConstantMaterializer, ElementwiseDomain, ElementwiseTypes, FloatFlags, Generate, IndexOps,
    IterationDomain, SameInMlir, ToMlir, TypeInference,
};

dialect! {
    /// The arith dialect.
    pub ArithDialect = "arith":
        attrs(FastMathAttr, OverflowAttr),
        ops(
            AddF, AddI, AddUIExtended, AndI, Bitcast, CeilDivSI, CeilDivUI, CmpF, CmpI, Constant, DivF, DivSI, DivUI,
            ExtF, ExtSI, ExtUI, FPToSI, FPToUI, FloorDivSI, IndexCast, IndexCastUI, MaxNumF, MaxSI, MaxUI, MaximumF,
            MinNumF, MinSI, MinUI, MinimumF, MulF, MulI, MulSIExtended, MulUIExtended, NegF, OrI, RemF, RemSI, RemUI,
            SIToFP, ScalingExtF, ScalingTruncF, Select, ShLI, ShRSI, ShRUI, SubF, SubI, TruncF, TruncI, UIToFP, XOrI,
        ),
        services(
            ToMlir = SameInMlir,
            FloatFlags = FastMathFlags,
            IndexOps = makers::IndexArithmetic,
            ConstantMaterializer = materialize::Constants,
            IterationDomain = ElementwiseDomain,
            TypeInference = ElementwiseTypes,
            Generate = generate::with_flags(),
            CanonicalPatterns = AddPatterns(canonicalize::patterns),
        ),
        register(algebra::register, evaluate::register, fold::register, signs::register)
}
