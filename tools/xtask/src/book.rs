//! Builds the book as HTML.

use crate::process::{cargo, root, run, shown};
use crate::{Outcome, tools};
use std::path::PathBuf;
use std::process::Command;

/// The version of mdbook that the book is built with.
const MDBOOK: &str = "0.5.4";

/// Assembles the chapters and the pages of the dialects in `target/book`, builds HTML of them and checks its links. mdbook is
/// installed in `target/mdbook`; if that fails, for example without a network, no HTML is built. The file tests check links
/// and the summary without mdbook.
pub fn build() -> Outcome {
    let kopt = tools::build_for_checks(&["kopt"])?.join("kopt");
    let out = root().join("target/book");
    std::fs::create_dir_all(&out).map_err(|error| format!("cannot create '{}': {error}", out.display()))?;
    let mut assemble = Command::new("python3");
    assemble.current_dir(root()).arg("docs/assemble.py").arg(kopt).arg(&out);
    run(assemble)?;
    let Some(program) = mdbook() else {
        println!(
            "there is no HTML, since mdbook {MDBOOK} is not installed: {} holds its input",
            out.display()
        );
        return Ok(());
    };
    let mut mdbook = Command::new(program);
    mdbook.arg("build").arg(&out);
    println!("$ {}", shown(&mdbook));
    let built = mdbook.output().map_err(|error| format!("cannot start mdbook: {error}"))?;
    let messages = String::from_utf8_lossy(&built.stderr);
    eprint!("{messages}");
    if !built.status.success() || messages.lines().any(|line| line.trim_start().starts_with("WARN")) {
        return Err(format!("'{}' failed or warned", shown(&mdbook)));
    }
    let mut check = Command::new("python3");
    check.arg(root().join("docs/check_html.py")).arg(out.join("book"));
    run(check)
}

/// The path of mdbook, which is installed first if necessary; `None` if the installation fails.
fn mdbook() -> Option<PathBuf> {
    let folder = tools::target().join("mdbook");
    let program = folder.join("bin/mdbook");
    let version = || {
        let output = Command::new(&program).arg("--version").output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim() == format!("mdbook v{MDBOOK}"))
    };
    if version() != Some(true) {
        let package = format!("mdbook@{MDBOOK}");
        let features = ["--no-default-features", "--features", "search"];
        let mut install = cargo(&["install", "--quiet", "--locked", &package]);
        install.args(features).arg("--root").arg(&folder).envs(tools::BUILT_QUICKLY);
        if let Err(message) = run(install) {
            eprintln!("warning: {message}");
        }
    }
    version()?.then_some(program)
}
