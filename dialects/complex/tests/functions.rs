//! Accuracy: results of operations in comparison with those of `data/functions.txt`, which `test/numerics/complex_functions.py`
//! computes.

mod common;

use common::{ctx, program};
use minoan_interp::Interpreter;
use minoan_ir::{Context, Module};
use minoan_services::Datum;
use std::collections::BTreeMap;

const DATA: &str = include_str!("data/functions.txt");

/// Bounds on the error of results with finite parts in units in the last place: of each part, and of the number, in units of its
/// larger part. A part of a product, a quotient, a power or `atan2` may be the difference of two numbers that almost cancel.
const BOUNDS: [(&str, f64, f64); 18] = [
    ("abs", 2.0, 2.0),
    ("add", 0.5, 0.5),
    ("angle", 2.0, 2.0),
    ("cos", 3.0, 3.0),
    ("div", f64::INFINITY, 4.0),
    ("exp", 3.0, 3.0),
    ("expm1", f64::INFINITY, 3.0),
    ("log", 3.0, 3.0),
    ("log1p", 3.0, 3.0),
    ("mul", f64::INFINITY, 2.0),
    ("pow", f64::INFINITY, 50.0),
    ("rsqrt", 5.0, 5.0),
    ("sign", 4.0, 4.0),
    ("sin", 3.0, 3.0),
    ("sqrt", 3.0, 3.0),
    ("sub", 0.5, 0.5),
    ("tan", 6.0, 6.0),
    ("tanh", 6.0, 6.0),
];

fn datum(format: &str, parts: &[f64]) -> Datum {
    match format {
        "f32" => Datum::Complex32([parts[0] as f32, parts[1] as f32]),
        _ => Datum::Complex64([parts[0], parts[1]]),
    }
}

fn parts(datum: &Datum) -> Vec<f64> {
    match datum {
        Datum::Complex32(parts) => parts.map(f64::from).to_vec(),
        Datum::Complex64(parts) => parts.to_vec(),
        Datum::F32(value) => vec![(*value).into()],
        Datum::F64(value) => vec![*value],
        other => panic!("{other:?}"),
    }
}

/// The unit in the last place of numbers of a magnitude.
fn unit(format: &str, magnitude: f64) -> f64 {
    let (digits, least) = if format == "f32" { (23, -126) } else { (52, -1022) };
    let exponent = if magnitude == 0.0 { least } else { (magnitude.to_bits() >> 52) as i32 - 1023 };
    let exponent = exponent.max(least) - digits;
    // The unit of denormal numbers is one itself.
    if exponent < -1022 { f64::from_bits(1 << (exponent + 1074)) } else { f64::from(exponent).exp2() }
}

/// The errors of a result: the largest one of a part, and that of the number. A wanted part may have no sign. Infinite where a zero, an infinity or a NaN, or its
/// sign, is wrong.
fn errors(format: &str, found: &[f64], wanted: &[(f64, bool)]) -> (f64, f64) {
    let largest = if format == "f32" { f32::MAX.into() } else { f64::MAX };
    let magnitude = wanted.iter().fold(0.0f64, |all, (part, _)| all.max(part.abs()));
    let (mut of_part, mut of_number) = (0.0f64, 0.0f64);
    for (&found, &(wanted, has_sign)) in found.iter().zip(wanted) {
        let found = if has_sign { found } else { found.copysign(wanted) };
        if found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan() {
            continue;
        }
        if found.is_nan() || wanted.is_nan() {
            return (f64::INFINITY, f64::INFINITY);
        }
        if found.is_infinite() || wanted.is_infinite() {
            // A result near the largest number may be rounded to infinity, or infinity to it.
            let is_near = found.abs().min(largest) / wanted.abs().min(largest) > 0.999_999;
            if !is_near || found.is_sign_negative() != wanted.is_sign_negative() {
                return (f64::INFINITY, f64::INFINITY);
            }
            continue;
        }
        let error = (found - wanted).abs();
        of_part = of_part.max(error / unit(format, wanted.abs()));
        if magnitude.is_finite() {
            of_number = of_number.max(error / unit(format, magnitude));
        }
        if wanted == 0.0 && found == 0.0 {
            of_part = f64::INFINITY;
        }
    }
    (of_part, of_number)
}

fn module(ctx: &Context, format: &str, name: &str, operands: usize) -> Module {
    let number = format!("complex<{format}>");
    let result = if matches!(name, "abs" | "angle") { format } else { &number };
    program(ctx, &format!("complex.{name}"), &vec![number.as_str(); operands], result)
}

#[test]
fn results_are_within_bounds() {
    let ctx = ctx();
    let mut modules = BTreeMap::new();
    let mut worst: BTreeMap<(&str, &str), (f64, f64)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in DATA.lines() {
        let (operands, result) = line.split_once(" = ").expect("a result");
        let (format, operands) = operands.split_once(' ').expect("a format");
        let (name, operands) = operands.split_once(' ').expect("a function");
        let number = |text: &str| -> f64 { text.parse().expect("a number") };
        let operands: Vec<f64> = operands.split(' ').map(number).collect();
        let part = |text: &str| (number(text.trim_start_matches('~')), !text.starts_with('~'));
        let wanted: Vec<(f64, bool)> = result.split(' ').map(part).collect();
        let operands: Vec<Datum> = operands.chunks(2).map(|parts| datum(format, parts)).collect();
        let module =
            modules.entry((format, name)).or_insert_with(|| module(&ctx, format, name, operands.len()));
        let found = Interpreter::new(module).call("f", &operands).expect("no operation traps");
        let found = parts(&found[0]);
        let (part, number) = errors(format, &found, &wanted);
        let (_, of_part, of_number) = BOUNDS.iter().find(|bound| bound.0 == name).expect("a bound");
        // The error of a power grows with the logarithm of the result.
        let stretch = if name == "pow" { found[0].hypot(found[1]).ln().abs() } else { 0.0 };
        if part > *of_part || number > of_number + 4.0 * stretch {
            wrong.push(format!("{line}, found {found:?}, errors {part:.1} and {number:.1}"));
        }
        let worst = worst.entry((name, format)).or_default();
        *worst = (worst.0.max(part), worst.1.max(number));
    }
    for ((name, format), (part, number)) in worst {
        println!("{format} {name}: {part:.2} of a part, {number:.2} of the number");
    }
    assert!(wrong.is_empty(), "{} results are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
