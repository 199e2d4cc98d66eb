//! Tensors of tuples, of strings and of tensors as arguments and results, on every back end.

use minoan::{Backend, Float, Session};
use serde_json::{Value as Json, json};

const BACKENDS: &[Backend] = &[
    Backend::Interpret,
    Backend::InterpretBuffers,
    #[cfg(feature = "mlir")]
    Backend::Jit,
];

/// Calls the function `f` of a program on every back end.
#[track_caller]
fn calls(text: &str, cases: &[(Json, Json)]) {
    let session = Session::new();
    let program = session.read_text("test.ks", text).unwrap_or_else(|error| panic!("{error:?}"));
    let entry = session.entry(&program, "f", Float::F64).unwrap_or_else(|error| panic!("{error:?}"));
    for (args, expected) in cases {
        let args = entry.interface.parse_args(args).unwrap_or_else(|error| panic!("{error:?}"));
        entry.interface.check_args(&args).unwrap_or_else(|error| panic!("{args:?}: {error:?}"));
        for &backend in BACKENDS {
            let result = session.run(&entry, &args, backend).unwrap_or_else(|error| panic!("{error:?}"));
            assert_eq!(
                entry.interface.result_json(&result).expect("it is shallow"),
                *expected,
                "{backend:?} of {text}"
            );
        }
    }
}

#[test]
fn identity_of_each_type() {
    for (ty, value) in [
        ("Vec (Vec Float)", json!([[], [1.0], [2.0, 3.0]])),
        ("Vec (Vec (Vec Integer))", json!([[], [[]], [[1], [2, 3]]])),
        ("Vec String", json!(["", "ab", "ü"])),
        ("Vec (Vec String)", json!([["a"], []])),
        ("Vec (Tuple Integer Bool)", json!([{"tuple": [1, true]}, {"tuple": [2, false]}])),
        ("Vec (Tuple (Vec Integer) Float)", json!([{"tuple": [[1, 2], 0.5]}, {"tuple": [[], 1.5]}])),
        ("Tensor 2 (Vec Integer)", json!([[[1], [2, 3]], [[], [4]]])),
        ("Vec (Tensor 2 Integer)", json!([[[1, 2], [3, 4]], [], [[5]]])),
        ("Vec (Tuple)", json!([{"tuple": []}, {"tuple": []}])),
        ("Vec (Vec (Tuple))", json!([[], [{"tuple": []}]])),
        ("Tuple (Vec (Vec Float)) (Tuple) (Vec Bool)", json!({"tuple": [[[1.0]], {"tuple": []}, [true]]})),
    ] {
        let text = format!("(def f (Tuple Integer ({ty})) (x : {ty}) (tuple 1 x))");
        calls(&text, &[(json!([value]), json!({"tuple": [1, value]}))]);
    }
}

#[test]
fn rows_of_rows() {
    let text = "
(def f (Vec (Vec Float)) (v : Vec (Vec (Vec Float)))
  (map (lam (m : Vec (Vec Float)) (map (lam (r : Vec Float) (sum r)) m)) v))";
    let input = json!([[[[1.0, 2.0], []], [], [[3.0]]]]);
    calls(text, &[(input, json!([[3.0, 0.0], [], [3.0]])), (json!([[]]), json!([]))]);
}

#[test]
fn rows_are_selected_appended_and_summed() {
    let text = "
(def last (Vec Integer) (v : Vec (Vec Integer)) (index (sub (size v) 1) v))
(def g (Vec (Vec Integer)) ((n : Integer) (v : Vec (Vec Integer)))
  (if (gt n 0)
      (g (sub n 1) (build (add (size v) 1) (lam (i : Integer) (if (lt i (size v)) (index i v) (build n (lam (j : Integer) (add n j)))))))
      v))
(def f (Tuple (Vec (Vec Integer)) (Vec Integer) Integer) ((n : Integer) (v : Vec (Vec Integer)))
  (let (all (g n v))
    (tuple all (last all) (fold (lam (s : Tuple Integer (Vec Integer)) (add (get$1$2 s) (sum (get$2$2 s)))) 0 all))))";
    let expected = json!({"tuple": [[[7], [3, 4, 5], [2, 3], [1]], [1], 25]});
    calls(text, &[(json!([3, [[7]]]), expected)]);
}

#[test]
fn wrong_arguments_are_located() {
    let session = Session::new();
    let program =
        session.read_text("test.ks", "(def f Integer (v : Vec (Tuple (Vec Integer) String)) (size v))");
    let entry = session.entry(&program.expect("it is well typed"), "f", Float::F32).expect("an entry");
    let error = |args: Json| format!("{:?}", entry.interface.parse_args(&args).expect_err("it is wrong"));
    assert!(error(json!([[{"tuple": [[1, 2.5], "a"]}]])).contains("argument 1[0], component 1[1]"));
    assert!(error(json!([[{"tuple": [[1], 2]}]])).contains("argument 1[0], component 2: expected a string"));
    assert!(error(json!([3])).contains("expected an array"));
    let good = entry.interface.parse_args(&json!([[{"tuple": [[1, 2], "a"]}]])).expect("it is right");
    let mut bad = good.clone();
    // The offsets of the rows.
    let offsets =
        minoan::services::Tensor { shape: vec![2], data: minoan::services::TensorData::Int(vec![0, 7]) };
    bad[1] = offsets.into();
    assert!(entry.interface.check_args(&good).is_ok());
    assert!(entry.interface.check_args(&bad).is_err());
}
