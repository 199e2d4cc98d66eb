//! The tests of rewriting.

mod conversion;
mod dialect_conversion;
mod greedy;
mod toy;
mod ui;
