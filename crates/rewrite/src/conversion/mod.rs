//! Dialect conversion: rewrites operations that are illegal for a target.
//!
//! * A [`ConversionTarget`] defines the legal operations: by name, by dialect, or by a predicate.
//! * A [`Conversion`] applies patterns to illegal operations, and to the operations that these create, until all are
//!   legal. Any [`Pattern`](crate::Pattern) can be used; one that changes types uses a [`TypeConversion`], which
//!   provides the converted operands.
//! * A [`TypeConverter`] converts a type to one type, several types, or none. Unrealized casts (the service
//!   [`UnrealizedCast`](minoan_services::UnrealizedCast)) connect converted and unconverted operations. At the end,
//!   casts that cancel are erased; the remaining ones are materialized by the converter, or are errors.
//! * The patterns of [`add_structural`](crate::PatternSet::add_structural) convert operations that only forward values: branches,
//!   calls, selects and structured control flow of any dialect.
//!
//! A [`DialectConversion`] holds these parts; `ConversionPass` in `minoan-passes` makes a pass of one. Front-end dialects
//! are lowered by one conversion ([`lower`]), to which each contributes its parts by the service [`Lower`].
//!
//! There is no rollback: patterns edit the IR and replace values immediately, so the IR is type-correct at any time. Every
//! operation is visited once, and once more for each rewrite of it: the time is linear in the number of operations, including
//! those that patterns create. After a failed conversion the IR is valid and partially converted: operations that could not be
//! converted are unchanged, with casts around them. Every such operation is reported, with the reason of each pattern.
//!
//! ```
//! use minoan_ir::{Context, Loc, Module, OpState, InsertionPoint};
//! use minoan_rewrite::{Conversion, ConversionMode, ConversionTarget, PatternFilter, PatternSet};
//! let ctx = Context::bare();
//! let mut module = Module::with_top(&ctx, OpState::named(&ctx, "a.top").regions(1));
//! let (top, body) = (module.op(), module.holder_mut());
//! let block = body.add_block(body.op(top).region(0), &[]);
//! body.create(&OpState::named(&ctx, "old.op"), InsertionPoint::End(block));
//!
//! let mut target = ConversionTarget::new();
//! target.illegal_dialect("old").legal_op("a.top");
//! let patterns = PatternSet::new().freeze(&ctx, &PatternFilter::default()).expect("no pattern is wrong");
//! let conversion = Conversion::new(&ctx, &target, &patterns, ConversionMode::Partial);
//! let errors = conversion.run_nested(body).expect_err("no pattern converts it");
//! let first = errors.iter().next().expect("there is an error");
//! assert_eq!(first.message, "failed to legalize operation 'old.op' that was explicitly marked illegal");
//! ```

mod casts;
mod dialect;
mod driver;
mod lower;
mod patterns;
mod structural;
mod target;
mod type_conversion;
mod types;

pub use casts::{reconcile_casts, unresolved_cast};
pub use dialect::DialectConversion;
pub use driver::{Conversion, ConversionMode};
pub use lower::{Lower, LowerBy, Lowering, lower};
pub use target::{ConversionTarget, Legality};
pub use type_conversion::{TypeConversion, Values};
pub use types::{Converted, TypeConverter};
