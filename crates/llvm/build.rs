//! Compiles the runtime into a static library, which minoan-llvm carries inside: what `kc build` links into
//! shared libraries and programs. The same sources as the crate minoan-runtime, by plain `rustc` (they have
//! no dependencies), so no second package and no search for a file beside the tool.
//!
//! Compiles `src/subtarget.cpp`, which lists what LLVM's C API does not.

use minoan_llvm_check::llvm_config;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment variable with the directory of LLVM.
const PREFIX: &str = "LLVM_SYS_221_PREFIX";

fn main() {
    compile_runtime();
    compile_subtarget();
}

fn compile_subtarget() {
    println!("cargo::rerun-if-changed=src/subtarget.cpp");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag_if_supported("-fno-rtti")
        .flag("-isystem")
        .flag(llvm_config(PREFIX, "--includedir"))
        .file("src/subtarget.cpp")
        .compile("minoan_subtarget");
}

fn compile_runtime() {
    let var = |name: &str| env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"));
    let source = var("DEP_MINOAN_RUNTIME_SOURCE");
    let archive = PathBuf::from(var("OUT_DIR")).join("libminoan_runtime.a");
    println!("cargo::rerun-if-changed={source}");
    println!("cargo::rerun-if-changed=build.rs");

    let status = Command::new(var("RUSTC"))
        .args(["--edition", "2024", "--crate-type", "staticlib", "--crate-name", "minoan_runtime"])
        .args(["--cap-lints", "allow", "--target", &var("TARGET")])
        // Fat LTO removes the unused parts of the standard library.
        .args(["-Copt-level=3", "-Cpanic=abort", "-Clto=fat", "-Ccodegen-units=1"])
        .args(["-Cstrip=debuginfo", "-Crelocation-model=pic"])
        .arg("-o")
        .arg(&archive)
        .arg(format!("{source}/lib.rs"))
        .status();
    match status {
        Ok(status) if status.success() => strip(&archive),
        Ok(status) => panic!("rustc could not compile the runtime archive: {status}"),
        Err(error) => panic!("cannot start rustc: {error}"),
    }
}

/// Removes the debug information of the standard library from an archive: two thirds of it, which every tool would carry.
fn strip(archive: &Path) {
    let strip = llvm_config(PREFIX, "--bindir").join("llvm-strip");
    match Command::new(&strip).arg("--strip-debug").arg(archive).status() {
        Ok(status) if status.success() => {}
        // The archive is larger and as good.
        Ok(_) | Err(_) => println!("cargo::warning={} cannot strip the runtime archive", strip.display()),
    }
}
