//! Random Relay programs with dynamic extents give the same in the interpreter and in machine code, results and faults.
//!
//! Elements are small integers, so that sums are exact in any order. Many programs are compiled as one module.
//! `MINOAN_RANDOM_CASES` is the number of programs.

use crate::generate::Choices;
use minoan::services::{Tensor, TensorData};
use minoan::{Backend, Datum, Entry, Failure, Float, Session, Stage};
use std::fmt::Write as _;

/// Programs compiled together.
const AT_ONCE: usize = 32;
/// Extents are below this.
const EXTENTS: usize = 4;

/// A tensor of a program: its name and rank.
type Known = (String, usize);

/// One application of an operator, with the rank of its result.
fn operator(choices: &mut Choices<'_>, known: &[Known]) -> (String, usize) {
    let (x, rank) = choices.pick(known);
    let (y, other) = choices.pick(known);
    let axis = choices.below(rank);
    match choices.below(14) {
        0..=3 => {
            let name = choices.pick(&["add", "subtract", "multiply", "maximum"]);
            (format!("{name}({x}, {y})"), rank.max(other))
        }
        4 => (format!("nn.relu({x})"), rank),
        5 => (format!("sum({x}, axis=[{axis}], keepdims=True)"), rank),
        6 if rank > 1 => (format!("sum({x}, axis=[{axis}])"), rank - 1),
        6 | 7 => (format!("reshape({x}, newshape=[-1])"), 1),
        8 => {
            let axes: Vec<String> = (0..rank).rev().map(|axis| axis.to_string()).collect();
            (format!("transpose({x}, axes=[{}])", axes.join(", ")), rank)
        }
        9 if rank == other => (format!("concatenate(({x}, {y}), axis={axis})"), rank),
        10 if rank == 2 && other == 2 => (format!("nn.dense({x}, {y}, units=None)"), 2),
        11 if rank == 2 && other == 2 => (format!("nn.matmul({x}, {y}, units=None)"), 2),
        12 => (format!("cumsum({x}, axis={axis})"), rank),
        13 => (format!("expand_dims({x}, axis={axis})"), rank + 1),
        _ => (format!("reverse({x}, axis={axis})"), rank),
    }
}

/// A program that defines `name`, and arguments for it.
fn program(choices: &mut Choices<'_>, name: &str) -> (String, Vec<Vec<Datum>>) {
    let mut known: Vec<Known> = Vec::new();
    let (mut params, mut shapes) = (Vec::new(), Vec::new());
    for param in ["%a", "%b", "%c"] {
        let rank = 1 + choices.below(2);
        let extents: Vec<Option<usize>> =
            (0..rank).map(|_| (choices.below(4) == 0).then(|| 1 + choices.below(EXTENTS - 1))).collect();
        let text: Vec<String> =
            extents.iter().map(|extent| extent.map_or("?".to_owned(), |extent| extent.to_string())).collect();
        params.push(format!("{param}: Tensor[({}), float32]", text.join(", ")));
        known.push((param.to_owned(), rank));
        shapes.push(extents);
    }
    let mut text = format!("def @{name}({}) {{\n", params.join(", "));
    for number in 0..2 + choices.below(7) {
        let (value, rank) = operator(choices, &known);
        writeln!(text, "  let %v{number} = {value};").expect("a string grows");
        known.push((format!("%v{number}"), rank));
    }
    let results: Vec<&str> = known[known.len() - 2..].iter().map(|(name, _)| name.as_str()).collect();
    writeln!(text, "  ({})\n}}", results.join(", ")).expect("a string grows");
    let tensor = |choices: &mut Choices<'_>, extents: &[Option<usize>], all: usize| -> Datum {
        // Mostly one extent for all, so that operands fit.
        let shape: Vec<usize> = extents
            .iter()
            .map(|extent| {
                extent.unwrap_or_else(|| if choices.below(5) == 0 { choices.below(EXTENTS) } else { all })
            })
            .collect();
        let count = shape.iter().product();
        let elements = (0..count).map(|_| choices.below(5) as f32 - 2.0).collect();
        Tensor { shape, data: TensorData::F32(elements) }.into()
    };
    let args = (0..4)
        .map(|_| {
            let all = choices.below(EXTENTS);
            shapes.iter().map(|extents| tensor(choices, extents, all)).collect()
        })
        .collect();
    (text, args)
}

/// Numbers for the choices of a program.
fn numbers(seed: u64) -> Vec<u16> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as u16
    };
    (0..600).map(|_| next()).collect()
}

/// The program on tensors.
fn lowered(session: &Session, text: &str, name: &str) -> Result<Entry, Failure> {
    let program = session.read_text("random.relay", &format!("#[version = \"0.0.5\"]\n{text}"))?;
    session.entry(&program, name, Float::F32)
}

struct Case {
    name: String,
    text: String,
    args: Vec<Vec<Datum>>,
    entry: Entry,
}

/// Compiles programs as one module and compares the back ends; returns the numbers of results and of faults.
fn compare(session: &Session, cases: &[Case]) -> (usize, usize) {
    let texts: String = cases.iter().map(|case| case.text.as_str()).collect();
    let all = session
        .read_text("random.relay", &format!("#[version = \"0.0.5\"]\n{texts}"))
        .expect("valid programs");
    let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    let mut module = session.module(&all, &names, Float::F32).expect("they lower one by one");
    session.advance(&mut module, Stage::Shared).expect("they lower one by one");
    // Functions are called by name, so that any interface will do.
    let Entry { symbol, interface, .. } =
        lowered(session, &cases[0].text, &cases[0].name).expect("it lowers");
    let loaded = session.load(&Entry { module, symbol, interface });
    let loaded = loaded.unwrap_or_else(|failure| panic!("{failure}\n{texts}"));
    let (mut results, mut faults) = (0, 0);
    for Case { name, text, args, entry } in cases {
        for args in args {
            let oracle = session.run(entry, args, Backend::Interpret).map_err(|failure| failure.to_string());
            let machine = loaded.call_function(name, args).map_err(|failure| failure.to_string());
            let same = match (&oracle, &machine) {
                (Ok(oracle), Ok(machine)) => {
                    results += 1;
                    oracle.len() == machine.len() && oracle.iter().zip(machine).all(|(a, b)| a.same(b))
                }
                (Err(oracle), Err(machine)) => {
                    faults += 1;
                    oracle == machine
                }
                _ => false,
            };
            assert!(same, "{text}{args:?}\n  interpreter {oracle:?}\n  machine code {machine:?}");
        }
    }
    (results, faults)
}

#[test]
fn relay_programs_with_dynamic_extents_agree() {
    let _turn = crate::turn();
    let count =
        std::env::var("MINOAN_RANDOM_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(160u64);
    let mut session = Session::new();
    session.options.verify_each = false;
    let (mut results, mut faults, mut pending) = (0, 0, Vec::new());
    for seed in 0..count {
        let numbers = numbers(seed + 1);
        let name = format!("p{seed}");
        let (text, args) = program(&mut Choices::new(&numbers), &name);
        // Known extents may not fit.
        if let Ok(entry) = lowered(&session, &text, &name) {
            pending.push(Case { name, text, args, entry });
        }
        if pending.len() == AT_ONCE || seed + 1 == count {
            let (more_results, more_faults) = compare(&session, &std::mem::take(&mut pending));
            (results, faults) = (results + more_results, faults + more_faults);
        }
    }
    assert!(minoan_runtime::overrun_blocks().is_empty(), "compiled code wrote beyond its blocks");
    println!("{results} results, {faults} faults");
    assert!(results as u64 > count / 4 && faults as u64 > count / 8, "{results} results, {faults} faults");
}
