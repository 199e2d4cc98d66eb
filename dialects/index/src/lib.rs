//! The index dialect: arithmetic on integers of the target's address width.
//!
//! Names, assembly, attributes and verification are those of MLIR's index dialect.
//!
//! * The width is the target's. The interpreter assumes 64 bits; folding yields a constant only if the low bits are the
//!   same for 32 and 64 bits, as in MLIR, so a folded program is correct for both. An index has no sign: the
//!   operation determines the interpretation of the bits.
//! * A shift by the width or more is poison. Division by zero and a quotient that does not fit are undefined behavior:
//!   an evaluation ends with a [`Trap`](minoan_services::Trap).
//! * All operations except divisions are pure. Divisions have no effect, and are speculatable if the divisor is a
//!   constant for which they are defined.
//!
//! ```
//! use minoan_index::{Add, Constant, IndexDialect};
//! use minoan_ir::{Builder, Context, Index, Loc, Module, Registry, Type};
//!
//! let mut registry = Registry::new();
//! registry.add(IndexDialect);
//! let ctx = Context::new(registry).expect("one dialect");
//! let mut module = Module::new(&ctx, Loc::UNKNOWN);
//! let block = module.block();
//! let mut b = Builder::at_end(module.body_mut(), block);
//! let two = Constant::build(&mut b, Index(2)).result(b.body());
//! let four = Add::build(&mut b, two, two).result(b.body());
//! assert_eq!(b.ty(four), Type::INDEX);
//! ```
#![forbid(unsafe_code)]

mod binary;
mod fold;
mod generate;
mod others;

pub use binary::*;
pub use others::*;

use minoan_ir::dialect;
use minoan_services::{ConstantMaterializer, SameInMlir, ToMlir};

dialect! {
    /// The index dialect.
    pub IndexDialect = "index":
        attrs(CmpPredicateAttr),
        ops(BoolConstant, CastS, CastU, Cmp, Constant, SizeOf),
        services(ToMlir = SameInMlir, ConstantMaterializer = others::Constants),
        register(binary::declare, binary::declare_effects, fold::register, generate::register)
}
