//! The linker option that keeps LLVM's symbols out of the dynamic symbol table.
//!
//! libLLVM.so is among the libraries that the linker reads, though the code is linked statically. The linker therefore exports
//! every symbol that both define: 40,000 symbols that it then cannot drop, each with a relocation at start-up.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg-bins=-Wl,--exclude-libs,ALL");
    }
}
