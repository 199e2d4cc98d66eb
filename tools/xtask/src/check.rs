//! Runs all checks and prints a summary.

use crate::lit::{self, Counts};
use crate::process::{self, cargo, run_watched, run_watched_errors, succeeds, with_failures};
use crate::tools::CHECK;
use crate::{Outcome, book, editors, examples, foreign, formula, python, setup, tools};
use std::time::{Duration, Instant};

/// The result of a check.
struct Step {
    name: &'static str,
    outcome: Outcome,
    counts: Counts,
    time: Duration,
}

/// Runs all checks, continuing after failures; fails at the end if any has failed.
pub fn run() -> Outcome {
    setup::run()?;
    let steps = [
        step("format", |_| process::run(cargo(&["fmt", "--all", "--check"]))),
        step("lints", |_| {
            process::run(cargo(&[
                "clippy",
                "--workspace",
                "--all-targets",
                "--profile",
                CHECK,
                "--",
                "--deny",
                "warnings",
            ]))
        }),
        step("tests", tests),
        step("file tests", |counts| lit::run_counting(None, counts)),
        step("packages", |_| packages()),
        step("book", |_| book::build()),
        step("first page of the book", |_| formula::page()),
        step("grammars for editors", editors::test),
        step("Python package", python::test),
        step("projects in C and C++", foreign::projects),
        step("numbers against NumPy", |_| examples::against_numpy()),
        step("examples under valgrind", examples::under_valgrind),
    ];

    println!("\nsummary");
    let mut total = Counts::default();
    for Step { name, outcome, counts, time } in &steps {
        let verdict = if outcome.is_ok() { "ok" } else { "FAILED" };
        println!(
            "  {name:<24} {verdict:<7} {:>5} passed {:>4} failed {:>6.1} s",
            counts.passed,
            counts.failed,
            time.as_secs_f64()
        );
        if let Err(message) = outcome {
            message.lines().for_each(|line| println!("      {line}"));
        }
        total += *counts;
    }
    println!("{} passed, {} failed", total.passed, total.failed);
    let failed = steps.iter().filter(|step| step.outcome.is_err()).count();
    // The last line remains the count; the exit code reports the failure.
    if failed == 0 { Ok(()) } else { std::process::exit(1) }
}

/// Runs a check; a check without individual tests counts as one.
fn step(name: &'static str, check: impl FnOnce(&mut Counts) -> Outcome) -> Step {
    println!("\n== {name}");
    let start = Instant::now();
    let mut counts = Counts::default();
    let outcome = check(&mut counts);
    match &outcome {
        Ok(()) if counts == Counts::default() => counts.passed = 1,
        Err(message) => {
            eprintln!("error: {message}");
            counts.failed = counts.failed.max(1);
        }
        Ok(()) => {}
    }
    Step { name, outcome, counts, time: start.elapsed() }
}

/// The packages that are not published.
const UNPUBLISHED: [&str; 8] =
    ["fixed-opt", "formula", "minoan-book", "minoan-python", "own-opt", "thirdparty-dialect", "toy", "xtask"];

/// Packages all crates that are published, without building them and without a network. Cargo resolves the dependencies of each
/// package anew; if the local copy of the registry lacks one, the check is skipped.
fn packages() -> Outcome {
    let mut command =
        cargo(&["package", "--workspace", "--no-verify", "--allow-dirty", "--offline", "--quiet"]);
    UNPUBLISHED.iter().for_each(|name| _ = command.args(["--exclude", name]));
    println!("$ {}", process::shown(&command));
    let output = command.output().map_err(|error| format!("cannot start cargo: {error}"))?;
    let messages = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return Ok(());
    }
    eprint!("{messages}");
    // Cargo's hint if it would need the registry.
    if messages.contains("without the offline flag") || messages.contains("using offline mode") {
        println!("skipped: 'cargo fetch' downloads what is missing");
        return Ok(());
    }
    Err(format!("'{}' failed: {}", process::shown(&command), output.status))
}

fn tests(counts: &mut Counts) -> Outcome {
    if succeeds("cargo-nextest", &["nextest", "--version"]) {
        let mut failures = Vec::new();
        let command = cargo(&["nextest", "run", "--workspace", "--no-fail-fast", "--cargo-profile", CHECK]);
        let tests = run_watched_errors(command, |line| match summary(line) {
            Some(counted) => *counts += counted,
            None => failures.extend(failure(line)),
        });
        // Listed when it fails and again below the summary.
        failures.sort();
        failures.dedup();
        let tests = with_failures(tests, &failures);
        let tools = tools::build_workspace();
        if std::env::var_os("MINOAN_REMOVE_TESTS").is_some() {
            remove_test_executables();
        }
        let docs = run_watched(
            cargo(&["test", "--workspace", "--doc", "--no-fail-fast", "--profile", CHECK]),
            |line| {
                *counts += count(line);
            },
        );
        return tests.and(tools).and(docs);
    }
    run_watched(cargo(&["test", "--workspace", "--no-fail-fast", "--profile", CHECK]), |line| {
        *counts += count(line)
    })
}

/// Removes the executables that cargo has built for tests, except those that a later check runs. Executables that
/// contain LLVM have 200 MB each and make up most of the build directory.
fn remove_test_executables() {
    let Ok(entries) = tools::target().join(CHECK).join("deps").read_dir() else { return };
    let executables = entries.flatten().filter(|entry| {
        let path = entry.path();
        let stays = path.extension().is_some() || tools::is_test(&path, foreign::CALLS);
        !stays && entry.metadata().is_ok_and(|data| data.is_file() && is_executable(&data))
    });
    let mut freed = 0;
    for entry in executables {
        let size = entry.metadata().map_or(0, |data| data.len());
        if std::fs::remove_file(entry.path()).is_ok() {
            freed += size;
        }
    }
    println!("removed the executables of the tests: {} MB", freed / 1_000_000);
}

#[cfg(unix)]
fn is_executable(data: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    data.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    false
}

/// Parses the summary of nextest: `Summary [ 9.5s] 12 tests run: 10 passed (1 slow), 2 failed, 1 skipped`.
fn summary(line: &str) -> Option<Counts> {
    let (_, results) = line.trim().strip_prefix("Summary ")?.split_once(" run: ")?;
    let number = |label: &str| {
        let mut words = results.split_whitespace().map(|word| word.trim_end_matches(','));
        let at = words.clone().position(|word| word == label)?;
        words.nth(at.checked_sub(1)?)?.parse().ok()
    };
    let of = |label: &str| number(label).unwrap_or(0);
    Some(Counts { passed: of("passed"), failed: of("failed") + of("timed") })
}

/// The crate and the name of a test that failed: `FAIL [ 6.5s] (1/2) minoan::hostile width::arguments`.
fn failure(line: &str) -> Option<String> {
    let line = line.trim();
    let verdict = ["FAIL [", "TIMEOUT [", "SIGABRT [", "SIGSEGV ["]
        .iter()
        .find_map(|start| line.strip_prefix(start))?;
    let (_, mut test) = verdict.split_once(']')?;
    test = test.trim();
    if test.starts_with('(') {
        test = test.split_once(')')?.1.trim();
    }
    Some(test.to_owned())
}

/// Parses a line of the test harness: `test result: ok. 3 passed; 0 failed; ...`.
fn count(line: &str) -> Counts {
    let Some(result) = line.trim().strip_prefix("test result: ") else { return Counts::default() };
    let number = |label: &str| {
        let before = result.split(label).next().filter(|before| before.len() < result.len())?;
        before.split_whitespace().next_back()?.parse().ok()
    };
    Counts { passed: number(" passed").unwrap_or(0), failed: number(" failed").unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use super::{Counts, count, failure, summary};
    use crate::process::root;
    use std::fs;
    use std::path::Path;

    /// `test = false` saves a second compilation of the crate; a test in its sources would never run.
    #[test]
    fn crates_that_are_not_built_for_tests_have_no_unit_tests() {
        let members =
            ["crates", "dialects", "tools", "examples", "."].map(|folder| root().join(folder).read_dir());
        let mut seen = 0;
        for member in members.into_iter().flatten().flatten().flatten() {
            let manifest = fs::read_to_string(member.path().join("Cargo.toml")).unwrap_or_default();
            if manifest.lines().any(|line| line == "test = false") {
                let with_tests = first_with_tests(&member.path().join("src"));
                assert_eq!(with_tests, None, "it has 'test = false' in its manifest");
                seen += 1;
            }
        }
        assert!(seen > 30, "{seen} manifests");
    }

    /// The first source file under a folder that has a unit test.
    fn first_with_tests(folder: &Path) -> Option<String> {
        folder.read_dir().ok()?.flatten().find_map(|entry| {
            let path = entry.path();
            if path.is_dir() {
                return first_with_tests(&path);
            }
            let text = fs::read_to_string(&path).ok()?;
            text.lines().any(|line| line.trim() == "#[test]").then(|| path.display().to_string())
        })
    }

    #[test]
    fn harness_lines_are_counted() {
        let line = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(count(line), Counts { passed: 3, failed: 2 });
        assert_eq!(count("test a::b ... ok"), Counts::default());
    }

    #[test]
    fn the_output_of_nextest_is_understood() {
        let line =
            "     Summary [   9.498s] 12 tests run: 9 passed (1 slow), 2 failed, 1 timed out, 3 skipped";
        assert_eq!(summary(line), Some(Counts { passed: 9, failed: 3 }));
        let line = "        FAIL [   6.530s] ( 164/1218) minoan::hostile width::constructors";
        assert_eq!(failure(line), Some("minoan::hostile width::constructors".to_owned()));
        assert_eq!(failure("        PASS [   0.014s] (2/9) minoan::hostile nesting"), None);
    }
}
