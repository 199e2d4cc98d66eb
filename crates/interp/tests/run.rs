//! Executes programs with the interpreter.

use minoan_diag::SourceMap;
use minoan_interp::Interpreter;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::{Context, LocData, Module, Registry};
use minoan_services::{Datum, Tensor, TensorData, Trap};

fn context() -> Context {
    let mut registry = Registry::new();
    registry
        .add(minoan_arith::ArithDialect)
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_cf::CfDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_memref::MemRefDialect)
        .add(minoan_scf::ScfDialect);
    Context::new(registry).expect("no duplicates")
}

fn parse(text: &str) -> Module {
    let ctx = context();
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    parse_module(&ctx, &sources, file, &options).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn run(text: &str, args: &[Datum]) -> Result<Vec<Datum>, Trap> {
    Interpreter::new(&parse(text)).call("main", args)
}

fn trap(text: &str, args: &[Datum]) -> Trap {
    run(text, args).expect_err("it is no correct program")
}

const FACTORIAL: &str = "
func.func @main(%n: i64) -> i64 {
  %one = arith.constant 1 : i64
  %done = arith.cmpi sle, %n, %one : i64
  cf.cond_br %done, ^end(%one : i64), ^more
^more:
  %less = arith.subi %n, %one : i64
  %rest = func.call @main(%less) : (i64) -> i64
  %product = arith.muli %n, %rest : i64
  cf.br ^end(%product : i64)
^end(%result: i64):
  return %result : i64
}";

#[test]
fn recursion() {
    assert_eq!(run(FACTORIAL, &[Datum::Int(10)]), Ok(vec![Datum::Int(3_628_800)]));
}

const LOOP: &str = "
func.func @main(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  cf.br ^head(%zero, %zero : i64, i64)
^head(%i: i64, %sum: i64):
  %more = arith.cmpi ne, %i, %n : i64
  cf.cond_br %more, ^body, ^end
^body:
  %next = arith.addi %i, %one : i64
  %total = arith.addi %sum, %next : i64
  cf.br ^head(%next, %total : i64, i64)
^end:
  return %sum : i64
}";

#[test]
fn blocks_pass_arguments() {
    assert_eq!(run(LOOP, &[Datum::Int(100)]), Ok(vec![Datum::Int(5050)]));
}

#[test]
fn endless_loops_reach_the_step_limit() {
    let module = parse(LOOP);
    let mut machine = Interpreter::new(&module).with_max_steps(10_000);
    let trap = machine.call("main", &[Datum::Int(-1)]).expect_err("it never ends");
    assert_eq!(trap.message, "step limit of 10000 exceeded");
    assert_eq!(machine.steps(), 10_001);
}

#[test]
fn endless_recursion_traps() {
    let text = format!(
        "{FACTORIAL}
func.func @endless(%n: i64) -> i64 {{
  %result = func.call @endless(%n) : (i64) -> i64
  %sum = arith.addi %result, %n : i64
  return %sum : i64
}}"
    );
    let module = parse(&text);
    let mut machine = Interpreter::new(&module).with_max_calls(100_000);
    let trap = machine.call("endless", &[Datum::Int(0)]).expect_err("it never ends");
    assert_eq!(trap.message, "recursion too deep");
    assert_eq!(machine.call("main", &[Datum::Int(3)]), Ok(vec![Datum::Int(6)]));
}

#[test]
fn tail_calls_take_no_stack() {
    let text = "
func.func @even(%n: i64) -> i1 {
  %zero = arith.constant 0 : i64
  %done = arith.cmpi eq, %n, %zero : i64
  %result = scf.if %done -> (i1) {
    %yes = arith.constant true
    scf.yield %yes : i1
  } else {
    %one = arith.constant 1 : i64
    %less = arith.subi %n, %one : i64
    %odd = func.call @odd(%less) : (i64) -> i1
    scf.yield %odd : i1
  }
  return %result : i1
}
func.func @odd(%n: i64) -> i1 {
  %zero = arith.constant 0 : i64
  %done = arith.cmpi eq, %n, %zero : i64
  cf.cond_br %done, ^no, ^less
^no:
  %false = arith.constant false
  return %false : i1
^less:
  %one = arith.constant 1 : i64
  %less = arith.subi %n, %one : i64
  %even = func.call @even(%less) : (i64) -> i1
  return %even : i1
}";
    let module = parse(text);
    let mut machine = Interpreter::new(&module).with_max_calls(2);
    assert_eq!(machine.call("even", &[Datum::Int(1001)]), Ok(vec![Datum::Int(0)]));
    assert_eq!(machine.call("even", &[Datum::Int(1000)]), Ok(vec![Datum::Int(1)]));
}

#[test]
fn traps_have_locations() {
    let text = "
func.func @main(%a: i64, %b: i64) -> i64 {
  %0 = arith.divsi %a, %b : i64
  return %0 : i64
}";
    let module = parse(text);
    let trap = Interpreter::new(&module).call("main", &[Datum::Int(1), Datum::Int(0)]);
    let trap = trap.expect_err("the divisor is zero");
    assert_eq!(trap.message, minoan_services::UNDEFINED_DIVISION);
    match trap.loc.data(module.context()) {
        LocData::File { line, .. } => assert_eq!(line, 3),
        other => panic!("{other:?}"),
    }
}

#[test]
fn assertion_failures() {
    let text = "
func.func @main(%a: i64) {
  %zero = arith.constant 0 : i64
  %positive = arith.cmpi sgt, %a, %zero : i64
  cf.assert %positive, \"it is positive\"
  return
}";
    assert_eq!(run(text, &[Datum::Int(1)]), Ok(vec![]));
    let trap = trap(text, &[Datum::Int(0)]);
    assert!(trap.is_assertion);
    assert_eq!(trap.message, "it is positive");
}

#[test]
fn switches() {
    let text = "
func.func @main(%flag: i32) -> i64 {
  %a = arith.constant 10 : i64
  %b = arith.constant 20 : i64
  cf.switch %flag : i32, [
    default: ^end(%flag, %a : i32, i64),
    7: ^one(%b : i64),
    -1: ^end(%flag, %b : i32, i64)
  ]
^one(%x: i64):
  %y = arith.addi %x, %x : i64
  cf.br ^end(%flag, %y : i32, i64)
^end(%f: i32, %result: i64):
  return %result : i64
}";
    for (flag, want) in [(0, 10), (7, 40), (-1, 20)] {
        assert_eq!(run(text, &[Datum::Int(flag)]), Ok(vec![Datum::Int(want)]));
    }
}

#[test]
fn regions_use_values_from_above() {
    let text = "
func.func @main(%n: index, %step: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %next = arith.addf %acc, %step : f32
    scf.yield %next : f32
  }
  return %sum : f32
}";
    assert_eq!(run(text, &[Datum::Int(4), Datum::F32(0.25)]), Ok(vec![Datum::F32(1.0)]));
}

#[test]
fn declarations_call_the_runtime() {
    let module = parse(
        "
func.func private @twice(i64) -> i64
func.func private @missing()
func.func @main(%a: i64) -> i64 {
  %0 = func.call @twice(%a) : (i64) -> i64
  return %0 : i64
}",
    );
    let mut calls = 0;
    let twice = |args: &[Datum]| {
        calls += 1;
        Ok(vec![Datum::Int(2 * args[0].int()?)])
    };
    let mut machine = Interpreter::new(&module).with_external("twice", Box::new(twice));
    assert_eq!(machine.call("main", &[Datum::Int(21)]), Ok(vec![Datum::Int(42)]));
    let trap = machine.call("missing", &[]).expect_err("nobody provides it");
    assert_eq!(trap.message, "'@missing' has no body, and the runtime has no such function");
    let trap = machine.call("main", &[]).expect_err("an argument is missing");
    assert_eq!(trap.message, "'@main' takes 1 arguments, 0 given");
    drop(machine);
    assert_eq!(calls, 1);
}

#[test]
fn unsupported_operations_trap() {
    let trap = trap("func.func @main() {\n  \"test.unknown\"() : () -> ()\n  return\n}", &[]);
    assert_eq!(trap.message, "'test.unknown' cannot be run: its dialect does not implement evaluation");
}

const BUFFERS: &str = "
func.func @leak() -> memref<2xf32> {
  %m = memref.alloc() : memref<2xf32>
  return %m : memref<2xf32>
}
func.func @twice() {
  %m = memref.alloc() : memref<2xf32>
  memref.dealloc %m : memref<2xf32>
  memref.dealloc %m : memref<2xf32>
  return
}
func.func @after(%i: index) -> f32 {
  %m = memref.alloc() : memref<2xf32>
  memref.dealloc %m : memref<2xf32>
  %x = memref.load %m[%i] : memref<2xf32>
  return %x : f32
}
func.func @argument(%m: memref<2xf32>, %i: index) -> f32 {
  %x = memref.load %m[%i] : memref<2xf32>
  %y = arith.addf %x, %x : f32
  memref.store %y, %m[%i] : memref<2xf32>
  return %x : f32
}
memref.global constant @numbers : memref<3xi32> = dense<[1, 2, 4]>
func.func @global(%i: index) -> i32 {
  %m = memref.get_global @numbers : memref<3xi32>
  %x = memref.load %m[%i] : memref<3xi32>
  return %x : i32
}";

#[test]
fn invalid_buffer_accesses_trap() {
    let module = parse(BUFFERS);
    let mut machine = Interpreter::new(&module);
    let message = |result: Result<Vec<Datum>, Trap>| result.expect_err("it is wrong").message;
    assert_eq!(message(machine.call("twice", &[])), "a buffer is freed twice");
    assert_eq!(message(machine.call("after", &[Datum::Int(0)])), "use of a buffer after it was freed");
    assert_eq!(machine.live_buffers(), 0);
    assert!(machine.call("leak", &[]).is_ok());
    assert_eq!(machine.live_buffers(), 1);
}

#[test]
fn buffer_arguments_are_mutated() {
    let module = parse(BUFFERS);
    let mut machine = Interpreter::new(&module);
    let buffer = machine.buffer(Tensor { shape: vec![2], data: TensorData::F32(vec![1.5, 2.0]) });
    let args = [Datum::Buffer(buffer.clone()), Datum::Int(1)];
    assert_eq!(machine.call("argument", &args), Ok(vec![Datum::F32(2.0)]));
    let contents = buffer.read(|tensor| Ok(tensor.data.clone()));
    assert_eq!(contents, Ok(TensorData::F32(vec![1.5, 4.0])));
    assert!(machine.call("argument", &[args[0].clone(), Datum::Int(2)]).is_err());
}

#[test]
fn global_contents() {
    let module = parse(BUFFERS);
    let mut machine = Interpreter::new(&module);
    assert_eq!(machine.call("global", &[Datum::Int(2)]), Ok(vec![Datum::Int(4)]));
    assert_eq!(machine.live_buffers(), 0);
}
