//! Random modules and pipelines, and whether passes keep what programs compute.
//!
//! [`module`] makes a module of the operations that the loaded dialects answer [`Generate`](minoan_services::Generate) for;
//! it names none of them. [`Plan::random`] makes a pipeline of passes. A [`Case`] is both: [`Case::check`] runs the module's
//! functions before and after the pipeline, and [`Case::shrink`] makes a case small in which something goes wrong, with what
//! the dialects answer [`Reduce`](minoan_services::Reduce) for.
//!
//! Guarantees:
//! * A module is valid, and its functions come to an end with defined results, whatever their arguments are.
//! * The same choices give the same module and the same pipeline, on every machine and in every run.
//! * A dialect of your own is in the modules as often as each of the others, once it answers.
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
