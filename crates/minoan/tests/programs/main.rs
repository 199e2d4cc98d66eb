//! Programs of the front ends, run on every back end.
#![cfg(feature = "mlir")]

mod generate;
mod integers;
mod random;
mod regressions;
