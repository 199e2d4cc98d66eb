//! Checks that `kopt` prints the same bytes as `mlir-opt` for every file of `test/IR` and `test/Dialect` and every
//! printing flag.
//!
//! The files contain every operation of the dialects that both tools have. lit compares files whose names contain
//! `invalid`, with `--verify-diagnostics`. Both tools reject the parts of `refused.mlir` at the same locations.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The dialects that both tools have.
const DIALECTS: [&str; 16] = [
    "affine",
    "arith",
    "bufferization",
    "builtin",
    "cf",
    "complex",
    "dlti",
    "func",
    "index",
    "linalg",
    "math",
    "memref",
    "scf",
    "tensor",
    "ub",
    "vector",
];

/// Directories of dialects that `mlir-opt` lacks.
const OWN: [&str; 6] = ["Data", "Diff", "IExpr", "Knossos", "Relay", "Schedule"];

const FLAGS: [&[&str]; 16] = [
    &[],
    &["--mlir-print-op-generic"],
    &["--mlir-print-debuginfo"],
    &["--mlir-print-local-scope"],
    &["--mlir-print-debuginfo", "--mlir-print-local-scope"],
    &["--mlir-print-debuginfo", "--mlir-pretty-debuginfo"],
    &["--mlir-print-op-generic", "--mlir-print-debuginfo"],
    &["--mlir-elide-elementsattrs-if-larger=1", "--mlir-elide-resource-strings-if-larger=20"],
    &["--mlir-print-elementsattrs-with-hex-if-larger=1"],
    &["--mlir-print-value-users"],
    &["--mlir-print-value-users", "--mlir-print-op-generic", "--mlir-print-local-scope"],
    &["--mlir-print-unique-ssa-ids"],
    &["--mlir-print-value-users", "--mlir-print-unique-ssa-ids", "--mlir-print-debuginfo"],
    &["--mlir-print-skip-regions"],
    &["--mlir-print-skip-regions", "--mlir-print-op-generic"],
    &["--mlir-use-nameloc-as-prefix", "--mlir-print-assume-verified"],
];

fn llvm() -> PathBuf {
    std::env::var_os("LLVM_SYS_221_PREFIX").map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from)
}

/// The path of `mlir-opt`. If it is not installed, the test fails, or is skipped with `MINOAN_SKIP_MISSING_TOOLS=1`.
fn mlir_opt() -> Option<PathBuf> {
    let path = llvm().join("bin/mlir-opt");
    if path.exists() {
        return Some(path);
    }
    let skips = std::env::var_os("MINOAN_SKIP_MISSING_TOOLS").is_some_and(|value| value == "1");
    assert!(skips, "{} is not installed: 'cargo xtask setup' installs it", path.display());
    eprintln!("skipped: {} is not installed", path.display());
    None
}

fn run(tool: &Path, flags: &[&str], file: &Path) -> Output {
    let mut command = Command::new(tool);
    command.arg("--allow-unregistered-dialect").args(flags).arg(file);
    command.output().unwrap_or_else(|error| panic!("cannot run {}: {error}", tool.display()))
}

/// Collects the files in a directory tree, sorted by name.
fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(directory).expect("the directory is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !OWN.contains(&name) {
            files(&path, found);
        } else if name.ends_with(".mlir") && !name.contains("invalid") {
            found.push(path);
        }
    }
}

fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test");
    let mut found = Vec::new();
    for directory in ["IR", "Dialect"] {
        files(&root.join(directory), &mut found);
    }
    found
}

/// The first lines in which two outputs differ.
fn difference(theirs: &Output, ours: &Output) -> Option<String> {
    if !theirs.status.success() {
        return Some(format!("mlir-opt refuses it: {}", String::from_utf8_lossy(&theirs.stderr)));
    }
    if !ours.status.success() {
        return Some(format!("kopt refuses it: {}", String::from_utf8_lossy(&ours.stderr)));
    }
    if theirs.stdout == ours.stdout {
        return None;
    }
    let [theirs, ours] = [theirs, ours].map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let mut pairs = theirs.split('\n').zip(ours.split('\n')).enumerate();
    Some(match pairs.find(|(_, (theirs, ours))| theirs != ours) {
        Some((line, (theirs, ours))) => {
            format!("line {}:\n  mlir-opt: {theirs}\n  kopt:     {ours}", line + 1)
        }
        None => format!("{} bytes of mlir-opt, {} of kopt", theirs.len(), ours.len()),
    })
}

/// The operation names in a text in generic form.
fn operations(text: &str) -> impl Iterator<Item = String> {
    let name = Regex::new(r#""([a-z_]+\.[a-z_0-9.]+)"\("#).expect("a pattern");
    name.captures_iter(text).map(|found| found[1].to_owned()).collect::<Vec<_>>().into_iter()
}

/// Operations of these dialects that MLIR does not have.
const ONLY_MINOAN: [&str; 1] = ["math.ldexp"];

/// The operations of the dialects registered in a context.
fn registered() -> BTreeSet<String> {
    let ctx = minoan::context();
    let names = DIALECTS.iter().filter_map(|dialect| ctx.dialect(dialect));
    names
        .flat_map(|dialect| {
            dialect.ops().iter().map(|&kind| ctx.kind_name(kind).to_owned()).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn output_matches_mlir_opt() {
    let Some(mlir_opt) = mlir_opt() else { return };
    let kopt = Path::new(env!("CARGO_BIN_EXE_kopt"));
    let files = corpus();
    assert!(files.len() > 30, "the files are where they were");
    let jobs: Vec<(&PathBuf, &[&str])> =
        files.iter().flat_map(|file| FLAGS.iter().map(move |&flags| (file, flags))).collect();
    let (next, wrong, seen) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::new(BTreeSet::new()));
    let work = || {
        while let Some(&(file, flags)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (theirs, ours) = (run(&mlir_opt, flags, file), run(kopt, flags, file));
            if flags == ["--mlir-print-op-generic"] {
                let text = String::from_utf8_lossy(&theirs.stdout);
                seen.lock().expect("nobody panics").extend(operations(&text));
            }
            if let Some(difference) = difference(&theirs, &ours) {
                let command = format!("{} {}", flags.join(" "), file.display());
                wrong.lock().expect("nobody panics").push(format!("{command}\n{difference}"));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    let wrong = wrong.into_inner().expect("nobody panics");
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), jobs.len(), wrong.join("\n\n"));
    let seen = seen.into_inner().expect("nobody panics");
    let is_ours = |name: &&String| ONLY_MINOAN.contains(&name.as_str());
    let unseen: Vec<String> = registered().difference(&seen).filter(|name| !is_ours(name)).cloned().collect();
    assert!(unseen.is_empty(), "no file exercises {unseen:?}");
    for name in seen.intersection(&registered()) {
        println!("{name}");
    }
}

/// The first error of a tool in each part of a file: the column and the message, by line of the part.
fn first_errors(tool: &Path, flags: &[&str], file: &Path) -> BTreeMap<usize, (String, String)> {
    let said = run(tool, &[&["--split-input-file"], flags].concat(), file).stderr;
    let error = Regex::new(r"^.*?:(\d+):(\d+): error: (.*)").expect("a pattern");
    let mut found = BTreeMap::new();
    for line in String::from_utf8_lossy(&said).lines() {
        if let Some(parts) = error.captures(line) {
            let message = parts[3].trim().to_owned();
            let line = parts[1].parse().expect("a number");
            found.entry(line).or_insert((parts[2].to_owned(), message));
        }
    }
    found
}

/// `kopt` reports what both tools reject at the location and in the words of `mlir-opt`; it may report more.
#[test]
fn rejects_what_mlir_opt_rejects() {
    let Some(mlir_opt) = mlir_opt() else { return };
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refused.mlir");
    let theirs = first_errors(&mlir_opt, &[], &file);
    let ours = first_errors(Path::new(env!("CARGO_BIN_EXE_kopt")), &["--diagnostic-format=line"], &file);
    assert!(theirs.len() > 400, "the file is as it was: {}", theirs.len());
    let same = |line: &usize, (column, message): &(String, String)| {
        ours.get(line).is_some_and(|(ours, more)| ours == column && more.contains(message.as_str()))
    };
    let wrong = theirs.iter().filter(|(line, error)| !same(line, error));
    let wrong: Vec<String> =
        wrong.map(|(line, error)| format!("{line}: mlir-opt {error:?}, kopt {:?}", ours.get(line))).collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), theirs.len(), wrong.join("\n"));
}

/// The registered operations are those that MLIR's headers declare.
#[test]
fn all_upstream_operations_are_registered() {
    let include = llvm().join("include/mlir");
    if !include.exists() {
        return eprintln!("there are no headers to compare with");
    }
    let name = Regex::new(r#"StringLiteral\("(\w+)\.([a-z_0-9.]+)"\)"#).expect("a pattern");
    let mut upstream = BTreeSet::new();
    let mut directories = vec![include];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).expect("a directory of headers") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                directories.push(path);
            } else if path
                .to_str()
                .is_some_and(|path| path.ends_with("Ops.h.inc") || path.ends_with("OpsDialect.h.inc"))
            {
                let text = std::fs::read_to_string(&path).expect("a header");
                let names = name.captures_iter(&text).filter(|found| DIALECTS.contains(&&found[1]));
                upstream.extend(names.map(|found| format!("{}.{}", &found[1], &found[2])));
            }
        }
    }
    assert!(upstream.len() > 300, "the headers are as they were: {}", upstream.len());
    let registered = registered();
    let missing: Vec<&String> = upstream.difference(&registered).collect();
    assert!(missing.is_empty(), "not known: {missing:?}");
}
