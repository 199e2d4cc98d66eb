//! Compiles modules of upstream MLIR and runs them in this process.

use minoan_diag::{LineCol, Place};
use minoan_llvm::{CallError, OptLevel, TargetOptions};
use minoan_llvm::{Jit, JitOptions, MemRef, Scalar, Target, Value, fault_diagnostic};
use minoan_mlir::{Backend, CompileOptions, Entries};
use minoan_runtime::{Fault, StackLimit, capture, live_allocations};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Serializes the tests, some of which count allocations of the whole process.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn jit(text: &str) -> Jit {
    jit_with(text, &TargetOptions::default(), &JitOptions::default())
}

fn jit_with(text: &str, target: &TargetOptions, options: &JitOptions) -> Jit {
    let backend = Backend::new();
    let mut module = backend.parse(text, "test.mlir").expect("the module is valid");
    let target = Target::host(target).expect("this machine is a target");
    let compile = CompileOptions { debug_info: true, ..CompileOptions::default() };
    let compiled = backend.compile(&mut module, &target, &Entries::Jit, &compile).expect("it compiles");
    // SAFETY: the modules of this file stay in bounds for arrays of the shapes that are passed.
    unsafe { Jit::load(&[&compiled.code], compiled.functions, options) }.expect("it links")
}

fn f32s(shape: &[usize], elements: &[f32]) -> Value {
    Value::MemRef(MemRef::from_slice(shape, elements).expect("shape and elements fit"))
}

fn f64s(shape: &[usize], elements: &[f64]) -> Value {
    Value::MemRef(MemRef::from_slice(shape, elements).expect("shape and elements fit"))
}

const KERNELS: &str = r#"
#map = affine_map<(d0) -> (d0)>
module {
  func.func @axpy(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
        ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %p = arith.mulf %a, %in : f32
      %s = arith.addf %p, %out : f32
      linalg.yield %s : f32
    }
    return
  }
  func.func @matmul(%a: memref<?x?xf64>, %b: memref<?x?xf64>) -> memref<?x?xf64> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.dim %a, %c0 : memref<?x?xf64>
    %n = memref.dim %b, %c1 : memref<?x?xf64>
    %c = memref.alloc(%m, %n) {alignment = 64 : i64} : memref<?x?xf64>
    %z = arith.constant 0.0 : f64
    linalg.fill ins(%z : f64) outs(%c : memref<?x?xf64>)
    linalg.matmul ins(%a, %b : memref<?x?xf64>, memref<?x?xf64>) outs(%c : memref<?x?xf64>)
    return %c : memref<?x?xf64>
  }
  func.func @special(%x: memref<?xf64>) -> (f64, i64, i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f64
    %n = memref.dim %x, %c0 : memref<?xf64>
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> f64 {
      %v = memref.load %x[%i] : memref<?xf64>
      %e = math.exp %v : f64
      %t = math.tanh %e : f64
      %r = math.erf %t : f64
      %q = math.powf %r, %v : f64
      %a = arith.addf %acc, %q : f64
      scf.yield %a : f64
    }
    %ni = arith.index_cast %n : index to i64
    %three = arith.constant 3 : i64
    %k = arith.ceildivsi %ni, %three : i64
    %p = math.ipowi %three, %k : i64
    %big = arith.cmpi sgt, %p, %ni : i64
    return %s, %p, %big : f64, i64, i1
  }
  func.func @vectors(%x: memref<8xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %v = vector.transfer_read %x[%c0], %z : memref<8xf32>, vector<8xf32>
    %f = vector.fma %v, %v, %v : vector<8xf32>
    vector.transfer_write %f, %x[%c0] : vector<8xf32>, memref<8xf32>
    %s = vector.reduction <add>, %f : vector<8xf32> into f32
    return %s : f32
  }
  func.func @views(%x: memref<4x6xf32>) -> (memref<2x3xf32, strided<[6, 1], offset: 8>>, memref<4x6xf32>) {
    %v = memref.subview %x[1, 2] [2, 3] [1, 1]
        : memref<4x6xf32> to memref<2x3xf32, strided<[6, 1], offset: 8>>
    return %v, %x : memref<2x3xf32, strided<[6, 1], offset: 8>>, memref<4x6xf32>
  }
  func.func @twins() -> (memref<3xi64>, memref<3xi64>) {
    %a = memref.alloc() : memref<3xi64>
    %seven = arith.constant 7 : i64
    linalg.fill ins(%seven : i64) outs(%a : memref<3xi64>)
    return %a, %a : memref<3xi64>, memref<3xi64>
  }
  memref.global constant @table : memref<3xi32> = dense<[1, 2, 3]>
  func.func @constants() -> memref<3xi32> {
    %t = memref.get_global @table : memref<3xi32>
    return %t : memref<3xi32>
  }
  func.func @small(%a: i1, %b: i8, %c: i16, %d: i32, %e: index, %f: f16, %g: bf16)
      -> (i1, i8, i16, i32, index, f16, bf16) {
    %t = arith.constant true
    %n = arith.xori %a, %t : i1
    %ff = arith.addf %f, %f : f16
    %gg = arith.addf %g, %g : bf16
    return %n, %b, %c, %d, %e, %ff, %gg : i1, i8, i16, i32, index, f16, bf16
  }
}
"#;

#[test]
fn kernels() {
    let _turn = turn();
    // The baseline processor has no instructions for 16-bit floats.
    let old = cfg!(target_arch = "x86_64").then(|| "x86-64".to_owned());
    for (level, cpu) in [(OptLevel::O0, None), (OptLevel::O3, None), (OptLevel::O2, old)] {
        let before = live_allocations();
        let target = TargetOptions { level, cpu, features: None };
        let jit = jit_with(KERNELS, &target, &JitOptions::default());

        let x: Vec<f32> = (0..1000).map(|i| i as f32).collect();
        let mut arguments = [Value::F32(2.0), f32s(&[1000], &x), f32s(&[1000], &[1.0; 1000])];
        assert_eq!(jit.call("axpy", &mut arguments), Ok(vec![]));
        let expected: Vec<f32> = x.iter().map(|x| 2.0 * x + 1.0).collect();
        assert_eq!(arguments[2], f32s(&[1000], &expected));

        let a = f64s(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let b = f64s(&[3, 2], &[7.0, 8.0, 9.0, 10.0, 11.0, 12.0]);
        let product = f64s(&[2, 2], &[58.0, 64.0, 139.0, 154.0]);
        assert_eq!(jit.call("matmul", &mut [a, b]), Ok(vec![product]));

        let special = jit.call("special", &mut [f64s(&[4], &[0.5, 1.0, 2.0, -1.0])]).expect("it runs");
        let [Value::F64(sum), Value::I64(9), Value::I1(true)] = special[..] else {
            panic!("unexpected {special:?}");
        };
        assert!((sum - 5.070_881_871_325_881).abs() < 1e-12, "{sum}");

        let mut x = [f32s(&[8], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])];
        assert_eq!(jit.call("vectors", &mut x), Ok(vec![Value::F32(168.0)]));
        assert_eq!(x[0], f32s(&[8], &[0.0, 2.0, 6.0, 12.0, 20.0, 30.0, 42.0, 56.0]));

        let matrix: Vec<f32> = (0..24).map(|i| i as f32).collect();
        let view = f32s(&[2, 3], &[8.0, 9.0, 10.0, 14.0, 15.0, 16.0]);
        let mut original = [f32s(&[4, 6], &matrix)];
        assert_eq!(jit.call("views", &mut original), Ok(vec![view, f32s(&[4, 6], &matrix)]));

        let sevens = Value::MemRef(MemRef::from_slice(&[3], &[7i64; 3]).expect("it fits"));
        assert_eq!(jit.call("twins", &mut []), Ok(vec![sevens.clone(), sevens]));
        let table = Value::MemRef(MemRef::from_slice(&[3], &[1i32, 2, 3]).expect("it fits"));
        assert_eq!(jit.call("constants", &mut []), Ok(vec![table]));

        let mut small = [
            Value::I1(true),
            Value::I8(-1),
            Value::I16(-2),
            Value::I32(-3),
            Value::I64(-4),
            Value::F16(0x3c00),
            Value::BF16(0x3f80),
        ];
        let mut expected = small.to_vec();
        expected[0] = Value::I1(false);
        expected[5] = Value::F16(0x4000);
        expected[6] = Value::BF16(0x4000);
        assert_eq!(jit.call("small", &mut small), Ok(expected));

        drop((arguments, x, original));
        assert_eq!(live_allocations(), before, "nothing leaks at {level:?}");
    }
}

#[test]
fn arguments_are_checked() {
    let _turn = turn();
    let jit = jit(KERNELS);
    let message = |outcome: Result<_, CallError>| outcome.expect_err("it is refused").diagnostic().message;
    assert_eq!(
        message(jit.call("vectors", &mut [f32s(&[7], &[0.0; 7])])),
        "argument 1 of 'vectors' must be of type memref<8xf32>, but got memref<7xf32>"
    );
    assert_eq!(message(jit.call("vectors", &mut [])), "'vectors' takes 1 argument, but 0 are given");
    let missing = jit.call("matmull", &mut []).expect_err("it is refused").diagnostic();
    assert_eq!(missing.help, ["did you mean 'matmul'?"]);
}

const FAULTS: &str = r#"module {
  func.func private @minoan_print_i64(i64)
  func.func private @minoan_print_f64(f64)
  func.func private @minoan_ranhashdoub(i64) -> f64
  func.func @checked(%x: i64) -> i64 {
    %zero = arith.constant 0 : i64
    func.call @minoan_print_i64(%x) : (i64) -> ()
    %ok = arith.cmpi ne, %x, %zero : i64
    cf.assert %ok, "Assert failed"
    return %x : i64
  }
  func.func @divide(%a: i64, %b: i64) -> i64 {
    %q = arith.divsi %a, %b : i64
    return %q : i64
  }
  func.func @depth(%n: i64) -> i64 {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %done = arith.cmpi eq, %n, %zero : i64
    %r = scf.if %done -> i64 {
      scf.yield %zero : i64
    } else {
      %m = arith.subi %n, %one : i64
      %d = func.call @depth(%m) : (i64) -> i64
      %h = func.call @minoan_ranhashdoub(%d) : (i64) -> f64
      %k = arith.fptosi %h : f64 to i64
      %s = arith.addi %d, %one : i64
      %t = arith.addi %s, %k : i64
      scf.yield %t : i64
    }
    return %r : i64
  }
  func.func @prints(%x: f64) {
    func.call @minoan_print_f64(%x) : (f64) -> ()
    return
  }
}"#;

#[test]
fn run_after_fault() {
    let _turn = turn();
    let options = JitOptions { stack: StackLimit(8 << 20), ..Default::default() };
    let jit = jit_with(FAULTS, &TargetOptions::default(), &options);
    for _ in 0..3 {
        let (outcome, output) = capture(|| jit.call("checked", &mut [Value::I64(0)]));
        let Err(CallError::Fault(fault)) = outcome else { panic!("unexpected {outcome:?}") };
        let error = fault_diagnostic(&fault);
        assert_eq!(error.message, "Assert failed");
        assert_eq!(error.place, Place::Point("test.mlir".into(), LineCol { line: 9, column: 5 }));
        assert_eq!(output, b"0");

        let (outcome, output) = capture(|| jit.call("checked", &mut [Value::I64(3)]));
        assert_eq!((outcome, output), (Ok(vec![Value::I64(3)]), b"3".to_vec()));

        let division = jit.call("divide", &mut [Value::I64(1), Value::I64(0)]);
        assert_eq!(division, Err(CallError::Fault(Fault::Division)));

        let deep = jit.call("depth", &mut [Value::I64(10_000_000)]).expect_err("8 MiB are too few");
        assert!(matches!(deep, CallError::Fault(Fault::StackOverflow(_))));
        assert_eq!(deep.diagnostic().message, "recursion too deep (stack of 8 MiB exhausted)");
        assert_eq!(jit.call("depth", &mut [Value::I64(10_000)]), Ok(vec![Value::I64(10_000)]));
    }
    let ((), output) = capture(|| {
        for x in [0.1, 1e10, 123456789.0, f64::INFINITY] {
            jit.call("prints", &mut [Value::F64(x)]).expect("it runs");
        }
    });
    assert_eq!(output, b"0.11e+101.23457e+08inf");
}

#[test]
fn deep_recursion_fits_on_the_default_stack() {
    let _turn = turn();
    let jit = jit(FAULTS);
    assert_eq!(jit.call("depth", &mut [Value::I64(1_000_000)]), Ok(vec![Value::I64(1_000_000)]));
}

#[test]
fn concurrent_runs() {
    let _turn = turn();
    let jit = jit(FAULTS);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let (outcome, output) = capture(|| jit.call("checked", &mut [Value::I64(5)]));
                assert_eq!((outcome, output), (Ok(vec![Value::I64(5)]), b"5".to_vec()));
                assert!(jit.call("divide", &mut [Value::I64(1), Value::I64(0)]).is_err());
            });
        }
    });
}

#[test]
fn missing_symbol_is_an_error() {
    let backend = Backend::new();
    let text = "module {
      func.func private @nobody_has_this()
      func.func @f() { func.call @nobody_has_this() : () -> () return }
    }";
    let mut module = backend.parse(text, "t.mlir").expect("the module is valid");
    let target = Target::host(&TargetOptions::default()).expect("this machine is a target");
    let compiled = backend
        .compile(&mut module, &target, &Entries::Jit, &CompileOptions::default())
        .expect("it compiles");
    // SAFETY: the code is never executed.
    let error = unsafe { Jit::load(&[&compiled.code], compiled.functions, &JitOptions::default()) };
    let error = error.expect_err("there is no such function");
    let said = std::iter::once(&error).chain(&error.notes).map(|part| part.message.as_str());
    assert!(said.clone().any(|text| text.contains("nobody_has_this")), "{error:?}");
}

#[test]
fn array_types() {
    assert_eq!(Value::F64(0.0).ty().to_string(), "f64");
    assert_eq!(f64s(&[2, 1], &[0.0; 2]).ty().to_string(), "memref<2x1xf64>");
    assert!(MemRef::zeros(Scalar::I8, &[usize::MAX, 3]).is_err());
    assert!(MemRef::from_slice(&[2], &[0i32; 3]).is_err());
}

/// A program with a function named as one of the C library got a difference, without a correct digit near zero.
#[test]
fn expm1_is_accurate_beside_a_function_of_that_name() {
    let _turn = turn();
    let jit = jit("module {
  func.func @expm1(%x: f64) -> f64 {
    return %x : f64
  }
  func.func @small(%x: f64, %y: f32) -> (f64, f32) {
    %0 = math.expm1 %x : f64
    %1 = math.expm1 %y : f32
    return %0, %1 : f64, f32
  }
}");
    let results = jit.call("small", &mut [Value::F64(1e-300), Value::F32(1e-30)]).expect("it runs");
    assert_eq!(results, [Value::F64(1e-300), Value::F32(1e-30)]);
    assert_eq!(jit.call("expm1", &mut [Value::F64(2.0)]).expect("it runs"), [Value::F64(2.0)]);
}
