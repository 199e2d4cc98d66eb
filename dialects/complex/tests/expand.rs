//! Expansions: the created operations compute what evaluation computes, in every bit.

mod common;

use common::{ctx, program};
use minoan_interp::Interpreter;
use minoan_ir::verify::verify;
use minoan_ir::{Builder, Context, Module, Op, Value};
use minoan_services::{Datum, Evaluate, Expand, FloatPolicy, MachineModel};

const UNARY: [&str; 13] =
    ["conj", "cos", "exp", "expm1", "log", "log1p", "neg", "rsqrt", "sign", "sin", "sqrt", "tan", "tanh"];
const REAL: [&str; 2] = ["abs", "angle"];
const BINARY: [&str; 6] = ["add", "atan2", "div", "mul", "pow", "sub"];
const COMPARISONS: [&str; 2] = ["eq", "neq"];

/// A module after the expansion of its operation of this name.
fn expanded(mut module: Module, ctx: &Context, name: &str) -> Module {
    let function = module.body().walk()[0];
    let body = module.body_mut().nested_mut(function).expect("it is isolated");
    let op: Op = body.walk().into_iter().find(|&op| body.op(op).name() == name).expect("the operation");
    let service = ctx.service::<dyn Expand>(body.op(op).kind()).expect("it may be expanded");
    let (mut b, machine) = (Builder::before(body, op), MachineModel::default());
    let results: Option<Vec<Value>> = service.expand(&mut b, op, &machine, FloatPolicy::Default);
    body.replace(op, &results.expect("numbers of this type are expanded"));
    verify(&module).expect("the expansion is valid");
    module
}

/// Compares an operation with its expansion for tuples of operands.
fn agree(ctx: &Context, name: &str, operands: &[&str], result: &str, values: &[Vec<Datum>]) {
    let name = format!("complex.{name}");
    let whole = program(ctx, &name, operands, result);
    let parts = expanded(program(ctx, &name, operands, result), ctx, &name);
    for values in values {
        let call = |module| Interpreter::new(module).call("f", values).expect("no operation traps").remove(0);
        let (wanted, found) = (call(&whole), call(&parts));
        assert!(wanted.same(&found), "{name} of {operands:?}, {values:?}: {wanted:?}, expanded {found:?}");
    }
}

fn number(format: &str, re: f64, im: f64) -> Datum {
    let round = |part: f64| match format {
        "f16" => half::f16::from_f64(part).to_f32(),
        "bf16" => half::bf16::from_f64(part).to_f32(),
        _ => part as f32,
    };
    if format == "f64" { Datum::Complex64([re, im]) } else { Datum::Complex32([re, im].map(round)) }
}

/// Numbers with all pairs of parts that are zeros, infinities, NaN, ordinary, tiny or huge.
fn numbers(format: &str) -> Vec<Datum> {
    let (tiny, huge) = match format {
        "f16" => (6e-8, 65504.0),
        "f64" => (5e-324, f64::MAX),
        _ => (1e-40, 3e38),
    };
    let parts = [0.0, -0.0, 1.0, -0.75, 2.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, tiny, -huge, 90.0];
    parts.iter().flat_map(|&re| parts.map(|im| number(format, re, im))).collect()
}

#[test]
fn functions_are_their_expansions() {
    let ctx = ctx();
    for format in ["f16", "bf16", "f32", "f64"] {
        let complex = format!("complex<{format}>");
        let numbers = numbers(format);
        let single: Vec<Vec<Datum>> = numbers.iter().map(|number| vec![number.clone()]).collect();
        for name in UNARY {
            agree(&ctx, name, &[&complex], &complex, &single);
        }
        for name in REAL {
            agree(&ctx, name, &[&complex], format, &single);
        }
        // Every number with itself and with some others.
        let pairs: Vec<Vec<Datum>> = numbers
            .iter()
            .enumerate()
            .flat_map(|(at, x)| {
                [0, 1, 7, 29, 60].map(|step| vec![x.clone(), numbers[(at + step) % numbers.len()].clone()])
            })
            .collect();
        for name in BINARY {
            agree(&ctx, name, &[&complex, &complex], &complex, &pairs);
        }
        for name in COMPARISONS {
            agree(&ctx, name, &[&complex, &complex], "i1", &pairs);
        }
    }
}

#[test]
fn integer_powers_are_their_expansions() {
    let ctx = ctx();
    for format in ["f16", "f32", "f64"] {
        let complex = format!("complex<{format}>");
        for (integer, exponents) in
            [("i1", &[0, 1][..]), ("i8", &[-128, -3, -1, 0, 1, 2, 5, 127]), ("i64", &[-7, 11, i64::MIN])]
        {
            let bases = [(1.5, -0.5), (0.0, -1.0), (0.0, 0.0), (-1.0, 0.0), (f64::INFINITY, 1.0), (2.0, 2.0)];
            let values: Vec<Vec<Datum>> = bases
                .iter()
                .flat_map(|&(re, im)| {
                    exponents.iter().map(move |&n| vec![number(format, re, im), Datum::Int(n)])
                })
                .collect();
            agree(&ctx, "powi", &[&complex, integer], &complex, &values);
        }
    }
}

#[test]
fn bitcasts_are_their_expansions() {
    let ctx = ctx();
    for (format, integer, float) in [("f16", "i32", "f32"), ("f32", "i64", "f64")] {
        let complex = format!("complex<{format}>");
        let numbers: Vec<Vec<Datum>> = [(1.5, -0.5), (-0.0, 2.0), (f64::INFINITY, -3.0)]
            .map(|(re, im)| vec![number(format, re, im)])
            .into();
        let integers: Vec<Vec<Datum>> = [0, 1, -1, 0x1234_5678].map(|bits| vec![Datum::Int(bits)]).into();
        agree(&ctx, "bitcast", &[&complex], integer, &numbers);
        agree(&ctx, "bitcast", &[&complex], float, &numbers);
        agree(&ctx, "bitcast", &[&complex], &complex, &numbers);
        agree(&ctx, "bitcast", &[integer], &complex, &integers);
    }
    let f64s = [vec![Datum::Complex64([1.5, -0.0])], vec![Datum::Complex64([f64::INFINITY, 1e-300])]];
    agree(&ctx, "bitcast", &["complex<f64>"], "i128", &f64s);
}

/// The real part has the low bits.
#[test]
fn a_bitcast_keeps_the_order_in_memory() {
    let ctx = ctx();
    let module = program(&ctx, "complex.bitcast", &["complex<f32>"], "i64");
    let result = Interpreter::new(&module).call("f", &[Datum::Complex32([1.0, 2.0])]).expect("a result");
    assert_eq!(result, [Datum::Int(0x4000_0000_3f80_0000)]);
}

#[test]
fn every_operation_is_evaluated_and_poison_is_passed_on() {
    let ctx = ctx();
    for kind in ctx.dialect("complex").expect("it is loaded").ops() {
        assert!(ctx.service::<dyn Evaluate>(*kind).is_some(), "{}", ctx.kind_name(*kind));
    }
    for (name, operands, result) in [
        ("mul", &["complex<f32>", "complex<f32>"][..], "complex<f32>"),
        ("abs", &["complex<f64>"], "f64"),
        ("re", &["complex<f64>"], "f64"),
        ("powi", &["complex<f32>", "i32"], "complex<f32>"),
        ("bitcast", &["complex<f32>"], "i64"),
        ("create", &["f32", "f32"], "complex<f32>"),
    ] {
        let module = program(&ctx, &format!("complex.{name}"), operands, result);
        let values = vec![Datum::Poison; operands.len()];
        assert_eq!(Interpreter::new(&module).call("f", &values), Ok(vec![Datum::Poison]), "{name}");
    }
}
