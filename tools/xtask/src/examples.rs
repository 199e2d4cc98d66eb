//! Runs the programs in `examples/`: each file with an entry point, on the arguments in the file beside it if it takes any.
//! A directory with a `main` is one program of several files. A program that takes arguments is skipped if there is no
//! file of arguments.

use crate::Outcome;
use crate::lit::Counts;
use crate::process::{root, run, shown};
use crate::tools;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The file extensions of programs.
const LANGUAGES: [&str; 3] = ["ks", "iexpr", "relay"];

/// Runs every example and shows its output.
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

/// Runs every example under Valgrind to detect memory errors, two at a time.
pub fn under_valgrind(counts: &mut Counts) -> Outcome {
    let kc = tools::build_for_checks(&["kc"])?.join("kc");
    let examples = all()?;
    let next = AtomicUsize::new(0);
    let work = || {
        let examples = std::iter::from_fn(|| examples.get(next.fetch_add(1, Ordering::Relaxed)));
        examples.map(|example| valgrind(&kc, example)).collect::<Vec<Outcome>>()
    };
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let running = [(); 2].map(|()| scope.spawn(work));
        running.into_iter().flat_map(|thread| thread.join().expect("no example panics")).collect()
    });
    let failures: Vec<String> = outcomes.iter().filter_map(|outcome| outcome.clone().err()).collect();
    counts.failed += failures.len() as u64;
    counts.passed += (outcomes.len() - failures.len()) as u64;
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// Runs an example under Valgrind, and shows the command with its output at the end.
///
/// Valgrind takes half a minute to translate the compiler, so a program of one file that takes no arguments is compiled outside of
/// it, and only its executable runs under Valgrind.
fn valgrind(kc: &Path, example: &Path) -> Outcome {
    let inner = if is_knossos(example) && !is_main(example) {
        Command::new(executable(kc, example)?)
    } else {
        let mut inner = command(kc, example)?;
        inner.arg(VALGRIND_CPU);
        inner
    };
    let mut command = Command::new("valgrind");
    command.current_dir(root()).args(["-q", "--error-exitcode=99", "--"]).arg(inner.get_program());
    command.args(inner.get_args());
    let output = command.output().map_err(|error| format!("cannot start valgrind: {error}"))?;
    let [printed, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    println!("$ {}\n{printed}{errors}", shown(&command));
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("'{}' failed: {}", shown(&command), output.status))
    }
}

/// Valgrind does not support AVX-512.
const VALGRIND_CPU: &str = "--target-cpu=x86-64-v3";

/// Compiles an example to an executable, outside of Valgrind.
fn executable(kc: &Path, example: &Path) -> Outcome<PathBuf> {
    let folder = root().join("target/valgrind");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot create '{}': {error}", folder.display()))?;
    let program = folder.join(example.file_stem().unwrap_or_default());
    let mut build = Command::new(kc);
    build
        .current_dir(root())
        .arg("build")
        .arg(example)
        .args(["--emit=exe", VALGRIND_CPU, "-o"])
        .arg(&program);
    run(build)?;
    Ok(program)
}

/// Compares the results of the examples and of small models with NumPy's.
pub fn against_numpy() -> Outcome {
    let kc = tools::build_for_checks(&["kc"])?.join("kc");
    // Debian's NumPy requires Debian's Python.
    let debian = Path::new("/usr/bin/python3");
    let check = |script: &str| {
        let mut command = Command::new(if debian.exists() { debian } else { Path::new("python3") });
        command.current_dir(root()).arg(script).arg("--kc").arg(&kc);
        run(command)
    };
    std::thread::scope(|scope| {
        let models = scope.spawn(|| check("test/models/check_models.py"));
        let examples = check("test/numerics/check_numerics.py");
        examples.and(models.join().expect("no check panics"))
    })
}

/// The command that runs an example: its main file, linked with the other files of its directory if the directory is
/// a single program.
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
    // The demo shows the command as the user would type it.
    debug_assert!(shown(&command).starts_with("kc "));
    Ok(command)
}

/// The main files of all examples.
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

/// Whether the program starts at a `main` without arguments.
fn is_knossos(example: &Path) -> bool {
    example.extension().is_some_and(|language| language == "ks")
}

/// The argument file of an example.
fn arguments(example: &Path) -> PathBuf {
    example.with_extension("args.json")
}

fn is_main(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem == "main")
}

/// The programs in a directory.
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

/// The comment in the first line.
fn first_comment(example: &Path) -> Option<String> {
    let text = fs::read_to_string(example).ok()?;
    let comment = text.lines().next()?.strip_prefix([';', '#', '/'])?;
    Some(comment.trim_start_matches([';', '#', '/']).trim().to_owned())
}
