//! The measured Relay programs on both back ends: the interpreter and machine code give the same.
//!
//! Each program runs as it is and with `?` for the extents of its parameters, then on its own arguments and on some whose
//! extents differ; those of single operators run as they are. Results are compared bit by bit, messages word by word. Many
//! programs are compiled as one module.
#![cfg(feature = "mlir")]

#[path = "../../../../relay/tests/all/common/programs.rs"]
mod programs;

use minoan::services::{Datum, TensorData};
use minoan::{Backend, Entry, Failure, Float, Loaded, Session};
use programs::{Vector, operators, resized, vectors, with_dynamic_params};

/// Programs compiled together.
const AT_ONCE: usize = 96;

/// A program that can run, with the arguments that it is run on.
struct Case {
    name: String,
    text: String,
    /// Whether the extents of its parameters are `?` instead of those that were measured.
    is_variant: bool,
    args: Vec<Vec<Datum>>,
}

/// The cases that a measured program gives: itself, and its variants with dynamic extents.
fn cases(vector: &Vector, number: usize) -> Vec<Case> {
    let case = |text: String, is_variant, args| Case { name: format!("v{number}"), text, is_variant, args };
    let mut cases = vec![case(vector.text.clone(), false, vec![vector.inputs.clone()])];
    if let Some(text) = with_dynamic_params(&vector.text, |_| true) {
        let mut args = vec![vector.inputs.clone()];
        for (param, input) in vector.inputs.iter().enumerate() {
            let Datum::Tensor(tensor) = input else { continue };
            for (axis, &extent) in tensor.shape.iter().enumerate() {
                for other in [extent + 1, 0] {
                    let mut changed = vector.inputs.clone();
                    changed[param] = resized(tensor, axis, other).into();
                    args.push(changed);
                }
            }
        }
        cases.push(case(text, true, args));
    }
    cases
}

fn lowered(session: &Session, text: &str, name: &str) -> Result<Entry, Failure> {
    let program = session.read_text("vectors.relay", text)?;
    session.entry(&program, name, Float::F32)
}

/// The difference between two results of a program, if there is one.
fn difference(
    text: &str,
    left: &Result<Vec<Datum>, String>,
    right: &Result<Vec<Datum>, String>,
) -> Option<String> {
    match (left, right) {
        (Ok(left), Ok(right)) => {
            let same = left.len() == right.len() && left.iter().zip(right).all(|(a, b)| close(text, a, b));
            (!same).then(|| format!("interpreter {left:?}\nmachine code {right:?}"))
        }
        (Err(left), Err(right)) if left == right => None,
        _ => Some(format!("interpreter {left:?}\nmachine code {right:?}")),
    }
}

/// The bits of an `f32` below the last place of the narrow float type that a program names and that both tensors are of.
fn unused_bits(text: &str, left: &[f32], right: &[f32]) -> u32 {
    let narrow = [("bfloat16", 16), ("float16", 13)].into_iter().find(|(name, _)| text.contains(name));
    let unused = narrow.map_or(0, |(_, bits)| bits);
    let fits = |number: &f32| number.to_bits().trailing_zeros() >= unused;
    if left.iter().chain(right).all(fits) { unused } else { 0 }
}

/// Whether two results of a program are equal: floats within four units in the last place of their type, where libraries
/// differ and sums may be reassociated. A normalization may multiply by a reciprocal before it adds, and the terms of a Fourier
/// transform cancel, so that their units are those of the largest result; those of Winograd's transforms are larger than the
/// result besides.
fn close(text: &str, left: &Datum, right: &Datum) -> bool {
    let (Datum::Tensor(left), Datum::Tensor(right)) = (left, right) else { return left.same(right) };
    let places = |a: i64, b: i64| a.abs_diff(b) <= 4;
    left.shape == right.shape
        && match (&left.data, &right.data) {
            (TensorData::Int(a), TensorData::Int(b)) => a == b,
            (TensorData::F32(a), TensorData::F32(b)) => {
                let unused = unused_bits(text, a, b);
                let bits = |number: &f32| i64::from(number.to_bits() >> unused);
                let largest = a.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
                let factor = match () {
                    () if text.contains("winograd") => 4.0,
                    () if text.contains("_norm(") || text.contains("dft(") => 1.0,
                    () => 0.0,
                };
                let unit = factor * largest * f32::EPSILON;
                a.iter().zip(b).all(|(a, b)| {
                    a.is_nan() && b.is_nan() || places(bits(a), bits(b)) || (a - b).abs() <= 4.0 * unit
                })
            }
            (TensorData::F64(a), TensorData::F64(b)) => a
                .iter()
                .zip(b)
                .all(|(a, b)| a.is_nan() && b.is_nan() || places(a.to_bits() as i64, b.to_bits() as i64)),
            _ => false,
        }
}

/// Compiles programs as one module; each defines the function of its name.
fn compiled(session: &Session, cases: &[Case]) -> Result<Loaded, Failure> {
    let text: String = cases.iter().map(|case| case.text.as_str()).collect();
    let program = session.read_text("vectors.relay", &format!("#[version = \"0.0.5\"]\n{text}"))?;
    let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    let mut module = session.module(&program, &names, Float::F32)?;
    session.advance(&mut module, minoan::Stage::Shared)?;
    let first = lowered(session, &cases[0].text, &cases[0].name)?;
    session.load(&Entry { module, symbol: first.symbol, interface: first.interface })
}

/// The outcomes of the runs of some programs.
#[derive(Default)]
struct Report {
    wrong: Vec<String>,
    ran: usize,
    stopped: usize,
    refused: usize,
}

impl Report {
    /// Compiles programs as one module and runs each of them on its arguments.
    fn run(&mut self, session: &Session, pending: &mut Vec<(Case, Entry)>) {
        if pending.is_empty() {
            return;
        }
        let (cases, entries): (Vec<Case>, Vec<Entry>) = pending.drain(..).unzip();
        let loaded = match compiled(session, &cases) {
            Ok(loaded) => loaded,
            Err(failure) => {
                let texts: String = cases.iter().map(|case| case.text.as_str()).collect();
                return self.wrong.push(format!("not compiled: {failure}\n{texts}"));
            }
        };
        for (case, entry) in cases.iter().zip(&entries) {
            for args in &case.args {
                let text = |failure: Failure| failure.to_string();
                let oracle = session.run(entry, args, Backend::Interpret).map_err(text);
                let machine = loaded.call_function(&case.name, args).map_err(text);
                match &machine {
                    Ok(_) => self.ran += 1,
                    Err(_) => self.stopped += 1,
                }
                if let Some(how) = difference(&case.text, &oracle, &machine) {
                    self.wrong.push(format!("{}{args:?}\n{how}\n", case.text));
                }
            }
        }
    }

    /// Runs programs on both back ends.
    fn of(all: impl Iterator<Item = (String, Case)>) -> Self {
        let mut session = Session::new();
        session.options.verify_each = false;
        let mut report = Report::default();
        let mut pending: Vec<(Case, Entry)> = Vec::new();
        for (name, case) in all {
            // Programs of several functions, or with types or metadata of their own, cannot stand in one text with others.
            let alone = case.text.matches("def @").count() > 1
                || ["#[metadata]", "type "].iter().any(|part| case.text.contains(part));
            match lowered(&session, &case.text, &case.name) {
                Ok(entry) if alone => report.run(&session, &mut vec![(case, entry)]),
                Ok(entry) => pending.push((case, entry)),
                // A variant with `?` may be ill-typed where the program itself is not.
                Err(failure) if case.is_variant && !failure.to_string().contains("panicked") => {
                    report.refused += 1;
                }
                Err(failure) => report.wrong.push(format!("{name}: {failure}")),
            }
            if pending.len() == AT_ONCE {
                report.run(&session, &mut pending);
            }
        }
        report.run(&session, &mut pending);
        report
    }
}

/// The programs and their variants, each with the name of its vector, and with a name of its own for its function.
fn all_cases() -> Vec<(String, Case)> {
    let mut all = Vec::new();
    // The programs of single operators are many more for the same rules, so they run as they are.
    let single = operators().into_iter().map(|vector| (vector, 1));
    let measured = vectors().into_iter().map(|vector| (vector, 2));
    for (number, (vector, variants)) in measured.chain(single).enumerate() {
        for (variant, case) in cases(&vector, number).into_iter().take(variants).enumerate() {
            let name = format!("v{number}_{variant}");
            let body = case.text.replace("#[version = \"0.0.5\"]\n", "");
            let text = body.replace("@main", &format!("@{name}"));
            all.push((vector.name.clone(), Case { name, text, ..case }));
        }
    }
    all
}

#[test]
fn measured_programs_give_the_same_on_both_back_ends() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let reports: Vec<Report> = std::thread::scope(|scope| {
        let share =
            |first| scope.spawn(move || Report::of(all_cases().into_iter().skip(first).step_by(threads)));
        let running: Vec<_> = (0..threads).map(share).collect();
        running.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let sum = |count: fn(&Report) -> usize| reports.iter().map(count).sum::<usize>();
    let (ran, stopped, refused) = (sum(|it| it.ran), sum(|it| it.stopped), sum(|it| it.refused));
    let mut wrong: Vec<String> = reports.into_iter().flat_map(|report| report.wrong).collect();
    let count = wrong.len();
    wrong.truncate(40);
    assert!(wrong.is_empty(), "{count} differ\n{}", wrong.join("\n"));
    assert!(minoan_runtime::overrun_blocks().is_empty(), "compiled code wrote beyond its blocks");
    println!("{ran} runs, {stopped} stopped, {refused} programs are not lowered");
    assert!(ran > 1500 && stopped > 100, "{ran} runs, {stopped} stopped, {refused} refused");
}
