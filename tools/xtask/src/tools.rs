//! Builds the project's tools in release mode.

use crate::Outcome;
use crate::process::{cargo, root, run};
use std::path::PathBuf;

/// Builds those of `names` that exist under `tools/` and returns their directory.
///
/// # Errors
/// A tool does not exist or does not build.
pub fn build(names: &[&str]) -> Outcome<PathBuf> {
    for name in names {
        if !root().join("tools").join(name).join("Cargo.toml").exists() {
            return Err(format!("there is no tool '{name}' under tools/"));
        }
        // One by one: a common build would unify features, so that kopt would get those of kc, including LLVM.
        run(cargo(&["build", "--release", "--package", name]))?;
    }
    Ok(target().join("release"))
}

/// The directory that cargo builds into.
pub fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}
