//! Lowering to the shared dialects: the resulting IR, and the output of the programs.

use crate::common::run::{self, output};
use expect_test::expect;
use minoan_knossos::emit::{EmitOptions, FloatWidth};
use std::fs;
use std::path::Path;

#[test]
fn examples_match_reference_output() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reference");
    let list = fs::read_to_string(directory.join("outcomes.txt")).unwrap_or_default();
    let mut wrong = String::new();
    let mut left = Vec::new();
    for (name, _) in
        list.lines().filter_map(|line| line.split_once(' ')).filter(|(_, outcome)| *outcome == "ok")
    {
        let read =
            |kind: &str| fs::read_to_string(directory.join(format!("{name}.{kind}"))).unwrap_or_default();
        let printed = output(&read("ks"), FloatWidth::F32);
        if printed.contains("not lowered yet") {
            left.push(format!("{name}: {}", printed.lines().next().unwrap_or_default()));
        } else if printed.trim_end() != read("out").trim_end() {
            wrong.push_str(&format!("==== {name}: expected {:?}, printed {printed}\n", read("out")));
        }
    }
    // An assert is kept even if its value is unused.
    expect![[r#"
        ==== ad_rev_trace: expected "4\n", printed Trace[4]
        4

        ==== let_unused_effect: expected "3\n", printed stopped: Assert failed

        ==== pow_rev: expected "12, 12, -nan, 0,\n", printed 12, 12, 0, 0,

    "#]]
    .assert_eq(&wrong);
    expect![[r#""#]].assert_eq(&left.join("\n"));
}

/// Prints an expression with 32-bit and with 64-bit floats.
fn prints(definitions: &str, expression: &str) -> String {
    let text = format!("{definitions}\n(def main Integer () (print {expression}))");
    let (narrow, wide) = (output(&text, FloatWidth::F32), output(&text, FloatWidth::F64));
    if narrow == wide { narrow } else { format!("{narrow} | {wide}") }
}

fn all(definitions: &str, expressions: &[&str]) -> String {
    expressions.iter().map(|it| format!("{it} = {}\n", prints(definitions, it))).collect()
}

#[test]
fn numbers() {
    let shown = all(
        "",
        &[
            "(add 1 2) \" \" (sub 1 2) \" \" (mul 3 -4) \" \" (neg 5)",
            "(div 7 2) \" \" (div -7 2) \" \" (rem -7 2) \" \" (mod -7 2) \" \" (mod 7 -2) \" \" (mod 6 3)",
            "(div -9223372036854775808 -1) \" \" (rem -9223372036854775808 -1)",
            "(let (z (sub 1 1)) (div 1 z))",
            "(let (z (sub 1 1)) (rem 1 z))",
            "(add 9223372036854775807 1)",
            "(div 1.0 3.0) \" \" (mul 0.1 3) \" \" (neg 2.0) \" \" (div 1.0 0.0)",
            "(pow 2.0 10) \" \" (pow 2.0 -2) \" \" (pow 0.0 -1) \" \" (pow 3.0 0) \" \" (let (n (add 10 11)) (pow 2.0 n))",
            "(log 2.0) \" \" (exp 1.0) \" \" (sin 1.0) \" \" (cos 1.0) \" \" (tanh 1.0) \" \" (cosh 1.0)",
            "(sqrt 2.0) \" \" (erf 0.5) \" \" (abs -2.5) \" \" (abs -3) \" \" (max 1.0 2.0) \" \" (min 1.0 2.0)",
            "(max 1 2) \" \" (min 1 2) \" \" (pi) \" \" (to_float 3) \" \" (bool_to_float true)",
            "(and true false) (or true false) (not true) \" \" (lt 1 2) (gt 1.0 2.0) (lte 2 2) (gte 1.0 2.0)",
            "($ranhashdoub 1) \" \" ($ranhashdoub -7)",
        ],
    );
    expect![[r#"
        (add 1 2) " " (sub 1 2) " " (mul 3 -4) " " (neg 5) = 3 -1 -12 -5
        (div 7 2) " " (div -7 2) " " (rem -7 2) " " (mod -7 2) " " (mod 7 -2) " " (mod 6 3) = 3 -3 -1 1 -1 0
        (div -9223372036854775808 -1) " " (rem -9223372036854775808 -1) = -9223372036854775808 0
        (let (z (sub 1 1)) (div 1 z)) = stopped: division by zero

        (let (z (sub 1 1)) (rem 1 z)) = stopped: division by zero

        (add 9223372036854775807 1) = -9223372036854775808
        (div 1.0 3.0) " " (mul 0.1 3) " " (neg 2.0) " " (div 1.0 0.0) = 0.333333 0.3 -2 inf
        (pow 2.0 10) " " (pow 2.0 -2) " " (pow 0.0 -1) " " (pow 3.0 0) " " (let (n (add 10 11)) (pow 2.0 n)) = 1024 0.25 inf 1 2.09715e+06
        (log 2.0) " " (exp 1.0) " " (sin 1.0) " " (cos 1.0) " " (tanh 1.0) " " (cosh 1.0) = 0.693147 2.71828 0.841471 0.540302 0.761594 1.54308
        (sqrt 2.0) " " (erf 0.5) " " (abs -2.5) " " (abs -3) " " (max 1.0 2.0) " " (min 1.0 2.0) = 1.41421 0.5205 2.5 3 2 1
        (max 1 2) " " (min 1 2) " " (pi) " " (to_float 3) " " (bool_to_float true) = 2 1 3.14159 3 1
        (and true false) (or true false) (not true) " " (lt 1 2) (gt 1.0 2.0) (lte 2 2) (gte 1.0 2.0) = 010 1010
        ($ranhashdoub 1) " " ($ranhashdoub -7) = 0.744771 0.277988
    "#]].assert_eq(&shown);
}

#[test]
fn tensors() {
    let definitions = "
(def v (Vec Float) () (build 4 (lam (i : Integer) (to_float (mul i i)))))
(def m (Tensor 2 Float) () (build (tuple 2 3) (lam (ij : (Tuple Integer Integer)) (let ((i j) ij) (to_float (add (mul 10 i) j))))))";
    let shown = all(
        definitions,
        &[
            "(v) (m)",
            "(size (v)) \" \" (size (m)) \" \" (index 2 (v)) \" \" (index (tuple 1 2) (m))",
            "(index 4 (v))",
            "(index (tuple 0 -1) (m))",
            "(build -1 (lam (i : Integer) i))",
            "(build 0 (lam (i : Integer) i)) (build (tuple 2 0) (lam (i : (Tuple Integer Integer)) 1.0))",
            "(sumbuild 4 (lam (i : Integer) i)) \" \" (sumbuild 0 (lam (i : Integer) 1.0))",
            "(sumbuild (tuple 2 3) (lam (ij : (Tuple Integer Integer)) (tuple (get$1$2 ij) (index ij (m)))))",
            "(sumbuild 3 (lam (i : Integer) (build 2 (lam (j : Integer) (add i j)))))",
            "(sumbuild (tuple 2 2) (lam (ij : (Tuple Integer Integer)) (tuple 1 (deltaVec 2 (get$1$2 ij) (to_float (get$2$2 ij))))))",
            "(sumbuild 2 (lam (i : Integer) (sumbuild 2 (lam (j : Integer) (sumbuild 2 (lam (k : Integer) (sumbuild 2 (lam (l : Integer) (Vec_init (add i j) (mul k l))))))))))",
            "(sumbuild 0 (lam (i : Integer) (v)))",
            "(sumbuild 3 (lam (i : Integer) (constVec i 1.0)))",
            "(fold (lam (a : (Tuple Integer Float)) (add (get$1$2 a) 1)) 10 (v))",
            "(fold (lam (a : (Tuple (Vec Float) Float)) (mul (get$2$2 a) (get$1$2 a))) (Vec_init 1.0 2.0) (Vec_init 2.0 5.0))",
            "(map (lam (x : Float) (add x 1.0)) (v)) (map (lam (x : Float) (div 7 (add 1 (size (v))))) (m))",
            "(map2 (lam (xy : (Tuple Float Float)) (mul (get$1$2 xy) (get$2$2 xy))) (v) (v))",
            "(map2 (lam (xy : (Tuple Float Float)) 1) (v) (Vec_init 1.0))",
            "(sum (v)) \" \" (sum (m)) \" \" (sum (build 0 (lam (i : Integer) 1)))",
            "(constVec 3 true) (constVec (tuple 2 2) 7)",
            "(deltaVec 3 1 5) (deltaVec 3 3 5) (deltaVec 3 -1 5) (deltaVec (tuple 2 2) (tuple 1 0) 2.5)",
            "(delta 1 1 2.5) \" \" (delta 1 2 (tuple 3 (v))) \" \" (delta (tuple 1 2) (tuple 1 2) \"yes\")",
            "(sub (v) (v)) (sub (v) 1.0) (mul 2.0 (v)) (exp (sub (v) (v))) (mul (m) (Vec_init 1.0 0.5 2.0))",
            "(sub (v) (Vec_init 1.0))",
            "(mul (m) (v))",
            "(max (v)) \" \" (imax (v)) \" \" (imax (Vec_init 1.0 3.0 3.0)) \" \" (max (build 0 (lam (i : Integer) 1.0)))",
            "(eq (v) (v)) (ne (v) (v)) (eq (v) (Vec_init 0.0 1.0)) (eq (m) (m)) (eq (Vec_init 1 2) (Vec_init 1 3))",
            "(eq \"ab\" \"ab\") (eq \"ab\" \"ac\") (eq (tuple 1 true) (tuple 1 false)) (ne (tuple) (tuple)) (eq (div 0.0 0.0) (div 0.0 0.0))",
            "(shape (v)) \" \" (shape (tuple 1 (m) 2.0)) \" \" (shape 1.0)",
            "(ts_add (tuple 1 2.0 (v)) (tuple (tuple) 0.5 (v))) \" \" (ts_scale 2.0 (tuple 1 (v))) \" \" (ts_dot (tuple 2.0 (v)) (tuple 3.0 (v))) \" \" (ts_neg (tuple 1.0 (v)))",
        ],
    );
    expect![[r#"
        (v) (m) = [0, 1, 4, 9][[0, 1, 2], [10, 11, 12]]
        (size (v)) " " (size (m)) " " (index 2 (v)) " " (index (tuple 1 2) (m)) = 4 2,3 4 12
        (index 4 (v)) = stopped: index 4 is out of bounds for a tensor of extent 4 (axis 0)

        (index (tuple 0 -1) (m)) = stopped: index -1 is out of bounds for a tensor of extent 3 (axis 1)

        (build -1 (lam (i : Integer) i)) = stopped: build with a negative size: -1

        (build 0 (lam (i : Integer) i)) (build (tuple 2 0) (lam (i : (Tuple Integer Integer)) 1.0)) = [][[], []]
        (sumbuild 4 (lam (i : Integer) i)) " " (sumbuild 0 (lam (i : Integer) 1.0)) = 6 0
        (sumbuild (tuple 2 3) (lam (ij : (Tuple Integer Integer)) (tuple (get$1$2 ij) (index ij (m))))) = 3,36
        (sumbuild 3 (lam (i : Integer) (build 2 (lam (j : Integer) (add i j))))) = [3, 6]
        (sumbuild (tuple 2 2) (lam (ij : (Tuple Integer Integer)) (tuple 1 (deltaVec 2 (get$1$2 ij) (to_float (get$2$2 ij)))))) = 4,[1, 1]
        (sumbuild 2 (lam (i : Integer) (sumbuild 2 (lam (j : Integer) (sumbuild 2 (lam (k : Integer) (sumbuild 2 (lam (l : Integer) (Vec_init (add i j) (mul k l)))))))))) = [16, 4]
        (sumbuild 0 (lam (i : Integer) (v))) = stopped: sumbuild of tensors of size 0

        (sumbuild 3 (lam (i : Integer) (constVec i 1.0))) = stopped: a sum of tensors of different sizes: 0 and 1

        (fold (lam (a : (Tuple Integer Float)) (add (get$1$2 a) 1)) 10 (v)) = 14
        (fold (lam (a : (Tuple (Vec Float) Float)) (mul (get$2$2 a) (get$1$2 a))) (Vec_init 1.0 2.0) (Vec_init 2.0 5.0)) = [10, 20]
        (map (lam (x : Float) (add x 1.0)) (v)) (map (lam (x : Float) (div 7 (add 1 (size (v))))) (m)) = [1, 2, 5, 10][[1, 1, 1], [1, 1, 1]]
        (map2 (lam (xy : (Tuple Float Float)) (mul (get$1$2 xy) (get$2$2 xy))) (v) (v)) = [0, 1, 16, 81]
        (map2 (lam (xy : (Tuple Float Float)) 1) (v) (Vec_init 1.0)) = stopped: map2 of tensors of different sizes: 4 and 1

        (sum (v)) " " (sum (m)) " " (sum (build 0 (lam (i : Integer) 1))) = 14 36 0
        (constVec 3 true) (constVec (tuple 2 2) 7) = [1, 1, 1][[7, 7], [7, 7]]
        (deltaVec 3 1 5) (deltaVec 3 3 5) (deltaVec 3 -1 5) (deltaVec (tuple 2 2) (tuple 1 0) 2.5) = [0, 5, 0][0, 0, 0][0, 0, 0][[0, 0], [2.5, 0]]
        (delta 1 1 2.5) " " (delta 1 2 (tuple 3 (v))) " " (delta (tuple 1 2) (tuple 1 2) "yes") = 2.5 0,[0, 0, 0, 0] yes
        (sub (v) (v)) (sub (v) 1.0) (mul 2.0 (v)) (exp (sub (v) (v))) (mul (m) (Vec_init 1.0 0.5 2.0)) = [0, 0, 0, 0][-1, 0, 3, 8][0, 2, 8, 18][1, 1, 1, 1][4.5, 39.5]
        (sub (v) (Vec_init 1.0)) = stopped: sub of vectors of different sizes: 4 and 1

        (mul (m) (v)) = stopped: mul of a matrix with 3 columns and a vector of size 4

        (max (v)) " " (imax (v)) " " (imax (Vec_init 1.0 3.0 3.0)) " " (max (build 0 (lam (i : Integer) 1.0))) = stopped: max of an empty vector

        (eq (v) (v)) (ne (v) (v)) (eq (v) (Vec_init 0.0 1.0)) (eq (m) (m)) (eq (Vec_init 1 2) (Vec_init 1 3)) = 10010
        (eq "ab" "ab") (eq "ab" "ac") (eq (tuple 1 true) (tuple 1 false)) (ne (tuple) (tuple)) (eq (div 0.0 0.0) (div 0.0 0.0)) = 10000
        (shape (v)) " " (shape (tuple 1 (m) 2.0)) " " (shape 1.0) = 4 ,2,3, 
        (ts_add (tuple 1 2.0 (v)) (tuple (tuple) 0.5 (v))) " " (ts_scale 2.0 (tuple 1 (v))) " " (ts_dot (tuple 2.0 (v)) (tuple 3.0 (v))) " " (ts_neg (tuple 1.0 (v))) = 1,2.5,[0, 2, 8, 18] 1,[0, 2, 8, 18] 104 -1,[-0, -1, -4, -9]
    "#]].assert_eq(&shown);
}

#[test]
fn values_and_effects() {
    let definitions = "
(def say Integer ((s : String) (x : Integer)) (let (n (print s)) x))
(def pair (Tuple Integer Float) (t : (Tuple Integer Float)) (tuple (add 1 (get$1$2 t)) (get$2$2 t)))
(def two Integer ((a : Integer) (b : Integer)) (sub a b))
(def unit (Tuple) () (tuple))
(def fact Integer (n : Integer) (if (lte n 1) 1 (mul n (fact (sub n 1)))))
(def count Integer ((n : Integer) (acc : (Tuple Integer (Vec Float)))) (if (eq n 0) (add (get$1$2 acc) (size (get$2$2 acc))) (count (sub n 1) (tuple (add n (get$1$2 acc)) (get$2$2 acc)))))
(def half Float ((n : Integer) (x : Float)) (let ((y (mul 0.5 x)) (z (sub n 1))) (if (gt n 0) (if (gt n 3) (half (sub z 1) y) (half z y)) (add y x))))
(def ever Integer (n : Integer) (if (gt n 10) (assert (lt n 12) (ever (add n 1))) (ever (add n 5))))
(def grow (Vec Float) ((n : Integer) (v : Vec Float)) (if (gt n 0) (if (gt n 3) (grow (sub n 2) (mul 2.0 v)) (grow (sub n 1) v)) (assert (eq n 0) v)))";
    let shown = all(
        definitions,
        &[
            "(print \"a\" 1 2.5)",
            "1.0 \" \" 0.1 \" \" 1e10 \" \" 123456789.0 \" \" -0.0",
            "(tuple 1 (tuple 2.5 true) \"s\" (tuple) (Vec_init 1 2)) \"|\" (unit) \"|\"",
            "(add (say \"a\" 1) (mul (say \"b\" 2) (say \"c\" 3)))",
            "($trace (tuple 1 (Vec_init 2.0))) \" \" ($inline (two 5 3)) \" \" ($copydown 4)",
            "(pair 1 2.0) \" \" (pair (tuple 1 2.0)) \" \" (two (tuple 5 3)) \" \" (let (f (lam (x : Integer) (add x 1))) (f (f 3)))",
            "(fact 10) \" \" (count 1000 (tuple 0 (Vec_init 1.0 2.0))) \" \" (grow 9 (Vec_init 1.0 3.0))",
            "(grow -1 (Vec_init 1.0)) (half 5 64.0)",
            "(half 5 64.0)",
            "(ever 0)",
            "(if (lt 1 2) (tuple 1 \"yes\") (tuple 2 \"no\")) \" \" (if false (Vec_init 1) (Vec_init 2 3))",
            "(let ((a 1) (b (add a 1)) ((c d) (tuple a b))) (add c (mul 10 d)))",
            "(build 3 (lam (i : Integer) (say \"x\" i)))",
            "(let (k 3) (map (lam (x : Integer) (say \"y\" (mul k x))) (Vec_init 1 2)))",
            "(assert (lt 2 1) 3)",
            "(eq ($dummy Integer) ($dummy Integer))",
        ],
    );
    expect![[r#"
        (print "a" 1 2.5) = a12.53
        1.0 " " 0.1 " " 1e10 " " 123456789.0 " " -0.0 = 1 0.1 1e+10 1.23457e+08 -0
        (tuple 1 (tuple 2.5 true) "s" (tuple) (Vec_init 1 2)) "|" (unit) "|" = 1,2.5,1,s,,[1, 2]||
        (add (say "a" 1) (mul (say "b" 2) (say "c" 3))) = abc7
        ($trace (tuple 1 (Vec_init 2.0))) " " ($inline (two 5 3)) " " ($copydown 4) = Trace[1,[2]]
        1,[2] 2 4
        (pair 1 2.0) " " (pair (tuple 1 2.0)) " " (two (tuple 5 3)) " " (let (f (lam (x : Integer) (add x 1))) (f (f 3))) = 2,2 2,2 2 5
        (fact 10) " " (count 1000 (tuple 0 (Vec_init 1.0 2.0))) " " (grow 9 (Vec_init 1.0 3.0)) = 3628800 500502 [8, 24]
        (grow -1 (Vec_init 1.0)) (half 5 64.0) = stopped: Assert failed

        (half 5 64.0) = 6
        (ever 0) = stopped: Assert failed

        (if (lt 1 2) (tuple 1 "yes") (tuple 2 "no")) " " (if false (Vec_init 1) (Vec_init 2 3)) = 1,yes [2, 3]
        (let ((a 1) (b (add a 1)) ((c d) (tuple a b))) (add c (mul 10 d))) = 21
        (build 3 (lam (i : Integer) (say "x" i))) = xxx[0, 1, 2]
        (let (k 3) (map (lam (x : Integer) (say "y" (mul k x))) (Vec_init 1 2))) = yy[3, 6]
        (assert (lt 2 1) 3) = stopped: Assert failed

        (eq ($dummy Integer) ($dummy Integer)) = 1
    "#]].assert_eq(&shown);
}

#[test]
fn printed_text_round_trips() {
    let text = "
(def f (Tuple Integer String) ((x : Float) (v : Vec Float)) (tuple (imax (map (lam (y : Float) (add x y)) v)) \"a\\\"b\"))
(def main Integer () (assert (eq (f 1.0 (constVec 3 1.0)) (tuple 0 \"\")) (print (size (deltaVec (tuple 2 2) (tuple 1 0) 2.5)) ($dummy Bool)
  (delta 1 2 (tuple 1 2)) (sumbuild 2 (lam (i : Integer) (if (gt i 1) 1 2))) (ts_dot 1.0 2.0) (ts_add 1 (tuple)) (fold (lam (a : (Tuple Float Float)) 2.0) 1.0 (Vec_init 1.0)))))";
    let ctx = run::context();
    let module = run::emitted(&ctx, text, &["main"], &EmitOptions::default()).expect("emits");
    for module in [&module, &run::lowered(&module).expect("lowers")] {
        let printed = run::text_of(module);
        let sources = minoan_diag::SourceMap::new();
        let file = sources.add("test.mlir", &*printed);
        let again = minoan_ir::text::parse_module(&ctx, &sources, file, &Default::default());
        let again = again.unwrap_or_else(|errors| {
            panic!("{}\n{printed}", minoan_diag::render(errors.iter().next().expect("one"), &sources))
        });
        assert_eq!(run::text_of(&again), printed);
    }
}
