//! Checks the grammars under `editors/`: every program of `examples/` and `test/` is tokenized by those of TextMate and parsed
//! by those of tree-sitter.

use crate::lit::Counts;
use crate::process::{cargo, root, run, run_watched, succeeds};
use crate::{Outcome, tools};
use std::path::PathBuf;
use std::process::Command;

/// The npm packages that the tests of the TextMate grammars use. `package.json` also lists those that package the extension,
/// which are not installed.
const NPM: &[&str] = &["vscode-oniguruma@^2.0.1", "vscode-textmate@^9.2.0"];

/// The version of tree-sitter's command line that generates the parsers. It is installed from crates.io, since the npm
/// package downloads a binary.
const TREE_SITTER: &str = "0.25.10";

/// Tests the grammars. Without Node.js or a network, the tests that need them are skipped with a message.
///
/// # Errors
/// A program has invalid tokens or does not parse.
pub fn test(counts: &mut Counts) -> Outcome {
    if !succeeds("node", &["--version"]) || !succeeds("npm", &["--version"]) {
        println!("skipped: the grammars are tested with Node.js and npm, which are not installed");
        return Ok(());
    }
    let textmate = textmate(counts);
    let tree_sitter = tree_sitter(counts);
    textmate.and(tree_sitter)
}

fn textmate(counts: &mut Counts) -> Outcome {
    let folder = directory().join("npm");
    let modules = folder.join("node_modules");
    if !NPM.iter().all(|package| modules.join(package.split('@').next().unwrap_or_default()).is_dir()) {
        let mut install = Command::new("npm");
        install.args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"]).arg(&folder).args(NPM);
        if let Err(message) = run(install) {
            println!("skipped: the TextMate grammars are tested with packages of npm: {message}");
            return Ok(());
        }
    }
    let mut command = Command::new("node");
    command.env("NODE_PATH", modules).arg("--test").arg("--test-reporter=tap");
    command.arg(root().join("editors/vscode/test/grammars.test.js"));
    run_watched(command, |line| *counts += count(line))
}

fn tree_sitter(counts: &mut Counts) -> Outcome {
    let folder = directory().join("tree-sitter");
    let program = folder.join("bin/tree-sitter");
    let version = || Command::new(&program).arg("--version").output().ok();
    let is_current = version().is_some_and(|output| {
        String::from_utf8_lossy(&output.stdout).split_whitespace().any(|word| word == TREE_SITTER)
    });
    if !is_current {
        let package = format!("tree-sitter-cli@{TREE_SITTER}");
        let mut install = cargo(&["install", "--quiet", "--locked", &package, "--no-default-features"]);
        install.arg("--root").arg(&folder).envs(tools::BUILT_QUICKLY);
        if let Err(message) = run(install) {
            println!("skipped: the tree-sitter grammars are tested with its command line: {message}");
            return Ok(());
        }
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(folder.join("bin")).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(paths).map_err(|error| format!("PATH: {error}"))?;
    let parsers = directory().join("parsers");
    std::fs::create_dir_all(&parsers)
        .map_err(|error| format!("cannot create '{}': {error}", parsers.display()))?;
    let mut check = Command::new("bash");
    check.env("PATH", path).arg(root().join("editors/tree-sitter/check.sh")).arg(&parsers);
    run(check)?;
    counts.passed += 4;
    Ok(())
}

/// The folder of the files that the checks install and generate.
fn directory() -> PathBuf {
    tools::target().join("editors")
}

/// Parses a line of the summary of Node's test runner: `# pass 13`.
fn count(line: &str) -> Counts {
    let number =
        |label: &str| line.strip_prefix(label).and_then(|rest| rest.trim().parse().ok()).unwrap_or(0);
    Counts { passed: number("# pass "), failed: number("# fail ") }
}

#[cfg(test)]
mod tests {
    use super::{Counts, count};

    #[test]
    fn the_summary_of_node_is_counted() {
        assert_eq!(count("# pass 13"), Counts { passed: 13, failed: 0 });
        assert_eq!(count("# fail 2"), Counts { passed: 0, failed: 2 });
        assert_eq!(count("ok 13 - characters of no language are invalid"), Counts::default());
    }
}
