//! Modules on their way through MLIR to machine code.

mod diagnostics;
mod jit;
mod link;
mod translate;
