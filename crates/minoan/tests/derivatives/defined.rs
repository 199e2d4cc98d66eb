//! Derivatives of functions on objects in the shared dialects: loops that carry objects, derivatives that the program
//! defines, and recursion with a tape.

use super::support::{backends, near};
use minoan::gradient::{Wrt, difference_gradient, floats, forward_gradient};
use minoan::{Backend, Datum, Entry, Float, Session};
use serde_json::json;

const LIST: &str = r#"data.type @List = "Cons"(f64, !data.cell<@List>) | "Nil"()
func.func private @three(%x: f64) -> !data.cell<@List> {
  %y = arith.mulf %x, %x : f64
  %z = math.sin %x : f64
  %nil = data.make "Nil"[1]() : () -> !data.cell<@List>
  %0 = data.make "Cons"[0](%x, %nil) : (f64, !data.cell<@List>) -> !data.cell<@List>
  %1 = data.make "Cons"[0](%y, %0) : (f64, !data.cell<@List>) -> !data.cell<@List>
  %2 = data.make "Cons"[0](%z, %1) : (f64, !data.cell<@List>) -> !data.cell<@List>
  return %2 : !data.cell<@List>
}
"#;

fn entry(session: &Session, text: &str) -> Entry {
    let program =
        session.read_text("main.mlir", &format!("{LIST}{text}")).unwrap_or_else(|error| panic!("{error:?}"));
    session.entry(&program, "main", Float::F64).unwrap_or_else(|error| panic!("{error:?}"))
}

fn all(values: &[Datum]) -> Vec<f64> {
    values.iter().filter_map(floats).flatten().collect()
}

#[test]
fn counted_loops_carry_objects() {
    let session = Session::new();
    // The product depends on the number of the iteration, and the outer loop carries the list, too.
    let text = r#"
func.func @main(%x: f64, %k: f64) -> f64 {
  %l = call @three(%x) : (f64) -> !data.cell<@List>
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %one = arith.constant 1.0 : f64
  %0:2 = scf.for %j = %zero to %two step %step iter_args(%all = %l, %q = %one) -> (!data.cell<@List>, f64) {
    %1:2 = scf.for %i = %j to %three step %step iter_args(%rest = %all, %p = %q) -> (!data.cell<@List>, f64) {
      %h = data.project %rest as "Cons"[0] of [f64, !data.cell<@List>] at 0 : !data.cell<@List>
      %t = data.project %rest as "Cons"[0] of [f64, !data.cell<@List>] at 1 : !data.cell<@List>
      %n = arith.index_cast %i : index to i64
      %f = arith.sitofp %n : i64 to f64
      %a = arith.mulf %p, %h : f64
      %b = arith.mulf %f, %k : f64
      %c = arith.addf %a, %b : f64
      scf.yield %t, %c : !data.cell<@List>, f64
    }
    %r = data.make "Cons"[0](%1#1, %all) : (f64, !data.cell<@List>) -> !data.cell<@List>
    scf.yield %r, %1#1 : !data.cell<@List>, f64
  }
  return %0#1 : f64
}
"#;
    let entry = entry(&session, text);
    let args = entry.interface.parse_args(&json!([1.5, 0.25])).expect("the arguments fit");
    let differences = difference_gradient(&session, &entry, Wrt::All, &args, Backend::Interpret)
        .unwrap_or_else(|error| panic!("{error:?}"));
    let differences = all(&differences.gradient);
    let gradient = session.grad(&entry, Wrt::All).unwrap_or_else(|error| panic!("{error:?}"));
    for &backend in &backends() {
        let found = all(&session.run(&gradient, &args, backend).unwrap_or_else(|error| panic!("{error:?}")));
        assert!(near(&found, &differences, 1e-6), "{backend:?}: {found:?}, not {differences:?}");
    }
}

#[test]
fn recursion_over_a_vector_is_recorded() {
    let session = Session::new();
    let text = "
(def f Float ((v : Vec Float) (i : Integer) (k : Float))
  (if (eq i (size v)) k (let ((r (f v (add i 1) (mul k 1.5))) (s (if (gt k 2.0) (f v (add i 1) k) 1.0)))
    (mul (index i v) (mul (sin r) s)))))
(def main Float ((v : Vec Float) (k : Float)) (f v 0 k))";
    let program = session.read_text("f.ks", text).unwrap_or_else(|error| panic!("{error:?}"));
    let entry = session.entry(&program, "main", Float::F64).unwrap_or_else(|error| panic!("{error:?}"));
    let args = entry.interface.parse_args(&json!([[0.7, 1.2, -0.4, 2.5], 1.1])).expect("the arguments fit");
    let differences = difference_gradient(&session, &entry, Wrt::All, &args, Backend::Interpret)
        .unwrap_or_else(|error| panic!("{error:?}"));
    let differences = all(&differences.gradient);
    let gradient = session.grad(&entry, Wrt::All).unwrap_or_else(|error| panic!("{error:?}"));
    for &backend in &backends() {
        let found = all(&session.run(&gradient, &args, backend).unwrap_or_else(|error| panic!("{error:?}")));
        assert!(near(&found, &differences, 1e-6), "{backend:?}: {found:?}, not {differences:?}");
    }
}

/// A function that doubles the head of a list, and the sum of the first two elements of the result. The derivative that is
/// defined multiplies by 10.
const DOUBLE: &str = r#"
func.func private @double(%l: !data.cell<@List>) -> !data.cell<@List> {
  %h = data.project %l as "Cons"[0] of [f64, !data.cell<@List>] at 0 : !data.cell<@List>
  %t = data.project %l as "Cons"[0] of [f64, !data.cell<@List>] at 1 : !data.cell<@List>
  %two = arith.constant 2.0 : f64
  %g = arith.mulf %h, %two : f64
  %0 = data.make "Cons"[0](%g, %t) : (f64, !data.cell<@List>) -> !data.cell<@List>
  return %0 : !data.cell<@List>
}
func.func private @double.own(%l: !data.cell<@List>, %d: !data.cell<@List>) -> !data.cell<@List> {
  %h = data.project %d as "Cons"[0] of [f64, !data.cell<@List>] at 0 : !data.cell<@List>
  %t = data.project %d as "Cons"[0] of [f64, !data.cell<@List>] at 1 : !data.cell<@List>
  %ten = arith.constant 10.0 : f64
  %g = arith.mulf %h, %ten : f64
  %0 = data.make "Cons"[0](%g, %t) : (f64, !data.cell<@List>) -> !data.cell<@List>
  return %0 : !data.cell<@List>
}
func.func @main(%x: f64) -> f64 {
  %l = call @three(%x) : (f64) -> !data.cell<@List>
  %d = call @double(%l) : (!data.cell<@List>) -> !data.cell<@List>
  %h = data.project %d as "Cons"[0] of [f64, !data.cell<@List>] at 0 : !data.cell<@List>
  %t = data.project %d as "Cons"[0] of [f64, !data.cell<@List>] at 1 : !data.cell<@List>
  %s = data.project %t as "Cons"[0] of [f64, !data.cell<@List>] at 0 : !data.cell<@List>
  %0 = arith.addf %h, %s : f64
  return %0 : f64
}
"#;

#[test]
fn defined_derivatives_take_objects() {
    let session = Session::new();
    let x = 1.5_f64;
    let own = 10.0 * x.cos() + 2.0 * x;
    // The derivative that is not defined is the transpose of the other one.
    for mode in ["rev", "fwd"] {
        let entry = entry(&session, &format!("{DOUBLE}diff.rule @double \"{mode}\" by @double.own\n"));
        let args = entry.interface.parse_args(&json!([x])).expect("the arguments fit");
        let gradient = session.grad(&entry, Wrt::All).unwrap_or_else(|error| panic!("{error:?}"));
        for &backend in &backends() {
            let found =
                session.run(&gradient, &args, backend).unwrap_or_else(|error| panic!("{mode}: {error:?}"));
            assert!(near(&all(&found), &[own], 1e-12), "{mode}, {backend:?}: {found:?}");
            let found = forward_gradient(&session, &entry, Wrt::All, &args, backend)
                .unwrap_or_else(|error| panic!("{mode}: {error:?}"));
            assert!(near(&all(&found), &[own], 1e-12), "{mode}, {backend:?}: {found:?}");
        }
    }
}
