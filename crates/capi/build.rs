//! Names the shared library: before version 1, each minor version has a different interface.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    if variable("CARGO_CFG_TARGET_OS") == "linux" {
        let [major, minor] = ["CARGO_PKG_VERSION_MAJOR", "CARGO_PKG_VERSION_MINOR"].map(variable);
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libminoan.so.{major}.{minor}");
    }
}
