//! `include/minoan.h` is what cbindgen makes of the sources. `MINOAN_BLESS=1` writes it.

use std::path::Path;

#[test]
fn the_header_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("the configuration is valid");
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in ["error", "table", "session", "module", "operation", "create", "array", "function"] {
        builder = builder.with_src(root.join(format!("src/{file}.rs")));
    }
    let mut text = Vec::new();
    builder.generate().expect("the sources are understood").write(&mut text);
    let path = root.join("include/minoan.h");
    if std::env::var_os("MINOAN_BLESS").is_some() {
        std::fs::write(&path, &text).expect("the header is written");
    }
    let committed = std::fs::read(&path).unwrap_or_default();
    assert!(committed == text, "run MINOAN_BLESS=1 cargo test -p minoan-capi --test header");
}
