//! Writes the Rust blocks of each chapter into one file.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=src");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    for entry in fs::read_dir("src").expect("the chapters are in src") {
        let path = entry.expect("a readable directory").path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).expect("a chapter is text");
            let name = path.with_extension("rs");
            let name = name.file_name().expect("a chapter has a name");
            fs::write(Path::new(&out).join(name), program(&text)).expect("OUT_DIR can be written");
        }
    }
}

/// The text between "```rust" and "```".
fn program(chapter: &str) -> String {
    let mut code = String::new();
    let mut inside = false;
    for line in chapter.lines() {
        match line {
            "```rust" => inside = true,
            "```" => inside = false,
            _ if inside => {
                code.push_str(line);
                code.push('\n');
            }
            _ => {}
        }
    }
    code
}
