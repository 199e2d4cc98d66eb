//! Builds the project's tools.

use crate::Outcome;
use crate::process::{cargo, root, run};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The profile in `Cargo.toml` for programs that are only run by the checks.
pub const CHECK: &str = "checks";

/// Settings for third-party programs, which are used for seconds only: they compile fast.
pub const BUILT_QUICKLY: [(&str, &str); 3] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"),
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
    if is_whole_workspace_built() { Ok(target().join(CHECK)) } else { build_with(CHECK, names) }
}

/// Whether [`build_workspace`] has succeeded.
static WORKSPACE_IS_BUILT: AtomicBool = AtomicBool::new(false);

/// Whether the whole workspace has been built for the checks. Building a single package would then rebuild its dependencies,
/// with only the features that this package enables.
pub fn is_whole_workspace_built() -> bool {
    WORKSPACE_IS_BUILT.load(Ordering::Relaxed)
}

/// Builds libraries, tools and tests of the workspace for the checks.
///
/// # Errors
/// A target does not build.
pub fn build_workspace() -> Outcome {
    let targets = ["--workspace", "--lib", "--bins", "--tests", "--examples"];
    run(cargo(&[&["build", "--profile", CHECK], &targets[..]].concat()))?;
    WORKSPACE_IS_BUILT.store(true, Ordering::Relaxed);
    Ok(())
}

/// The most recent executable of an integration test for the checks.
///
/// # Errors
/// There is none.
pub fn test_executable(name: &str) -> Outcome<PathBuf> {
    let folder = target().join(CHECK).join("deps");
    let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    let executables =
        entries.flatten().filter(|entry| entry.path().extension().is_none() && is_test(&entry.path(), name));
    let newest = executables.max_by_key(|entry| entry.metadata().and_then(|data| data.modified()).ok());
    newest.map(|entry| entry.path()).ok_or_else(|| format!("{}: there is no test '{name}'", folder.display()))
}

/// Whether a file name in `deps` belongs to an integration test: its name, a hyphen and a hash.
pub fn is_test(path: &Path, name: &str) -> bool {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy());
    stem.is_some_and(|stem| stem.rsplit_once('-').is_some_and(|(start, _)| start == name))
}

fn build_with(profile: &str, names: &[&str]) -> Outcome<PathBuf> {
    for name in names {
        // One by one: a common build would unify features, so that kopt would get those of kc, including LLVM.
        run(cargo(&["build", "--profile", profile, "--package", name]))?;
    }
    Ok(target().join(profile))
}

/// The directory that cargo builds into.
pub fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}
