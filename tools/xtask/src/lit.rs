//! Runs the file tests in `test/` with LLVM's lit.

use crate::Outcome;
use crate::process::{root, run_watched, with_failures};
use crate::tools;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The number of passed and failed tests.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Passed, or failed as expected.
    pub passed: u64,
    /// Failed or passed unexpectedly.
    pub failed: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// Builds the tools and runs the tests whose path matches `filter`.
pub fn run(filter: Option<&str>) -> Outcome<Counts> {
    let mut counts = Counts::default();
    run_counting(filter, &mut counts)?;
    Ok(counts)
}

/// Like [`run`], but returns the counts even if tests fail.
pub fn run_counting(filter: Option<&str>, counts: &mut Counts) -> Outcome {
    let bin = tools::build_for_checks(&["kopt", "kc", "kreduce"])?;
    let mut command = Command::new(find()?);
    command.current_dir(root()).arg("-sv").arg("--param").arg(format!("tools={}", bin.display()));
    if let Some(filter) = filter {
        command.arg(format!("--filter={filter}"));
    }
    command.arg("test");
    let mut failures = Vec::new();
    let outcome = run_watched(command, |line| {
        *counts += count(line);
        failures.extend(failure(line));
    });
    with_failures(outcome, &failures)
}

/// The path of a test in the list of failures at the end of lit's output: `  Minoan :: kc/dot.ks`.
fn failure(line: &str) -> Option<String> {
    line.strip_prefix("  Minoan :: ").map(str::to_owned)
}

/// Parses a line of lit's summary: `  Passed: 12 (100.00%)`.
fn count(line: &str) -> Counts {
    let Some((label, number)) = line.split_once(':') else { return Counts::default() };
    let number = number.split_whitespace().next().and_then(|number| number.parse().ok());
    let Some(number) = number else { return Counts::default() };
    match label.trim() {
        "Passed" | "Expectedly Failed" | "Passed With Retry" => Counts { passed: number, failed: 0 },
        "Failed" | "Unresolved" | "Timed Out" | "Unexpectedly Passed" => Counts { passed: 0, failed: number },
        _ => Counts::default(),
    }
}

fn find() -> Outcome<PathBuf> {
    let places = ["/usr/lib/llvm-22/bin/lit", "/usr/bin/lit-22", "/usr/bin/lit", "/usr/local/bin/lit"];
    let found = places.iter().map(Path::new).find(|path| path.exists());
    found.map(Path::to_path_buf).ok_or_else(|| "lit is not installed: run 'cargo xtask setup'".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Counts, count, failure};

    #[test]
    fn summary_lines_are_counted() {
        assert_eq!(count("  Passed: 12 (92.31%)"), Counts { passed: 12, failed: 0 });
        assert_eq!(count("  Failed:  1 (7.69%)"), Counts { passed: 0, failed: 1 });
        assert_eq!(count("Total Discovered Tests: 13"), Counts::default());
        assert_eq!(count("PASS: Minoan :: a.mlir (1 of 2)"), Counts::default());
    }

    #[test]
    fn failures_are_named() {
        assert_eq!(failure("  Minoan :: kc/dot.ks"), Some("kc/dot.ks".to_owned()));
        assert_eq!(failure("FAIL: Minoan :: kc/dot.ks (1 of 2)"), None);
    }
}
