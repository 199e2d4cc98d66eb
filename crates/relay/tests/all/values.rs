//! Evaluates expressions with the interpreter.

use crate::common::emitted::emitted;
use crate::common::run;
use minoan_interp::Interpreter;
use minoan_services::{Datum, TensorData};

fn scalar(datum: &Datum) -> String {
    match datum {
        Datum::Tensor(tensor) => match &tensor.data {
            TensorData::Int(values) => format!("{values:?}"),
            TensorData::F32(values) => format!("{values:?}"),
            other => format!("{other:?}"),
        },
        other => format!("{other:?}"),
    }
}

/// The results of `@main`, which has no parameters, or the messages.
fn value(text: &str) -> String {
    let ctx = run::context();
    let module = match emitted(&ctx, text, &["main"]).and_then(|module| run::lowered(&module)) {
        Ok(module) => module,
        Err(messages) => return messages,
    };
    match Interpreter::new(&module).call("main", &[]) {
        Ok(results) => results.iter().map(scalar).collect::<Vec<_>>().join(" "),
        Err(trap) => format!("stopped: {}", trap.message),
    }
}

#[test]
fn shadowing_example() {
    assert_eq!(value("let %a = 1; let %b = 2 * %a; let %a = %a + %a; %a + %b"), "[4]");
}

#[test]
fn call_example() {
    let text = "let %c = 1;
let %f = fn(%x : Tensor[(), float32], %y : Tensor[(), float32]) { %x + %y + %c };
%f(10, 11)";
    assert_eq!(value(text), "[22.0]");
}

#[test]
fn ackermann() {
    let text = "def @ackermann(%m : Tensor[(), int32], %n : Tensor[(), int32]) -> Tensor[(), int32] {
    if (%m == 0) { %n + 1 } else if (%m > 0 && %n == 0) { @ackermann(%m - 1, 1) }
    else { @ackermann(%m - 1, @ackermann(%m, %n - 1)) }
}
def @main() { @ackermann(2, 5) }";
    assert_eq!(value(text), "[13]");
}

#[test]
fn closures_capture_variables() {
    let text = "fn () {
  let %base = 10;
  let %sum = fn (%n) { if (%n == 0) { %base } else { %n + %sum(%n - 1) } };
  let %twice = fn (%n) { %sum(%n) * 2 };
  %0 = %twice(4);
  let %again = fn (%n) { %0 + %n };
  (%sum(3), %again(1))
}";
    assert_eq!(value(text), "[16] [41]");
}

#[test]
fn polymorphic_functions_are_monomorphized() {
    let text = "def @triple(%x) { %x + %x + %x }
def @main() { let %apply = fn (%y) { @triple(%y) - %y }; (%apply(2), %apply(1.5f), @triple(1i64)) }";
    assert_eq!(value(text), "[4] [3.0] [3]");
}

#[test]
fn operators_as_values() {
    assert_eq!(value("let %f = maximum; (%f(1, 2), %f(3f, 2f))"), "[2] [3.0]");
}

#[test]
fn graph_variables_of_branches() {
    // A graph variable bound in a branch and used after it is emitted again at the use.
    let text =
        "fn () { let %c = True; let %x = 5; %1 = if (%c) { %0 = %x * %x; %0 + 1 } else { 0 }; %1 + %0 }";
    assert_eq!(value(text), "[51]");
}

#[test]
fn tuple_projection() {
    assert_eq!(value("match ((1, (2, 3))) { (%a, (%b, _)) => %a * 10 + %b }"), "[12]");
    assert_eq!(value("((1, 2f), 3).0.1"), "[2.0]");
}

#[test]
fn tail_recursion_uses_constant_stack() {
    let text = "def @count(%n: int32, %to: int32) { if (%n == %to) { %n } else { @count(%n + 1, %to) } }
def @main() { @count(0, 100000) }";
    assert_eq!(value(text), "[100000]");
}
