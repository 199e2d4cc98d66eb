//! The rules of `ARCHITECTURE.md` and `CONTRIBUTING.md` about crates and files.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A crate of the workspace.
struct Package {
    /// The folder, relative to the root: `crates/ir`.
    folder: String,
    /// The folders of the crates that it depends on, except for tests.
    dependencies: BTreeSet<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

/// The crates of the workspace.
fn packages() -> Vec<Package> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["metadata", "--no-deps", "--format-version=1", "--offline"]).current_dir(root());
    let output = command.output().expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("a list");
    let folder = |package: &Value| {
        let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
        let folder = manifest.parent().expect("a folder").canonicalize().expect("it is there");
        folder.strip_prefix(root()).expect("in the workspace").to_str().expect("a name").to_owned()
    };
    let names: BTreeMap<&str, String> =
        packages.iter().map(|package| (package["name"].as_str().expect("a name"), folder(package))).collect();
    let of = |package: &Value| {
        let dependencies = package["dependencies"].as_array().expect("a list").iter();
        let dependencies = dependencies.filter(|dependency| dependency["kind"].is_null());
        let dependencies = dependencies.filter_map(|dependency| names.get(dependency["name"].as_str()?));
        Package { folder: folder(package), dependencies: dependencies.cloned().collect() }
    };
    packages.iter().map(of).collect()
}

/// The parts of a text in backticks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// A row of the code map in `ARCHITECTURE.md`: the folders, and the text of the column "depends on".
fn rows(text: &str) -> Vec<(Vec<String>, String)> {
    let table = text.lines().skip_while(|line| !line.starts_with("| path |")).skip(2);
    let table = table.take_while(|line| line.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [paths, _, dependencies] = cells[..] else { panic!("a row has three cells: {line}") };
        (code(paths).map(str::to_owned).collect(), dependencies.to_owned())
    };
    table.map(row).collect()
}

/// The column names the crates that are not dialects by their folder in `crates`. A row for several crates has the union
/// of theirs.
#[test]
fn dependencies_of_crates_are_those_of_the_code_map() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("text");
    let (packages, rows) = (packages(), rows(&text));
    let mut wrong = Vec::new();
    let mut described: BTreeSet<&str> = BTreeSet::new();
    for (paths, column) in &rows {
        let is_in_row = |package: &&Package| match paths[..] {
            [ref all] if all == "dialects/*" => package.folder.starts_with("dialects/"),
            _ => paths.contains(&package.folder),
        };
        let own: Vec<&Package> = packages.iter().filter(is_in_row).collect();
        described.extend(own.iter().map(|package| &*package.folder));
        if own.is_empty() || column == "everything" {
            continue;
        }
        let all: BTreeSet<&str> =
            own.iter().flat_map(|package| &package.dependencies).map(String::as_str).collect();
        let dialects = all.iter().any(|folder| folder.starts_with("dialects/"));
        if column.contains("no dialect") && dialects {
            wrong.push(format!("{} depends on a dialect", paths.join(", ")));
        }
        let expected: BTreeSet<&str> =
            all.iter().filter_map(|folder| folder.strip_prefix("crates/")).collect();
        let found: BTreeSet<&str> = code(column).collect();
        if expected != found {
            wrong.push(format!("{} depends on {expected:?}, not on {found:?}", paths.join(", ")));
        }
    }
    let all = packages.iter().map(|package| &*package.folder);
    let missing = all.filter(|&folder| folder.starts_with("crates/") && !described.contains(folder));
    wrong.extend(missing.map(|folder| format!("{folder} has no row")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Passes, and what they are made of, work on the operations of any dialect.
#[test]
fn no_dialect_is_below_the_passes() {
    let packages = packages();
    let by_folder: BTreeMap<&str, &Package> =
        packages.iter().map(|package| (&*package.folder, package)).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut pending = vec!["passes", "crates/interp", "crates/generate", "crates/explain"];
    while let Some(folder) = pending.pop() {
        assert!(!folder.starts_with("dialects/"), "{folder} is below the passes");
        if seen.insert(folder) {
            pending.extend(by_folder[folder].dependencies.iter().map(String::as_str));
        }
    }
}

#[test]
fn each_source_file_has_a_head() {
    let mut pending: Vec<PathBuf> =
        packages().iter().map(|package| root().join(&package.folder).join("src")).collect();
    let mut without = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending
                .extend(std::fs::read_dir(&path).expect("a folder").map(|file| file.expect("a file").path()));
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !std::fs::read_to_string(&path).expect("text").trim_start().starts_with("//!")
        {
            without.push(path);
        }
    }
    assert!(without.is_empty(), "no documentation of the module: {without:?}");
}
