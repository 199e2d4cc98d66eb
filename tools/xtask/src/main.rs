//! `cargo xtask`: the project's development tasks.
//!
//! `cargo xtask help` lists the tasks.
//!
//! It has one small dependency and does not depend on LLVM, so it builds in seconds on a machine with only Rust and a C
//! compiler.
#![forbid(unsafe_code)]

mod bench;
mod book;
mod check;
mod editors;
mod examples;
mod foreign;
mod formula;
mod lit;
mod math;
mod process;
mod python;
mod setup;
mod tools;

use std::process::ExitCode;

/// The result of a task, with an error message for the user.
type Outcome<T = ()> = Result<T, String>;

const USAGE: &str = "\
usage: cargo xtask <command>

  setup         install what is missing of LLVM 22, MLIR 22, lit and valgrind (Debian packages; as root or by sudo)
  demo          set up, build kc, run every program in examples/ and show what it prints
  test          set up, then formatting, lints, tests, file tests, examples under valgrind
  c             build the projects in C and C++ under examples/ with an installed library, and run them
  formula       create the project of the first page of the book outside of the workspace, and run it
  lit [filter]  build the tools and run the file tests in test/ whose path matches the regular expression
  book          build the book as HTML in target/book/book, with a page of each dialect, and check its links
  valgrind      run every program in examples/ under valgrind
  editors       test the TextMate and tree-sitter grammars with Node.js on the programs in examples/ and test/
  bench         build kopt, run it and mlir-opt on the same large modules, print time and memory
  bench compile [sizes]
                compile programs of 1,000, 10,000 and 100,000 operations of each language, print the time of each phase
  bench math [functions]
                compute the expanded functions for all 2^32 numbers of type f32, and for samples of type f64 (needs
                Python with mpmath), print the worst errors
  bench kernels [rows]
                time compiled kernels beside kernels by hand, NumPy and onnxruntime (of the Python in $PYTHON)
  bench objects [rows]
                time lists, search trees and a network on trees beside C++ by hand (with the Python in $PYTHON)
  bench models [--bind] [models]
                time the models of test/models at full size beside onnxruntime (of the Python in $PYTHON)
  bench gradients [rows]
                time compiled gradients beside their objectives, C by hand and jax (of the Python in $PYTHON)
  python        build the Python package without optimization, install it in an empty virtual environment, run its tests
  wheel         build the wheel of the Python package in release mode, for Linux systems with this C library or a later
                one; print its path and size
";

/// Builds `kc` and runs a bench that is written in Python.
fn bench_python(script: &str, words: &[&str]) -> Outcome {
    setup::run()?;
    let kc = tools::build(&["kc", "kopt"])?.join("kc");
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let mut command = std::process::Command::new(python);
    command.current_dir(process::root()).arg(script).arg(kc).args(words);
    process::run(command)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["setup"] => setup::run(),
        ["demo"] => setup::run().and_then(|()| examples::demo()),
        ["test"] => check::run(),
        ["c"] => setup::run().and_then(|()| foreign::projects(&mut lit::Counts::default())),
        ["formula"] => setup::run().and_then(|()| formula::project()),
        ["lit"] => setup::run().and_then(|()| lit::run(None)).map(drop),
        ["lit", filter] => setup::run().and_then(|()| lit::run(Some(filter))).map(drop),
        ["book"] => book::build(),
        ["valgrind"] => setup::run().and_then(|()| examples::under_valgrind(&mut lit::Counts::default())),
        ["editors"] => editors::test(&mut lit::Counts::default()),
        ["bench"] => bench::run(),
        ["bench", "compile", ref sizes @ ..] => setup::run().and_then(|()| {
            let command = ["bench", "-p", "minoan", "--bench", "compile", "--"];
            process::run(process::cargo(&[&command, sizes].concat()))
        }),
        ["bench", "math", ref functions @ ..] => math::run(functions),
        ["bench", "kernels", ref rows @ ..] => bench_python("bench/kernels/bench_kernels.py", rows),
        ["bench", "models", ref models @ ..] => bench_python("bench/models/bench_models.py", models),
        ["bench", "objects", ref rows @ ..] => bench_python("bench/objects/bench_objects.py", rows),
        ["bench", "gradients", ref rows @ ..] => bench_python("bench/gradients/bench_gradients.py", rows),
        ["python"] => setup::run().and_then(|()| python::test(&mut lit::Counts::default())),
        ["wheel"] => setup::run().and_then(|()| python::release()),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        [] => Err(format!("no command\n\n{USAGE}")),
        [..] => Err(format!("unknown command '{}'\n\n{USAGE}", arguments.join(" "))),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
