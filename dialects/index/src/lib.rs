//! The index dialect: arithmetic on integers of the target's address width.
//!
//! Names, assembly, attributes and verification are those of MLIR's index dialect.
//!
//! * The width is that of the target; the evaluation uses 64 bits. Indices are signless: the operation determines the
//!   interpretation.
//! * Division by zero, division overflow, and shifts by the width or more trap in the evaluation
//!   ([`Trap`](minoan_services::Trap)).
//! * All operations except divisions are pure. Divisions have no side effects but are not speculatable.
//!
//! ```
//! use minoan_index::{Add, Constant, IndexDialect};
//! use minoan_ir::{Attr, Builder, Context, Loc, Module, Registry, Type};
//!
//! let mut registry = Registry::new();
//! registry.add(IndexDialect);
//! let ctx = Context::new(registry).expect("one dialect");
//! let mut module = Module::new(&ctx, Loc::UNKNOWN);
//! let block = module.block();
//! let mut b = Builder::at_end(module.body_mut(), block);
//! let two = Constant::build(&mut b, Attr::index_value(&ctx, 2)).result(b.body());
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

use minoan_ir::{Dialect, DialectBuilder};
use minoan_services::{SameInMlir, ToMlir};
use std::sync::Arc;

/// The index dialect.
pub struct IndexDialect;

impl Dialect for IndexDialect {
    fn name(&self) -> &'static str {
        "index"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.service::<dyn ToMlir>(Arc::new(SameInMlir));
        binary::declare(dialect);
        binary::declare_effects(dialect);
        others::declare(dialect);
        fold::register(dialect);
        generate::register(dialect);
    }
}
