//! Builds the project's tools.

use crate::Outcome;
use crate::process::{cargo, root, run};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// The profile in `Cargo.toml` of whatever only the checks run.
pub const CHECK: &str = "checks";

/// Settings for programs of others that are built for a few seconds of use.
pub const BUILT_QUICKLY: [(&str, &str); 3] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
];

/// Builds tools in release mode and returns their directory.
///
/// # Errors
/// A tool does not exist or does not build.
pub fn build(names: &[&str]) -> Outcome<PathBuf> {
    build_with("release", names)
}

/// Builds tools for the checks and returns their directory.
///
/// # Errors
/// A tool does not exist or does not build.
pub fn build_for_checks(names: &[&str]) -> Outcome<PathBuf> {
    let folder = target().join(CHECK);
    let is_built =
        BUILT_WITH_TESTS.load(Ordering::Relaxed) && names.iter().all(|name| folder.join(name).exists());
    if is_built { Ok(folder) } else { build_with(CHECK, names) }
}

/// Whether the tools for the checks were built by [`build_with_tests`].
static BUILT_WITH_TESTS: AtomicBool = AtomicBool::new(false);

/// Builds the tools for the checks after all tests, of the same crates: by themselves, they would need some with fewer features, which
/// take minutes to build.
///
/// # Errors
/// A tool does not build.
pub fn build_with_tests() -> Outcome {
    let targets = ["--workspace", "--lib", "--bins", "--tests", "--examples"];
    run(cargo(&[&["build", "--profile", CHECK], &targets[..]].concat()))?;
    BUILT_WITH_TESTS.store(true, Ordering::Relaxed);
    Ok(())
}

fn build_with(profile: &str, names: &[&str]) -> Outcome<PathBuf> {
    for name in names {
        if !root().join("tools").join(name).join("Cargo.toml").exists() {
            return Err(format!("there is no tool '{name}' under tools/"));
        }
        // One by one: a common build would unify features, so that kopt would get those of kc, including LLVM.
        run(cargo(&["build", "--profile", profile, "--package", name]))?;
    }
    Ok(target().join(profile))
}

/// The directory that cargo builds into.
pub fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}
