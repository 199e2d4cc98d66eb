//! Helpers that run operations and programs in the tests of other crates.
//!
//! ```
//! use minoan_ir::{Context, Registry};
//! use minoan_testing::{run, tensor};
//! let ctx = Context::new(Registry::new()).expect("no dialect");
//! assert_eq!(tensor(&[1], &[2.0]), tensor(&[1], &[2.0]));
//! assert!(run(&ctx, "", &[]).is_err(), "there is no function 'f'");
//! ```
#![forbid(unsafe_code)]

pub mod kernels;

use minoan_diag::SourceMap;
use minoan_interp::Interpreter;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::verify::verify;
use minoan_ir::{Builder, Context, Loc, Module, Op, Registry, Type, Value};
use minoan_services::{Datum, Evaluate, Flow, Machine, Tensor, TensorData, Trap};

/// Creates a context with the given dialects.
///
/// # Panics
/// Panics if the dialects conflict.
pub fn context(add: impl FnOnce(&mut Registry)) -> Context {
    let mut registry = Registry::new();
    add(&mut registry);
    Context::new(registry).expect("dialects of other names")
}

/// Runs the function `f` of a module and returns its results.
///
/// # Errors
/// The trap that ended the run.
///
/// # Panics
/// Panics if the text is not a valid module.
pub fn run(ctx: &Context, text: &str, args: &[Datum]) -> Result<Vec<Datum>, Trap> {
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    let module = parse_module(ctx, &sources, file, &ParseOptions::default()).expect("the text is good");
    verify(&module).expect("the module is valid");
    Interpreter::new(&module).call("f", args)
}

/// Runs the function `f` of a module and returns its only result.
///
/// # Errors
/// The trap that ended the run.
///
/// # Panics
/// Panics if the text is not a valid module or the function has no result.
pub fn run_one(ctx: &Context, text: &str, args: &[Datum]) -> Result<Datum, Trap> {
    run(ctx, text, args).map(|results| results.into_iter().next().expect("one result"))
}

/// Creates a tensor of `f32` elements.
pub fn tensor(shape: &[usize], elements: &[f32]) -> Datum {
    Tensor { shape: shape.into(), data: TensorData::F32(elements.into()) }.into()
}

/// Evaluates an operation whose operands all have the type `ty`, and returns its results.
///
/// # Errors
/// The trap that ended the evaluation.
///
/// # Panics
/// Panics if the operation has no evaluation or returns a wrong number of results.
pub fn evaluate<const N: usize>(
    ctx: &Context,
    ty: Type,
    operands: &[Datum; N],
    build: impl FnOnce(&mut Builder<'_>, [Value; N]) -> Op,
) -> Result<Vec<Datum>, Trap> {
    let mut module = Module::new(ctx, Loc::UNKNOWN);
    let block = module.block();
    let values = operands.each_ref().map(|_| module.body_mut().add_arg(block, ty, Loc::UNKNOWN));
    let op = build(&mut Builder::at_end(module.body_mut(), block), values);
    let op = module.body().op(op);
    let service = ctx.service::<dyn Evaluate>(op.kind()).expect("every operation is evaluated");
    let mut machine = Interpreter::new(&module);
    let flow = match service.evaluate(op, operands, &mut machine)? {
        Flow::Enter(region, args) => Flow::Next(machine.run_region(op.body(), region, &args)?),
        flow => flow,
    };
    match flow {
        Flow::Next(results) => {
            assert_eq!(results.len(), op.n_results());
            Ok(results)
        }
        flow => panic!("{flow:?} is not what a computation does"),
    }
}
