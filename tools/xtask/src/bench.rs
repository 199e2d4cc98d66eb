//! `cargo xtask bench`: compares kopt with mlir-opt on the same modules: parsing, verification, printing and passes.
//!
//! The programs alternate over several runs, and the best run counts, since disturbances only slow a run down. Times
//! are user plus system CPU time of the process, minus that of an empty module, so that startup and library loading,
//! which have a table of their own, are excluded.

#[path = "../../../bench/text/generate.rs"]
mod generate;

use crate::Outcome;
use crate::tools;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// The number of operations of each module, and of runs of each program on it.
const SIZES: [(usize, usize); 3] = [(10_000, 15), (100_000, 7), (1_000_000, 6)];

/// The same for the pass benchmarks.
const PASS_SIZES: [(usize, usize); 2] = [(100_000, 5), (1_000_000, 4)];

/// The passes, as flags of both programs.
const PASSES: [&[&str]; 5] =
    [&["--cse"], &["--canonicalize"], &["--canonicalize", "--cse"], &["--inline"], &["--sccp"]];

/// The minimum of each figure over several runs.
#[derive(Clone, Copy)]
struct Run {
    cpu: Duration,
    wall: Duration,
    /// Peak memory in KiB.
    peak: u64,
}

impl Run {
    const WORST: Run = Run { cpu: Duration::MAX, wall: Duration::MAX, peak: u64::MAX };

    fn or_better(self, other: Run) -> Run {
        Run { cpu: self.cpu.min(other.cpu), wall: self.wall.min(other.wall), peak: self.peak.min(other.peak) }
    }
}

/// A program with its flags.
struct Subject {
    program: PathBuf,
    flags: &'static [&'static str],
}

impl Subject {
    fn command(&self, passes: &[&str], file: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(self.flags).args(passes).arg(file);
        command
    }

    fn run(&self, passes: &[&str], file: &Path) -> Outcome<Run> {
        let mut command = self.command(passes, file);
        command.stdout(Stdio::null());
        let failed = |error: std::io::Error| format!("cannot run '{}': {error}", self.program.display());
        let start = Instant::now();
        let usage = command.spawn().map_err(failed)?.wait4().map_err(failed)?;
        let wall = start.elapsed();
        if !usage.status.success() {
            return Err(format!("'{}' failed on '{}'", self.program.display(), file.display()));
        }
        let cpu = usage.rusage.utime + usage.rusage.stime;
        Ok(Run { cpu, wall, peak: usage.rusage.maxrss / 1024 })
    }

    /// The number of operations that remain after passes.
    fn left(&self, passes: &[&str], file: &Path) -> Outcome<usize> {
        let output = self.command(passes, file).output();
        let output = output.map_err(|error| format!("cannot run '{}': {error}", self.program.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let is_op = |line: &&str| !matches!(line.trim_start().as_bytes(), [] | [b'}' | b'^', ..]);
        Ok(text.lines().filter(is_op).count())
    }
}

/// Runs the benchmarks and prints the tables.
///
/// # Errors
/// A program is missing, does not build, or fails on a module.
pub fn run() -> Outcome {
    let bin = tools::build(&["kopt"])?;
    let prefix = std::env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".to_owned());
    let mlir = Path::new(&prefix).join("bin/mlir-opt");
    let subjects = [
        Subject { program: mlir, flags: &["--mlir-disable-threading"] },
        Subject { program: bin.join("kopt"), flags: &["--mlir-disable-threading"] },
        Subject { program: bin.join("kopt"), flags: &[] },
    ];
    let folder = bin.join("bench-text");
    let write = |name: &str, text: &str| -> Outcome<PathBuf> {
        let path = folder.join(name);
        let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, text));
        written.map(|()| path).map_err(|error| format!("cannot write into '{}': {error}", folder.display()))
    };
    let empty = best(&subjects, &[], &write("empty.mlir", "module {\n}\n")?, 20)?;
    let mut rows = Vec::new();
    for (ops, runs) in SIZES {
        let file = write(&format!("{ops}.mlir"), &generate::module(ops))?;
        rows.push((ops, best(&subjects, &[], &file, runs)?));
    }
    print(&empty, &rows);
    println!(
        "\n| passes | operations | left, mlir-opt | left, kopt | mlir-opt | kopt | ratio | all cores, wall | ratio to one |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (ops, runs) in PASS_SIZES {
        let file = folder.join(format!("{ops}.mlir"));
        for passes in PASSES {
            let left = [subjects[0].left(passes, &file)?, subjects[1].left(passes, &file)?];
            print_passes(passes, ops, left, &empty, &best(&subjects, passes, &file, runs)?);
        }
    }
    Ok(())
}

/// The best runs of all programs on a file, in alternation.
fn best(subjects: &[Subject], passes: &[&str], file: &Path, runs: usize) -> Outcome<Vec<Run>> {
    let mut best = vec![Run::WORST; subjects.len()];
    for _ in 0..runs {
        for (best, subject) in best.iter_mut().zip(subjects) {
            *best = best.or_better(subject.run(passes, file)?);
        }
    }
    Ok(best)
}

/// The seconds of a run minus startup.
fn less(run: Duration, empty: Duration) -> f64 {
    run.saturating_sub(empty).as_secs_f64().max(1e-9)
}

fn print_passes(passes: &[&str], ops: usize, left: [usize; 2], empty: &[Run], runs: &[Run]) {
    let cpu = |at: usize| less(runs[at].cpu, empty[at].cpu);
    let wall = |at: usize| less(runs[at].wall, empty[at].wall);
    println!(
        "| {} | {ops} | {} | {} | {:.0} ms | {:.0} ms | {:.1} | {:.0} ms | {:.2} |",
        passes.join(" "),
        left[0],
        left[1],
        cpu(0) * 1e3,
        cpu(1) * 1e3,
        cpu(0) / cpu(1),
        wall(2) * 1e3,
        wall(1) / wall(2)
    );
}

fn print(empty: &[Run], rows: &[(usize, Vec<Run>)]) {
    let mib = |run: Run| run.peak as f64 / 1024.0;
    println!(
        "\n| operations | mlir-opt, M/s | kopt, M/s | ratio | mlir-opt, MiB | kopt, MiB | all cores, wall | ratio to one |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (ops, runs) in rows {
        let rate = |at: usize| *ops as f64 / less(runs[at].cpu, empty[at].cpu) / 1e6;
        let wall = |at: usize| less(runs[at].wall, empty[at].wall);
        println!(
            "| {ops} | {:.3} | {:.2} | {:.1} | {:.0} | {:.0} | {:.1} ms | {:.2} |",
            rate(0),
            rate(1),
            rate(1) / rate(0),
            mib(runs[0]),
            mib(runs[1]),
            wall(2) * 1e3,
            wall(1) / wall(2)
        );
    }
    println!("\n| empty module | mlir-opt | kopt |\n|---|---|---|");
    let wall = |at: usize| empty[at].wall.as_secs_f64() * 1e3;
    println!("| wall | {:.1} ms | {:.1} ms |", wall(0), wall(1));
    println!("| memory | {:.0} MiB | {:.0} MiB |", mib(empty[0]), mib(empty[1]));
}
