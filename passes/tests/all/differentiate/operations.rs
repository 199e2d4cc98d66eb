//! The rules of single operations.

use super::support::*;
use minoan_diag::SourceMap;
use minoan_interp::Interpreter;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::{Context, Module};
use minoan_services::{Datum, Differentiate as DerivativeOf};

/// The module, if it is valid.
fn valid(ctx: &Context, text: &str) -> Option<Module> {
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    let module = parse_module(ctx, &sources, file, &ParseOptions::default()).ok()?;
    minoan_ir::verify::verify(&module).is_ok().then_some(module)
}

/// All lists of a length.
fn lists<'t>(of: &[&'t str], length: usize) -> Vec<Vec<&'t str>> {
    (0..length).fold(vec![Vec::new()], |all, _| {
        all.iter().flat_map(|list| of.iter().map(|&ty| [&list[..], &[ty]].concat())).collect()
    })
}

/// Functions that consist of one operation, with operands and results of some types.
fn functions_of(ctx: &Context, name: &str) -> Vec<(String, Vec<&'static str>)> {
    const OPERANDS: [&str; 8] =
        ["f64", "i1", "i64", "index", "tensor<3xf64>", "tensor<?xf64>", "f32", "complex<f64>"];
    const RESULTS: [&str; 7] =
        ["f64", "tensor<3xf64>", "tensor<2xf64>", "tensor<?xf64>", "f32", "f64, f64", "complex<f64>"];
    const ENOUGH: usize = 4;
    let mut found = Vec::new();
    for operands in (1..4).flat_map(|length| lists(&OPERANDS, length)) {
        for results in RESULTS {
            let args: Vec<String> =
                operands.iter().enumerate().map(|(at, ty)| format!("%{at}: {ty}")).collect();
            let names: Vec<String> = (0..operands.len()).map(|at| format!("%{at}")).collect();
            let count = results.split(", ").count();
            let outs: Vec<String> = (0..count).map(|at| format!("%r#{at}")).collect();
            let text = format!(
                "func.func @f({}) -> ({results}) {{\n  %r:{count} = \"{name}\"({}) : ({}) -> ({results})\n  \
                 return {} : {results}\n}}\n",
                args.join(", "),
                names.join(", "),
                operands.join(", "),
                outs.join(", "),
            );
            if operands.iter().any(|ty| ty.contains('f')) && valid(ctx, &text).is_some() {
                found.push((text, operands.clone()));
                if found.len() == ENOUGH {
                    return found;
                }
            }
        }
    }
    found
}

/// A value of a type from the float `x`.
fn value_of(ty: &str, x: f64, number: i64) -> Datum {
    match ty {
        "f64" => x.into(),
        "f32" => Datum::F32(x as f32),
        "complex<f64>" => Datum::Complex64([x, 0.7 - x]),
        "tensor<3xf64>" | "tensor<?xf64>" => vector(&[x, x + 0.11, x - 0.23]),
        _ => number.into(),
    }
}

/// For each operation of the registry with a rule: functions of its own are checked where they have finite values. One that
/// needs attributes or regions occurs in one of the programs.
#[test]
fn every_operation_with_a_rule() {
    let ctx = context();
    let mut kinds: Vec<&str> = ctx
        .registered_kinds()
        .filter(|&kind| ctx.service::<dyn DerivativeOf>(kind).is_some())
        // Its derivative is zero by definition, and not that of its value.
        .filter(|&kind| kind != ctx.kind_of::<minoan_diff::Stop>())
        .map(|kind| ctx.kind_name(kind))
        .collect();
    kinds.sort_unstable();
    let mut checked = 0;
    for name in kinds {
        let mut finite = 0;
        for (text, operands) in functions_of(&ctx, name) {
            for (start, number) in [(0.37, 0), (1.31, 1)] {
                let args: Vec<Datum> = operands
                    .iter()
                    .enumerate()
                    .map(|(at, ty)| value_of(ty, start + 0.29 * at as f64, number))
                    .collect();
                let module = valid(&ctx, &text).expect("it was");
                let Ok(results) = Interpreter::new(&module).call("f", &args) else { continue };
                let is_finite =
                    |value: &Datum| floats(value).unwrap_or_default().iter().all(|number| number.is_finite());
                if results.iter().all(is_finite) {
                    check_to(1, &text, &args);
                    finite += 1;
                }
            }
        }
        checked += usize::from(finite > 0);
        let is_in_a_program = [include_str!("operations.rs"), include_str!("programs.rs")]
            .iter()
            .any(|tests| tests.contains(name));
        assert!(finite > 0 || is_in_a_program, "the rule of '{name}' is not tested");
    }
    assert!(checked > 60, "only {checked} operations could be generated from their types");
}

#[test]
fn scalar_functions() {
    let unary = [
        "absf",
        "acos",
        "asin",
        "atan",
        "asinh",
        "atanh",
        "cbrt",
        "cos",
        "cosh",
        "erf",
        "erfc",
        "exp",
        "exp2",
        "expm1",
        "sin",
        "sinh",
        "tan",
        "tanh",
        "floor",
        "ceil",
        "round",
        "roundeven",
        "trunc",
    ];
    for op in unary {
        for x in [0.37, -0.62] {
            check(
                &format!("func.func @f(%x: f64) -> f64 {{ %0 = math.{op} %x : f64\n return %0 : f64 }}\n"),
                &[x.into()],
            );
        }
    }
    for op in ["log", "log10", "log1p", "log2", "rsqrt", "sqrt", "acosh"] {
        check(
            &format!("func.func @f(%x: f64) -> f64 {{ %0 = math.{op} %x : f64\n return %0 : f64 }}\n"),
            &[1.7.into()],
        );
    }
    for op in [
        "arith.addf",
        "arith.subf",
        "arith.mulf",
        "arith.divf",
        "arith.remf",
        "arith.maximumf",
        "arith.minimumf",
        "arith.maxnumf",
        "arith.minnumf",
        "math.atan2",
        "math.copysign",
        "math.powf",
    ] {
        let text =
            format!("func.func @f(%x: f64, %y: f64) -> f64 {{ %0 = {op} %x, %y : f64\n return %0 : f64 }}\n");
        check(&text, &[1.3.into(), 0.4.into()]);
        check(&text, &[0.6.into(), 2.3.into()]);
    }
}

#[test]
fn scalar_functions_of_several_operands() {
    check(
        "func.func @f(%x: f64, %y: f64, %z: f64) -> (f64, f64) {
           %0 = math.fma %x, %y, %z : f64
           %1 = math.clampf %0 to [%y, %z] : f64
           %n = arith.constant 3 : i64
           %2 = math.fpowi %x, %n : f64, i64
           %s, %c = math.sincos %2 : f64
           %3 = arith.mulf %s, %1 : f64
           %4 = arith.negf %c : f64
           return %3, %4 : f64, f64
         }\n",
        &[0.3.into(), (-0.4).into(), 0.9.into()],
    );
}

#[test]
fn used_several_times() {
    check(
        "func.func @f(%x: f64, %n: i64, %y: f64) -> (f64, f64, i64) {
           %0 = arith.mulf %x, %x : f64
           %1 = arith.mulf %0, %x : f64
           %b = arith.cmpf olt, %x, %y : f64
           %2 = arith.select %b, %1, %y : f64
           %s = diff.stop %2 : f64
           %3 = arith.addf %2, %0 : f64
           return %3, %x, %n : f64, f64, i64
         }\n",
        &[0.7.into(), 3.into(), 1.5.into()],
    );
}

/// The rule computes with operations over iteration domains. Scores of a thousand lose no digits: the maximum that is subtracted
/// from them has no derivative.
#[test]
fn softmax() {
    for dimension in [0, 1] {
        for (ty, empty) in [
            ("tensor<2x3xf64>", "tensor.empty() : tensor<2x3xf64>".to_owned()),
            ("tensor<?x3xf64>", "tensor.empty(%n) : tensor<?x3xf64>".to_owned()),
            ("tensor<?x?xf64>", "tensor.empty(%n, %m) : tensor<?x?xf64>".to_owned()),
        ] {
            let text = format!(
                "func.func @f(%x: {ty}, %w: {ty}) -> {ty} {{
                   %c0 = arith.constant 0 : index
                   %c1 = arith.constant 1 : index
                   %n = tensor.dim %x, %c0 : {ty}
                   %m = tensor.dim %x, %c1 : {ty}
                   %e = {empty}
                   %y = linalg.softmax dimension({dimension}) ins(%x : {ty}) outs(%e : {ty}) -> {ty}
                   %z = arith.mulf %y, %w : {ty}
                   return %z : {ty}
                 }}\n"
            );
            let weights = matrix(&[2, 3], &[0.3, 1.1, -0.7, 0.9, -1.3, 0.4]);
            check(&text, &[matrix(&[2, 3], &[0.1, -0.4, 0.8, 1.2, 0.5, -0.3]), weights.clone()]);
            check(&text, &[matrix(&[2, 3], &[1000.1, 999.6, 1000.8, 1001.2, 1000.5, 999.7]), weights]);
        }
    }
}
