//! Random modules and pipelines for testing that passes preserve semantics.
//!
//! [`module`] builds a module from the operations for which loaded dialects implement
//! [`Generate`](minoan_services::Generate); it names no dialect. [`Plan::random`] builds a pipeline. A [`Case`]
//! consists of both: [`Case::check`] compares the results of the module's functions before and after the pipeline,
//! and [`Case::shrink`] reduces a failing case, using the simplifications of [`Reduce`](minoan_services::Reduce).
//!
//! Guarantees:
//! * A module is valid, and its functions terminate with defined results for all arguments.
//! * The same choices produce the same module and the same pipeline on every machine and in every run.
//! * Every dialect that implements the service is equally likely, including downstream dialects.
//!
//! ```
//! use minoan_generate::{Choices, Limits, module};
//! use minoan_ir::{Context, verify::verify};
//! /// A module of what a context's dialects generate.
//! fn some_module(ctx: &Context, seed: u64) {
//!     let module = module(ctx, &mut Choices::seeded(seed), Limits::default()).expect("there are functions");
//!     assert!(verify(&module).is_ok());
//! }
//! assert!(module(&Context::bare(), &mut Choices::seeded(1), Limits::default()).is_none(), "nothing generates");
//! ```
#![forbid(unsafe_code)]

mod check;
mod choices;
mod kinds;
mod maker;
mod module;
mod pipeline;
mod shrink;
mod values;

pub use check::{Case, Fault, Verdict};
pub use choices::Choices;
pub use module::{Limits, module};
pub use pipeline::{Plan, Planned};
