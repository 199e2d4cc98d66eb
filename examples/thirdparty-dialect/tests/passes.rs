//! Minoan's passes work on the dialect without knowing it.

use minoan::diag::{SourceMap, render};
use minoan::generate::{Case, Choices, Limits, Plan};
use minoan::interp::Interpreter;
use minoan::ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan::ir::{Context, Module, Registry};
use minoan::pass::{PassManager, PassRegistry, Pipeline};
use minoan::services::{Datum, Tensor, TensorData, Trap};
use thirdparty_dialect::SaturatingDialect;

const PROGRAM: &str = "
func.func private @twice(%x: i32) -> i32 {
  %y = sat.add %x, %x : i32
  return %y : i32
}
func.func @main(%x: i32) -> i32 {
  %one = sat.constant 1
  %most = sat.constant 2147483646
  %unused = sat.sub %x, %one : i32
  %y = sat.apply @twice(%x) : (i32) -> i32
  %z = sat.sub %y, %one : i32
  sat.limit %z, %most
  return %z : i32
}";

fn program() -> Module {
    parse(PROGRAM)
}

fn context() -> Context {
    let mut registry = Registry::new();
    registry
        .add(minoan::dialects::builtin::BuiltinDialect)
        .add(minoan::dialects::func::FuncDialect)
        .add(minoan::dialects::linalg::LinalgDialect)
        .add(SaturatingDialect);
    Context::new(registry).expect("the dialects go together")
}

fn parse(text: &str) -> Module {
    let ctx = context();
    let sources = SourceMap::new();
    let file = sources.add("program.mlir", text);
    parse_module(&ctx, &sources, file, &ParseOptions::default()).unwrap_or_else(|errors| {
        panic!("{}", errors.iter().map(|error| render(error, &sources)).collect::<String>())
    })
}

fn after(pipeline: &str) -> Module {
    run_passes(program(), pipeline)
}

fn run_passes(mut module: Module, pipeline: &str) -> Module {
    let mut passes = PassRegistry::new();
    minoan::passes::register(&mut passes);
    let pipeline = Pipeline::parse(pipeline, &passes, &SourceMap::new()).expect("the passes exist");
    PassManager::new(&pipeline).run(&mut module).into_result().expect("the module stays valid");
    module
}

fn run(module: &Module, x: i64) -> Result<i64, Trap> {
    Interpreter::new(module).call("main", &[Datum::Int(x)])?[0].int()
}

/// The number of occurrences of an operation in the text of a module.
fn count(module: &Module, op: &str) -> usize {
    print_module(module, &PrintFlags::default()).matches(op).count()
}

#[test]
fn it_runs_and_saturates() {
    let module = program();
    assert_eq!(run(&module, 20), Ok(39));
    assert_eq!(run(&module, i64::from(i32::MAX)), Ok(i64::from(i32::MAX) - 1));
    assert_eq!(run(&module, i64::from(i32::MIN)), Ok(i64::from(i32::MIN)));
}

#[test]
fn a_text_that_is_printed_reads_back() {
    let text = print_module(&program(), &PrintFlags::default());
    assert!(text.contains("sat.apply @twice(%arg0) : (i32) -> i32"), "{text}");
    assert!(text.contains("sat.constant 1"), "{text}");
}

#[test]
fn dce_removes_what_is_unused_and_keeps_the_check() {
    let module = after("builtin.module(dce)");
    assert_eq!((count(&program(), "sat.sub"), count(&module, "sat.sub")), (2, 1));
    assert_eq!((count(&module, "sat.limit"), count(&module, "sat.apply")), (1, 1));
}

#[test]
fn the_call_is_inlined_and_the_callee_goes() {
    let module = after("builtin.module(inline)");
    // The inlined function is simplified: subtracting a constant becomes an addition.
    assert_eq!((count(&module, "sat.apply"), count(&module, "@twice"), count(&module, "sat.add")), (0, 0, 2));
}

#[test]
fn equal_operations_become_one() {
    let module = parse(
        "func.func @main(%x: i32, %y: i32) -> i32 {
  %0 = sat.sub %x, %y : i32
  %1 = sat.sub %x, %y : i32
  %2 = sat.add %0, %1 : i32
  return %2 : i32
}",
    );
    assert_eq!(count(&run_passes(module, "builtin.module(cse)"), "sat.sub"), 1);
}

#[test]
fn canonicalize_folds_constants_and_applies_our_pattern() {
    let module = after("builtin.module(inline,canonicalize)");
    let text = print_module(&module, &PrintFlags::default());
    assert!(text.contains("sat.constant -1"), "{text}");
    assert_eq!((count(&module, "sat.sub"), count(&module, "sat.add")), (0, 2));
}

#[test]
fn the_whole_program_folds_when_its_argument_is_known() {
    let program = "func.func @main() -> i32 {
  %big = sat.constant 2147483647
  %one = sat.constant 1
  %zero = sat.constant 0
  %a = sat.add %big, %one : i32
  %b = sat.add %zero, %a : i32
  return %b : i32
}";
    let module = run_passes(parse(program), "builtin.module(canonicalize)");
    assert_eq!((count(&module, "sat.add"), count(&module, "sat.constant 2147483647")), (0, 1));
}

#[test]
fn passes_keep_what_the_program_computes() {
    let before = program();
    for passes in
        ["dce", "inline", "cse", "canonicalize", "inline,cse,canonicalize,dce", "canonicalize,inline,dce"]
    {
        let module = after(&format!("builtin.module({passes})"));
        for x in [0, 1, -1, 20, i64::from(i32::MAX), i64::from(i32::MIN), 1 << 30, (1 << 30) - 1] {
            assert_eq!(run(&module, x), run(&before, x), "{passes} at {x}");
        }
    }
}

#[test]
fn a_cell_becomes_values() {
    let module = parse(
        "func.func @main(%x: i32) -> i32 {
  %one = sat.constant 1
  %cell = sat.cell : memref<i32>
  sat.write %x, %cell : memref<i32>
  %y = sat.read %cell : memref<i32>
  %z = sat.sub %y, %one : i32
  sat.write %z, %cell : memref<i32>
  %r = sat.read %cell : memref<i32>
  return %r : i32
}",
    );
    assert_eq!(run(&module, 20), Ok(19));
    let module = run_passes(module, "builtin.module(mem2reg)");
    assert_eq!(["cell", "read", "write"].map(|op| count(&module, op)), [0; 3]);
    assert_eq!(run(&module, 20), Ok(19));
}

/// The sum of `x + y - z` over its elements, with the dialect's operations on tensors and in the reduction.
const SUMS: &str = "
#id = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>
func.func @main(%x: tensor<?xi32>, %y: tensor<?xi32>, %z: tensor<?xi32>, %zero: tensor<i32>) -> tensor<i32> {
  %a = sat.add %x, %y : tensor<?xi32>
  %b = sat.sub %a, %z : tensor<?xi32>
  %sum = linalg.generic {indexing_maps = [#id, #one], iterator_types = [\"reduction\"]}
      ins(%b : tensor<?xi32>) outs(%zero : tensor<i32>) {
  ^bb0(%element: i32, %before: i32):
    %next = sat.add %before, %element : i32
    linalg.yield %next : i32
  } -> tensor<i32>
  return %sum : tensor<i32>
}";

#[test]
fn sums_of_tensors_are_fused_into_the_reduction_that_reads_them() {
    let before = parse(SUMS);
    let module = run_passes(parse(SUMS), "builtin.module(func.func(fuse))");
    let text = print_module(&module, &PrintFlags::default());
    assert!(!text.contains("sat.add %arg0"), "the tensor between is never made:\n{text}");
    assert_eq!((count(&module, "sat.add"), count(&module, "sat.sub")), (2, 1));
    assert_eq!(
        count(&module, ": i32\n"),
        4,
        "all three compute single numbers, and one is handed on:\n{text}"
    );

    let tensor = |numbers: &[i64]| -> Datum {
        Tensor { shape: vec![numbers.len()], data: TensorData::Int(numbers.to_vec()) }.into()
    };
    let (most, least) = (i64::from(i32::MAX), i64::from(i32::MIN));
    let args = [
        tensor(&[1, most, least, 7]),
        tensor(&[2, 1, -1, 8]),
        tensor(&[3, -1, 5, 9]),
        Tensor { shape: vec![], data: TensorData::Int(vec![0]) }.into(),
    ];
    let run = |module: &Module| Interpreter::new(module).call("main", &args).expect("the program runs");
    let (found, expected) = (run(&module), run(&before));
    assert!(found[0].same(&expected[0]), "{found:?} is not {expected:?}");
}

#[test]
fn what_has_a_form_in_mlir_is_told_from_what_has_none() {
    let text = "func.func @main(%x: i32, %t: tensor<2xi32>) -> i32 {
  %one = sat.constant 1
  %y = sat.add %x, %one : i32
  return %y : i32
}";
    run_passes(parse(text), "builtin.module(verify-mlir-export)");
    let text =
        text.replace("  return", "  %u = sat.sub %t, %t : tensor<2xi32>\n  sat.limit %y, %one\n  return");
    let mut passes = PassRegistry::new();
    minoan::passes::register(&mut passes);
    let pipeline = Pipeline::parse("builtin.module(verify-mlir-export)", &passes, &SourceMap::new());
    let pipeline = pipeline.expect("the pass exists");
    let outcome = PassManager::new(&pipeline).run(&mut parse(&text));
    let errors = outcome.into_result().expect_err("not everything has a form");
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "'sat.sub' op has no form in MLIR: only single numbers are added there, not tensors",
            "'sat.limit' op has no form in MLIR: nothing there does the same",
        ]
    );
}

#[test]
fn random_programs_of_the_dialect_compute_the_same() {
    let mut passes = PassRegistry::new();
    minoan::passes::register(&mut passes);
    let ctx = context();
    let mut additions = 0;
    for seed in 0..30 {
        let module = minoan::generate::module(&ctx, &mut Choices::seeded(seed), Limits::default());
        let module = module.expect("functions of func, and what sat.add and sat.sub declare");
        additions += count(&module, "sat.add");
        for pass in ["canonicalize", "cse", "sccp", "inline", "dce"] {
            let case = Case { plan: Plan::of_pass(&module, pass), module: module.clone() };
            if let Err(fault) = case.check(&passes) {
                panic!("seed {seed}: {fault}\n{}", case.shrink(&fault, &passes).text());
            }
        }
    }
    assert!(additions > 30, "{additions}");
}
