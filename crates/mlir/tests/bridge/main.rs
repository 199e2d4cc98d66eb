//! Tests of the MLIR bridge.

mod diagnostics;
mod jit;
mod link;
mod translate;
