//! Dialect conversion: what is not legal for a target becomes what is.
//!
//! * A [`ConversionTarget`] says which operations are legal: by name, by dialect, or by a predicate.
//! * A [`Conversion`] applies the patterns of a set to what is not, and to what these create, until all of it is legal.
//!   Any [`Pattern`](crate::Pattern) serves; one that changes types looks through a [`TypeConversion`], which gives the
//!   operands as they are after conversion.
//! * A [`TypeConverter`] says what types become: one type, several, or none. Where a converted and an unconverted
//!   operation meet stands an unrealized cast (the service [`UnrealizedCast`](minoan_services::UnrealizedCast)). At the
//!   end casts that undo each other go; what is left is materialized as the converter says, or is an error.
//!
//! Nothing is rolled back: a pattern edits the program when it is applied, and values are replaced there and then. So
//! types agree at any time, and every operation is looked at once, and once more for each time it is rewritten: the time
//! is linear in the operations and what the patterns create. When a conversion fails the program is valid but converted in
//! part: what could not be converted is unchanged, with casts around it. Every operation that is left over is reported,
//! with what each pattern said.
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
mod driver;
mod patterns;
mod target;
mod type_conversion;
mod types;

pub use driver::{Conversion, ConversionMode};
pub use target::{ConversionTarget, Legality};
pub use type_conversion::{TypeConversion, Values};
pub use types::{Converted, TypeConverter};
