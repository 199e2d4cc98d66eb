//! Rewrite rules.

use crate::common::run::output;
use minoan_knossos::emit::FloatWidth;

#[track_caller]
fn check(program: &str, expected: &str) {
    assert_eq!(output(program, FloatWidth::F32), expected);
}

#[test]
fn the_first_rule_of_the_file_wins() {
    check(
        r#"(rule "one" (x : Float) (mul x 2.0) (add x 1.0)) (rule "two" (x : Float) (mul x 2.0) (add x 2.0))
           (def f Float (x : Float) (mul x 2.0)) (def main Integer () (print (f 5.0)))"#,
        "6",
    );
}

#[test]
fn a_repeated_variable_matches_equal_values() {
    check(
        r#"(rule "same" (x : Float) (add x x) (mul 10.0 x))
           (def f Float ((x : Float) (y : Float)) (add (add (sin x) (sin x)) (add x y)))
           (def main Integer () (print (f 0.0 4.0)))"#,
        "4",
    );
}

#[test]
fn results_are_rewritten_again() {
    check(
        r#"(rule "a" (x : Float) (mul x 2.0) (mul x 3.0)) (rule "b" (x : Float) (mul x 3.0) (mul x 4.0))
           (def f Float (x : Float) (mul x 2.0)) (def main Integer () (print (f 5.0)))"#,
        "20",
    );
}

#[test]
fn rules_without_end_stop() {
    check(
        r#"(rule "commute" ((x : Float) (y : Float)) (add x y) (add y x))
           (def f Float (x : Float) (add x 1.0)) (def main Integer () (print (f 5.0)))"#,
        "6",
    );
    check(
        r#"(rule "grow" (x : Float) (sin x) (add (sin x) (sin x)))
           (def f Float (x : Float) (sin x)) (def main Integer () (print (eq (f 0.0) 0.0)))"#,
        "1",
    );
}

#[test]
fn lambdas_match_by_their_variables() {
    let rule = r#"(rule "index of build" ((n : Integer) (k : Integer) (x : Float))
        (index k (build n (lam (i : Integer) (mul x (to_float i))))) (mul x (to_float k)))"#;
    let main = "(def main Integer () (print (f 3 2.0)))";
    check(
        &format!(
            "{rule} (def f Float ((n : Integer) (y : Float)) (index 7 (build n (lam (j : Integer) (mul y (to_float j)))))) {main}"
        ),
        "14",
    );
    // The variable would be used without the argument that its value depends on.
    let rule = r#"(rule "loop" ((n : Integer) (x : Float)) (sumbuild n (lam (i : Integer) x)) (mul x (to_float n)))"#;
    check(
        &format!(
            "{rule} (def f Float ((n : Integer) (y : Float)) (add (sumbuild n (lam (j : Integer) (to_float j))) (sumbuild n (lam (j : Integer) y)))) {main}"
        ),
        "9",
    );
}

#[test]
fn calls_match_by_function() {
    check(
        r#"(def g Float (x : Float) (add x 1.0)) (def g Integer (x : Integer) (add x 1)) (def h Float (x : Float) (mul x 100.0))
           (rule "g" (x : Float) (g (g x)) (h x))
           (def main Integer () (print (g (g 1.0)) " " (g (g 1)) " " (g 1.0)))"#,
        "100 3 2",
    );
}
