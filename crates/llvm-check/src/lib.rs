//! Reports a missing LLVM or MLIR 22 at the start of a build, and asks `llvm-config` for build scripts.
//!
//! The crates that bind LLVM and MLIR look for `llvm-config` where the environment variables `LLVM_SYS_221_PREFIX`,
//! `MLIR_SYS_220_PREFIX` and `TABLEGEN_220_PREFIX` point, and else in `PATH`. Where it is missing they fail one by one, minutes into a
//! build, in words of their own. The build script of this crate has no dependencies, so it runs among the first: it looks where
//! they will look, and says what to do.
#![forbid(unsafe_code)]

#[cfg(test)]
mod find;

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// The path that `llvm-config` prints for an argument such as `--includedir`. `variable` is the environment variable with the
/// installation's directory; the build script runs again if it changes.
///
/// # Panics
/// If `llvm-config` cannot be started or fails: a build script has no other way to report it.
pub fn llvm_config(variable: &str, argument: &str) -> PathBuf {
    println!("cargo::rerun-if-env-changed={variable}");
    let config = match env::var(variable) {
        Ok(prefix) => PathBuf::from(prefix).join("bin/llvm-config"),
        Err(_) => PathBuf::from("llvm-config-22"),
    };
    match Command::new(&config).arg(argument).output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).trim().into(),
        Ok(output) => panic!("{} failed: {}", config.display(), output.status),
        Err(error) => panic!("cannot start {}: {error}", config.display()),
    }
}
