//! Every operation of `arith` and `math` on scalars compiles, and computes what the interpreter does.
#![cfg(feature = "mlir")]

use half::{bf16, f16};
use minoan::diag::SourceMap;
use minoan::interface::{Data, ElementType};
use minoan::interp::Interpreter;
use minoan::ir::text::{ParseOptions, parse_module};
use minoan::ir::verify::verify;
use minoan::ir::{Context, Module};
use minoan::llvm::{JitOptions, Target, Value};
use minoan::mlir::{Backend, Entries, load};
use minoan::{context, output};

const TYPES: [(&str, ElementType); 8] = [
    ("i1", ElementType::Bool),
    ("i8", ElementType::Signed(8)),
    ("i32", ElementType::Signed(32)),
    ("i64", ElementType::Signed(64)),
    ("f16", ElementType::F16),
    ("bf16", ElementType::BF16),
    ("f32", ElementType::F32),
    ("f64", ElementType::F64),
];

/// Functions of one operation each.
struct Functions<'c> {
    ctx: &'c Context,
    text: String,
    /// The types of the operands and of the results of each.
    types: Vec<(String, Vec<ElementType>, Vec<ElementType>)>,
}

impl Functions<'_> {
    /// Adds a function if the operation is valid.
    fn add(&mut self, name: &str, operands: &[usize], results: &[usize]) -> bool {
        let list = |types: &[usize]| types.iter().map(|&ty| TYPES[ty].0).collect::<Vec<_>>().join(", ");
        let args: Vec<String> =
            operands.iter().enumerate().map(|(at, &ty)| format!("%a{at}: {}", TYPES[ty].0)).collect();
        let names: Vec<String> = (0..operands.len()).map(|at| format!("%a{at}")).collect();
        let values: Vec<String> = (0..results.len()).map(|at| format!("%r#{at}")).collect();
        let props = if name.starts_with("arith.cmp") { "<{predicate = 4 : i64}> " } else { "" };
        let (args, names, values) = (args.join(", "), names.join(", "), values.join(", "));
        let (inputs, outputs, number) = (list(operands), list(results), self.types.len());
        let count = results.len();
        let text = format!(
            "func.func @f{number}({args}) -> ({outputs}) {{\n  %r:{count} = \"{name}\"({names}) {props}: \
             ({inputs}) -> ({outputs})\n  return {values} : {outputs}\n}}\n"
        );
        if !is_valid(self.ctx, &text) {
            return false;
        }
        self.text += &text;
        let of = |types: &[usize]| types.iter().map(|&ty| TYPES[ty].1).collect();
        self.types.push((name.to_owned(), of(operands), of(results)));
        true
    }
}

fn parse(ctx: &Context, text: &str) -> Option<Module> {
    let sources = SourceMap::new();
    let file = sources.add("f.mlir", text);
    parse_module(ctx, &sources, file, &ParseOptions::default()).ok()
}

fn is_valid(ctx: &Context, text: &str) -> bool {
    parse(ctx, text).is_some_and(|module| verify(&module).is_ok())
}

fn every_function(ctx: &Context) -> Functions<'_> {
    let mut functions = Functions { ctx, text: String::new(), types: Vec::new() };
    let names: Vec<&str> = ctx
        .registered_kinds()
        .filter_map(|kind| ctx.spec(kind))
        .map(|spec| spec.name)
        .filter(|name| name.starts_with("arith.") || name.starts_with("math."))
        .collect();
    for name in names {
        let mut found = false;
        for a in 0..TYPES.len() {
            for r in 0..TYPES.len() {
                found |= functions.add(name, &[a], &[r]);
            }
            for operands in [&[a, a][..], &[a, a, a], &[a, 2], &[0, a, a]] {
                found |= functions.add(name, operands, &[a]);
            }
            found |= a != 0 && functions.add(name, &[a, a], &[0]);
            for results in [[a, 0], [a, a]] {
                found |= functions.add(name, &[a], &results) | functions.add(name, &[a, a], &results);
            }
        }
        // A constant has no operands, and scaling takes vectors of a format of its own.
        let others = ["arith.constant", "arith.scaling_extf", "arith.scaling_truncf"];
        assert!(found || others.contains(&name), "no types are valid for '{name}'");
    }
    functions
}

/// Some values of a type.
fn samples(ty: ElementType) -> [Data; 4] {
    match ty {
        ElementType::Bool => [0, 1, 0, 1].map(Data::Int),
        ElementType::F64 => [0.5, -2.0, 1.0, f64::INFINITY].map(Data::F64),
        ElementType::F16 | ElementType::BF16 | ElementType::F32 => {
            [0.5, -2.0, 1.0, f32::INFINITY].map(Data::F32)
        }
        _ => [3, -1, 1, 0].map(Data::Int),
    }
}

fn value(ty: ElementType, datum: &Data) -> Value {
    match (ty, datum) {
        (ElementType::Bool, Data::Int(value)) => Value::I1(*value != 0),
        (ElementType::Signed(8), Data::Int(value)) => Value::I8(*value as i8),
        (ElementType::Signed(32), Data::Int(value)) => Value::I32(*value as i32),
        (_, Data::Int(value)) => Value::I64(*value),
        (ElementType::F16, Data::F32(value)) => Value::F16(f16::from_f32(*value).to_bits()),
        (ElementType::BF16, Data::F32(value)) => Value::BF16(bf16::from_f32(*value).to_bits()),
        (_, Data::F32(value)) => Value::F32(*value),
        (_, Data::F64(value)) => Value::F64(*value),
        (_, other) => panic!("no scalar: {other:?}"),
    }
}

/// Whether a compiled result is the interpreter's, up to the last digits of functions of the system's library.
fn agrees(value: &Value, datum: &Data) -> bool {
    let close = |a: f64, b: f64, digits: f64| {
        a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= digits * b.abs().max(1e-3)
    };
    match (value, datum) {
        (Value::I1(value), Data::Int(wanted)) => i64::from(*value) == *wanted,
        (Value::I8(value), Data::Int(wanted)) => i64::from(*value) == *wanted,
        (Value::I32(value), Data::Int(wanted)) => i64::from(*value) == *wanted,
        (Value::I64(value), Data::Int(wanted)) => value == wanted,
        (Value::F16(bits), Data::F32(wanted)) => {
            close(f16::from_bits(*bits).to_f64(), f64::from(*wanted), 2e-3)
        }
        (Value::BF16(bits), Data::F32(wanted)) => {
            close(bf16::from_bits(*bits).to_f64(), f64::from(*wanted), 1.6e-2)
        }
        (Value::F32(value), Data::F32(wanted)) => close(f64::from(*value), f64::from(*wanted), 1e-6),
        (Value::F64(value), Data::F64(wanted)) => close(*value, *wanted, 1e-14),
        _ => false,
    }
}

#[test]
fn compiled_code_agrees_with_the_interpreter() {
    let ctx = context();
    let functions = every_function(&ctx);
    let module = parse(&ctx, &functions.text).expect("the functions are valid together");
    let backend = Backend::new();
    let mut translated = backend.translate(&module).expect("MLIR has the operations");
    let target = Target::host(&Default::default()).expect("this machine");
    let compiled = backend.compile(&mut translated, &target, &Entries::Jit, &Default::default());
    let compiled = compiled.unwrap_or_else(|errors| panic!("{errors:?}\n{}", output::module_text(&module)));
    let jit = load(&compiled, &JitOptions::default()).expect("it links");
    let mut wrong = Vec::new();
    for (number, (name, operands, results)) in functions.types.iter().enumerate() {
        for sample in 0..4 {
            let at = |at: usize| (sample + at) % 4;
            let args: Vec<Data> =
                operands.iter().enumerate().map(|(index, &ty)| samples(ty)[at(index)].clone()).collect();
            let symbol = format!("f{number}");
            // Undefined behaviour has no result to compare with.
            let Ok(wanted) = Interpreter::new(&module).call(&symbol, &args) else { continue };
            let mut values: Vec<Value> =
                operands.iter().zip(&args).map(|(&ty, arg)| value(ty, arg)).collect();
            let found = jit.call(&symbol, &mut values).expect("it runs");
            if found.len() != results.len() || !found.iter().zip(&wanted).all(|(a, b)| agrees(a, b)) {
                wrong.push(format!("{name} {operands:?} of {args:?}: {found:?}, expected {wanted:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(functions.types.len() > 400, "many operations have scalars: {}", functions.types.len());
}
