//! From text to machine code, phase by phase, for programs of 1,000, 10,000 and 100,000 operations of each language.
//!
//! `cargo xtask bench compile [SIZES]`. The last column is the slope of the total time between this size and the one before
//! it on logarithmic scales: 1 is linear, 2 quadratic.

#[path = "../../../bench/compile/generate.rs"]
mod generate;

use generate::Source;
use minoan::llvm::Output;
use minoan::mlir::{Backend, Entries};
use minoan::{Failure, Float, Session, Stage};
use std::time::Instant;

const PHASES: [&str; 5] = ["read", "lower", "passes", "MLIR", "LLVM"];

/// Seconds of each phase.
fn phases(source: &Source) -> Result<[f64; PHASES.len()], Failure> {
    let mut session = Session::new();
    session.options.verify_each = false;
    let mut last = Instant::now();
    let mut lap = || {
        let now = Instant::now();
        (now - std::mem::replace(&mut last, now)).as_secs_f64()
    };
    let program = session.read_text(source.file, &source.text)?;
    let read = lap();
    let entry = session.entry(&program, &source.entry, Float::F32)?;
    let lower = lap();
    let mut module = entry.module.clone();
    session.advance(&mut module, Stage::Buffers)?;
    let passes = lap();
    let backend = Backend::new();
    let mut translated = backend.translate(&module)?;
    backend.lower_to_llvm_dialect(&mut translated, false)?;
    let mlir = lap();
    drop(translated);
    drop((backend, module));
    lap();
    // The whole way again: what it takes longer than the phases before is LLVM's.
    session.compile(&entry.module, &Entries::Library, Output::Object)?;
    let llvm = (lap() - passes - mlir).max(0.0);
    Ok([read, lower, passes, mlir, llvm])
}

fn main() {
    let sizes: Vec<usize> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![1_000, 10_000, 100_000] } else { sizes };
    println!("| program | operations | {} | total, s | slope |", PHASES.join(" | "));
    println!("|---|---|{}---|---|", "---|".repeat(PHASES.len()));
    let programs: Vec<Vec<Source>> = sizes.iter().map(|&ops| generate::all(ops)).collect();
    for which in 0..programs.first().map_or(0, Vec::len) {
        let mut before: Option<(usize, f64)> = None;
        for (sources, &ops) in programs.iter().zip(&sizes) {
            let source = &sources[which];
            let seconds = match phases(source) {
                Ok(seconds) => seconds,
                Err(failure) => {
                    println!("| {} | {ops} | {failure} |", source.name);
                    continue;
                }
            };
            let total: f64 = seconds.iter().sum();
            let slope = before.map_or(String::new(), |(ops_before, total_before)| {
                let grown = ops as f64 / ops_before as f64;
                format!("{:.2}", (total / total_before).ln() / grown.ln())
            });
            let columns: Vec<String> = seconds.iter().map(|seconds| format!("{seconds:.3}")).collect();
            println!("| {} | {ops} | {} | {total:.2} | {slope} |", source.name, columns.join(" | "));
            before = Some((ops, total));
        }
    }
}
