//! Minoan inside of another program: modules that it builds, arrays that stay its own, and several threads.
#![cfg(feature = "mlir")]

use minoan::dialects::arith::addi;
use minoan::dialects::func::{Func, Return};
use minoan::interface::ElementType;
use minoan::ir::{Builder, InsertionPoint, Loc, Module, Type};
use minoan::llvm::{ArrayView, Element, Value};
use minoan::services::Visibility;
use minoan::{Argument, Backend, Datum, Entry, Failure, Float, Loaded, Program, Session};
use std::thread;

/// A module with the public functions `twice` and `unused`, and the private function `inner`.
fn built(session: &Session) -> Module {
    let mut module = Module::new(session.context(), Loc::UNKNOWN);
    let top = module.block();
    let mut b = Builder::new(module.body_mut(), InsertionPoint::End(top));
    let int = [Type::I64];
    for (name, visibility) in
        [("twice", Visibility::Public), ("unused", Visibility::Public), ("inner", Visibility::Private)]
    {
        Func::with_body(&mut b, name, &int, &int, visibility, |b, args| {
            let sum = addi(b, args[0], args[0]);
            Return::build(b, &[sum]);
        });
    }
    Func::declare(&mut b, "outside", &int, &int, Visibility::Private);
    module
}

fn refused<T>(result: Result<T, Failure>) -> String {
    result.err().map_or("nothing was wrong".to_owned(), |failure| failure.diagnostics.to_string())
}

fn mlir(session: &Session, text: &str) -> Module {
    let program = session.read_text("test.mlir", text).expect("it is valid");
    session.into_module(program, &[], Float::F32).expect("it is a module")
}

fn loaded(session: &Session, text: &str, symbol: &str) -> Loaded {
    let entry = session.entry_of(&mlir(session, text), symbol).expect("it is lowered");
    session.load(&entry).expect("it compiles")
}

fn array<T: Element + 'static>(element: ElementType, shape: &[usize], data: &[T]) -> Argument<'static> {
    let data: &'static [T] = data.to_vec().leak();
    Argument::Array(element, ArrayView::from_slice(shape, data).expect("the shape fits"))
}

#[test]
fn a_function_of_a_built_module_runs() {
    let session = Session::new();
    let module = built(&session);
    for symbol in ["twice", "inner"] {
        let entry = session.entry_of(&module, symbol).expect("it is lowered");
        for backend in [Backend::Interpret, Backend::InterpretBuffers, Backend::Jit] {
            let results = session.run(&entry, &[Datum::Int(21)], backend).expect("it runs");
            assert_eq!(results, [Datum::Int(42)]);
        }
        let functions = entry.module.walk::<Func>();
        assert_eq!(functions.count(), 1, "other functions are not lowered");
    }
}

#[test]
fn a_function_in_the_dialect_of_a_front_end_runs() {
    let session = Session::new();
    let program = session.read_text("f.ks", "(def f Float (x : Float) (mul x x))").expect("it is valid");
    let module = session.module(&program, &[], Float::F64).expect("it has a form");
    let entry = session.entry_of(&module, "f").expect("it is lowered");
    assert_eq!(session.run(&entry, &[Datum::F64(3.0)], Backend::Jit).expect("it runs"), [Datum::F64(9.0)]);
}

#[test]
fn modules_without_such_a_function_are_errors() {
    let session = Session::new();
    let module = built(&session);
    assert_eq!(
        refused(session.entry_of(&module, "twic")),
        "error: unknown function 'twic'\nhelp: did you mean 'twice'?"
    );
    assert_eq!(
        refused(session.entry_of(&module, "outside")),
        "error: function 'outside' is declared, but not defined"
    );
    let other = refused(Session::new().entry_of(&module, "twice"));
    assert!(other.starts_with("error: the module belongs to another context than the session"), "{other}");
    let mut invalid = built(&session);
    let top = invalid.block();
    Func::declare(
        &mut Builder::new(invalid.body_mut(), InsertionPoint::End(top)),
        "twice",
        &[],
        &[],
        Visibility::Private,
    );
    let message = refused(session.entry_of(&invalid, "twice"));
    assert!(message.contains("redefinition of symbol named 'twice'"), "{message}");
}

const SUM: &str = "func.func @sum(%x: tensor<2x?xf32>, %n: ui8) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x0 = tensor.extract %x[%c0, %c0] : tensor<2x?xf32>
  %x1 = tensor.extract %x[%c1, %c1] : tensor<2x?xf32>
  %s = arith.addf %x0, %x1 : f32
  return %s : f32
}";

#[test]
fn arguments_that_do_not_match_are_errors() {
    let session = Session::new();
    let text = SUM.replace("%n: ui8", "%n: i8");
    let sum = loaded(&session, &text, "sum");
    let call = |args: Vec<Argument<'_>>| sum.call_arrays("sum", args);
    let byte = || Argument::Data(Datum::Int(1));
    let numbers = [1.0f32, 2.0, 3.0, 4.0];
    let right = call(vec![array(ElementType::F32, &[2, 2], &numbers), byte()]).expect("it runs");
    assert_eq!(right, [Value::F32(5.0)]);
    let refused = |args| refused(call(args));
    assert_eq!(refused(vec![byte()]), "error: expected 2 scalars and tensors as arguments, found 1");
    assert_eq!(
        refused(vec![array(ElementType::F32, &[4], &numbers), byte()]),
        "error: argument 1: expected a tensor of shape [2, ?], found [4]"
    );
    assert_eq!(
        refused(vec![array(ElementType::F32, &[4, 1], &numbers), byte()]),
        "error: argument 1: expected a tensor of shape [2, ?], found [4, 1]"
    );
    assert_eq!(
        refused(vec![array(ElementType::Signed(32), &[2, 2], &[1i32, 2, 3, 4]), byte()]),
        "error: argument 1: expected a tensor of shape [2, ?] of float32, found an array of shape [2, 2] of int32"
    );
    assert_eq!(
        refused(vec![array(ElementType::F32, &[2, 2], &[1i32, 2, 3, 4]), byte()]),
        "error: argument 1: elements of float32 are not stored as i32"
    );
    let large = Argument::Data(Datum::Int(300));
    let message = refused(vec![array(ElementType::F32, &[2, 2], &numbers), large]);
    assert!(message.starts_with("error: argument 2: expected an integer (int8)"), "{message}");
    let scalar = array(ElementType::Signed(8), &[], &[1i8]);
    let message = refused(vec![array(ElementType::F32, &[2, 2], &numbers), scalar]);
    assert!(message.starts_with("error: argument 2: expected an integer (int8)"), "{message}");
    assert!(refused(Vec::new()).contains("found 0"));
    assert!(sum.call_arrays("sun", Vec::new()).is_err());
}

#[test]
fn a_function_writes_to_arrays_that_are_writable() {
    let session = Session::new();
    let text = "func.func @fill(%x: memref<?xi32>, %y: i32) {
      %c0 = arith.constant 0 : index
      memref.store %y, %x[%c0] : memref<?xi32>
      return
    }";
    let fill = loaded(&session, text, "fill");
    let mut numbers = [1i32, 2, 3];
    let view = ArrayView::from_slice_mut(&[3], &mut numbers).expect("the shape fits");
    let five = || Argument::Data(Datum::Int(5));
    fill.call_arrays("fill", vec![Argument::Array(ElementType::Signed(32), view), five()]).expect("it runs");
    assert_eq!(numbers, [5, 2, 3]);
    let before = [1i32, 2, 3];
    let view = ArrayView::from_slice(&[3], &before).expect("the shape fits");
    fill.call_arrays("fill", vec![Argument::Array(ElementType::Signed(32), view), five()]).expect("it runs");
    assert_eq!(before, [1, 2, 3], "the function has written to a copy");
}

#[test]
fn a_result_that_is_an_argument_is_a_copy() {
    let session = Session::new();
    let same = loaded(
        &session,
        "func.func @same(%x: tensor<?xf64>) -> tensor<?xf64> { return %x : tensor<?xf64> }",
        "same",
    );
    let numbers = [1.0f64, 2.0];
    let view = ArrayView::from_slice(&[2], &numbers).expect("the shape fits");
    let results = same.call_arrays("same", vec![Argument::Array(ElementType::F64, view)]).expect("it runs");
    let [Value::MemRef(result)] = &results[..] else { panic!("{results:?}") };
    assert_eq!(result.as_slice::<f64>(), Some(&numbers[..]));
    assert_ne!(result.as_ptr(), numbers.as_ptr().cast());
}

#[test]
fn parts_of_ragged_arrays_that_disagree_are_errors() {
    let session = Session::new();
    let text = "(def f Float (v : Vec (Vec Float)) (index 1 (index 1 v)))";
    let program = session.read_text("f.ks", text).expect("it is valid");
    let entry = session.entry(&program, "f", Float::F32).expect("it is lowered");
    let args = entry.interface.parse_args(&serde_json::json!([[[1, 2], [3, 4]]])).expect("they match");
    let f = session.load(&entry).expect("it compiles");
    let given = |change: &dyn Fn(&mut Vec<i64>)| {
        let arrays = args.iter().map(|arg| match arg {
            Datum::Tensor(tensor) => match &tensor.data {
                minoan::services::TensorData::Int(data) => {
                    let mut data = data.clone();
                    change(&mut data);
                    array(ElementType::Signed(64), &tensor.shape, &data)
                }
                minoan::services::TensorData::F32(data) => array(ElementType::F32, &tensor.shape, data),
                _ => Argument::Data(arg.clone()),
            },
            _ => Argument::Data(arg.clone()),
        });
        f.call_arrays("f", arrays.collect())
    };
    assert_eq!(given(&|_| ()).expect("it runs"), [Value::F32(4.0)]);
    let message = refused(given(&|data| data.iter_mut().for_each(|offset| *offset *= 1_000_000)));
    assert!(message.starts_with("error: "), "{message}");
    let message = refused(given(&|data| data.reverse()));
    assert!(message.starts_with("error: "), "{message}");
}

#[test]
fn threads_compile_and_run_at_once() {
    fn shared<T: Send + Sync>() {}
    shared::<(Session, Program, Entry, Loaded, Module, Failure)>();
    let session = Session::new();
    let text =
        "(def f (Vec Float) (v : Vec Float) (build (size v) (lam (i : Integer) (mul 2.0 (index i v)))))";
    let program = session.read_text("f.ks", text).expect("it is valid");
    let entry = session.entry(&program, "f", Float::F32).expect("it is lowered");
    let one = session.load(&entry).expect("it compiles");
    let numbers: Vec<f32> = (0..1000u16).map(f32::from).collect();
    let expected: Vec<f32> = numbers.iter().map(|number| 2.0 * number).collect();
    let call = |f: &Loaded| {
        let view = ArrayView::from_slice(&[1000], &numbers).expect("the shape fits");
        let results = f.call_arrays("f", vec![Argument::Array(ElementType::F32, view)]).expect("it runs");
        let [Value::MemRef(result)] = &results[..] else { panic!("{results:?}") };
        assert_eq!(result.as_slice::<f32>(), Some(&expected[..]));
    };
    thread::scope(|scope| {
        for number in 0..3 {
            let (session, one, call) = (&session, &one, &call);
            scope.spawn(move || {
                let text = format!("(def g Integer (n : Integer) (add n {number}))");
                let program = session.read_text("g.ks", &text).expect("it is valid");
                let entry = session.entry(&program, "g", Float::F32).expect("it is lowered");
                let own = session.load(&entry).expect("it compiles");
                for _ in 0..50 {
                    call(one);
                    assert_eq!(own.call(&[Datum::Int(4)]).expect("it runs"), [Datum::Int(4 + number)]);
                }
            });
        }
    });
}

/// The project of the first page of the book.
#[path = "../../../../examples/formula/src/main.rs"]
#[expect(dead_code, reason = "its main function")]
mod formula;

#[test]
fn the_first_page_of_the_book_compiles_formulas() {
    let session = Session::new();
    let module = formula::compile(&session, "x y 2 + *").expect("it is a formula");
    assert_eq!(formula::call(&session, &module, 3.0, 4.0).expect("it runs"), "18");
    let page = include_str!("../../../../docs/src/first-compiler.md");
    let ir = minoan::output::module_text(&module);
    assert!(page.contains(ir.trim_end()), "{ir}");
    for (text, message) in [
        ("x y 2 $ *", "expected x, y, a number or an operator, found '$'"),
        ("x +", "'+' needs two operands before it"),
        ("x y", "a formula leaves one value, this one leaves 2"),
    ] {
        let failure = formula::compile(&session, text).expect_err("it is an error");
        let error = failure.diagnostics.iter().next().expect("it has a reason");
        assert_eq!(error.message, message);
        let shown = minoan::diag::render(error, session.sources());
        assert!(!text.contains('$') || page.contains(shown.trim_end()), "{shown}");
    }
}
