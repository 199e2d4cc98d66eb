//! The arith dialect: integer and floating-point arithmetic on scalars, and elementwise on vectors and tensors.
//!
//! Names, assembly, attributes and verification are those of MLIR's arith dialect.
//!
//! * Integers are signless: the operation determines the interpretation. Results are taken modulo 2^width; `index` is
//!   evaluated with 64 bits.
//! * A shift by the width or more, a float that does not fit the integer type, and a broken flag (`nsw`, `nuw`, `exact`)
//!   give poison, element by element. An operation on poison gives poison; `arith.select` passes on the chosen value,
//!   whatever the other one is. Nothing else is without a defined value: `fastmath` flags change nothing.
//! * Undefined behavior is a division or remainder by zero or by poison, and a signed division or remainder whose quotient
//!   does not fit (the least integer by -1). An evaluation ends with a [`Trap`](minoan_services::Trap) there, and where
//!   control flow or an effect depends on poison.
//! * So all operations but the divisions are pure, and may be executed anywhere. A division has no effect, and is
//!   [speculatable](minoan_services::Speculation) where the divisor is a constant for which it is defined.
//! * Rewrites refine: they may replace poison by any value, and never give poison where a value was.
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

pub use algebra::{FastMathFlags, has_fastmath_flag, with_fastmath};
pub use atomic::{AtomicKind, AtomicOperands};
pub use bits::*;
pub use cast::*;
pub use compare::*;
pub use constants::*;
pub use constraints::{FastMath, FastMathAttr, Overflow, OverflowAttr};
pub use division::*;
pub use float::*;
pub use integer::*;

use minoan_ir::{Dialect, DialectBuilder};
use minoan_services::{
    ConstantMaterializer, Cost, ElementwiseDomain, ElementwiseTypes, FloatFlags, IndexOps, IterationDomain,
    Ownership, SameInMlir, SelectLike, ToBuffers, ToMlir, TypeInference,
};
use std::sync::Arc;

/// The arith dialect.
pub struct ArithDialect;

impl Dialect for ArithDialect {
    fn name(&self) -> &'static str {
        "arith"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.service::<dyn ToMlir>(Arc::new(SameInMlir));
        dialect.attr::<FastMathAttr>().attr::<OverflowAttr>();
        dialect.op::<Constant>();
        dialect.op::<AddI>().op::<AddUIExtended>().op::<SubI>();
        dialect.op::<MulI>().op::<MulSIExtended>().op::<MulUIExtended>();
        dialect.op::<DivSI>().op::<DivUI>().op::<CeilDivSI>().op::<CeilDivUI>().op::<FloorDivSI>();
        dialect.op::<RemSI>().op::<RemUI>();
        dialect.op::<AndI>().op::<OrI>().op::<XOrI>().op::<ShLI>().op::<ShRSI>().op::<ShRUI>();
        dialect.op::<MaxSI>().op::<MaxUI>().op::<MinSI>().op::<MinUI>();
        dialect.op::<AddF>().op::<SubF>().op::<MulF>().op::<DivF>().op::<RemF>().op::<NegF>();
        dialect.op::<MaximumF>().op::<MinimumF>().op::<MaxNumF>().op::<MinNumF>();
        dialect.op::<CmpI>().op::<CmpF>().op::<Select>();
        dialect.op::<ScalingExtF>().op::<ScalingTruncF>();
        dialect.op::<ExtF>().op::<TruncF>().op::<ExtSI>().op::<ExtUI>().op::<TruncI>();
        dialect.op::<SIToFP>().op::<UIToFP>().op::<FPToSI>().op::<FPToUI>();
        dialect.op::<IndexCast>().op::<IndexCastUI>().op::<Bitcast>();
        evaluate::register(dialect);
        fold::register(dialect);
        canonicalize::register(dialect);
        differentiate::register(dialect);
        generate::register(dialect);
        names::register(dialect);
        algebra::register(dialect);
        expand::register(dialect);
        lanes::register(dialect);
        index_terms::register(dialect);
        dialect.service::<dyn FloatFlags>(Arc::new(FastMathFlags));
        dialect.service::<dyn IndexOps>(Arc::new(makers::IndexArithmetic));
        // A constant is an immediate operand of its users.
        dialect.op_service::<Constant, dyn Cost>(Arc::new(0));
        dialect.op_service::<DivF, dyn Cost>(Arc::new(float::Divider));
        dialect.op_service::<Select, dyn SelectLike>(Arc::new(compare::SelectOperands));
        dialect.op_service::<Select, dyn Ownership>(Arc::new(buffers::ChooseBuffer));
        dialect.op_service::<Select, dyn ToBuffers>(Arc::new(buffers::ChooseBuffer));
        dialect.service::<dyn ConstantMaterializer>(Arc::new(materialize::Constants));
        dialect.service::<dyn IterationDomain>(Arc::new(ElementwiseDomain));
        dialect.op_service::<Constant, dyn IterationDomain>(Arc::new(constants::SplatConstant));
        dialect.service::<dyn TypeInference>(Arc::new(ElementwiseTypes));
    }
}
