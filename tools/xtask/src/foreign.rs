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

/// Lines of the expected output of the C++ program that builds a function by operations.
const BUILT: &[&str] = &["func.func @power(%arg0: f64, %arg1: index) -> f64", "scf.for", "1024"];

/// Installs the library of a debug build into a prefix, and builds and runs the projects with it: by CMake, and the C program
/// also by pkg-config.
pub fn projects(counts: &mut Counts) -> Outcome {
    let version = env!("CARGO_PKG_VERSION").rsplit_once('.').map_or("", |(minor, _)| minor);
    let soname = format!("link-arg=-Wl,-soname,libminoan.so.{version}");
    run(cargo(&[
        "rustc",
        "--package",
        "minoan-capi",
        "--lib",
        "--crate-type",
        "cdylib",
        "--",
        "-C",
        &soname,
    ]))?;
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

    let library = prefix.join("lib/libminoan.so");
    let real = std::fs::canonicalize(&library).map_err(|error| format!("{}: {error}", library.display()))?;
    let name = real.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if name != concat!("libminoan.so.", env!("CARGO_PKG_VERSION")) {
        return Err(format!("{} is a link to '{name}'", library.display()));
    }

    let model = root().join("examples/mixed/model.relay");
    let found = define("CMAKE_PREFIX_PATH", &prefix);
    for (project, program, expected) in [
        ("c-model", "classify", CLASSIFIED),
        ("cpp-compiler", "calc", COMPILED),
        ("cpp-compiler", "power", BUILT),
    ] {
        let (source, build) = (root().join("examples").join(project), work.join(project));
        configure(&source, &build, &[&found])?;
        let mut make = Command::new("cmake");
        make.arg("--build").arg(&build);
        run(make)?;
        let mut command = Command::new(build.join(program));
        match program {
            "classify" => command.arg(&model),
            "power" => command.args(["2", "10"]),
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
    prints(Command::new(&program).arg(&model), CLASSIFIED)?;
    needs(&program, &format!("[libminoan.so.{version}]"))?;
    counts.passed += 1;
    under_valgrind()?;
    counts.passed += 1;
    Ok(())
}

/// Runs random sequences of calls, whose handles may be stale, of another kind or made up, under valgrind.
fn under_valgrind() -> Outcome {
    let mut build = cargo(&["test", "--package", "minoan-capi", "--test", "calls", "--no-run"]);
    let output = build.arg("--message-format=json").output();
    let output = output.map_err(|error| format!("cannot start cargo: {error}"))?;
    let messages = String::from_utf8_lossy(&output.stdout);
    let executable = messages.split("\"executable\":\"").nth(1).and_then(|rest| rest.split('"').next());
    let executable = executable.ok_or("the tests of the C interface do not build")?;
    let mut command = Command::new("valgrind");
    command.args(["-q", "--error-exitcode=99", "--", executable, "no_sequence", "created"]);
    command.env("MINOAN_SEQUENCES", "3");
    run(command)
}

/// Checks that a program needs a shared library, by its soname in brackets.
fn needs(program: &Path, soname: &str) -> Outcome {
    let output = Command::new("readelf").arg("-d").arg(program).output();
    let output = output.map_err(|error| format!("cannot start readelf: {error}"))?;
    match String::from_utf8_lossy(&output.stdout).contains(soname) {
        true => Ok(()),
        false => Err(format!("{} does not need {soname}", program.display())),
    }
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
