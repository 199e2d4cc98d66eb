//! Every built-in function and form of Knossos has derivatives, in every form in which the language offers them, on every back
//! end.
//!
//! A row is a function `f : S -> T` with a point `x`, a tangent `dx` of it and a cotangent `dy` of its result. The numbers
//! `<[fwd f] x dx, dy>` and `<[rev f] x dy, dx>`, the same by `[sufrev f]`, by the pair of passes, and by the linear map `[D f]`
//! applied in both directions, are equal, and agree with central differences. The rows use every primitive and every overload
//! of the prelude.

mod checkpoint;
mod defined;
mod lanes;
mod objects;
mod random;
mod random_components;
mod random_numbers;
mod random_tensors;
mod relay;
mod rows;
mod support;
mod sweeps;

use minoan::{Backend, Float, Session};
use minoan_knossos::{Callee, PRELUDE, Prim, TypedKind, check, parse};
use rows::{HELPERS, ROWS, Row};
use serde_json::json;
use std::collections::BTreeSet;

const BACKENDS: &[Backend] = &[
    Backend::Interpret,
    #[cfg(feature = "mlir")]
    Backend::Jit,
];

/// The names of the numbers that a row gives.
const FORMS: [&str; 7] =
    ["fwd", "rev", "sufrev", "suffwdpass and sufrevpass", "lmApply", "lmApplyR", "differences"];

/// The definitions of row `at`, the last one of which, `t<at>`, gives its numbers.
fn program(at: usize, row: &Row) -> String {
    let Row { source, target, body, x, dx, dy, .. } = row;
    let requests = ["fwd", "rev", "sufrev", "suffwdpass", "sufrevpass", "D"];
    let requests: String = requests.iter().map(|form| format!("(gdef {form} [f{at} {source}])\n")).collect();
    format!(
        "(def f{at} {target} (x : {source}) {body})
{requests}
(def t{at} (Vec Float) () (let ((x {x}) (dx {dx}) (dy {dy}) (h 0.0001)) (Vec_init
  (ts_dot ([fwd f{at}] x dx) dy)
  (ts_dot ([rev f{at}] x dy) dx)
  (ts_dot ([sufrev f{at}] x dy) dx)
  (let ((y bag) ([suffwdpass f{at}] x)) (ts_dot ([sufrevpass [f{at} {source}]] dy bag) dx))
  (ts_dot (lmApply ([D f{at}] x) dx) dy)
  (ts_dot (lmApplyR dy ([D f{at}] x)) dx)
  (div (sub (ts_dot (f{at} (ts_add x (ts_scale h dx))) dy) (ts_dot (f{at} (ts_add x (ts_scale (neg h) dx))) dy))
       (mul 2.0 h)))))\n"
    )
}

#[test]
fn all_forms_agree() {
    let session = Session::new();
    let mut text = HELPERS.to_owned();
    text.extend(ROWS.iter().enumerate().map(|(at, row)| program(at, row)));
    let calls: String = (0..ROWS.len()).map(|at| format!(" (t{at})")).collect();
    text.push_str(&format!("(def all (Vec (Vec Float)) () (Vec_init{calls}))\n"));
    let file = session.read_text("rows.ks", &text).unwrap_or_else(|error| panic!("{error:?}"));
    let entry = session.entry(&file, "all", Float::F64).unwrap_or_else(|error| panic!("{error:?}"));
    let mut wrong = Vec::new();
    for &backend in BACKENDS {
        let result =
            session.run(&entry, &[], backend).unwrap_or_else(|error| panic!("{backend:?}: {error:?}"));
        let json = entry.interface.result_json(&result).expect("it is shallow");
        for (row, numbers) in ROWS.iter().zip(json.as_array().expect("a vector of vectors")) {
            let numbers: Vec<f64> =
                numbers.as_array().expect("a vector").iter().filter_map(serde_json::Value::as_f64).collect();
            assert_eq!(numbers.len(), FORMS.len(), "{}", row.name);
            for (form, number) in FORMS.iter().zip(&numbers) {
                let tolerance = if *form == "differences" { 1e-5 } else { 1e-12 };
                if (number - numbers[0]).abs() > tolerance * numbers[0].abs().max(1.0) {
                    wrong.push(format!(
                        "{} on {backend:?}: {form} gives {number}, fwd {}",
                        row.name, numbers[0]
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_rows_use_every_builtin() {
    let mut text = HELPERS.to_owned();
    text.extend(ROWS.iter().enumerate().map(|(at, row)| program(at, row)));
    let sources = minoan::diag::SourceMap::new();
    let file = sources.add("rows.ks", text);
    let (program, errors) = parse(&sources, file);
    assert!(!errors.has_errors(), "{errors:?}");
    let (typed, errors) = check(&program);
    assert!(!errors.has_errors(), "{errors:?}");
    let mut used = BTreeSet::new();
    for id in 0..typed.expr_count() as u32 {
        if let TypedKind::Call { callee, .. } = &typed.expr(minoan_knossos::ExprId(id)).kind {
            used.insert(match callee {
                Callee::Prim(prim) => prim.name(),
                Callee::Prelude(function) => format!("{} {:?}", function.name, function.params),
                _ => continue,
            });
        }
    }
    let prims = Prim::NAMED.iter().map(|(name, _)| (*name).to_owned());
    let prelude = PRELUDE.iter().map(|function| format!("{} {:?}", function.name, function.params));
    let missing: Vec<String> = prims.chain(prelude).filter(|name| !used.contains(name)).collect();
    assert!(missing.is_empty(), "no row uses {missing:?}");
}

#[test]
fn derivatives_of_integers_are_empty() {
    let session = Session::new();
    let text = "
(def f Integer ((n : Integer) (v : Vec Integer) (s : String) (b : Bool)) (if b (add n (sum v)) 0))
(gdef fwd [f (Tuple Integer (Vec Integer) String Bool)])
(gdef rev [f (Tuple Integer (Vec Integer) String Bool)])
(def main (Tuple Integer Integer) ()
  (let ((x (tuple 1 (Vec_init 1 2) \"a\" true)) (none ([fwd f] x (tuple (tuple) (Vec_init (tuple) (tuple)) (tuple) (tuple)))))
    (tuple (f x) (size (get$2$4 ([rev f] x none))))))";
    let program = session.read_text("f.ks", text).unwrap_or_else(|error| panic!("{error:?}"));
    let entry = session.entry(&program, "main", Float::F32).unwrap_or_else(|error| panic!("{error:?}"));
    for &backend in BACKENDS {
        let result = session.run(&entry, &[], backend).unwrap_or_else(|error| panic!("{error:?}"));
        assert_eq!(entry.interface.result_json(&result).expect("it is shallow"), json!({"tuple": [4, 2]}));
    }
}

#[test]
fn a_tangent_of_other_extents_stops_the_program() {
    let session = Session::new();
    for (types, x, seed, mode) in [
        ("(Vec Float)", "(Vec_init 1.0 2.0 3.0)", "(Vec_init 1.0)", "rev"),
        ("(Vec Float)", "(Vec_init 1.0 2.0 3.0)", "(Vec_init 1.0)", "fwd"),
        (
            "(Vec (Vec Float))",
            "(Vec_init (Vec_init 1.0 2.0) (Vec_init 3.0))",
            "(Vec_init (Vec_init 1.0) (Vec_init 2.0 3.0))",
            "fwd",
        ),
    ] {
        let text = format!(
            "(def f {types} (x : {types}) (ts_scale 2.0 x)) (gdef {mode} [f {types}])
             (def main {types} () ([{mode} f] {x} {seed}))"
        );
        let program = session.read_text("f.ks", &text).unwrap_or_else(|error| panic!("{error:?}"));
        let entry = session.entry(&program, "main", Float::F32).unwrap_or_else(|error| panic!("{error:?}"));
        for &backend in BACKENDS {
            let error = session.run(&entry, &[], backend).expect_err("the extents differ");
            let text = format!("{error:?}");
            assert!(text.contains("but its value has extent") || text.contains("different sizes"), "{text}");
        }
    }
}

#[test]
fn every_function_of_numbers_has_a_gradient() {
    let session = Session::new();
    let text = "
(def f Float ((x : Float) (n : Integer) (v : Vec (Vec Float))) (mul (pow x n) (sumbuild (size v) (lam (i : Integer) (sum (index i v))))))
(def g Float (x : Float) (mul x (get$1$3 ([grad f] x 2 (Vec_init (Vec_init 1.0 2.0) (Vec_init x))))))";
    let program = session.read_text("f.ks", text).unwrap_or_else(|error| panic!("{error:?}"));
    for (name, args, expected) in [
        (
            "[grad f]",
            json!([{"tuple": [2.0, 3, [[1.0, 2.0], [3.0]]]}]),
            json!({"tuple": [72.0, {"tuple": []}, [[8.0, 8.0], [8.0]]]}),
        ),
        ("g", json!([3.0]), json!(108.0)),
    ] {
        let entry = session.entry(&program, name, Float::F64).unwrap_or_else(|error| panic!("{error:?}"));
        let args = entry.interface.parse_args(&args).unwrap_or_else(|error| panic!("{error:?}"));
        for &backend in BACKENDS {
            let result = session.run(&entry, &args, backend).unwrap_or_else(|error| panic!("{error:?}"));
            assert_eq!(
                entry.interface.result_json(&result).expect("it is shallow"),
                expected,
                "{name} on {backend:?}"
            );
        }
    }
}

#[test]
fn gradients_of_tensors_of_tensors_have_their_structure() {
    use minoan::gradient::{Wrt, difference_gradient, forward_gradient};
    let session = Session::new();
    let text = "(def f (Vec (Vec Float)) ((x : Vec (Vec Float)) (y : Float))
      (map (lam (r : Vec Float) (map (lam (t : Float) (mul y (mul t t))) r)) x))";
    let program = session.read_text("f.ks", text).unwrap_or_else(|error| panic!("{error:?}"));
    let entry = session.entry(&program, "f", Float::F64).unwrap_or_else(|error| panic!("{error:?}"));
    let args = entry.interface.parse_args(&json!([[[1.0, 2.0], [], [3.0]], 2.0])).expect("the arguments fit");
    let gradient = session.grad(&entry, Wrt::All).expect("it has a gradient");
    let expected = json!({"tuple": [[[4.0, 8.0], [], [12.0]], 14.0]});
    for &backend in BACKENDS {
        let result = session.run(&gradient, &args, backend).unwrap_or_else(|error| panic!("{error:?}"));
        assert_eq!(gradient.interface.result_json(&result).expect("it is shallow"), expected);
        let forward = forward_gradient(&session, &entry, Wrt::All, &args, backend).expect("forward mode");
        assert_eq!(gradient.interface.result_json(&forward).expect("it is shallow"), expected);
        let differences =
            difference_gradient(&session, &entry, Wrt::All, &args, backend).expect("differences").gradient;
        let total = |values: &[minoan::Datum]| minoan::gradient::total(values);
        assert!((total(&differences) - total(&result)).abs() < 1e-6);
    }
}

#[test]
fn gradients_of_tensors_of_tuples_leave_out_what_is_no_float() {
    use minoan::gradient::{Wrt, difference_gradient, forward_gradient};
    let session = Session::new();
    for (ty, element, value, expected, direction) in [
        (
            "Vec (Tuple Float Integer)",
            "(mul (mul (get$1$2 t) (get$1$2 t)) (to_float (get$2$2 t)))",
            json!([{"tuple": [1.0, 2]}, {"tuple": [3.0, 4]}]),
            json!([{"tuple": [4.0, {"tuple": []}]}, {"tuple": [24.0, {"tuple": []}]}]),
            json!([{"tuple": [1.0, {"tuple": []}]}, {"tuple": [3.0, {"tuple": []}]}]),
        ),
        (
            // The tangent has no component with a number per element, so its extent is one of its components.
            "Vec (Tuple (Vec Float) Integer)",
            "(mul (mul (sum (get$1$2 t)) (sum (get$1$2 t))) (to_float (get$2$2 t)))",
            json!([{"tuple": [[1.0, 2.0], 2]}, {"tuple": [[], 3]}, {"tuple": [[3.0], 4]}]),
            json!([
                {"tuple": [[12.0, 12.0], {"tuple": []}]},
                {"tuple": [[], {"tuple": []}]},
                {"tuple": [[24.0], {"tuple": []}]}
            ]),
            json!([
                {"tuple": [[1.0, 2.0], {"tuple": []}]},
                {"tuple": [[], {"tuple": []}]},
                {"tuple": [[3.0], {"tuple": []}]}
            ]),
        ),
        (
            "Vec (Tuple Bool (Vec (Tuple String Float)) (Vec Integer))",
            "(if (get$1$3 t) (sum (map (lam (r : Tuple String Float) (mul (get$2$2 r) (get$2$2 r))) (get$2$3 t))) 0.0)",
            json!([
                {"tuple": [true, [{"tuple": ["a", 3.0]}], [1, 2]]},
                {"tuple": [false, [{"tuple": ["b", 4.0]}, {"tuple": ["", 5.0]}], []]}
            ]),
            json!([
                {"tuple": [{"tuple": []}, [{"tuple": [{"tuple": []}, 6.0]}], {"tuple": []}]},
                {"tuple": [{"tuple": []}, [{"tuple": [{"tuple": []}, 0.0]}, {"tuple": [{"tuple": []}, 0.0]}], {"tuple": []}]}
            ]),
            json!([
                {"tuple": [{"tuple": []}, [{"tuple": [{"tuple": []}, 3.0]}], {"tuple": []}]},
                {"tuple": [{"tuple": []}, [{"tuple": [{"tuple": []}, 4.0]}, {"tuple": [{"tuple": []}, 5.0]}], {"tuple": []}]}
            ]),
        ),
    ] {
        let text = format!("(def f Float (v : {ty}) (sum (map (lam (t : {}) {element}) v)))", &ty[4..]);
        let program = session.read_text("f.ks", &text).unwrap_or_else(|error| panic!("{error:?}"));
        let entry = session.entry(&program, "f", Float::F64).unwrap_or_else(|error| panic!("{error:?}"));
        let args = entry.interface.parse_args(&json!([value])).unwrap_or_else(|error| panic!("{error:?}"));
        let gradient = session.grad(&entry, Wrt::All).unwrap_or_else(|error| panic!("{error:?}"));
        let [jvp, hvp] = [session.jvp(&entry, Wrt::All), session.hvp(&entry, Wrt::All)]
            .map(|made| made.unwrap_or_else(|error| panic!("{error:?}")));
        let directed = jvp.interface.parse_args(&json!([value, direction]));
        let directed = directed.unwrap_or_else(|error| panic!("{error:?}"));
        for &backend in BACKENDS {
            let run = |entry: &minoan::Entry, args: &[minoan::Datum]| {
                session.run(entry, args, backend).unwrap_or_else(|error| panic!("{error:?}"))
            };
            let result = run(&gradient, &args);
            let shown = gradient.interface.result_json(&result).expect("it is shallow");
            assert_eq!(shown, json!({"tuple": [expected]}), "{ty} on {backend:?}");
            let forward = forward_gradient(&session, &entry, Wrt::All, &args, backend).expect("forward mode");
            assert_eq!(
                gradient.interface.result_json(&forward).expect("it is shallow"),
                shown,
                "{ty} on {backend:?}"
            );
            let differences = difference_gradient(&session, &entry, Wrt::All, &args, backend)
                .expect("differences")
                .gradient;
            let total = |values: &[minoan::Datum]| minoan::gradient::total(values);
            assert!((total(&differences) - total(&result)).abs() < 1e-6);
            // The functions are quadratic and the direction is the point `x`: the derivative is `2 f(x)`, and the product of the
            // Hessian with `x` is the gradient.
            assert_eq!(total(&run(&jvp, &directed)), 2.0 * total(&run(&entry, &args)), "{ty} on {backend:?}");
            let product = hvp.interface.result_json(&run(&hvp, &directed)).expect("it is shallow");
            assert_eq!(product, shown, "{ty} on {backend:?}");
            for rows in [
                session.forward_jacobian(&entry, Wrt::All, &args, backend, 2),
                session.reverse_jacobian(&entry, Wrt::All, &args, backend),
            ] {
                let rows = rows.unwrap_or_else(|error| panic!("{error:?}"));
                let rows: Vec<_> = rows
                    .iter()
                    .map(|row| gradient.interface.result_json(row).expect("it is shallow"))
                    .collect();
                assert_eq!(rows, std::slice::from_ref(&shown), "{ty} on {backend:?}");
            }
        }
    }
}

/// Derivatives that a program supplies in one direction, as a linear map, as a pair of passes, and of tensors of tensors.
const SUPPLIED: &str = "
(def a Float (x : Float) (sin x))
(def [fwd a] Float ((x : Float) (d : Float)) (mul 10.0 d))
(def b Float (x : Float) (sin x))
(def [D b] (LM Float Float) (x : Float) (if (gt x 0.0) (lmScale x 7.0) (lmOne x)))
(def c Float (x : Float) (mul x x))
(def [suffwdpass c] (Tuple Float Float) (x : Float) (tuple (mul x x) x))
(def [sufrevpass [c Float]] Float ((d : Float) (bag : Float)) (mul 1000.0 (mul bag d)))
(def v (Vec Float) (x : Vec Float) (map (lam (t : Float) (sin t)) x))
(def [fwd v] (Vec Float) ((x : Vec Float) (d : Vec Float)) (ts_scale 3.0 d))
(def r (Vec (Vec Float)) (x : Vec (Vec Float)) x)
(def [rev r] (Vec (Vec Float)) ((x : Vec (Vec Float)) (d : Vec (Vec Float))) (ts_scale 5.0 d))
(def k Float ((x : Float) (n : Vec Integer)) (mul x (to_float (sum n))))
(def [rev k] (Tuple Float (Vec (Tuple))) ((t : Tuple Float (Vec Integer)) (d : Float)) (tuple (mul 11.0 d) (constVec (size (get$2$2 t)) (tuple))))
(def f Float (x : Float) (add (a x) (add (b x) (c x))))
(def g Float (x : Vec Float) (sum (v x)))
(def q Float (x : Vec (Vec (Vec Float))) (sumbuild 2 (lam (i : Integer) (sum (index 1 (r (index i x)))))))
(def kk Float (x : Float) (k x (Vec_init 1 2)))
(gdef rev [f Float]) (gdef fwd [f Float]) (gdef rev [g (Vec Float)]) (gdef rev [q (Vec (Vec (Vec Float)))]) (gdef rev [kk Float]) (gdef fwd [kk Float])
(def m (Vec (Vec Float)) (s : Float) (Vec_init (Vec_init s) (Vec_init s 2.0)))
";

#[test]
fn supplied_derivatives_are_used() {
    let session = Session::new();
    let text = format!(
        "{SUPPLIED}
(def main (Tuple Float (Vec Float) (Vec (Vec (Vec Float))) Float Float) ()
  (tuple ([rev f] 2.0 1.0) ([rev g] (Vec_init 1.0 2.0) 1.0) ([rev q] (Vec_init (m 1.0) (m 2.0)) 1.0) ([rev kk] 1.0 1.0) ([fwd kk] 1.0 1.0)))"
    );
    let program = session.read_text("f.ks", &text).unwrap_or_else(|error| panic!("{error:?}"));
    let entry = session.entry(&program, "main", Float::F64).unwrap_or_else(|error| panic!("{error:?}"));
    let rows = [[vec![0.0], vec![5.0, 5.0]], [vec![0.0], vec![5.0, 5.0]]];
    let expected = json!({"tuple": [2017.0, [3.0, 3.0], rows, 11.0, 11.0]});
    for &backend in BACKENDS {
        let result = session.run(&entry, &[], backend).unwrap_or_else(|error| panic!("{error:?}"));
        assert_eq!(entry.interface.result_json(&result).expect("it is shallow"), expected, "{backend:?}");
    }
}

#[test]
fn an_external_derivative_is_transposed() {
    let session = Session::new();
    let library = session
        .read_text(
            "lib.ks",
            "(def h Float (x : Float) (sin x)) (def rev$h Float ((x : Float) (d : Float)) (mul d (cos x)))",
        )
        .unwrap_or_else(|error| panic!("{error:?}"));
    let text = "(edef h Float Float) (edef [rev h] Float (Tuple Float Float))
(def f Float (x : Float) (mul x (h x))) (gdef fwd [f Float]) (gdef rev [f Float])
(def main (Tuple Float Float) () (tuple ([fwd f] 0.5 1.0) ([rev f] 0.5 1.0)))";
    let program = session.read_text("f.ks", text).unwrap_or_else(|error| panic!("{error:?}"));
    let mut entry = session.entry(&program, "main", Float::F64).unwrap_or_else(|error| panic!("{error:?}"));
    session.link(&mut entry.module, &[library], Float::F64).unwrap_or_else(|error| panic!("{error:?}"));
    let derivative = 0.5_f64.sin() + 0.5 * 0.5_f64.cos();
    let result = session.run(&entry, &[], Backend::Interpret).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(
        entry.interface.result_json(&result).expect("it is shallow"),
        json!({"tuple": [derivative, derivative]})
    );
}
