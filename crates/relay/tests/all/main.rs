//! The tests of the front end and of its lowering.

mod bugs;
mod common;
mod emit;
mod errors;
mod examples;
mod extents;
mod functional;
mod hostile;
mod operators;
mod prelude;
mod random;
mod registry;
mod run;
mod seed;
mod text;
mod values;
mod vectors;
