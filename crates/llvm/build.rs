//! Compiles the runtime into a static library, which minoan-llvm carries inside: what `kc build` links into
//! shared libraries and programs. The same sources as the crate minoan-runtime, by plain `rustc` (they have
//! no dependencies), so no second package and no search for a file beside the tool.
//!
//! Compiles the C++ sources, which do what LLVM's C API does not.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::env;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    compile_runtime();
    compile_cpp();
}

fn compile_cpp() {
    const SOURCES: [&str; 2] = ["src/optimizer.cpp", "src/subtarget.cpp"];
    SOURCES.iter().for_each(|source| println!("cargo::rerun-if-changed={source}"));
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag_if_supported("-fno-rtti")
        .flag("-isystem")
        .flag(llvm_config("--includedir"))
        // LLVM's headers are not free of warnings for every compiler.
        .warnings(false)
        .files(SOURCES)
        .compile("minoan_llvm_cpp");
}

/// The path that `llvm-config` prints for an argument such as `--includedir`.
fn llvm_config(argument: &str) -> PathBuf {
    println!("cargo::rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    let config = match env::var("LLVM_SYS_221_PREFIX") {
        Ok(prefix) => PathBuf::from(prefix).join("bin/llvm-config"),
        Err(_) => PathBuf::from("llvm-config-22"),
    };
    match Command::new(&config).arg(argument).output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).trim().into(),
        Ok(output) => panic!("{} failed: {}", config.display(), output.status),
        Err(error) => panic!("cannot start {}: {error}", config.display()),
    }
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
        .arg("-Crelocation-model=pic")
        .arg("-o")
        .arg(&archive)
        .arg(format!("{source}/lib.rs"))
        .status();
    match status {
        Ok(status) if status.success() => {
            strip(&archive);
            compress(&archive);
        }
        Ok(status) => panic!("rustc could not compile the runtime archive: {status}"),
        Err(error) => panic!("cannot start rustc: {error}"),
    }
}

/// Writes the archive in compressed form beside it: it is a large part of the tools that carry it, and few programs link it.
fn compress(archive: &Path) {
    let bytes = fs::read(archive).expect("rustc wrote the archive");
    let mut name = archive.as_os_str().to_owned();
    name.push(".gz");
    let file = File::create(name).expect("cargo's directory can be written");
    let mut encoder = GzEncoder::new(file, Compression::best());
    encoder.write_all(&bytes).and_then(|()| encoder.finish()).expect("cargo's directory can be written");
}

/// Removes the debug information of the standard library from the archive, two thirds of it. `rustc` strips only what it links.
fn strip(archive: &Path) {
    let strip = llvm_config("--bindir").join("llvm-strip");
    match Command::new(&strip).arg("--strip-debug").arg(archive).status() {
        Ok(status) if status.success() => {}
        // The archive is larger and as good.
        Ok(_) | Err(_) => println!("cargo::warning={} cannot strip the runtime archive", strip.display()),
    }
}
