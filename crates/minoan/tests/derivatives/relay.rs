//! The behaviors that the tests of Relay's own `gradient` check: values and gradients of small functions of tensors, through
//! bindings, tuples, conditionals, closures, references and global functions.

use super::support::{backends, near};
use minoan::gradient::{Wrt, floats};
use minoan::{Datum, Float, Session};
use serde_json::Value;

/// The name of a function, its definition as `@main`, the arguments, the numbers of its results, and those of the gradient of
/// their sum. `M` stands for tensors of shape `(2, 2)`.
type Row = (&'static str, &'static str, &'static str, &'static [f64], &'static [f64]);

const X: &str = "[[[1, -2], [0.5, -0.25]]]";

const ROWS: &[Row] = &[
    ("identity", "def @main(%x: M) -> M { %x }", X, &[1., -2., 0.5, -0.25], &[1., 1., 1., 1.]),
    ("relu", "def @main(%x: M) -> M { nn.relu(%x) }", X, &[1., 0., 0.5, 0.], &[1., 0., 1., 0.]),
    ("add", "def @main(%x: M) -> M { %x + %x }", X, &[2., -4., 1., -0.5], &[2., 2., 2., 2.]),
    (
        "a sum of two",
        "def @main(%x: M, %y: M) -> M { %x + %y }",
        "[[[1, -2], [0.5, -0.25]], [[1, 1], [1, 1]]]",
        &[2., -1., 1.5, 0.75],
        &[1., 1., 1., 1., 1., 1., 1., 1.],
    ),
    (
        "a binding",
        "def @main(%x: M) -> M { let %y = %x + %x; %y + %y }",
        X,
        &[4., -8., 2., -1.],
        &[4., 4., 4., 4.],
    ),
    ("sub", "def @main(%x: M) -> M { %x - %x }", X, &[0., 0., 0., 0.], &[0., 0., 0., 0.]),
    (
        "broadcast add",
        "def @main(%x: Tensor[(2, 1, 1), float64], %y: Tensor[(1, 3), float64]) -> Tensor[(2, 1, 3), float64] { %x + %y }",
        "[[[[1]], [[2]]], [[10, 20, 30]]]",
        &[11., 21., 31., 12., 22., 32.],
        &[3., 3., 2., 2., 2.],
    ),
    (
        "broadcast subtract",
        "def @main(%x: Tensor[(2, 1, 1), float64], %y: Tensor[(1, 3), float64]) -> Tensor[(2, 1, 3), float64] { %x - %y }",
        "[[[[1]], [[2]]], [[10, 20, 30]]]",
        &[-9., -19., -29., -8., -18., -28.],
        &[3., 3., -2., -2., -2.],
    ),
    (
        "a tuple",
        "def @main(%x: M, %y: M, %z: M) -> M { let %t = (%x, %y, %z); %t.0 + %t.1 - %t.2 }",
        "[[[1, -2], [0.5, -0.25]], [[1, 1], [1, 1]], [[1, 2], [3, 4]]]",
        &[1., -3., -1.5, -3.25],
        &[1., 1., 1., 1., 1., 1., 1., 1., -1., -1., -1., -1.],
    ),
    (
        "a function iterated as often as a number of a data type says",
        "type Nat { Z, S(Nat), }
         def @iterate(%f: fn(M) -> M, %n: Nat) -> fn(M) -> M {
           match (%n) {
             Z => fn (%x: M) -> M { %x },
             S(%m) => let %g = @iterate(%f, %m); fn (%x: M) -> M { %g(%f(%x)) },
           }
         }
         def @main(%x: M) -> M { let %f = @iterate(fn (%y: M) -> M { %y + %y }, S(S(S(Z)))); %f(%x) }",
        X,
        &[8., -16., 4., -2.],
        &[8., 8., 8., 8.],
    ),
    (
        "a reference",
        "def @main(%x: M) -> M {
           let %r = ref(%x);
           let %u = ref_write(%r, ref_read(%r) + ref_read(%r));
           ref_read(%r)
         }",
        X,
        &[2., -4., 1., -0.5],
        &[2., 2., 2., 2.],
    ),
    (
        "a conditional",
        "def @main(%x: M, %y: M, %c: bool) -> M { log(if (%c) { %x } else { %y }) }",
        "[[[1, 1], [4, 8]], [[1, 1], [1, 1]], true]",
        &[0., 0., 1.386_294_361_119_890_6, 2.079_441_541_679_836],
        &[1., 1., 0.25, 0.125, 0., 0., 0., 0.],
    ),
    (
        // Relay differentiates the first of the results only.
        "a tuple as the result",
        "def @main(%x: M) -> (M, M) { let %y = %x + %x; (%y + %y, %y) }",
        X,
        &[4., -8., 2., -1., 2., -4., 1., -0.5],
        &[6., 6., 6., 6.],
    ),
    (
        // Relay's gradient of it is zero.
        "concatenate",
        "def @main(%x: M) -> Tensor[(2, 4), float64] { let %t = (%x, %x); concatenate(%t, axis=1) }",
        X,
        &[1., -2., 1., -2., 0.5, -0.25, 0.5, -0.25],
        &[2., 2., 2., 2.],
    ),
    (
        "a product that is used twice",
        "def @main(%x: M, %y: M) -> Tensor[(), float64] {
           let %p = nn.dense(%x, %y, units=2);
           sum(%p - sum(%p, keepdims=True))
         }",
        "[[[1, 2], [3, 4]], [[1, 0], [2, 1]]]",
        &[-54.],
        &[-9., -3., -9., -3., -12., -18., -12., -18.],
    ),
    (
        "global functions",
        "def @double(%x: M) -> M { %x + %x } def @main(%x: M) -> M { @double(@double(%x)) }",
        X,
        &[4., -8., 2., -1.],
        &[4., 4., 4., 4.],
    ),
];

fn source(text: &str) -> String {
    let text = text.replace('M', "Tensor[(2, 2), float64]");
    format!("#[version = \"0.0.5\"]\n{text}\n")
}

fn numbers(values: &[Datum]) -> Vec<f64> {
    values.iter().filter_map(floats).flatten().collect()
}

#[test]
fn values_and_gradients_are_those_of_relay() {
    let session = Session::new();
    for &(name, text, args, value, gradient) in ROWS {
        let text = source(text);
        let program =
            session.read_text("main.relay", &text).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let entry =
            session.entry(&program, "main", Float::F64).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let args: Value = serde_json::from_str(args).expect("the arguments are JSON");
        let args = entry.interface.parse_args(&args).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let both =
            session.value_and_grad(&entry, Wrt::All).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        for &backend in &backends() {
            let found =
                session.run(&both, &args, backend).unwrap_or_else(|error| panic!("{name}: {error:?}"));
            let found = numbers(&found);
            assert!(near(&found, &[value, gradient].concat(), 1e-12), "{name}, {backend:?}: {found:?}");
        }
    }
}

#[test]
fn a_second_derivative_is_that_of_relay() {
    let session = Session::new();
    let text = source("def @main(%x: M) -> M { %x * %x }");
    let program = session.read_text("main.relay", &text).unwrap_or_else(|error| panic!("{error:?}"));
    let entry = session.entry(&program, "main", Float::F64).unwrap_or_else(|error| panic!("{error:?}"));
    let args: Value = serde_json::from_str(X).expect("the arguments are JSON");
    let args = entry.interface.parse_args(&args).expect("the arguments fit");
    let gradient = session.grad(&entry, Wrt::All).unwrap_or_else(|error| panic!("{error:?}"));
    let both = session.value_and_grad(&gradient, Wrt::All).unwrap_or_else(|error| panic!("{error:?}"));
    for &backend in &backends() {
        let found = session.run(&both, &args, backend).unwrap_or_else(|error| panic!("{error:?}"));
        let found = numbers(&found);
        assert!(near(&found, &[2., -4., 1., -0.5, 2., 2., 2., 2.], 1e-12), "{backend:?}: {found:?}");
    }
}
