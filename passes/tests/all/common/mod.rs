//! Parses modules, applies passes, and runs the module before and after.

use minoan_diag::{SourceMap, render};
use minoan_interp::Interpreter;
use minoan_ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan_ir::{Context, Module, Registry};
use minoan_pass::{Pass, PassManager, Pipeline};
use minoan_services::{Datum, Tensor};
use std::rc::Rc;

/// A context with the shared dialects.
pub fn context() -> Context {
    let mut registry = Registry::new();
    registry
        .add(minoan_affine::AffineDialect)
        .add(minoan_arith::ArithDialect)
        .add(minoan_bufferization::BufferizationDialect)
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_cf::CfDialect)
        .add(minoan_complex::ComplexDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_index::IndexDialect)
        .add(minoan_linalg::LinalgDialect)
        .add(minoan_math::MathDialect)
        .add(minoan_memref::MemRefDialect)
        .add(minoan_scf::ScfDialect)
        .add(minoan_schedule_dialect::ScheduleDialect)
        .add(minoan_tensor::TensorDialect)
        .add(minoan_vector::VectorDialect);
    Context::new(registry).expect("the dialects go together")
}

/// Parses a valid module.
pub fn parse(text: &str) -> Module {
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    parse_module(&context(), &sources, file, &ParseOptions::default()).unwrap_or_else(|errors| {
        panic!("{}", errors.iter().map(|error| render(error, &sources)).collect::<String>())
    })
}

/// Applies passes, which must succeed and leave the module valid.
pub fn apply(mut module: Module, passes: Vec<Box<dyn Pass>>) -> Module {
    let pipeline = Pipeline::new(passes);
    if let Err(errors) = PassManager::new(&pipeline).run(&mut module).into_result() {
        let text = print_module(&module, &PrintFlags::default());
        panic!("{errors:?}\n{text}");
    }
    module
}

/// Prints a module.
pub fn print(module: &Module) -> String {
    print_module(module, &PrintFlags::default())
}

/// Runs `main` on tensors and on buffers: the results must agree, the arguments must stay unchanged, and nothing may
/// leak.
pub fn agree(tensors: &Module, buffers: &Module, args: &[Datum]) -> Vec<Datum> {
    let expected = Interpreter::new(tensors).call("main", args).expect("the program on tensors runs");
    let mut machine = Interpreter::new(buffers);
    let given: Vec<Datum> = args
        .iter()
        .map(|arg| match arg {
            Datum::Tensor(tensor) => Datum::Buffer(machine.buffer(Tensor::clone(tensor))),
            scalar => scalar.clone(),
        })
        .collect();
    let found = machine.call("main", &given).expect("the program on buffers runs");
    let contents = |value: &Datum| match value {
        Datum::Buffer(buffer) => {
            Datum::Tensor(Rc::new(buffer.read(|tensor| Ok(tensor.clone())).expect("it was not freed")))
        }
        scalar => scalar.clone(),
    };
    let is_buffer = |value: &&Datum| matches!(value, Datum::Buffer(_));
    let kept = given.iter().filter(is_buffer).count() + found.iter().filter(is_buffer).count();
    assert_eq!(
        machine.live_buffers(),
        kept,
        "every buffer but arguments and results is freed\n{}",
        print(buffers)
    );
    for (given, arg) in given.iter().zip(args) {
        assert!(contents(given).same(arg), "an argument was changed\n{}", print(buffers));
    }
    for (found, expected) in found.iter().zip(&expected) {
        assert!(contents(found).same(expected), "{found:?} is not {expected:?}\n{}", print(buffers));
    }
    expected
}
