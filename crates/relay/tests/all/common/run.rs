//! Lowers and runs programs, and compares them with reference results.

use super::emitted::{emitted, text_of};
use super::programs::{inputs, integer, number};
use minoan_diag::{Diagnostics, SourceMap, render};
use minoan_interp::Interpreter;
use minoan_ir::verify::verify;
use minoan_ir::{Context, Module, Registry};
use minoan_pass::{PassManager, PassRegistry, Pipeline};
use minoan_services::{Datum, Object, ObjectKind, Tensor, TensorData, Trap};
use serde_json::Value;
use std::rc::Rc;

pub fn context() -> Context {
    let mut registry = Registry::new();
    registry
        .add(minoan_arith::ArithDialect)
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_cf::CfDialect)
        .add(minoan_data::DataDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_linalg::LinalgDialect)
        .add(minoan_math::MathDialect)
        .add(minoan_memref::MemRefDialect)
        .add(minoan_relay_dialect::RelayDialect)
        .add(minoan_scf::ScfDialect)
        .add(minoan_tensor::TensorDialect);
    Context::new(registry).expect("no duplicates")
}

/// Lowers a module to the shared dialects, or returns the messages.
pub fn lowered(module: &Module) -> Result<Module, String> {
    let mut lowered = module.clone();
    let sources = SourceMap::new();
    let say = |errors: &Diagnostics| -> String { errors.iter().map(|it| render(it, &sources)).collect() };
    minoan_rewrite::lower(&mut lowered).map_err(|errors| say(&errors))?;
    verify(&lowered).map_err(|errors| format!("lowered:\n{}\n{}", say(&errors), text_of(&lowered)))?;
    Ok(lowered)
}

/// The module on buffers, by the pipeline that `kc` runs.
pub fn planned(mut module: Module) -> Result<Module, String> {
    let mut passes = PassRegistry::new();
    minoan_passes::register(&mut passes);
    let text = format!("{},verify-ownership", minoan_passes::default_pipeline::TO_BUFFERS);
    let pipeline = Pipeline::parse(&text, &passes, &SourceMap::new()).expect("it is registered");
    match PassManager::new(&pipeline).run(&mut module).into_result() {
        Ok(_) => Ok(module),
        Err(errors) => Err(format!("{errors:?}\n{}", text_of(&module))),
    }
}

/// The module on buffers as code generation gets it, with objects in terms of their memory.
pub fn expanded(mut module: Module) -> Result<Module, String> {
    let mut passes = PassRegistry::new();
    minoan_passes::register(&mut passes);
    let pipeline = Pipeline::parse("expand-counts", &passes, &SourceMap::new()).expect("it is registered");
    match PassManager::new(&pipeline).run(&mut module).into_result() {
        Ok(_) => Ok(module),
        Err(errors) => Err(format!("{errors:?}\n{}", text_of(&module))),
    }
}

/// Runs `@main` on buffers; returns the contents of its results. All buffers except arguments and results must be
/// freed.
pub fn run_on_buffers(module: &Module, args: &[Datum]) -> Result<Vec<Datum>, Trap> {
    let mut machine = Interpreter::new(module);
    let given: Vec<Datum> = args
        .iter()
        .map(|arg| match arg {
            Datum::Tensor(tensor) => Datum::Buffer(machine.buffer(Tensor::clone(tensor))),
            scalar => scalar.clone(),
        })
        .collect();
    let found = machine.call("main", &given)?;
    if machine.live_buffers() > given.len() + found.len() {
        return Err(Trap::new(format!("{} buffers are left", machine.live_buffers())));
    }
    let cyclic = machine.check_owners(&found)? as i64;
    let left = machine.live_objects() - Object::reachable(&found) as i64 - cyclic;
    if left != 0 {
        return Err(Trap::new(format!("{left} objects are left")));
    }
    let contents = |value: &Datum| match value {
        Datum::Buffer(buffer) => buffer.read(|tensor| Ok(Datum::Tensor(Rc::new(tensor.clone())))),
        scalar => Ok(scalar.clone()),
    };
    found.iter().map(contents).collect()
}

/// The outcome of a program.
pub enum Outcome {
    Agrees,
    /// The program uses a construct without a lowering.
    NotLowered(String),
    Differs(String),
}

/// Runs `@main` of a reference program on tensors and on buffers.
pub fn run(program: &Value) -> Outcome {
    let text = program["text"].as_str().unwrap_or_default();
    let module = match emitted(&context(), text, &["main"]) {
        Ok(module) => module,
        Err(messages) => return Outcome::NotLowered(first_line(&messages)),
    };
    let module = match lowered(&module) {
        Ok(module) => module,
        Err(messages) if messages.contains("no lowering yet") => {
            return Outcome::NotLowered(first_line(&messages));
        }
        Err(messages) => return Outcome::Differs(messages),
    };
    let args = inputs(program);
    let on_tensors =
        Interpreter::new(&module).call("main", &args).map_err(|trap| format!("stopped: {}", trap.message));
    let on_tensors = on_tensors.and_then(|results| compare(&program["output"], &results));
    if let Err(message) = on_tensors {
        return Outcome::Differs(format!("{message}\n{}", text_of(&module)));
    }
    let on_buffers = planned(module.clone()).and_then(|planned| {
        let results = run_on_buffers(&planned, &args).map_err(|trap| format!("stopped: {}", trap.message));
        results
            .and_then(|results| compare(&program["output"], &results))
            .map_err(|message| format!("{message}\n{}", text_of(&planned)))
    });
    match on_buffers {
        Ok(()) => Outcome::Agrees,
        Err(message) => Outcome::Differs(format!("on buffers: {message}")),
    }
}

fn first_line(messages: &str) -> String {
    messages.lines().next().unwrap_or_default().to_owned()
}

/// The tensors of an output, with tuples flattened.
fn leaves<'v>(output: &'v Value, out: &mut Vec<&'v Value>) {
    match output["fields"].as_array() {
        Some(fields) => fields.iter().for_each(|field| leaves(field, out)),
        None => out.push(output),
    }
}

/// The tensors of results, with the fields of values of data types in order.
pub fn tensors(results: &[Datum]) -> Vec<Datum> {
    let mut pending: Vec<Datum> = results.iter().rev().cloned().collect();
    let mut leaves = Vec::new();
    while let Some(value) = pending.pop() {
        match value {
            Datum::Object(object) => {
                let slots = object.slots().expect("the object is live");
                match object.kind() {
                    ObjectKind::Cell(_) | ObjectKind::Box => pending.extend(slots.into_iter().rev()),
                    _ => leaves.push(Datum::Object(object)),
                }
            }
            Datum::Buffer(buffer) => leaves.extend(buffer.snapshot().map(Datum::from)),
            scalar @ (Datum::Int(_) | Datum::F32(_) | Datum::F64(_)) => {
                leaves.extend(Tensor::splat(&[], &scalar).map(Datum::from));
            }
            other => leaves.push(other),
        }
    }
    leaves
}

pub fn compare(output: &Value, results: &[Datum]) -> Result<(), String> {
    let mut expected = Vec::new();
    leaves(output, &mut expected);
    let results = tensors(results);
    if expected.len() != results.len() {
        return Err(format!("{} results, not {}", results.len(), expected.len()));
    }
    expected.iter().zip(&results).try_for_each(|(expected, result)| compare_one(expected, result))
}

fn compare_one(expected: &Value, result: &Datum) -> Result<(), String> {
    let tensor = result.tensor().map_err(|trap| trap.message)?;
    let dtype = expected["dtype"].as_str().unwrap_or_default();
    let shape: Vec<usize> = expected["shape"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_u64)
        .map(|it| it as usize)
        .collect();
    if shape != tensor.shape {
        return Err(format!("shape {:?}, not {shape:?}", tensor.shape));
    }
    let wanted = expected["data"].as_array().cloned().unwrap_or_default();
    let agrees = match &tensor.data {
        TensorData::Int(data) => wanted.iter().zip(data).all(|(a, b)| integer(a, dtype) == *b),
        TensorData::F32(data) => {
            // Sums whose terms cancel have errors of the size of the terms, which is that of other elements.
            let finite = wanted.iter().map(|a| number(a).abs()).filter(|a| a.is_finite());
            let scale = finite.fold(1.0, f64::max);
            let (relative, absolute) = if dtype == "float16" { (2e-3, 2e-3) } else { (1e-5, 1e-6 * scale) };
            wanted.iter().zip(data).all(|(a, b)| close(number(a), f64::from(*b), relative, absolute))
        }
        TensorData::Wide(_)
        | TensorData::Complex32(_)
        | TensorData::Complex64(_)
        | TensorData::Partial(_) => false,
        TensorData::F64(data) => wanted.iter().zip(data).all(|(a, b)| close(number(a), *b, 1e-9, 1e-9)),
    };
    if agrees { Ok(()) } else { Err(format!("{:?}, not {}", tensor.data, expected["data"])) }
}

fn close(wanted: f64, found: f64, relative: f64, absolute: f64) -> bool {
    wanted == found
        || (wanted.is_nan() && found.is_nan())
        || (wanted - found).abs() <= absolute + relative * wanted.abs()
}
