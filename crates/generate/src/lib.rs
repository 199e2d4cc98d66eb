//! Random modules and pipelines, and whether passes keep what programs compute.
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
