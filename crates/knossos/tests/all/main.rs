//! The tests of the front end and of its lowering.

mod common;
mod errors;
mod examples;
mod hostile;
mod lower;
mod lowered;
mod queries;
mod random;
mod rules;
mod syntax;
mod values;
