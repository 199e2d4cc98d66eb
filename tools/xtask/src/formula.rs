//! Checks that the first page of the book shows the current output of its project, `examples/formula`.

use crate::process::{root, run};
use crate::{Outcome, tools};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The page that shows the commands and their output.
const PAGE: &str = "docs/src/first-compiler.md";

/// A temporary directory, removed on drop.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // A temporary directory that remains does no harm.
        let _removed = fs::remove_dir_all(&self.0);
    }
}

/// Runs the commands of the page with the workspace's member, and compares the output with the page.
pub fn page() -> Outcome {
    compare(&tools::build_for_checks(&["formula"])?.join("formula"))
}

/// Creates the project as readers of the page do, outside of the workspace, by `cargo new` and `cargo add`, and compares its
/// output with the page. Cargo builds all crates that the project depends on again.
pub fn project() -> Outcome {
    let scratch = Scratch(std::env::temp_dir().join(format!("minoan-first-page-{}", std::process::id())));
    fs::create_dir_all(&scratch.0).map_err(|error| format!("{}: {error}", scratch.0.display()))?;
    let project = scratch.0.join("formula");
    let facade = root().join("crates/minoan").display().to_string();
    run(cargo(&scratch.0, &["new", "--vcs", "none", "formula"]))?;
    run(cargo(&project, &["add", "--offline", "minoan", "--path", &facade]))?;
    for file in ["src/main.rs", ".cargo/config.toml"] {
        copy(&root().join("examples/formula").join(file), &project.join(file))?;
    }
    // The versions that are downloaded already, with the profile of the workspace: most crates of the registry are not built
    // again.
    copy(&root().join("Cargo.lock"), &project.join("Cargo.lock"))?;
    let mut build = cargo(&project, &["build", "--offline", "--profile", tools::CHECK]);
    build.env("CARGO_TARGET_DIR", tools::target()).arg("--config").arg(root().join("Cargo.toml"));
    run(build)?;
    compare(&tools::target().join(tools::CHECK).join("formula"))
}

/// Runs the commands of the page, and compares the output with the page.
fn compare(program: &Path) -> Outcome {
    let page = fs::read_to_string(root().join(PAGE)).map_err(|error| format!("{PAGE}: {error}"))?;
    let mut checked = 0;
    for (words, expected) in commands(&page) {
        let output = Command::new(program).args(&words).output();
        let output = output.map_err(|error| format!("{}: {error}", program.display()))?;
        let shown = [output.stdout, output.stderr].concat();
        let shown = String::from_utf8_lossy(&shown);
        if shown.trim_end() != expected {
            return Err(format!("{PAGE}: formula {words:?}: expected\n{expected}\nfound\n{shown}"));
        }
        checked += 1;
    }
    if checked == 0 { Err(format!("{PAGE} shows no 'cargo run'")) } else { Ok(()) }
}

fn cargo(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(directory).args(arguments);
    command
}

fn copy(from: &Path, to: &Path) -> Outcome {
    let parent = to.parent().unwrap_or(to);
    let copied = fs::create_dir_all(parent).and_then(|()| fs::copy(from, to));
    copied.map(drop).map_err(|error| format!("{}: {error}", to.display()))
}

/// The arguments of each `cargo run -- ..` of a page, with the lines that it prints.
fn commands(page: &str) -> Vec<(Vec<String>, String)> {
    let mut found: Vec<(Vec<String>, String)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") || line.starts_with("$ ") {
            inside = false;
        }
        if let Some(given) = line.strip_prefix("$ cargo run -- ") {
            inside = true;
            found.push((words(given), String::new()));
        } else if let Some((_, expected)) = found.last_mut().filter(|_| inside) {
            if !expected.is_empty() {
                expected.push('\n');
            }
            expected.push_str(line);
        }
    }
    found
}

/// The words of a command line; quotes are single.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let of_part = |(at, part): (usize, &str)| match at % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    };
    parts.flat_map(of_part).collect()
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn commands_of_a_page() {
        let page = "```console\n$ cargo new f\n$ cargo run -- 'x y +' 3\n18\n$ cargo run -- x\nerror: no\n  |\n```\ntext";
        let expected = [(vec!["x y +", "3"], "18"), (vec!["x"], "error: no\n  |")];
        let found = commands(page);
        let found: Vec<_> = found
            .iter()
            .map(|(words, text)| (words.iter().map(String::as_str).collect::<Vec<_>>(), text.as_str()))
            .collect();
        assert_eq!(found, expected);
    }
}
