//! Reports a missing LLVM or MLIR 22 at the start of a build.
//!
//! The crates that bind LLVM and MLIR look for `llvm-config` where the environment variables `LLVM_SYS_221_PREFIX`,
//! `MLIR_SYS_220_PREFIX` and `TABLEGEN_220_PREFIX` point, and otherwise in `PATH`. If it is missing, each of them fails
//! separately, minutes into a build. The build script of this crate has no dependencies, so it runs among the first: it
//! searches the same places and prints the remedy.
//!
//! ```text
//! error: LLVM 22 is not found: LLVM_SYS_221_PREFIX is not set, and 'llvm-config' is not in PATH
//! error: it is installed in /usr/lib/llvm-22; add this to .cargo/config.toml of your project:
//! error:
//! error: [env]
//! error: LLVM_SYS_221_PREFIX = "/usr/lib/llvm-22"
//! error: MLIR_SYS_220_PREFIX = "/usr/lib/llvm-22"
//! error: TABLEGEN_220_PREFIX = "/usr/lib/llvm-22"
//! ```
//!
//! Guarantees:
//! * If the build script succeeds, each of the three variables leads to an LLVM 22 with the headers of MLIR.
//! * On docs.rs, which has no LLVM and does not link, it succeeds.
//!
//! The library is empty, so there is no doc test; the tests in `src/find.rs` run the search in simulated environments and
//! compare the text above with its message.
#![forbid(unsafe_code)]

#[cfg(test)]
mod find;
