//! The projects in C and C++ under `examples/`, built from an installed prefix as their readers build them.

use crate::Outcome;
use crate::lit::Counts;
use crate::process::{cargo, root, run};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The expected output of the C program, before its diagnostics.
const CLASSIFIED: &[&str] = &[
    "0.7311 0.2689",
    "0.1192 0.8808",
    "argument 1: expected a tensor of shape [?, 3], found [6]",
    "the model is released",
    "diagnostic at bad.ks:2:10:",
    "1 diagnostic",
    "0 objects are left",
];

/// Lines of the expected output of the C++ compiler.
const COMPILED: &[&str] = &[
    "func.func @hyp(%arg0: f64, %arg1: f64) -> f64",
    "math.sqrt",
    "hyp = 5",
    "an error: expected 2 arguments, found 1",
];

/// Installs the library of a debug build into a prefix, and builds and runs the projects with it: by CMake, and the C program
/// also by pkg-config.
pub fn projects(counts: &mut Counts) -> Outcome {
    run(cargo(&["rustc", "--package", "minoan-capi", "--lib", "--crate-type", "cdylib"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let work = root().join(&target).join("foreign");
    let prefix = work.join("prefix");
    if prefix.exists() {
        std::fs::remove_dir_all(&prefix).map_err(|error| format!("{}: {error}", prefix.display()))?;
    }
    let define = |name: &str, value: &Path| format!("-D{name}={}", value.display());
    let build = work.join("minoan");
    let debug = root().join(&target).join("debug");
    let defines = [define("MINOAN_BUILT", &debug), define("CMAKE_INSTALL_PREFIX", &prefix)];
    configure(root(), &build, &[&defines[0], &defines[1], "-DCMAKE_INSTALL_LIBDIR=lib"])?;
    let mut install = Command::new("cmake");
    install.arg("--install").arg(&build).args(["--component", "library"]);
    run(install)?;

    let model = root().join("examples/mixed/model.relay");
    let found = define("CMAKE_PREFIX_PATH", &prefix);
    for (project, program, expected) in
        [("c-model", "classify", CLASSIFIED), ("cpp-compiler", "calc", COMPILED)]
    {
        let (source, build) = (root().join("examples").join(project), work.join(project));
        configure(&source, &build, &[&found])?;
        let mut make = Command::new("cmake");
        make.arg("--build").arg(&build);
        run(make)?;
        let mut command = Command::new(build.join(program));
        match program {
            "classify" => command.arg(&model),
            _ => command.arg(source.join("hyp.calc")).args(["3", "4"]),
        };
        prints(&mut command, expected)?;
        counts.passed += 1;
    }

    let flags = Command::new("pkg-config")
        .args(["--cflags", "--libs", "minoan"])
        .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
        .output()
        .map_err(|error| format!("cannot start pkg-config: {error}"))?;
    let flags = String::from_utf8_lossy(&flags.stdout).into_owned();
    let program = work.join("classify");
    let mut compile = Command::new("cc");
    compile
        .arg(root().join("examples/c-model/classify.c"))
        .args(flags.split_whitespace())
        .arg("-o")
        .arg(&program);
    compile.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()));
    run(compile)?;
    prints(Command::new(program).arg(&model), CLASSIFIED)?;
    counts.passed += 1;
    Ok(())
}

fn configure(source: impl AsRef<OsStr>, build: &Path, defines: &[&str]) -> Outcome {
    let mut command = Command::new("cmake");
    command.arg("-S").arg(source.as_ref()).arg("-B").arg(build).args(defines);
    run(command)
}

/// Runs a program, whose output must contain these texts in order.
fn prints(command: &mut Command, expected: &[&str]) -> Outcome {
    let output = command.output().map_err(|error| format!("cannot start {command:?}: {error}"))?;
    let (printed, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let mut rest = &*printed;
    for text in expected {
        match rest.find(text) {
            Some(at) => rest = &rest[at + text.len()..],
            None => return Err(format!("{command:?} does not print '{text}':\n{printed}{errors}")),
        }
    }
    if output.status.success() { Ok(()) } else { Err(format!("{command:?}: {}\n{errors}", output.status)) }
}
