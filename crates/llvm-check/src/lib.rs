//! Reports a missing LLVM or MLIR 22 at the start of a build.
//!
//! The crates that bind LLVM and MLIR look for `llvm-config` where the environment variables `LLVM_SYS_221_PREFIX`,
//! `MLIR_SYS_220_PREFIX` and `TABLEGEN_220_PREFIX` point, and else in `PATH`. If it is missing, each of them fails separately,
//! minutes into a build. The build script of this crate has no dependencies, so it runs among the first: it looks where
//! they will look, and says what to do. The library is empty.
#![forbid(unsafe_code)]

#[cfg(test)]
mod find;
