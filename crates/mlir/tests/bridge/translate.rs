//! Translates Minoan modules through MLIR and runs them.

use minoan_diag::SourceMap;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::{Context, InsertionPoint, Loc, Module, OpState, Registry};
use minoan_llvm::{JitOptions, MemRef, Target, Value};
use minoan_mlir::{Backend, Entries, load};
use minoan_pass::{PassManager, Pipeline};
use minoan_passes::{hoist_buffers::HoistBuffers, plan_buffers::PlanBuffers};
use minoan_services::{InMlir, ToMlir};

fn parse(text: &str) -> Module {
    let mut registry = Registry::new();
    registry
        .add(minoan_arith::ArithDialect)
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_cf::CfDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_linalg::LinalgDialect)
        .add(minoan_math::MathDialect)
        .add(minoan_memref::MemRefDialect)
        .add(minoan_scf::ScfDialect)
        .add(minoan_tensor::TensorDialect);
    let ctx = Context::new(registry).expect("the dialects go together");
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    parse_module(&ctx, &sources, file, &ParseOptions::default()).expect("the text is good")
}

/// Bufferizes, compiles, and calls `main`; frees what the program allocated and did not free.
fn run(text: &str, mut args: Vec<Value>) -> Vec<Value> {
    let mut module = parse(text);
    let pipeline = Pipeline::new(vec![Box::new(PlanBuffers), Box::new(HoistBuffers)]);
    let planned = PassManager::new(&pipeline).run(&mut module).into_result();
    planned.expect("every operation has a form on buffers");
    let backend = Backend::new();
    let mut translated = backend.translate(&module).expect("MLIR knows the operations");
    backend.verify(&translated).expect("MLIR accepts the module");
    let target = Target::host(&Default::default()).expect("this machine is known");
    let compiled = backend
        .compile(&mut translated, &target, &Entries::Jit, &Default::default())
        .expect("MLIR and LLVM compile the module");
    let jit = load(&compiled, &JitOptions::default()).expect("nothing is missing");
    jit.call("main", &mut args).expect("the program ends well")
}

fn vector(values: &[f32]) -> Value {
    Value::MemRef(MemRef::from_slice(&[values.len()], values).expect("the extents fit"))
}

#[test]
fn loops_tensors_and_calls() {
    let text = "
    func.func private @scale(%v: tensor<?xf32>, %k: f32) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %v, %c0 : tensor<?xf32>
      %e = tensor.empty(%n) : tensor<?xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]}
        ins(%v : tensor<?xf32>) outs(%e : tensor<?xf32>) {
      ^bb0(%x: f32, %o: f32):
        %y = arith.mulf %x, %k : f32
        linalg.yield %y : f32
      } -> tensor<?xf32>
      return %r : tensor<?xf32>
    }
    func.func @main(%v: tensor<?xf32>) -> (tensor<?xf32>, f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %two = arith.constant 2.0 : f32
      %zero = arith.constant 0.0 : f32
      %a = func.call @scale(%v, %two) : (tensor<?xf32>, f32) -> tensor<?xf32>
      %n = tensor.dim %a, %c0 : tensor<?xf32>
      %s = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) {
        %x = tensor.extract %a[%i] : tensor<?xf32>
        %e = math.exp %x : f32
        %next = arith.addf %sum, %e : f32
        scf.yield %next : f32
      }
      return %a, %s : tensor<?xf32>, f32
    }";
    let results = run(text, vec![vector(&[0.0, 0.5])]);
    assert_eq!(results[0], vector(&[0.0, 1.0]));
    let Value::F32(sum) = results[1] else { panic!("a float") };
    assert!((sum - (1.0 + 1f32.exp())).abs() < 1e-5);
}

#[test]
fn constants_fills_and_matrices() {
    let text = "
    func.func @main() -> tensor<2x2xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
      %x = tensor.extract %k[%c1] : tensor<2xf32>
      %e = tensor.empty() : tensor<2x2xf32>
      %f = linalg.fill ins(%x : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
      %y = tensor.extract %k[%c0] : tensor<2xf32>
      %r = tensor.insert %y into %f[%c0, %c1] : tensor<2x2xf32>
      return %r : tensor<2x2xf32>
    }";
    let results = run(text, Vec::new());
    assert_eq!(
        results,
        [Value::MemRef(MemRef::from_slice(&[2, 2], &[2.0f32, 1.0, 2.0, 2.0]).expect("fits"))]
    );
}

#[test]
fn operation_rejected_by_mlir_is_reported_at_its_location() {
    let mut module = parse("func.func @main(%x: i32) -> i32 {\n  return %x : i32\n}");
    let body = module.body_mut();
    let func = body.walk()[0];
    let inside = body.nested_mut(func).expect("a function owns its body");
    let terminator = inside.walk()[0];
    inside.set_operands(terminator, &[]);
    let backend = Backend::new();
    let translated = backend.translate(&module).expect("the operations are known");
    let errors = backend.verify(&translated).expect_err("the function returns nothing");
    let first = errors.iter().next().expect("there is an error");
    assert!(first.message.contains("has 0 operands"), "{}", first.message);
    assert!(
        matches!(&first.place, minoan_diag::Place::Point(file, at) if &**file == "test.mlir" && at.line == 2)
    );
}

/// An operation is translated to the MLIR operation that its dialect declares as the equivalent, and compiled.
#[test]
fn translated_operation_names() {
    let mut registry = Registry::new();
    registry
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_func::FuncDialect)
        .add(thirdparty_dialect::SaturatingDialect);
    let ctx = Context::new(registry).expect("the dialects go together");
    let sources = SourceMap::new();
    let read = |text: &str| {
        let file = sources.add("sat.mlir", text);
        parse_module(&ctx, &sources, file, &ParseOptions::default()).expect("the text is good")
    };
    let backend = Backend::new();
    let module = read(
        "func.func @main(%x: i32, %y: i32) -> i32 {
           %two = sat.constant 2
           %a = sat.add %x, %y : i32
           %b = sat.sub %a, %two : i32
           return %b : i32
         }",
    );
    let mut translated = backend.translate(&module).expect("every operation has a form");
    backend.verify(&translated).expect("MLIR accepts the module");
    let target = Target::host(&Default::default()).expect("this machine is known");
    let compiled = backend.compile(&mut translated, &target, &Entries::Jit, &Default::default());
    let jit = load(&compiled.expect("it compiles"), &JitOptions::default()).expect("nothing is missing");
    let call = |x, y| jit.call("main", &mut [Value::I32(x), Value::I32(y)]).expect("the program ends well");
    assert_eq!(call(20, 3), [Value::I32(21)]);
    assert_eq!(call(i32::MAX, i32::MAX), [Value::I32(i32::MAX - 2)]);

    let module = read("func.func @main(%x: i32) {\n  sat.limit %x, %x\n  return\n}");
    let errors = backend.translate(&module).expect_err("the check has no form");
    let first = errors.iter().next().expect("there is an error");
    assert_eq!(first.message, "'sat.limit' op has no form in MLIR: nothing there does the same");
    assert!(
        matches!(&first.place, minoan_diag::Place::Point(file, at) if &**file == "sat.mlir" && at.line == 2)
    );
}

/// MLIR knows every operation that dialects declare to be its own.
#[test]
fn translated_operations_are_registered_in_mlir() {
    let mut registry = Registry::new();
    registry
        .add(minoan_arith::ArithDialect)
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_cf::CfDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_index::IndexDialect)
        .add(minoan_linalg::LinalgDialect)
        .add(minoan_math::MathDialect)
        .add(minoan_memref::MemRefDialect)
        .add(minoan_scf::ScfDialect)
        .add(minoan_tensor::TensorDialect)
        .add(minoan_ub::UbDialect)
        .add(minoan_vector::VectorDialect)
        .add(thirdparty_dialect::SaturatingDialect);
    let ctx = Context::new(registry).expect("the dialects go together");
    let backend = Backend::new();
    let mut module = Module::new(&ctx, Loc::UNKNOWN);
    let end = InsertionPoint::End(module.block());
    let (mut known, mut unknown) = (0, Vec::new());
    for kind in ctx.registered_kinds() {
        let op = module.body_mut().create(&OpState::new(kind), end);
        let view = module.body().op(op);
        let name = match <dyn ToMlir>::of(view) {
            InMlir::Same => view.name().to_owned(),
            InMlir::As { name, .. } => name,
            InMlir::Sequence(_) | InMlir::Nothing(_) => continue,
        };
        known += 1;
        if !backend.context().is_registered_operation(&name) {
            unknown.push(name);
        }
    }
    assert_eq!(unknown, [""; 0]);
    assert!(known > 200, "only {known} operations have a form in MLIR");
}
