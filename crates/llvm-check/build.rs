//! Fails, with the remedy, if LLVM and MLIR 22 are not where the crates that bind them look.

#[path = "src/find.rs"]
mod find;

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src/find.rs");
    for variable in find::VARIABLES {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    println!("cargo::rerun-if-env-changed=PATH");
    // docs.rs has no LLVM, and does not link.
    if std::env::var_os("DOCS_RS").is_some() {
        return;
    }
    let prefixes = find::VARIABLES.map(|variable| (variable, std::env::var(variable).ok()));
    if let Err(message) = find::check(&prefixes, &run, &|path| Path::new(path).exists()) {
        for line in message.lines() {
            println!("cargo::error={line}");
        }
    }
}

/// The standard output of `program argument`; `None` if it cannot be started or fails.
fn run(program: &str, argument: &str) -> Option<String> {
    let output = Command::new(program).arg(argument).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
