//! `cargo xtask bench math`: the errors of the expansions of functions on vectors.

use crate::{Outcome, process};
use std::process::{Command, Stdio};

/// The functions that are compared with mpmath for samples of type `f64`.
const FUNCTIONS: [&str; 24] = [
    "exp", "exp2", "expm1", "log", "log2", "log1p", "sin", "cos", "tanh", "erf", "rsqrt", "tan", "atan",
    "asin", "acos", "log10", "sinh", "cosh", "asinh", "acosh", "atanh", "cbrt", "pow", "atan2",
];

/// The number of samples.
const SAMPLES: &str = "60000";

/// The command that runs the bench with arguments. All crates are compiled for the host, since fused multiply-add would
/// otherwise be a library call, and in a directory of their own, to keep the other builds. Polynomials are unrolled, since
/// otherwise LLVM does not vectorize the loops around them.
fn ulp(arguments: &[&str]) -> Command {
    let command = ["bench", "-q", "-p", "minoan-math", "--bench", "ulp", "--"];
    let mut command = process::cargo(&[&command, arguments].concat());
    command
        .env("RUSTFLAGS", "-C target-cpu=native -C llvm-args=-unroll-threshold=4000")
        .env("CARGO_TARGET_DIR", "target/native");
    command
}

/// Runs the bench for the named functions, or for all.
pub fn run(functions: &[&str]) -> Outcome {
    process::run(ulp(functions))?;
    for function in FUNCTIONS.iter().filter(|name| functions.is_empty() || functions.contains(name)) {
        let failed = |error| format!("cannot compute samples of '{function}': {error}");
        let mut samples =
            ulp(&["--double", SAMPLES, function]).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let mut check = Command::new("python3");
        check.current_dir(process::root()).args(["bench/math/check.py", function]);
        check.stdin(samples.stdout.take().expect("the output is piped"));
        process::run(check)?;
        samples.wait().map_err(failed)?;
    }
    Ok(())
}
