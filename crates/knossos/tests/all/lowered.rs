//! The emitted IR in the knossos dialect and in the shared dialects.

use crate::common::run::{context, emitted, lowered_text, text_of};
use expect_test::expect;
use minoan_knossos::emit::EmitOptions;

/// Removes the attributes, which are the same everywhere.
fn short(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        match line.split_once(" attributes {") {
            Some((head, _)) => out.push_str(&format!("{head} {{\n")),
            None => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

fn lowered(text: &str, root: &str) -> String {
    short(&lowered_text(text, &[root]))
}

#[test]
fn dialect_module() {
    let text = "
(def dot Float ((a : Vec Float) (b : Vec Float)) (sumbuild (size a) (lam (i : Integer) (mul (index i a) (index i b)))))
(def dot Float ((a : Vec Float) (b : Float)) (dot a (constVec (size a) b)))
(def f (Tuple Float String) (v : Vec Float) (assert (gt (size v) 0) (tuple (add (dot v v) (dot v 2.0)) \"x\")))";
    let module = emitted(&context(), text, &["f"], &EmitOptions::default()).expect("emits");
    expect![[r#"
        module {
          knossos.func @f(%arg0: tensor<?xf32>) -> tuple<f32, !knossos.string> attributes {knossos.args = "(Vec Float)", knossos.name = "f", knossos.results = "(Tuple Float String)"} {
            %0 = size %arg0 : tensor<?xf32>
            %c0_i64 = constant 0 : i64
            %1 = prelude "gt"(%0, %c0_i64) : (i64, i64) -> i1
            assert %1
            %2 = call @"dot@T1fT1f"(%arg0, %arg0) : (tensor<?xf32>, tensor<?xf32>) -> f32
            %cst = constant 2.000000e+00 : f32
            %3 = call @"dot@T1ff"(%arg0, %cst) : (tensor<?xf32>, f32) -> f32
            %4 = prelude "add"(%2, %3) : (f32, f32) -> f32
            %5 = string "x"
            %6 = tuple(%4, %5) : (f32, !knossos.string) -> tuple<f32, !knossos.string>
            return %6 : tuple<f32, !knossos.string>
          }
          knossos.func private @"dot@T1fT1f"(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>) -> f32 attributes {knossos.args = "(Tuple (Vec Float) (Vec Float))", knossos.name = "dot", knossos.results = "Float"} {
            %0 = size %arg0 : tensor<?xf32>
            %1 = sumbuild %0 {
            ^bb0(%arg2: i64):
              %2 = knossos.index %arg0[%arg2] : tensor<?xf32>
              %3 = knossos.index %arg1[%arg2] : tensor<?xf32>
              %4 = knossos.prelude "mul"(%2, %3) : (f32, f32) -> f32
              knossos.yield %4 : f32
            } : f32
            return %1 : f32
          }
          knossos.func private @"dot@T1ff"(%arg0: tensor<?xf32>, %arg1: f32) -> f32 attributes {knossos.args = "(Tuple (Vec Float) Float)", knossos.name = "dot", knossos.results = "Float"} {
            %0 = size %arg0 : tensor<?xf32>
            %1 = const_vec %arg1[%0] : tensor<?xf32>
            %2 = call @"dot@T1fT1f"(%arg0, %1) : (tensor<?xf32>, tensor<?xf32>) -> f32
            return %2 : f32
          }
        }
    "#]].assert_eq(&text_of(&module));
}

#[test]
fn tail_recursion_becomes_loop() {
    let text = "
(def gcd Integer ((a : Integer) (b : Integer)) (if (eq b 0) a (gcd b (sub a b))))";
    expect![[r#"
        module {
          func.func @gcd(%arg0: i64, %arg1: i64) -> i64 {
            %0:2 = scf.while (%arg2 = %arg0, %arg3 = %arg1) : (i64, i64) -> (i64, i64) {
              %c0_i64 = arith.constant 0 : i64
              %1 = arith.cmpi eq, %arg3, %c0_i64 : i64
              %true = arith.constant true
              %2 = arith.xori %1, %true : i1
              scf.condition(%2) %arg2, %arg3 : i64, i64
            } do {
            ^bb0(%arg2: i64, %arg3: i64):
              %1 = arith.subi %arg2, %arg3 : i64
              scf.yield %arg3, %1 : i64, i64
            }
            return %0#0 : i64
          }
        }
    "#]]
    .assert_eq(&lowered(text, "gcd"));
    let text = "
(def find Integer ((i : Integer) (x : Float) (v : Vec Float))
  (if (eq i (size v)) -1 (if (eq x (index i v)) i (find (add i 1) x v))))";
    expect![[r#"
        module {
          func.func @find(%arg0: i64, %arg1: f32, %arg2: tensor<?xf32>) -> i64 {
            %0:2 = scf.while (%arg3 = %arg0) : (i64) -> (i64, i64) {
              %c0 = arith.constant 0 : index
              %dim = tensor.dim %arg2, %c0 : tensor<?xf32>
              %1 = arith.index_cast %dim : index to i64
              %2 = arith.cmpi eq, %arg3, %1 : i64
              %3:3 = scf.if %2 -> (i1, i64, i64) {
                %c-1_i64 = arith.constant -1 : i64
                %false = arith.constant false
                scf.yield %false, %arg3, %c-1_i64 : i1, i64, i64
              } else {
                %4 = arith.index_cast %arg3 : i64 to index
                %extracted = tensor.extract %arg2[%4] : tensor<?xf32>
                %5 = arith.cmpf oeq, %arg1, %extracted : f32
                %6:3 = scf.if %5 -> (i1, i64, i64) {
                  %false = arith.constant false
                  scf.yield %false, %arg3, %arg3 : i1, i64, i64
                } else {
                  %c1_i64 = arith.constant 1 : i64
                  %7 = arith.addi %arg3, %c1_i64 : i64
                  %true = arith.constant true
                  %c0_i64 = arith.constant 0 : i64
                  scf.yield %true, %7, %c0_i64 : i1, i64, i64
                }
                scf.yield %6#0, %6#1, %6#2 : i1, i64, i64
              }
              scf.condition(%3#0) %3#1, %3#2 : i64, i64
            } do {
            ^bb0(%arg3: i64, %arg4: i64):
              scf.yield %arg3 : i64
            }
            return %0#1 : i64
          }
        }
    "#]]
    .assert_eq(&lowered(text, "find"));
}

#[test]
fn builds_sums_and_folds() {
    let text = "
(def f (Tuple (Tensor 2 Float) Integer Float) ((n : Integer) (v : Vec Float))
  (tuple (build (tuple n (size v)) (lam (ij : (Tuple Integer Integer)) (let ((i j) ij) (mul (to_float i) (index j v)))))
         (sumbuild n (lam (i : Integer) (mul i i)))
         (fold (lam (ax : (Tuple Float Float)) (add (get$1$2 ax) (get$2$2 ax))) 0.0 v)))";
    expect![[r#"
        module {
          func.func @f(%arg0: i64, %arg1: tensor<?xf32>) -> (tensor<?x?xf32>, i64, f32) {
            %c0 = arith.constant 0 : index
            %dim = tensor.dim %arg1, %c0 : tensor<?xf32>
            %0 = arith.index_cast %dim : index to i64
            %c0_i64 = arith.constant 0 : i64
            %1 = arith.cmpi sge, %arg0, %c0_i64 : i64
            data.assert %1, "build with a negative size: {}"(%arg0) : i64
            %2 = arith.index_cast %arg0 : i64 to index
            %generated = tensor.generate %2, %dim {
            ^bb0(%arg2: index, %arg3: index):
              %7 = arith.index_cast %arg2 : index to i64
              %8 = arith.index_cast %arg3 : index to i64
              %9 = arith.sitofp %7 : i64 to f32
              %extracted = tensor.extract %arg1[%arg3] : tensor<?xf32>
              %10 = arith.mulf %9, %extracted : f32
              tensor.yield %10 : f32
            } : tensor<?x?xf32>
            %c0_i64_0 = arith.constant 0 : i64
            %3 = arith.cmpi sge, %arg0, %c0_i64_0 : i64
            data.assert %3, "sumbuild with a negative size: {}"(%arg0) : i64
            %4 = arith.index_cast %arg0 : i64 to index
            %c0_i64_1 = arith.constant 0 : i64
            %c0_2 = arith.constant 0 : index
            %c1 = arith.constant 1 : index
            %5 = scf.for %arg2 = %c0_2 to %4 step %c1 iter_args(%arg3 = %c0_i64_1) -> (i64) {
              %7 = arith.index_cast %arg2 : index to i64
              %8 = arith.muli %7, %7 : i64
              %9 = arith.addi %arg3, %8 : i64
              scf.yield %9 : i64
            }
            %cst = arith.constant 0.000000e+00 : f32
            %c0_3 = arith.constant 0 : index
            %dim_4 = tensor.dim %arg1, %c0_3 : tensor<?xf32>
            %c0_5 = arith.constant 0 : index
            %c1_6 = arith.constant 1 : index
            %6 = scf.for %arg2 = %c0_5 to %dim_4 step %c1_6 iter_args(%arg3 = %cst) -> (f32) {
              %extracted = tensor.extract %arg1[%arg2] : tensor<?xf32>
              %7 = arith.addf %arg3, %extracted : f32
              scf.yield %7 : f32
            }
            return %generated, %5, %6 : tensor<?x?xf32>, i64, f32
          }
        }
    "#]]
    .assert_eq(&lowered(text, "f"));
}

#[test]
fn tuples_are_flattened() {
    let text = "
(def g (Tuple Integer (Tuple) (Tuple Float Bool)) ((n : Integer) (p : (Tuple Float Bool))) (tuple n (tuple) p))
(def f (Tuple Float Bool) (b : Bool) (let ((x y z) (if b (g 1 (tuple 2.0 b)) (tuple 3 (tuple) (tuple 4.0 true)))) z))";
    expect![[r#"
        module {
          func.func @f(%arg0: i1) -> (f32, i1) {
            %0:3 = scf.if %arg0 -> (i64, f32, i1) {
              %c1_i64 = arith.constant 1 : i64
              %cst = arith.constant 2.000000e+00 : f32
              %1:3 = func.call @g(%c1_i64, %cst, %arg0) : (i64, f32, i1) -> (i64, f32, i1)
              scf.yield %1#0, %1#1, %1#2 : i64, f32, i1
            } else {
              %c3_i64 = arith.constant 3 : i64
              %cst = arith.constant 4.000000e+00 : f32
              %true = arith.constant true
              scf.yield %c3_i64, %cst, %true : i64, f32, i1
            }
            return %0#1, %0#2 : f32, i1
          }
          func.func private @g(%arg0: i64, %arg1: f32, %arg2: i1) -> (i64, f32, i1) {
            return %arg0, %arg1, %arg2 : i64, f32, i1
          }
        }
    "#]]
    .assert_eq(&lowered(text, "f"));
}

#[test]
fn unsupported_constructs() {
    let text = "
(edef ext Float Float)
(def f Float (x : Float) (add (ext x) (index 0 (get$1$1 (unzip (build 2 (lam (i : Integer) (tuple x))))))))
(def h Float (x : Float) x)
(gdef rev [h Float])
(def g Float (x : Float) (if (eq ([D h] x) ([D h] x)) (ext x) ($BENCH (lam (n : Integer) (f x)))))";
    let module = emitted(&context(), text, &["g"], &EmitOptions::default());
    expect![[r#"
        error: not lowered yet: a linear map as a value
         --> test.ks:6:34
          |
        6 | (def g Float (x : Float) (if (eq ([D h] x) ([D h] x)) (ext x) ($BENCH (lam (n : Integer) (f x)))))
          |                                  ^^^^^^^^^
        error: not lowered yet: a linear map as a value
         --> test.ks:6:44
          |
        6 | (def g Float (x : Float) (if (eq ([D h] x) ([D h] x)) (ext x) ($BENCH (lam (n : Integer) (f x)))))
          |                                            ^^^^^^^^^
    "#]]
    .assert_eq(&module.map(|module| text_of(&module)).unwrap_or_else(|errors| errors));
}

#[test]
fn deep_programs() {
    let depth = 3000;
    let nested = format!("{}x{}", "(if (gt x 0.0) (add 1.0 ".repeat(depth), ") 2.0)".repeat(depth));
    let text = format!("(def f Float (x : Float) {nested})");
    assert!(!lowered_text(&text, &["f"]).contains("error"));
}

#[test]
fn exponential_tuples_are_errors() {
    let large: String = (0..40).map(|_| "(let (a (tuple a a)) ").collect();
    let text = format!("(def f Integer (n : Integer) (let (a n) {large} n{}", ")".repeat(42));
    assert!(lowered_text(&text, &["f"]).contains("not lowered yet: a tuple of more than 1000 parts"));
    let deep =
        format!("(def f Integer (n : Integer) (let (a {}n{}) n))", "(tuple ".repeat(5000), ")".repeat(5000));
    assert!(lowered_text(&deep, &["f"]).contains("nested deeper than 200"));
}
