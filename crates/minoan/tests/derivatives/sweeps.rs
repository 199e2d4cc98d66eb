//! The steps and the memory of gradients are proportional to those of the functions: they are counted for arguments of growing
//! size.

use super::support::Case;
use minoan::interp::Interpreter;
use minoan::{Datum, Stage};
use minoan_services::Tensor;
use serde_json::{Value, json};

/// The steps of the gradient of a function on buffers, where copies and allocations of tensors count for each element.
fn steps(what: &str, program: &str, args: &Value) -> u64 {
    let case = Case::new(what, "sweep.ks", program, "f", args);
    let mut gradient = case.gradient();
    case.expect(case.session.advance(&mut gradient.module, Stage::Buffers));
    let mut machine = Interpreter::new(&gradient.module);
    let buffer = |arg: &Datum| match arg {
        Datum::Tensor(tensor) => Datum::Buffer(machine.buffer(Tensor::clone(tensor))),
        scalar => scalar.clone(),
    };
    let args: Vec<Datum> = case.args.iter().map(buffer).collect();
    let result = machine.call(&gradient.symbol, &args);
    result.unwrap_or_else(|trap| panic!("{what}: {}", trap.message));
    machine.steps()
}

/// Checks that twice the size costs at most twice the steps, apart from a constant.
fn check_linear(what: &str, program: &str, args: impl Fn(usize) -> Value) {
    let [small, middle, large] = [64, 128, 256].map(|size| steps(what, program, &args(size)) as f64);
    let ratio = (large - middle) / (middle - small);
    assert!(ratio < 2.2, "{what}: {small}, {middle} and {large} steps for sizes 64, 128 and 256");
}

fn numbers(size: usize) -> Vec<f64> {
    (0..size).map(|at| 0.1 + at as f64 / 1000.0).collect()
}

#[test]
fn recursion_that_reads_a_tensor() {
    for (what, value) in [
        ("no result is needed", "(add (s (sub i 1) v) (sin (index (sub i 1) v)))"),
        ("a result is needed", "(add (sin (s (sub i 1) v)) (index (sub i 1) v))"),
        (
            "a result is needed twice",
            "(let (t (s (sub i 1) v)) (mul (sin t) (mul (cos t) (index (sub i 1) v))))",
        ),
    ] {
        let program = format!(
            "(def s Float ((i : Integer) (v : Vec Float)) (if (eq i 0) 0.0 {value}))
             (def f Float (v : Vec Float) (s (size v) v))"
        );
        check_linear(what, &program, |size| json!([numbers(size)]));
    }
}

#[test]
fn mutual_recursion_that_reads_a_tensor() {
    let program = "
        (edef odd Float (Tuple Integer (Vec Float)))
        (def even Float ((i : Integer) (v : Vec Float)) (if (eq i 0) 1.0 (mul (sin (odd (sub i 1) v)) (index (sub i 1) v))))
        (def odd Float ((i : Integer) (v : Vec Float)) (if (eq i 0) 2.0 (add (exp (even (sub i 1) v)) (index (sub i 1) v))))
        (def f Float (v : Vec Float) (even (size v) v))";
    check_linear("mutual recursion", program, |size| json!([numbers(size)]));
}

#[test]
fn recursion_that_returns_a_tensor() {
    let program = "
        (def f (Vec Float) ((i : Integer) (v : Vec Float))
          (if (eq i 0) v (map (lam (x : Float) (sin x)) (f (sub i 1) v))))";
    check_linear("recursion that returns a tensor", program, |size| json!([size, [0.3, 0.2, 0.1]]));
}

#[test]
fn loops_that_update_a_read_element() {
    for (what, value) in [
        ("an element", "(if (eq j i) (sin (index j a)) (index j a))"),
        ("a costly element", "(if (eq j i) (exp (mul (index j a) (log (index j a)))) (index j a))"),
        ("another element", "(if (eq j i) (sin (index (sub (sub (size a) 1) i) a)) (index j a))"),
    ] {
        for (around, body) in [("", "BUILD"), (" of some iterations", "(if (lt i 3) a BUILD)")] {
            let built = body.replace("BUILD", &format!("(build (size a) (lam (j : Integer) {value}))"));
            let program = format!(
                "(def f (Vec Float) (v : Vec Float)
                   (fold (lam (ai : Tuple (Vec Float) Integer) (let ((a i) ai) {built}))
                     v (build (size v) (lam (i : Integer) i))))"
            );
            check_linear(&format!("{what}{around}"), &program, |size| json!([numbers(size)]));
        }
    }
}
