//! The programs in `examples/`: each runs where it starts by itself, with the arguments of the file beside it if it takes
//! any. A folder with a `main` is one program of several files. What takes arguments and has no such file is no example that
//! runs by itself.

use crate::Outcome;
use crate::lit::Counts;
use crate::process::{root, run, shown};
use crate::tools;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The endings of files that hold programs.
const LANGUAGES: [&str; 3] = ["ks", "iexpr", "relay"];

/// Runs every example and shows what it prints.
pub fn demo() -> Outcome {
    let kc = tools::build(&["kc"])?.join("kc");
    let examples = all()?;
    for example in &examples {
        println!("\n== {}", example.strip_prefix(root()).unwrap_or(example).display());
        if let Some(about) = first_comment(example) {
            println!("   {about}");
        }
        run(command(&kc, example)?)?;
        println!();
    }
    println!("\n{} examples ran", examples.len());
    Ok(())
}

/// Runs every example under valgrind, which looks for wrong memory accesses.
pub fn under_valgrind(counts: &mut Counts) -> Outcome {
    let kc = tools::build(&["kc"])?.join("kc");
    let mut failures = Vec::new();
    for example in all()? {
        let mut inner = command(&kc, &example)?;
        // valgrind knows no AVX-512.
        inner.arg("--target-cpu=x86-64-v3");
        let mut command = Command::new("valgrind");
        command.current_dir(root()).args(["-q", "--error-exitcode=99", "--"]).arg(inner.get_program());
        command.args(inner.get_args());
        match run(command) {
            Ok(()) => counts.passed += 1,
            Err(message) => {
                counts.failed += 1;
                failures.push(message);
            }
        }
        println!();
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// Compares the examples' results with NumPy's.
pub fn against_numpy() -> Outcome {
    let kc = tools::build(&["kc"])?.join("kc");
    // Debian's own Python is the one that has Debian's NumPy.
    let debian = Path::new("/usr/bin/python3");
    let mut command = Command::new(if debian.exists() { debian } else { Path::new("python3") });
    command.current_dir(root()).arg("test/numerics/check_numerics.py").arg("--kc").arg(kc);
    run(command)
}

/// How an example is run: the file where it starts, linked with the others of its folder when that is its own.
fn command(kc: &Path, example: &Path) -> Outcome<Command> {
    let mut command = Command::new(kc);
    let relative = |path: &Path| path.strip_prefix(root()).unwrap_or(path).to_path_buf();
    command.current_dir(root()).arg("run").arg(relative(example));
    if is_main(example) {
        let folder = example.parent().unwrap_or(example);
        for part in programs(folder)?.iter().filter(|part| !is_main(part)) {
            command.arg("--link").arg(relative(part));
        }
    }
    if !is_knossos(example) {
        command.arg("--inputs").arg(relative(&arguments(example)));
    }
    // The demo shows the command as it can be typed.
    debug_assert!(shown(&command).starts_with("kc "));
    Ok(command)
}

/// The files where examples start.
fn all() -> Outcome<Vec<PathBuf>> {
    let directory = root().join("examples");
    let mut starts = programs(&directory)?;
    starts.retain(|path| is_knossos(path) || arguments(path).exists());
    for folder in entries(&directory)?.iter().filter(|path| path.is_dir()) {
        starts.extend(programs(folder)?.into_iter().filter(|path| is_main(path)));
    }
    if starts.is_empty() {
        Err(format!("there is no example in '{}'", directory.display()))
    } else {
        Ok(starts)
    }
}

/// Whether it starts at its `main`, which takes nothing.
fn is_knossos(example: &Path) -> bool {
    example.extension().is_some_and(|language| language == "ks")
}

/// The arguments of an example.
fn arguments(example: &Path) -> PathBuf {
    example.with_extension("args.json")
}

fn is_main(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem == "main")
}

/// The programs in a folder.
fn programs(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let is_program =
        |path: &PathBuf| LANGUAGES.iter().any(|it| path.extension().is_some_and(|has| has == *it));
    Ok(entries(folder)?.into_iter().filter(is_program).collect())
}

fn entries(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries =
        fs::read_dir(folder).map_err(|error| format!("cannot read '{}': {error}", folder.display()))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    Ok(paths)
}

/// What the comment in the first line says.
fn first_comment(example: &Path) -> Option<String> {
    let text = fs::read_to_string(example).ok()?;
    let comment = text.lines().next()?.strip_prefix([';', '#', '/'])?;
    Some(comment.trim_start_matches([';', '#', '/']).trim().to_owned())
}
