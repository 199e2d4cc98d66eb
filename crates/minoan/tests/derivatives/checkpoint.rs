//! Checkpointing of loops does not change derivatives.

use super::BACKENDS;
use super::rows::{HELPERS, ROWS};
use minoan::gradient::{Wrt, floats};
use minoan::{Datum, Float, Session};

fn session(checkpoint: bool) -> Session {
    let mut session = Session::new();
    session.options.checkpoint = checkpoint;
    session
}

fn numbers(values: &[Datum]) -> Vec<f64> {
    values.iter().filter_map(floats).flatten().collect()
}

/// A loop in a loop whose trip counts depend on the argument, with two loop-carried values and a value from outside.
const LOOPS: &str = "
(def f Float ((x : Vec Float) (n : Integer))
  (let ((indices (build n (lam (i : Integer) i))) (s (sum x)))
    (let ((a b) (fold (lam (at : Tuple (Tuple Float Float) Integer)
        (let (((a b) (get$1$2 at)) (i (get$2$2 at)) (inner (build i (lam (j : Integer) (mul 0.1 (to_float j))))))
          (tuple (add (sin (mul a b)) (mul 0.1 (mul s (index (rem i (size x)) x))))
                 (fold (lam (bt : Tuple Float Float) (let ((b t) bt) (add (cos (mul b b)) (mul t s)))) b inner))))
        (tuple 0.3 (index 0 x)) indices))
      (mul a b))))";

#[test]
fn loops_of_any_trip_count_agree() {
    for &backend in BACKENDS {
        let gradients: Vec<Vec<Vec<f64>>> = [false, true]
            .map(|checkpoint| {
                let session = session(checkpoint);
                let file = session.read_text("f.ks", LOOPS).unwrap_or_else(|error| panic!("{error:?}"));
                let entry = session.entry(&file, "f", Float::F64).unwrap_or_else(|error| panic!("{error:?}"));
                let gradient = session.grad(&entry, Wrt::All).unwrap_or_else(|error| panic!("{error:?}"));
                let prepared =
                    session.prepare(&gradient, backend).unwrap_or_else(|error| panic!("{error:?}"));
                let run = |n: i64| {
                    let json = serde_json::json!([[0.3, -0.7, 1.1], n]);
                    let args =
                        gradient.interface.parse_args(&json).unwrap_or_else(|error| panic!("{error:?}"));
                    numbers(&prepared.call(&args).unwrap_or_else(|error| panic!("{error:?}")))
                };
                (0..=18).chain([25, 26]).map(run).collect()
            })
            .into();
        for (n, (plain, checkpointed)) in gradients[0].iter().zip(&gradients[1]).enumerate() {
            assert_eq!(plain.len(), 3);
            for (x, y) in plain.iter().zip(checkpointed) {
                assert!(
                    (x - y).abs() <= 1e-12 * x.abs().max(1.0),
                    "{n}: {plain:?}, {checkpointed:?} on {backend:?}"
                );
            }
        }
    }
}

#[test]
fn every_construct_agrees() {
    let gradients = [false, true].map(|checkpoint| {
        let session = session(checkpoint);
        let mut text = HELPERS.to_owned();
        for (at, row) in ROWS.iter().enumerate() {
            text.push_str(&format!("(def f{at} {} (x : {}) {})\n", row.target, row.source, row.body));
            text.push_str(&format!(
                "(def g{at} (Vec Float) () (Vec_init (ts_dot ([rev f{at}] {} {}) {})))\n",
                row.x, row.dy, row.dx
            ));
            text.push_str(&format!("(gdef rev [f{at} {}])\n", row.source));
        }
        let calls: String = (0..ROWS.len()).map(|at| format!(" (g{at})")).collect();
        text.push_str(&format!("(def all (Vec (Vec Float)) () (Vec_init{calls}))\n"));
        let file = session.read_text("rows.ks", &text).unwrap_or_else(|error| panic!("{error:?}"));
        let entry = session.entry(&file, "all", Float::F64).unwrap_or_else(|error| panic!("{error:?}"));
        let found = session.run(&entry, &[], minoan::Backend::Interpret);
        numbers(&found.unwrap_or_else(|error| panic!("{error:?}")))
    });
    assert_eq!(gradients[0].len(), ROWS.len());
    for ((row, x), y) in ROWS.iter().zip(&gradients[0]).zip(&gradients[1]) {
        assert!((x - y).abs() <= 1e-12 * x.abs().max(1.0), "{}: {x}, {y} with checkpoints", row.name);
    }
}
