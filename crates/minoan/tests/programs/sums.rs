//! Sums of Knossos may be computed in any order: in machine code they are exact where each order gives the same, and equal to
//! those of the interpreter in every bit with the policy `strict`.

use minoan::services::{FloatPolicy, Tensor, TensorData};
use minoan::{Backend, Datum, Float, Session};

const PROGRAM: &str = "
(def all (Tuple Float Float (Vec Float) (Vec Float) Float) ((m : Tensor 2 Float) (v : Vec Float))
  (let ((n k) (size m))
    (tuple
      (sumbuild k (lam (j : Integer) (mul (index j v) (index j v))))
      (sum v)
      (build n (lam (i : Integer) (sumbuild k (lam (j : Integer) (mul (index (tuple i j) m) (index j v))))))
      (sumbuild n (lam (i : Integer) (build k (lam (j : Integer) (index (tuple i j) m)))))
      (fold (lam (ax : Tuple Float Float) (add (get$1$2 ax) (get$2$2 ax))) 0.1 v))))";

/// Calls the program for a matrix with `n` rows and `k` columns.
fn call(session: &Session, n: usize, k: usize, number: fn(usize) -> f64, backend: Backend) -> Vec<Datum> {
    let program = session.read_text("sums.ks", PROGRAM).unwrap_or_else(|failure| panic!("{failure}"));
    let entry = session.entry(&program, "all", Float::F64).unwrap_or_else(|failure| panic!("{failure}"));
    let numbers = |count: usize| TensorData::F64((0..count).map(number).collect());
    let args = [
        Tensor { shape: vec![n, k], data: numbers(n * k) }.into(),
        Tensor { shape: vec![k], data: numbers(k) }.into(),
    ];
    session.run(&entry, &args, backend).unwrap_or_else(|failure| panic!("{n}, {k}: {failure}"))
}

#[test]
fn sums_of_machine_code_are_those_of_the_interpreter() {
    let _turn = crate::turn();
    let mut session = Session::new();
    let whole: fn(usize) -> f64 = |at| (at * 7 % 5) as f64 - 2.0;
    let broken: fn(usize) -> f64 = |at| 0.1 * (at * 7 % 5) as f64 - 0.17;
    for (n, k) in [(1, 1), (3, 5), (1, 64), (5, 65), (70, 3), (33, 200)] {
        // Of results that depend on the order of the terms, only that of `fold` is the same, which is the last one.
        for (number, policy, first) in [
            (whole, FloatPolicy::Default, 0),
            (broken, FloatPolicy::Default, 4),
            (broken, FloatPolicy::Strict, 0),
        ] {
            session.options.float_policy = policy;
            let expected = call(&session, n, k, number, Backend::Interpret);
            assert_eq!(expected.len(), 5);
            for backend in [Backend::InterpretBuffers, Backend::Jit] {
                let found = call(&session, n, k, number, backend);
                let same =
                    expected.iter().zip(&found).skip(first).all(|(expected, found)| expected.same(found));
                assert!(same, "{n}, {k}, {policy:?}, {backend:?}: {found:?} is not {expected:?}");
            }
        }
    }
}
