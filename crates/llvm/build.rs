//! Compiles the runtime into a static library that minoan-llvm embeds, for `kc build` to link into shared libraries
//! and programs. Plain `rustc` compiles the sources of minoan-runtime, which has no dependencies, so that neither a
//! second package nor a file beside the tool is needed.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
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
        Ok(status) if status.success() => {}
        Ok(status) => panic!("rustc could not compile the runtime archive: {status}"),
        Err(error) => panic!("cannot start rustc: {error}"),
    }
}
