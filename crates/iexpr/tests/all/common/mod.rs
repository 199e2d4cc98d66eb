//! Lowers programs and runs them at every stage.

pub mod generate;
pub mod reference;

use minoan_diag::{Diagnostics, SourceMap, render};
use minoan_iexpr::emit::{EmitOptions, FloatWidth, emit};
use minoan_iexpr::{Checked, File, check, parse};
use minoan_interp::Interpreter;
use minoan_ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan_ir::verify::verify;
use minoan_ir::{Context, Module, Registry};
use minoan_pass::{Pass, PassManager, Pipeline};
use minoan_passes::{
    dce::Dce, hoist_buffers::HoistBuffers, inline::Inline, lower::LowerFrontEnds,
    materialize_signatures::MaterializeSignatures, plan_buffers::PlanBuffers,
};
use minoan_services::{Datum, Tensor, TensorData, Trap};
use reference::Array;
use std::rc::Rc;

pub fn context() -> Context {
    let mut registry = Registry::new();
    registry
        .add(minoan_arith::ArithDialect)
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_cf::CfDialect)
        .add(minoan_data::DataDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_iexpr_dialect::IexprDialect)
        .add(minoan_linalg::LinalgDialect)
        .add(minoan_math::MathDialect)
        .add(minoan_memref::MemRefDialect)
        .add(minoan_scf::ScfDialect)
        .add(minoan_tensor::TensorDialect);
    Context::new(registry).expect("the dialects go together")
}

pub fn rendered(diagnostics: &Diagnostics, sources: &SourceMap) -> String {
    diagnostics.iter().map(|diagnostic| render(diagnostic, sources)).collect()
}

/// The diagnostics of parsing and checking a text.
pub fn messages(text: &str) -> String {
    let sources = SourceMap::new();
    let file = sources.add("test.iexpr", text);
    let (file, syntax) = parse(&sources, file);
    let (_, rules) = check(&file);
    rendered(&syntax, &sources) + &rendered(&rules, &sources)
}

/// Checks a text that must be free of diagnostics.
pub fn good(text: &str) -> (SourceMap, Checked, File) {
    let sources = SourceMap::new();
    let file = sources.add("test.iexpr", text);
    let (file, errors) = parse(&sources, file);
    assert!(errors.is_empty(), "{}", rendered(&errors, &sources));
    let (checked, errors) = check(&file);
    assert!(errors.is_empty(), "{}", rendered(&errors, &sources));
    (sources, checked, file)
}

/// The module of a text's last definition, or the messages.
pub fn emitted(ctx: &Context, text: &str, options: &EmitOptions) -> Result<Module, String> {
    let (sources, checked, _) = good(text);
    let root = checked.default_entry().expect("a definition").to_owned();
    let module = emit(ctx, &sources, &checked, &[&root], options);
    let module = module.map_err(|errors| rendered(&errors, &sources))?;
    verify(&module).unwrap_or_else(|errors| panic!("{}\n{}", rendered(&errors, &sources), text_of(&module)));
    Ok(module)
}

pub fn text_of(module: &Module) -> String {
    print_module(module, &PrintFlags::default())
}

/// Applies passes, which must succeed and leave the module valid.
pub fn apply(mut module: Module, passes: Vec<Box<dyn Pass>>) -> Module {
    let pipeline = Pipeline::new(passes);
    if let Err(errors) = PassManager::new(&pipeline).verify_each(true).run(&mut module).into_result() {
        panic!("{}\n{}", rendered(&errors, &SourceMap::new()), text_of(&module));
    }
    module
}

pub fn lowered(module: Module) -> Module {
    apply(module, vec![Box::new(LowerFrontEnds), Box::new(MaterializeSignatures::default())])
}

pub fn on_buffers(module: Module) -> Module {
    apply(
        module,
        vec![Box::new(Inline::calls_alone()), Box::new(Dce), Box::new(PlanBuffers), Box::new(HoistBuffers)],
    )
}

/// Checks that the printed module parses to the same module.
pub fn reads_back(module: &Module) {
    let printed = text_of(module);
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", &*printed);
    let again = parse_module(module.context(), &sources, file, &ParseOptions::default());
    let again = again.unwrap_or_else(|errors| panic!("{}\n{printed}", rendered(&errors, &sources)));
    assert_eq!(text_of(&again), printed);
}

fn datum(array: &Array, float: FloatWidth) -> Datum {
    let data = match float {
        _ if array.truth => TensorData::Int(array.data.iter().map(|&it| it as i64).collect()),
        FloatWidth::F32 => TensorData::F32(array.data.iter().map(|&it| it as f32).collect()),
        FloatWidth::F64 => TensorData::F64(array.data.clone()),
    };
    Tensor { shape: array.shape.clone(), data }.into()
}

fn array(tensor: &Tensor) -> Array {
    let (data, truth) = match &tensor.data {
        TensorData::Int(data) => (data.iter().map(|&it| it as f64).collect(), true),
        TensorData::F32(data) => (data.iter().map(|&it| f64::from(it)).collect(), false),
        TensorData::F64(data) => (data.clone(), false),
        _ => panic!("not a number of this language: {tensor:?}"),
    };
    Array { shape: tensor.shape.clone(), data, truth }
}

/// Runs a function on tensors.
pub fn call(module: &Module, args: &[Datum]) -> Result<Vec<Array>, Trap> {
    let results = Interpreter::new(module).call("main", args)?;
    Ok(results.iter().map(|it| array(it.tensor().expect("a tensor"))).collect())
}

/// Runs a function on buffers; arguments must stay unchanged and, unless the run traps, nothing may leak.
fn call_on_buffers(module: &Module, args: &[Datum]) -> Result<Vec<Array>, Trap> {
    let mut machine = Interpreter::new(module);
    let given: Vec<Datum> = args
        .iter()
        .map(|it| Datum::Buffer(machine.buffer(Tensor::clone(it.tensor().expect("a tensor")))))
        .collect();
    let found = machine.call("main", &given)?;
    let contents =
        |value: &Datum| value.buffer().expect("a buffer").read(|it| Ok(it.clone())).expect("not freed");
    assert_eq!(machine.live_buffers(), given.len() + found.len(), "{}", text_of(module));
    for (given, arg) in given.iter().zip(args) {
        assert!(Datum::Tensor(Rc::new(contents(given))).same(arg), "an argument was changed");
    }
    Ok(found.iter().map(|it| array(&contents(it))).collect())
}

/// Runs `main` of a text on the iexpr dialect, lowered to loops on tensors, and bufferized. All must agree.
pub fn run_with(text: &str, inputs: &[Array], options: &EmitOptions) -> Result<Vec<Array>, String> {
    run_agreeing(text, inputs, options, same)
}

/// Like [`run`], for programs whose loops associate sums in another way.
pub fn run_near(text: &str, inputs: &[Array]) -> Result<Vec<Array>, String> {
    run_agreeing(text, inputs, &EmitOptions::default(), near)
}

fn run_agreeing(
    text: &str,
    inputs: &[Array],
    options: &EmitOptions,
    agree: fn(&[Array], &[Array]) -> bool,
) -> Result<Vec<Array>, String> {
    let module = emitted(&context(), text, options)?;
    let args: Vec<Datum> = inputs.iter().map(|input| datum(input, options.float)).collect();
    let direct = call(&module, &args);
    let lowered = lowered(module);
    let loops = call(&lowered, &args);
    let buffers = call_on_buffers(&on_buffers(lowered.clone()), &args);
    for (other, what) in [(&loops, "loops"), (&buffers, "buffers")] {
        match (&direct, other) {
            (Ok(direct), Ok(other)) => {
                assert!(
                    agree(direct, other),
                    "{text}\n{what}: {direct:?} and {other:?}\n{}",
                    text_of(&lowered)
                );
            }
            (Err(direct), Err(other)) => assert_eq!(direct.message, other.message, "{text}\n{what}"),
            _ => panic!("{text}\n{what}: {direct:?} and {other:?}\n{}", text_of(&lowered)),
        }
    }
    direct.map_err(|trap| trap.message)
}

pub fn run(text: &str, inputs: &[Array]) -> Result<Vec<Array>, String> {
    run_with(text, inputs, &EmitOptions::default())
}

/// Whether numbers are bitwise equal or both NaN.
pub fn same(left: &[Array], right: &[Array]) -> bool {
    let bits = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| {
            left.shape == right.shape
                && left.truth == right.truth
                && left.data.iter().zip(&right.data).all(bits)
        })
}

/// Whether numbers differ only by a few roundings to `f32`.
pub fn near(left: &[Array], right: &[Array]) -> bool {
    let near = |(a, b): (&f64, &f64)| {
        a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-5 * (1.0 + a.abs().max(b.abs()))
    };
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| {
            left.shape == right.shape
                && left.truth == right.truth
                && left.data.iter().zip(&right.data).all(near)
        })
}

/// The results of the reference evaluator for a text's last definition.
pub fn expected(text: &str, inputs: &[Array]) -> Result<Vec<Array>, String> {
    let (_, _, file) = good(text);
    reference::evaluate(&file, file.defs.last().expect("a definition").body, inputs)
}

pub fn numbers(shape: &[usize], data: &[f64]) -> Array {
    Array::numbers(shape, data.to_vec())
}

pub fn truths(shape: &[usize], data: &[bool]) -> Array {
    let data = data.iter().map(|&it| f64::from(u8::from(it))).collect();
    Array { truth: true, ..Array::numbers(shape, data) }
}

/// Small distinct integers.
pub fn counted(shape: &[usize]) -> Array {
    let count = shape.iter().product::<usize>();
    Array::numbers(shape, (0..count).map(|at| ((at * 7 + 3) % 11) as f64 - 4.0).collect())
}
