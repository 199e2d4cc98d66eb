//! Compiles `src/registration.cpp`, which registers the dialects, passes and translations that the back end uses.

use minoan_llvm_check::llvm_config;

fn main() {
    println!("cargo::rerun-if-changed=src/registration.cpp");
    // docs.rs has no LLVM, and does not link.
    if std::env::var_os("DOCS_RS").is_some() {
        return;
    }
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag_if_supported("-fno-rtti")
        .flag("-isystem")
        .flag(llvm_config("MLIR_SYS_220_PREFIX", "--includedir"))
        .file("src/registration.cpp")
        .compile("minoan_registration");
}
