//! The linker option that keeps LLVM's symbols out of the dynamic symbol table: `tools/kc/build.rs` has the reason.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg-bins=-Wl,--exclude-libs,ALL");
    }
}
