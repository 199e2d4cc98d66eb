//! Linker options that make `kc` smaller.
//!
//! libLLVM.so is among the libraries that the linker reads, though the code is linked statically. The linker therefore exports
//! every symbol that both define: 40,000 symbols that it then cannot drop, each with a relocation at start-up. They are excluded.
//!
//! Many functions of LLVM and MLIR, as instances of templates, have the same machine code as another. LLD folds such functions,
//! as Microsoft's linker does by default in release builds; an optimized executable is a tenth smaller. Two different functions
//! may then have the same address, so `kc` must not compare functions by their addresses. The file tests run on an executable
//! linked in this way.
//!
//! The executable is linked at a fixed address. A position-independent executable has 180,000 pointers that the loader relocates
//! at each start, which takes a quarter of the time of `kc --version`, and a relocation table of 4 MB. The stack, the heap, the
//! libraries and compiled code stay at random addresses.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg-bins=-Wl,--exclude-libs,ALL");
        if env::var("OPT_LEVEL").as_deref() != Ok("0") && links_with_lld() {
            println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
            println!("cargo::rustc-link-arg-bins=-no-pie");
        }
    }
}

/// Whether rustc links with LLD, as it does for x86-64 unless it is given another linker.
fn links_with_lld() -> bool {
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    env::var("TARGET").as_deref() == Ok("x86_64-unknown-linux-gnu")
        && env::var_os("RUSTC_LINKER").is_none()
        && !flags.contains("link")
}
