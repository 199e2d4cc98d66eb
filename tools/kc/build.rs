//! Linker options that make `kc` smaller.
//!
//! libLLVM.so is among the libraries that the linker reads, though the code is linked statically. The linker therefore exports
//! every symbol that both define: 40,000 symbols that it then cannot drop, each with a relocation at start-up. They are excluded.
//!
//! One function in ten of LLVM and MLIR, as instances of templates, has the same machine code as another. LLD makes such functions one,
//! as Microsoft's linker does by default. No code of LLVM or of this project compares addresses of functions.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg-bins=-Wl,--exclude-libs,ALL");
        if env::var("PROFILE").as_deref() == Ok("release") && links_with_lld() {
            println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
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
