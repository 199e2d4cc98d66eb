//! Builds and runs the C and C++ projects under `examples/` against an installed prefix, as users build them.

use crate::lit::Counts;
use crate::process::{cargo, root, run};
use crate::{Outcome, tools};
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// The expected output of the C program, before its diagnostics.
const CLASSIFIED: &[&str] = &[
    "0.7311 0.2689",
    "0.1192 0.8808",
    "in place: 0.1192 0.8808",
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
    "hyp with the numbers exchanged = 5",
    "an error: expected 2 arguments, found 1",
];

/// Lines of the expected output of the C++ program that builds a function by operations.
const BUILT: &[&str] = &["func.func @power(%arg0: f64, %arg1: index) -> f64", "scf.for", "1024"];

/// The integration test of the C interface that also runs under valgrind.
pub const CALLS: &str = "calls";

/// Installs the library that the checks have built into a prefix, and builds and runs the projects against it: with CMake,
/// the C program also with pkg-config.
pub fn projects(counts: &mut Counts) -> Outcome {
    let version = env!("CARGO_PKG_VERSION").rsplit_once('.').map_or("", |(minor, _)| minor);
    if !tools::is_whole_workspace_built() {
        run(cargo(&["build", "--profile", tools::CHECK, "--package", "minoan-capi", "--lib", "--tests"]))?;
    }
    let work = tools::target().join("foreign");
    let prefix = work.join("prefix");
    if prefix.exists() {
        std::fs::remove_dir_all(&prefix).map_err(|error| format!("{}: {error}", prefix.display()))?;
    }
    let define = |name: &str, value: &Path| format!("-D{name}={}", value.display());
    let build = work.join("minoan");
    let built = tools::target().join(tools::CHECK);
    let defines = [define("MINOAN_BUILT", &built), define("CMAKE_INSTALL_PREFIX", &prefix)];
    let [built, at] = &defines;
    configure(root(), &build, &[built, at, "-DCMAKE_INSTALL_LIBDIR=lib", "-DMINOAN_STATIC=ON"])?;
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
    for (project, program, linked, expected) in [
        ("c-model", "classify", "shared", CLASSIFIED),
        ("c-model", "classify", "static", CLASSIFIED),
        ("cpp-compiler", "calc", "shared", COMPILED),
        ("cpp-compiler", "power", "shared", BUILT),
    ] {
        let (source, build) = (root().join("examples").join(project), work.join(project).join(linked));
        let mut defines = vec![&*found];
        if linked == "static" {
            defines.push("-DSTATIC=ON");
        }
        configure(&source, &build, &defines)?;
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
        if linked == "static" && needs_library(&build.join(program), "minoan")? {
            return Err(format!("{} needs libminoan.so", build.join(program).display()));
        }
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
    if !needs_library(&program, &format!("minoan.so.{version}]"))? {
        return Err(format!("{} does not need libminoan.so.{version}", program.display()));
    }
    counts.passed += 1;
    under_sanitizer(&prefix, &work)?;
    counts.passed += 1;
    under_valgrind()?;
    counts.passed += 1;
    Ok(())
}

/// Runs random sequences of calls, whose handles may be stale, of another kind or made up, under valgrind.
fn under_valgrind() -> Outcome {
    let mut command = Command::new("valgrind");
    command.args(["-q", "--error-exitcode=99", "--"]).arg(tools::test_executable(CALLS)?);
    command.args(["no_sequence", "created"]);
    command.env("MINOAN_SEQUENCES", "3");
    run(command)
}

/// Runs random sequences of calls from a C program built with AddressSanitizer, which also intercepts the allocations of the
/// library.
fn under_sanitizer(prefix: &Path, work: &Path) -> Outcome {
    let program = work.join("sequences");
    let mut compile = Command::new("cc");
    compile.args([
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-g",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
    ]);
    compile.arg(root().join("crates/capi/tests/sequences.c"));
    compile.arg(format!("-I{}", prefix.join("include").display()));
    compile.arg(format!("-L{}", prefix.join("lib").display())).arg("-lminoan");
    compile.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display())).arg("-o").arg(&program);
    run(compile)?;
    prints(Command::new(&program).args(["20", "1"]), &["20 sequences, 0 objects are left"])
}

/// Whether a program needs a shared library whose name begins with `name`.
fn needs_library(program: &Path, name: &str) -> Outcome<bool> {
    let output = Command::new("readelf").arg("-d").arg(program).output();
    let output = output.map_err(|error| format!("cannot start readelf: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).contains(&format!("[lib{name}")))
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
