//! Publishes the location of the sources to dependents' build scripts as `DEP_MINOAN_RUNTIME_SOURCE`.

fn main() {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    println!("cargo::metadata=source={root}/src");
    println!("cargo::rerun-if-changed=build.rs");
}
