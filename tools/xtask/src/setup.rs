//! Checks and installs the system packages that the project requires.
//!
//! LLVM and MLIR 22 are packages of Debian 12 (from its security archive, which is a source of every installation);
//! see `third_party/README.md`.

use crate::Outcome;
use crate::process::{self, succeeds};
use std::path::Path;
use std::process::Command;

/// Debian packages and their purpose.
const PACKAGES: &[(&str, &str)] = &[
    ("llvm-22-dev", "LLVM's library and headers"),
    ("libmlir-22-dev", "MLIR's libraries and headers"),
    ("mlir-22-tools", "mlir-opt, the reference that file tests compare with"),
    ("llvm-22-tools", "lit and FileCheck"),
    ("clang-22", "libclang, from which the bindings are generated"),
    ("lld-22", "the linker"),
    ("libpolly-22-dev", "LLVM's list of libraries names it"),
    ("libzstd-dev", "LLVM links to it"),
    ("zlib1g-dev", "LLVM links to it"),
    ("libxml2-dev", "LLVM links to it"),
    ("cmake", "projects in C and C++ use the library by it"),
    ("pkg-config", "a project in C uses the library by it"),
    ("g++", "melior compiles a little C++"),
    ("valgrind", "examples run under it"),
    ("libc6-dbg", "valgrind reads the symbols of the dynamic linker"),
    ("neovim", "a test of the language server runs a session of it"),
    ("python3", "lit is written in it"),
    ("python3-venv", "the Python package is tested in virtual environments"),
    ("python3-numpy", "a test compares numbers with NumPy's"),
];

/// Installs the missing packages.
pub fn run() -> Outcome {
    let missing = missing_packages();
    if missing.is_empty() {
        println!("set up: everything is there");
        return Ok(());
    }
    for (name, purpose) in PACKAGES.iter().filter(|(name, _)| missing.contains(name)) {
        println!("missing: {name} ({purpose})");
    }
    if !succeeds("apt-get", &["--version"]) {
        if Path::new("/usr/lib/llvm-22/bin/mlir-opt").exists() {
            eprintln!("warning: no apt-get here; going on with the LLVM 22 in /usr/lib/llvm-22");
            return Ok(());
        }
        return Err(
            "this is not a Debian system: install LLVM 22 and MLIR 22 yourself and set LLVM_SYS_221_PREFIX, \
                    MLIR_SYS_220_PREFIX and TABLEGEN_220_PREFIX to where they are (see third_party/README.md)"
                .to_owned(),
        );
    }
    install(&missing)?;
    let still = missing_packages();
    if still.is_empty() { Ok(()) } else { Err(format!("still missing: {}", still.join(" "))) }
}

fn install(missing: &[&str]) -> Outcome {
    let apt = |arguments: &[&str]| {
        let mut command = if is_root() { Command::new("apt-get") } else { Command::new("sudo") };
        if !is_root() {
            command.args(["-n", "apt-get"]);
        }
        command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments);
        command
    };
    if !is_root() && !succeeds("sudo", &["-n", "true"]) {
        return Err(format!(
            "these packages are missing: {0}\nrun as root: apt-get update && apt-get install -y {0}",
            missing.join(" ")
        ));
    }
    // An unreachable source is not fatal, since the package lists may be up to date.
    if let Err(message) = process::run(apt(&["update"])) {
        eprintln!("warning: {message}");
    }
    let mut arguments = vec!["install", "-y", "--no-install-recommends"];
    arguments.extend(missing);
    process::run(apt(&arguments))
}

fn missing_packages() -> Vec<&'static str> {
    PACKAGES.iter().map(|&(name, _)| name).filter(|name| !installed(name)).collect()
}

fn installed(package: &str) -> bool {
    let query = Command::new("dpkg-query").args(["-W", "-f=${Status}", package]).output();
    query.is_ok_and(|output| output.stdout == b"install ok installed")
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
