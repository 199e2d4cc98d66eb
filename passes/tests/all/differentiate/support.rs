//! Derivatives of a module by the interpreter, and their comparison.

use minoan_diag::{SourceMap, render};
use minoan_interp::Interpreter;
use minoan_ir::text::{ParseOptions, PrintFlags, parse_module, print_module, print_type};
use minoan_ir::{Context, Module, Registry, Type};
use minoan_pass::{PassManager, Pipeline};
use minoan_passes::differentiate::Differentiate;
use minoan_services::{Datum, Tensor, TensorData, is_complex};
use std::fmt::Write;
use std::rc::Rc;

pub(crate) fn context() -> Context {
    let mut registry = Registry::new();
    registry
        .add(minoan_arith::ArithDialect)
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_cf::CfDialect)
        .add(minoan_complex::ComplexDialect)
        .add(minoan_data::DataDialect)
        .add(minoan_diff::DiffDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_linalg::LinalgDialect)
        .add(minoan_math::MathDialect)
        .add(minoan_memref::MemRefDialect)
        .add(minoan_scf::ScfDialect)
        .add(minoan_tensor::TensorDialect);
    Context::new(registry).expect("the dialects go together")
}

pub(crate) fn parse(ctx: &Context, text: &str) -> Module {
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    let module = parse_module(ctx, &sources, file, &ParseOptions::default()).unwrap_or_else(|errors| {
        panic!("{}\n{text}", errors.iter().map(|error| render(error, &sources)).collect::<String>())
    });
    minoan_ir::verify::verify(&module).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    module
}

pub(crate) fn differentiated(ctx: &Context, text: &str) -> Module {
    let mut module = parse(ctx, text);
    let pipeline = Pipeline::new(vec![Box::new(Differentiate)]);
    if let Err(errors) = PassManager::new(&pipeline).run(&mut module).into_result() {
        panic!("{errors:?}\n{}", print_module(&module, &PrintFlags::default()));
    }
    module
}

/// The argument and result types of a function.
pub(crate) fn signature(module: &Module, name: &str) -> (Vec<Type>, Vec<Type>) {
    let (ctx, body) = (module.context(), module.body());
    let function = body.walk().into_iter().map(|op| body.op(op)).find(|op| op.symbol_name() == Some(name));
    let ty = function.and_then(|op| op.attr(ctx.names().function_type)?.as_type(ctx));
    let (inputs, results) = ty.and_then(|ty| ty.as_function(ctx)).expect("it is a function");
    (inputs.to_vec(), results.to_vec())
}

pub(crate) fn is_active(ctx: &Context, ty: Type) -> bool {
    let element = ty.element_or_self(ctx);
    element.is_float(ctx) || is_complex(ctx, element)
}

/// Functions `jvp` and `vjp` that request the derivatives of `f`.
pub(crate) fn requests(module: &Module, f: &str, jvp: &str, vjp: &str) -> String {
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
pub(crate) struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
    }

    /// A value like another one.
    fn like(&mut self, value: &Datum) -> Datum {
        let count = floats(value).unwrap_or_else(|| panic!("{value:?} has no tangent")).len();
        let numbers: Vec<f64> = (0..count).map(|_| self.next()).collect();
        filled(value, &numbers)
    }
}

/// A value like another one with other floats; complex numbers have two each.
fn filled(value: &Datum, floats: &[f64]) -> Datum {
    match value {
        Datum::F32(_) => Datum::F32(floats[0] as f32),
        Datum::Complex32(_) => Datum::Complex32([floats[0] as f32, floats[1] as f32]),
        Datum::Complex64(_) => Datum::Complex64([floats[0], floats[1]]),
        Datum::Tensor(tensor) => {
            let data = match tensor.data {
                TensorData::Complex64(_) => TensorData::Complex64(floats.as_chunks().0.to_vec()),
                _ => TensorData::F64(floats.to_vec()),
            };
            Datum::Tensor(Rc::new(Tensor { shape: tensor.shape.clone(), data }))
        }
        _ => Datum::F64(floats[0]),
    }
}

pub(crate) fn floats(value: &Datum) -> Option<Vec<f64>> {
    match value {
        Datum::Complex32(parts) => Some(parts.map(f64::from).to_vec()),
        Datum::Complex64(parts) => Some(parts.to_vec()),
        Datum::F32(value) => Some(vec![f64::from(*value)]),
        Datum::F64(value) => Some(vec![*value]),
        Datum::Tensor(tensor) => match &tensor.data {
            TensorData::F64(data) => Some(data.clone()),
            TensorData::Complex64(data) => Some(data.as_flattened().to_vec()),
            TensorData::Partial(_) => panic!("a result has no defined value"),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn dot(xs: &[Datum], ys: &[Datum]) -> f64 {
    assert_eq!(xs.len(), ys.len());
    let numbers =
        |values: &[Datum]| values.iter().flat_map(|value| floats(value).expect("floats")).collect::<Vec<_>>();
    numbers(xs).iter().zip(numbers(ys)).map(|(x, y)| x * y).sum()
}

/// `x + h v` in the floats of a list; `v` has those only.
pub(crate) fn moved(args: &[Datum], v: &[Datum], h: f64) -> Vec<Datum> {
    let mut v = v.iter();
    args.iter()
        .map(|arg| match floats(arg) {
            None => arg.clone(),
            Some(x) => {
                let v = floats(v.next().expect("a tangent")).expect("floats");
                let sum: Vec<f64> = x.iter().zip(v).map(|(x, v)| x + h * v).collect();
                filled(arg, &sum)
            }
        })
        .collect()
}

pub(crate) fn close(what: &str, text: &str, x: f64, y: f64, tolerance: f64) {
    let scale = 1.0_f64.max(x.abs()).max(y.abs());
    assert!((x - y).abs() <= tolerance * scale, "{what}: {x} and {y}\n{text}");
}

pub(crate) fn actives(values: &[Datum]) -> Vec<Datum> {
    values.iter().filter(|value| floats(value).is_some()).cloned().collect()
}

/// Compares the derivatives of `f` in a module, and those of its `depth - 1` first derivatives.
pub(crate) fn check_to(depth: usize, text: &str, args: &[Datum]) {
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

pub(crate) fn check(text: &str, args: &[Datum]) {
    check_to(2, text, args);
}

pub(crate) fn vector(elements: &[f64]) -> Datum {
    matrix(&[elements.len()], elements)
}

pub(crate) fn matrix(shape: &[usize], elements: &[f64]) -> Datum {
    Datum::Tensor(Rc::new(Tensor { shape: shape.into(), data: TensorData::F64(elements.to_vec()) }))
}

/// A vector of complex numbers from their parts.
pub(crate) fn complex_vector(parts: &[[f64; 2]]) -> Datum {
    complex_matrix(&[parts.len()], parts)
}

pub(crate) fn complex_matrix(shape: &[usize], parts: &[[f64; 2]]) -> Datum {
    Datum::Tensor(Rc::new(Tensor { shape: shape.into(), data: TensorData::Complex64(parts.to_vec()) }))
}

pub(crate) fn indices(elements: &[i64]) -> Datum {
    Datum::Tensor(Rc::new(Tensor {
        shape: [elements.len()].into(),
        data: TensorData::Int(elements.to_vec()),
    }))
}
