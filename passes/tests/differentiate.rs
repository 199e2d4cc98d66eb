//! Derivatives agree with central differences, and reverse mode with forward mode: `<J v, w> = <v, J^T w>`. Derivatives of
//! derivatives likewise.

use minoan_diag::{SourceMap, render};
use minoan_interp::Interpreter;
use minoan_ir::text::{ParseOptions, PrintFlags, parse_module, print_module, print_type};
use minoan_ir::{Context, Module, Registry, Type};
use minoan_pass::{PassManager, Pipeline};
use minoan_passes::differentiate::Differentiate;
use minoan_services::{Datum, Differentiate as DerivativeOf, Tensor, TensorData};
use std::fmt::Write;
use std::rc::Rc;

fn context() -> Context {
    let mut registry = Registry::new();
    registry
        .add(minoan_arith::ArithDialect)
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_cf::CfDialect)
        .add(minoan_diff::DiffDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_linalg::LinalgDialect)
        .add(minoan_math::MathDialect)
        .add(minoan_memref::MemRefDialect)
        .add(minoan_scf::ScfDialect)
        .add(minoan_tensor::TensorDialect);
    Context::new(registry).expect("the dialects go together")
}

fn parse(ctx: &Context, text: &str) -> Module {
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    let module = parse_module(ctx, &sources, file, &ParseOptions::default()).unwrap_or_else(|errors| {
        panic!("{}\n{text}", errors.iter().map(|error| render(error, &sources, false)).collect::<String>())
    });
    minoan_ir::verify::verify(&module).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    module
}

fn differentiated(ctx: &Context, text: &str) -> Module {
    let mut module = parse(ctx, text);
    let pipeline = Pipeline::new(vec![Box::new(Differentiate)]);
    if let Err(errors) = PassManager::new(&pipeline).run(&mut module).into_result() {
        panic!("{errors:?}\n{}", print_module(&module, &PrintFlags::default()));
    }
    module
}

/// The argument and result types of a function.
fn signature(module: &Module, name: &str) -> (Vec<Type>, Vec<Type>) {
    let (ctx, body) = (module.context(), module.body());
    let function = body.walk().into_iter().map(|op| body.op(op)).find(|op| op.symbol_name() == Some(name));
    let ty = function.and_then(|op| op.attr(ctx.names().function_type)?.as_type(ctx));
    let (inputs, results) = ty.and_then(|ty| ty.as_function(ctx)).expect("it is a function");
    (inputs.to_vec(), results.to_vec())
}

fn is_active(ctx: &Context, ty: Type) -> bool {
    ty.element_or_self(ctx).is_float(ctx)
}

/// Functions `jvp` and `vjp` that request the derivatives of `f`.
fn requests(module: &Module, f: &str, jvp: &str, vjp: &str) -> String {
    let ctx = module.context();
    let (args, results) = signature(module, f);
    let show = |types: &[Type]| types.iter().map(|&ty| print_type(ctx, ty)).collect::<Vec<_>>().join(", ");
    let active = |types: &[Type]| types.iter().copied().filter(|&ty| is_active(ctx, ty)).collect::<Vec<_>>();
    let mut text = String::new();
    for (name, op, seeds, outputs) in
        [(jvp, "fwd", active(&args), active(&results)), (vjp, "rev", active(&results), active(&args))]
    {
        let all: Vec<Type> = args.iter().chain(&seeds).copied().collect();
        let params: Vec<String> =
            all.iter().enumerate().map(|(at, &ty)| format!("%{at}: {}", print_type(ctx, ty))).collect();
        let names =
            |from: usize, to: usize| (from..to).map(|at| format!("%{at}")).collect::<Vec<_>>().join(", ");
        let outs: Vec<String> = (0..outputs.len()).map(|at| format!("%r#{at}")).collect();
        writeln!(
            text,
            "func.func @{name}({}) -> ({}) {{\n  %r:{} = diff.{op} @{f}({})({}) : ({}) -> ({})\n  return {} : {}\n}}",
            params.join(", "),
            show(&outputs),
            outputs.len(),
            names(0, args.len()),
            names(args.len(), all.len()),
            show(&all),
            show(&outputs),
            outs.join(", "),
            show(&outputs),
        )
        .expect("a string");
    }
    text
}

/// Deterministic numbers between -1 and 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
    }

    /// A value like another one.
    fn like(&mut self, value: &Datum) -> Datum {
        match value {
            Datum::F32(_) => Datum::F32(self.next() as f32),
            Datum::F64(_) => Datum::F64(self.next()),
            Datum::Tensor(tensor) => {
                let data = TensorData::F64((0..tensor.data.len()).map(|_| self.next()).collect());
                Datum::Tensor(Rc::new(Tensor { shape: tensor.shape.clone(), data }))
            }
            other => panic!("{other:?} has no tangent"),
        }
    }
}

fn floats(value: &Datum) -> Option<Vec<f64>> {
    match value {
        Datum::F32(value) => Some(vec![f64::from(*value)]),
        Datum::F64(value) => Some(vec![*value]),
        Datum::Tensor(tensor) => match &tensor.data {
            TensorData::F64(data) => Some(data.clone()),
            TensorData::Partial(_) => panic!("a result has no defined value"),
            _ => None,
        },
        _ => None,
    }
}

fn dot(xs: &[Datum], ys: &[Datum]) -> f64 {
    assert_eq!(xs.len(), ys.len());
    let numbers =
        |values: &[Datum]| values.iter().flat_map(|value| floats(value).expect("floats")).collect::<Vec<_>>();
    numbers(xs).iter().zip(numbers(ys)).map(|(x, y)| x * y).sum()
}

/// `x + h v` in the floats of a list; `v` has those only.
fn moved(args: &[Datum], v: &[Datum], h: f64) -> Vec<Datum> {
    let mut v = v.iter();
    args.iter()
        .map(|arg| match floats(arg) {
            None => arg.clone(),
            Some(x) => {
                let v = floats(v.next().expect("a tangent")).expect("floats");
                let sum: Vec<f64> = x.iter().zip(v).map(|(x, v)| x + h * v).collect();
                match arg {
                    Datum::Tensor(tensor) => Datum::Tensor(Rc::new(Tensor {
                        shape: tensor.shape.clone(),
                        data: TensorData::F64(sum),
                    })),
                    Datum::F32(_) => Datum::F32(sum[0] as f32),
                    _ => Datum::F64(sum[0]),
                }
            }
        })
        .collect()
}

fn close(what: &str, text: &str, x: f64, y: f64, tolerance: f64) {
    let scale = 1.0_f64.max(x.abs()).max(y.abs());
    assert!((x - y).abs() <= tolerance * scale, "{what}: {x} and {y}\n{text}");
}

fn actives(values: &[Datum]) -> Vec<Datum> {
    values.iter().filter(|value| floats(value).is_some()).cloned().collect()
}

/// Compares the derivatives of `f` in a module, and those of its `depth - 1` first derivatives.
fn check_to(depth: usize, text: &str, args: &[Datum]) {
    let ctx = context();
    let mut text = text.to_owned();
    let mut function = "f".to_owned();
    let mut args = args.to_vec();
    for level in 0..depth {
        let (jvp, vjp) = (format!("jvp{level}"), format!("vjp{level}"));
        text += &requests(&parse(&ctx, &text), &function, &jvp, &vjp);
        let module = differentiated(&ctx, &text);
        let shown = print_module(&module, &PrintFlags::default());
        let run = |name: &str, args: &[Datum]| {
            let result = Interpreter::new(&module).call(name, args);
            result.unwrap_or_else(|trap| panic!("{name}: {trap}\n{shown}"))
        };
        let mut numbers = Numbers(level as u64 + 1);
        let results = actives(&run(&function, &args));
        let v: Vec<Datum> = actives(&args).iter().map(|arg| numbers.like(arg)).collect();
        let w: Vec<Datum> = results.iter().map(|result| numbers.like(result)).collect();
        let given = |extra: &[Datum]| [&args[..], extra].concat();
        let forward = run(&jvp, &given(&v));
        let reverse = run(&vjp, &given(&w));
        let (product, transposed) = (dot(&forward, &w), dot(&v, &reverse));
        // Sums of single precision differ by their rounding.
        let is_single = text.contains("f32");
        let (exact, rough, h) = if is_single { (1e-6, 1e-2, 1e-2) } else { (1e-10, 1e-5, 1e-5) };
        close("forward and reverse", &shown, product, transposed, exact);
        let at = |h: f64| dot(&actives(&run(&function, &moved(&args, &v, h))), &w);
        close("forward and differences", &shown, product, (at(h) - at(-h)) / (2.0 * h), rough);
        args.extend(w);
        function = vjp;
    }
}

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
    const OPERANDS: [&str; 7] = ["f64", "i1", "i64", "index", "tensor<3xf64>", "tensor<?xf64>", "f32"];
    const RESULTS: [&str; 6] = ["f64", "tensor<3xf64>", "tensor<2xf64>", "tensor<?xf64>", "f32", "f64, f64"];
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
        "tensor<3xf64>" | "tensor<?xf64>" => vector(&[x, x + 0.11, x - 0.23]),
        _ => number.into(),
    }
}

/// For each operation of the registry with a rule: functions of its own are checked where they have finite values. One that
/// needs attributes or regions occurs in a program of this file.
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
        let is_in_a_program = include_str!("differentiate.rs").matches(name).count() > 0;
        assert!(finite > 0 || is_in_a_program, "the rule of '{name}' is not tested");
    }
    assert!(checked > 40, "only {checked} operations could be generated from their types");
}

fn check(text: &str, args: &[Datum]) {
    check_to(2, text, args);
}

fn vector(elements: &[f64]) -> Datum {
    matrix(&[elements.len()], elements)
}

fn matrix(shape: &[usize], elements: &[f64]) -> Datum {
    Datum::Tensor(Rc::new(Tensor { shape: shape.into(), data: TensorData::F64(elements.to_vec()) }))
}

fn indices(elements: &[i64]) -> Datum {
    Datum::Tensor(Rc::new(Tensor {
        shape: [elements.len()].into(),
        data: TensorData::Int(elements.to_vec()),
    }))
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

const SUM_OF_SINES: &str = "func.func @f(%a: tensor<?xf64>, %k: f64) -> f64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f64
    %n = tensor.dim %a, %c0 : tensor<?xf64>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f64) {
      %x = tensor.extract %a[%i] : tensor<?xf64>
      %y = arith.mulf %x, %k : f64
      %0 = math.sin %y : f64
      %t = arith.addf %s, %0 : f64
      scf.yield %t : f64
    }
    return %r : f64
  }\n";

#[test]
fn sums() {
    check_to(3, SUM_OF_SINES, &[vector(&[0.1, 0.7, -0.4]), 1.3.into()]);
    check(SUM_OF_SINES, &[vector(&[]), 1.3.into()]);
}

#[test]
fn products_with_zeros() {
    let text = "func.func @f(%a: tensor<?xf64>) -> f64 {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %z = arith.constant 1.0 : f64
        %n = tensor.dim %a, %c0 : tensor<?xf64>
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f64) {
          %x = tensor.extract %a[%i] : tensor<?xf64>
          %t = arith.mulf %s, %x : f64
          scf.yield %t : f64
        }
        return %r : f64
      }\n";
    for elements in [&[1.5, 0.5, -2.0][..], &[1.5, 0.0, -2.0], &[0.0, 3.0, 0.0], &[]] {
        check_to(3, text, &[vector(elements)]);
    }
}

#[test]
fn loops_with_bounds_and_steps() {
    let text = "func.func @f(%x: f64, %lo: index, %hi: index, %by: index) -> f64 {
        %r = scf.for %i = %lo to %hi step %by iter_args(%s = %x) -> (f64) {
          %0 = arith.index_cast %i : index to i64
          %1 = arith.sitofp %0 : i64 to f64
          %2 = arith.mulf %s, %1 : f64
          %3 = math.sin %2 : f64
          %4 = arith.addf %3, %x : f64
          scf.yield %4 : f64
        }
        return %r : f64
      }\n";
    check(text, &[0.4.into(), 1.into(), 8.into(), 3.into()]);
    check(text, &[0.4.into(), 5.into(), 5.into(), 1.into()]);
}

#[test]
fn nested_loops_with_carried_values() {
    check(
        "func.func @f(%a: tensor<?x?xf64>, %x: f64) -> f64 {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %n = tensor.dim %a, %c0 : tensor<?x?xf64>
           %m = tensor.dim %a, %c1 : tensor<?x?xf64>
           %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) {
             %u = scf.for %j = %c0 to %m step %c1 iter_args(%t = %s) -> (f64) {
               %e = tensor.extract %a[%i, %j] : tensor<?x?xf64>
               %p = arith.mulf %t, %e : f64
               %q = math.cos %p : f64
               scf.yield %q : f64
             }
             %v = arith.mulf %u, %s : f64
             scf.yield %v : f64
           }
           return %r : f64
         }\n",
        &[matrix(&[2, 3], &[0.3, -0.2, 0.8, 1.1, 0.4, -0.7]), 0.9.into()],
    );
}

#[test]
fn conditionals() {
    let text = "func.func @f(%x: f64, %y: f64, %a: tensor<?xf64>) -> f64 {
        %c0 = arith.constant 0 : index
        %c = arith.cmpf olt, %x, %y : f64
        %r:2 = scf.if %c -> (f64, f64) {
          %0 = arith.mulf %x, %y : f64
          %e = tensor.extract %a[%c0] : tensor<?xf64>
          %1 = arith.mulf %0, %e : f64
          scf.yield %1, %x : f64, f64
        } else {
          %0 = math.sin %y : f64
          scf.yield %0, %y : f64, f64
        }
        %s = arith.mulf %r#0, %r#1 : f64
        return %s : f64
      }\n";
    check(text, &[0.3.into(), 0.8.into(), vector(&[2.0, 3.0])]);
    check(text, &[0.9.into(), 0.8.into(), vector(&[2.0, 3.0])]);
}

#[test]
fn while_loops() {
    let text = "func.func @f(%x: f64, %k: f64) -> f64 {
        %max = arith.constant 40.0 : f64
        %one = arith.constant 1.0 : f64
        %r:2 = scf.while (%s = %x, %t = %one) : (f64, f64) -> (f64, f64) {
          %c = arith.cmpf olt, %s, %max : f64
          %u = math.sin %s : f64
          %w = arith.mulf %t, %u : f64
          scf.condition(%c) %s, %w : f64, f64
        } do {
        ^bb0(%s: f64, %w: f64):
          %0 = arith.mulf %s, %k : f64
          %1 = arith.addf %0, %w : f64
          scf.yield %1, %w : f64, f64
        }
        %o = arith.mulf %r#0, %r#1 : f64
        return %o : f64
      }\n";
    // The storage of the reverse sweep grows in the loop, so a reverse sweep over that is not possible.
    check_to(1, text, &[0.9.into(), 1.1.into()]);
    check_to(1, text, &[50.0.into(), 1.1.into()]);
}

#[test]
fn gathers_and_histograms() {
    check(
        "func.func @f(%a: tensor<?xf64>, %at: tensor<?xindex>, %b: tensor<?xf64>) -> tensor<?xf64> {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %n = tensor.dim %at, %c0 : tensor<?xindex>
           %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %a) -> (tensor<?xf64>) {
             %k = tensor.extract %at[%i] : tensor<?xindex>
             %x = tensor.extract %h[%k] : tensor<?xf64>
             %y = tensor.extract %b[%i] : tensor<?xf64>
             %p = arith.mulf %x, %y : f64
             %s = math.sin %p : f64
             %g = tensor.insert %s into %h[%k] : tensor<?xf64>
             scf.yield %g : tensor<?xf64>
           }
           return %r : tensor<?xf64>
         }\n",
        &[vector(&[0.2, 0.5, 0.9]), indices(&[1, 1, 0, 1]), vector(&[0.4, 1.4, -0.3, 0.8])],
    );
}

#[test]
fn loops_that_carry_whole_tensors() {
    check(
        "func.func @f(%h: tensor<?xf64>, %w: tensor<?x?xf64>) -> tensor<?xf64> {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c3 = arith.constant 3 : index
           %z = arith.constant 0.0 : f64
           %n = tensor.dim %h, %c0 : tensor<?xf64>
           %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %h) -> (tensor<?xf64>) {
             %next = tensor.generate %n {
             ^bb0(%j: index):
               %d = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> (f64) {
                 %x = tensor.extract %w[%j, %k] : tensor<?x?xf64>
                 %y = tensor.extract %s[%k] : tensor<?xf64>
                 %p = arith.mulf %x, %y : f64
                 %u = arith.addf %t, %p : f64
                 scf.yield %u : f64
               }
               %v = math.tanh %d : f64
               tensor.yield %v : f64
             } : tensor<?xf64>
             scf.yield %next : tensor<?xf64>
           }
           return %r : tensor<?xf64>
         }\n",
        &[vector(&[0.2, 0.5]), matrix(&[2, 2], &[0.3, -0.6, 0.8, 0.4])],
    );
}

#[test]
fn structured_operations() {
    check(
        "#id = affine_map<(i, j) -> (i, j)>
         #row = affine_map<(i, j) -> (i)>
         func.func @f(%a: tensor<2x3xf64>, %b: tensor<3x2xf64>, %c: tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>) {
           %0 = linalg.matmul ins(%a, %b : tensor<2x3xf64>, tensor<3x2xf64>) outs(%c : tensor<2x2xf64>) -> tensor<2x2xf64>
           %1 = linalg.exp ins(%0 : tensor<2x2xf64>) outs(%c : tensor<2x2xf64>) -> tensor<2x2xf64>
           %2 = arith.mulf %1, %0 : tensor<2x2xf64>
           %z = arith.constant 1.0 : f64
           %e = tensor.splat %z : tensor<2xf64>
           %3 = linalg.generic {indexing_maps = [#id, #row], iterator_types = [\"parallel\", \"reduction\"]}
             ins(%2 : tensor<2x2xf64>) outs(%e : tensor<2xf64>) {
           ^bb0(%x: f64, %s: f64):
             %m = arith.maximumf %x, %s : f64
             %p = arith.mulf %m, %s : f64
             linalg.yield %p : f64
           } -> tensor<2xf64>
           return %2, %3 : tensor<2x2xf64>, tensor<2xf64>
         }\n",
        &[
            matrix(&[2, 3], &[0.3, -0.6, 0.8, 0.4, 0.1, 0.9]),
            matrix(&[3, 2], &[0.5, 0.2, -0.7, 0.4, 0.3, 0.6]),
            matrix(&[2, 2], &[0.1, 0.2, 0.3, 0.4]),
        ],
    );
}

#[test]
fn convolutions() {
    check(
        "func.func @f(%a: tensor<5xf64>, %k: tensor<2xf64>, %o: tensor<4xf64>) -> tensor<4xf64> {
           %0 = linalg.conv_1d ins(%a, %k : tensor<5xf64>, tensor<2xf64>) outs(%o : tensor<4xf64>) -> tensor<4xf64>
           return %0 : tensor<4xf64>
         }\n",
        &[vector(&[0.3, 0.7, -0.2, 0.9, 0.4]), vector(&[1.5, -0.4]), vector(&[0.1, 0.2, 0.3, 0.4])],
    );
}

#[test]
fn pads_concatenations_and_reshapes() {
    check(
        "func.func @f(%a: tensor<?x2xf64>, %b: tensor<1x2xf64>, %n: index) -> (tensor<?x4xf64>, tensor<?xf64>) {
           %z = arith.constant 0.5 : f64
           %0 = tensor.concat dim(0) %a, %b, %a : (tensor<?x2xf64>, tensor<1x2xf64>, tensor<?x2xf64>) -> tensor<?x2xf64>
           %1 = arith.mulf %0, %0 : tensor<?x2xf64>
           %2 = tensor.pad %1 low[%n, 1] high[1, 1] {
           ^bb0(%i: index, %j: index):
             tensor.yield %z : f64
           } : tensor<?x2xf64> to tensor<?x4xf64>
           %c0 = arith.constant 0 : index
           %c2 = arith.constant 2 : index
           %r = tensor.dim %1, %c0 : tensor<?x2xf64>
           %k = arith.muli %r, %c2 : index
           %s = tensor.from_elements %k : tensor<1xindex>
           %3 = tensor.reshape %1(%s) : (tensor<?x2xf64>, tensor<1xindex>) -> tensor<?xf64>
           %4 = math.sin %3 : tensor<?xf64>
           return %2, %4 : tensor<?x4xf64>, tensor<?xf64>
         }\n",
        &[matrix(&[2, 2], &[0.3, -0.6, 0.8, 0.4]), matrix(&[1, 2], &[1.3, -0.5]), 2.into()],
    );
}

/// Scalars that a computation over a domain uses from outside have the sum of the cotangents of all points.
#[test]
fn domains_with_scalars_from_outside() {
    check(
        "#id = affine_map<(i, j) -> (i, j)>
         #col = affine_map<(i, j) -> (j)>
         #row = affine_map<(i, j) -> (i)>
         func.func @f(%a: tensor<?x3xf64>, %b: tensor<3xf64>, %o: tensor<?xf64>, %x: f64, %n: index)
             -> (tensor<?xf64>, tensor<?x3xf64>, tensor<?xf64>) {
           %y = math.exp %x : f64
           %0 = linalg.generic {indexing_maps = [#id, #col, #row], iterator_types = [\"parallel\", \"reduction\"]}
             ins(%a, %b : tensor<?x3xf64>, tensor<3xf64>) outs(%o : tensor<?xf64>) {
           ^bb0(%p: f64, %q: f64, %s: f64):
             %1 = arith.mulf %p, %q : f64
             %2 = arith.mulf %1, %y : f64
             %3 = math.sin %2 : f64
             %4 = arith.addf %s, %3 : f64
             linalg.yield %4 : f64
           } -> tensor<?xf64>
           %5 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = [\"parallel\", \"parallel\"]}
             ins(%a, %0 : tensor<?x3xf64>, tensor<?xf64>) outs(%a : tensor<?x3xf64>) {
           ^bb0(%p: f64, %q: f64, %s: f64):
             %1 = arith.divf %q, %y : f64
             %i = linalg.index 1 : index
             %j = arith.index_cast %i : index to i64
             %k = arith.sitofp %j : i64 to f64
             %2 = arith.mulf %1, %k : f64
             %3 = arith.mulf %2, %p : f64
             %4 = arith.mulf %3, %s : f64
             linalg.yield %4 : f64
           } -> tensor<?x3xf64>
           %6 = tensor.generate %n {
           ^bb0(%i: index):
             %j = arith.index_cast %i : index to i64
             %k = arith.sitofp %j : i64 to f64
             %1 = arith.mulf %k, %y : f64
             %2 = arith.mulf %1, %x : f64
             tensor.yield %2 : f64
           } : tensor<?xf64>
           return %0, %5, %6 : tensor<?xf64>, tensor<?x3xf64>, tensor<?xf64>
         }\n",
        &[
            matrix(&[2, 3], &[0.3, -0.6, 0.8, 0.4, 0.9, -0.2]),
            vector(&[0.7, 0.1, -1.2]),
            vector(&[0.4, 0.5]),
            0.3.into(),
            4.into(),
        ],
    );
}

/// The largest element of each row: the first one of several, and the initial one, have the derivative.
#[test]
fn reductions_that_are_not_sums() {
    let text = "#id = affine_map<(i, j) -> (i, j)>
         #row = affine_map<(i, j) -> (i)>
         func.func @f(%a: tensor<2x3xf64>, %o: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
           %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = [\"parallel\", \"reduction\"]}
             ins(%a : tensor<2x3xf64>) outs(%o, %o : tensor<2xf64>, tensor<2xf64>) {
           ^bb0(%p: f64, %s: f64, %t: f64):
             %1 = arith.mulf %p, %p : f64
             %2 = arith.maximumf %s, %1 : f64
             %3 = arith.mulf %t, %p : f64
             linalg.yield %2, %3 : f64, f64
           } -> (tensor<2xf64>, tensor<2xf64>)
           return %0#0, %0#1 : tensor<2xf64>, tensor<2xf64>
         }\n";
    check(text, &[matrix(&[2, 3], &[0.3, -0.6, 0.8, 0.4, 0.9, -0.2]), vector(&[0.1, 1.5])]);
}

#[test]
fn slices_and_shapes() {
    check(
        "func.func @f(%a: tensor<?x4xf64>, %x: f64, %i: index) -> (tensor<?xf64>, tensor<6xf64>) {
           %0 = tensor.extract_slice %a[%i, 1] [2, 2] [1, 1] : tensor<?x4xf64> to tensor<2x2xf64>
           %1 = tensor.from_elements %x, %x : tensor<2xf64>
           %2 = tensor.insert_slice %1 into %0[0, 0] [1, 2] [1, 1] : tensor<2xf64> into tensor<2x2xf64>
           %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<2x2xf64> into tensor<4xf64>
           %e = tensor.empty() : tensor<6xf64>
           %u = tensor.insert_slice %3 into %e[0] [4] [1] : tensor<4xf64> into tensor<6xf64>
           %4 = tensor.insert_slice %1 into %u[4] [2] [1] : tensor<2xf64> into tensor<6xf64>
           %5 = tensor.cast %a : tensor<?x4xf64> to tensor<?x?xf64>
           %6 = tensor.collapse_shape %5 [[0, 1]] : tensor<?x?xf64> into tensor<?xf64>
           %c1 = arith.constant 1 : index
           %7 = tensor.insert %x into %6[%c1] : tensor<?xf64>
           %8 = tensor.expand_shape %4 [[0, 1]] output_shape [2, 3] : tensor<6xf64> into tensor<2x3xf64>
           %9 = tensor.collapse_shape %8 [[0, 1]] : tensor<2x3xf64> into tensor<6xf64>
           return %7, %9 : tensor<?xf64>, tensor<6xf64>
         }\n",
        &[
            matrix(&[3, 4], &[0.3, -0.6, 0.8, 0.4, 0.1, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5]),
            0.7.into(),
            1.into(),
        ],
    );
}

#[test]
fn calls() {
    check(
        "func.func @g(%a: tensor<?xf64>, %i: index, %x: f64) -> (f64, f64) {
           %e = tensor.extract %a[%i] : tensor<?xf64>
           %0 = arith.mulf %e, %x : f64
           return %0, %x : f64, f64
         }
         func.func @f(%a: tensor<?xf64>, %x: f64) -> f64 {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %0:2 = call @g(%a, %c0, %x) : (tensor<?xf64>, index, f64) -> (f64, f64)
           %1:2 = call @g(%a, %c1, %0#0) : (tensor<?xf64>, index, f64) -> (f64, f64)
           %2 = arith.mulf %1#0, %0#1 : f64
           return %2 : f64
         }\n",
        &[vector(&[0.4, 1.2]), 0.6.into()],
    );
}

#[test]
fn mutual_recursion() {
    check(
        "func.func @even(%n: i64, %x: f64) -> f64 {
           %c0 = arith.constant 0 : i64
           %c1 = arith.constant 1 : i64
           %c = arith.cmpi eq, %n, %c0 : i64
           %r = scf.if %c -> (f64) {
             scf.yield %x : f64
           } else {
             %m = arith.subi %n, %c1 : i64
             %0 = func.call @odd(%m, %x) : (i64, f64) -> f64
             %1 = math.sin %0 : f64
             scf.yield %1 : f64
           }
           return %r : f64
         }
         func.func @odd(%n: i64, %x: f64) -> f64 {
           %c1 = arith.constant 1 : i64
           %m = arith.subi %n, %c1 : i64
           %0 = func.call @even(%m, %x) : (i64, f64) -> f64
           %1 = arith.mulf %0, %x : f64
           return %1 : f64
         }
         func.func @f(%x: f64) -> f64 {
           %n = arith.constant 6 : i64
           %0 = call @even(%n, %x) : (i64, f64) -> f64
           return %0 : f64
         }\n",
        &[1.2.into()],
    );
}

#[test]
fn user_defined_derivatives() {
    let ctx = context();
    // The derivatives are wrong on purpose.
    let text = "func.func @g(%x: f64) -> f64 { %0 = math.sin %x : f64\n return %0 : f64 }
        func.func @dg(%x: f64, %d: f64) -> f64 { %c = arith.constant 7.0 : f64\n %0 = arith.mulf %c, %d : f64\n return %0 : f64 }
        diff.rule @g \"fwd\" by @dg
        diff.rule @g \"rev\" by @dg
        func.func @f(%x: f64) -> f64 {
          %0 = call @g(%x) : (f64) -> f64
          %1 = arith.mulf %0, %x : f64
          return %1 : f64
        }\n";
    let all = text.to_owned() + &requests(&parse(&ctx, text), "f", "jvp", "vjp");
    let module = differentiated(&ctx, &all);
    for name in ["jvp", "vjp"] {
        let found = Interpreter::new(&module).call(name, &[2.0.into(), 1.0.into()]).expect("it runs");
        close(name, "", floats(&found[0]).expect("a float")[0], 7.0 * 2.0 + 2.0_f64.sin(), 1e-12);
    }
}

#[test]
fn operations_without_a_derivative_are_listed() {
    let ctx = context();
    let text = "func.func private @h(f64) -> f64
        func.func @f(%x: f64) -> f64 {
          %0 = arith.bitcast %x : f64 to f64
          %1 = call @h(%0) : (f64) -> f64
          return %1 : f64
        }\n";
    let all = text.to_owned() + &requests(&parse(&ctx, text), "f", "jvp", "vjp");
    let mut module = parse(&ctx, &all);
    let errors =
        PassManager::new(&Pipeline::new(vec![Box::new(Differentiate)])).run(&mut module).into_result();
    let errors = errors.expect_err("two operations have no derivative");
    let shown = format!("{errors:?}");
    assert!(shown.contains("'f' cannot be differentiated"), "{shown}");
    assert!(shown.contains("'arith.bitcast' op has no derivative"), "{shown}");
    assert!(shown.contains("function 'h' is external"), "{shown}");
}
