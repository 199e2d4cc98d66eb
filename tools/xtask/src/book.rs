//! Builds the book as HTML.

use crate::process::{root, run, succeeds};
use crate::{Outcome, tools};
use std::process::Command;

/// Assembles the chapters and the pages of the dialects in `target/book`, and builds HTML of them if mdbook is installed.
/// The file tests check links and the summary without mdbook.
pub fn build() -> Outcome {
    let kopt = tools::build(&["kopt"])?.join("kopt");
    let out = root().join("target/book");
    std::fs::create_dir_all(&out).map_err(|error| format!("cannot create '{}': {error}", out.display()))?;
    let mut assemble = Command::new("python3");
    assemble.current_dir(root()).arg("docs/assemble.py").arg(kopt).arg(&out);
    run(assemble)?;
    if !succeeds("mdbook", &["--version"]) {
        println!("mdbook is not installed ('cargo install mdbook'): {} holds its input", out.display());
        return Ok(());
    }
    let mut mdbook = Command::new("mdbook");
    mdbook.arg("build").arg(&out);
    run(mdbook)
}
