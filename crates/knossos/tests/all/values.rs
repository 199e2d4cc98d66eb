//! Tensors of tuples, of strings and of tensors, and the primitives on them.

use crate::common::run::output;
use minoan_knossos::emit::FloatWidth;

/// The values that `exprs` print, one per line, in the scope of `defs`.
fn printed(defs: &str, exprs: &[&str]) -> String {
    let prints: String = exprs.iter().map(|expr| format!("(print {expr} \"\\n\") ")).collect();
    output(&format!("{defs} (def main Integer () (let (unused (tuple {prints})) 0))"), FloatWidth::F32)
}

#[track_caller]
fn check(defs: &str, cases: &[(&str, &str)]) {
    let exprs: Vec<&str> = cases.iter().map(|&(expr, _)| expr).collect();
    let expected: String = cases.iter().map(|(_, text)| format!("{text}\n")).collect();
    assert_eq!(printed(defs, &exprs), expected);
}

const RAGGED: &str = "
(def rows (Vec (Vec Integer)) (n : Integer) (build n (lam (i : Integer) (build i (lam (j : Integer) (add (mul 10 i) j))))))
(def deep (Vec (Vec (Vec Integer))) (n : Integer) (build n (lam (i : Integer) (rows i))))
(def pairs (Vec (Tuple Integer Float)) (n : Integer) (build n (lam (i : Integer) (tuple i (to_float (mul i i))))))
(def words (Vec String) () (Vec_init \"a\" \"\" \"bcd\"))
(def boxes (Vec (Tensor 2 Integer)) (n : Integer)
  (build n (lam (i : Integer) (build (tuple i 2) (lam (jk : Tuple Integer Integer) (add i (get$1$2 jk)))))))
(def units (Vec (Tuple)) (n : Integer) (constVec n (tuple)))";

#[test]
fn build_index_size() {
    check(
        RAGGED,
        &[
            ("(rows 4)", "[[], [10], [20, 21], [30, 31, 32]]"),
            ("(index 1 (index 3 (rows 4)))", "31"),
            ("(size (index 2 (rows 4)))", "2"),
            ("(size (rows 0))", "0"),
            ("(deep 4)", "[[], [[]], [[], [10]], [[], [10], [20, 21]]]"),
            ("(index 1 (index 2 (index 3 (deep 4))))", "21"),
            ("(index 3 (deep 4))", "[[], [10], [20, 21]]"),
            ("(size (index 2 (index 3 (deep 4))))", "2"),
            ("(pairs 3)", "[0,0, 1,1, 2,4]"),
            ("(get$2$2 (index 2 (pairs 3)))", "4"),
            ("(words)", "[a, , bcd]"),
            ("(index 2 (words))", "bcd"),
            ("(boxes 3)", "[[], [[1, 1]], [[2, 2], [3, 3]]]"),
            ("(index (tuple 1 0) (index 2 (boxes 3)))", "3"),
            ("(size (index 2 (boxes 3)))", "2,2"),
            ("(size (units 3))", "3"),
            ("(build 2 (lam (i : Integer) (eq i 1)))", "[0, 1]"),
            ("(build (tuple 1 2) (lam (ij : Tuple Integer Integer) (rows (get$2$2 ij))))", "[[[], [[]]]]"),
        ],
    );
}

#[test]
fn map_and_fold() {
    check(
        RAGGED,
        &[
            ("(map (lam (r : Vec Integer) (size r)) (rows 4))", "[0, 1, 2, 3]"),
            ("(map (lam (r : Vec Integer) (sum r)) (rows 4))", "[0, 10, 41, 93]"),
            (
                "(map (lam (p : Tuple Integer Float) (tuple (get$2$2 p) (get$1$2 p))) (pairs 3))",
                "[0,0, 1,1, 4,2]",
            ),
            (
                "(map2 (lam (p : Tuple (Vec Integer) Integer) (add (get$2$2 p) (size (get$1$2 p)))) (rows 3) (Vec_init 5 6 7))",
                "[5, 7, 9]",
            ),
            (
                "(fold (lam (p : Tuple Integer (Tuple Integer Float)) (add (get$1$2 p) (get$1$2 (get$2$2 p)))) 0 (pairs 4))",
                "6",
            ),
            (
                "(fold (lam (p : Tuple (Vec Integer) (Vec Integer)) (if (gt (size (get$2$2 p)) 1) (get$2$2 p) (get$1$2 p))) (Vec_init 1) (rows 4))",
                "[30, 31, 32]",
            ),
            ("(Vec_init (Vec_init 1 2) (Vec_init 3))", "[[1, 2], [3]]"),
            ("(Vec_init (tuple 1 true) (tuple 2 false))", "[1,1, 2,0]"),
        ],
    );
}

#[test]
fn sums() {
    let same = "(def same (Vec (Vec Float)) (x : Float) (build 2 (lam (i : Integer) (build 2 (lam (j : Integer) (add x (to_float (add i j))))))))";
    check(
        &format!("{RAGGED}{same}"),
        &[
            ("(sum (pairs 4))", "6,14"),
            ("(sum (same 1.0))", "[3, 5]"),
            ("(sumbuild 3 (lam (i : Integer) (same (to_float i))))", "[[3, 6], [6, 9]]"),
            ("(sumbuild 3 (lam (i : Integer) (build 2 (lam (j : Integer) (mul i j)))))", "[0, 3]"),
            (
                "(sumbuild 3 (lam (i : Integer) (tuple i (build 2 (lam (j : Integer) (mul i j))))))",
                "3,[0, 3]",
            ),
            ("(sumbuild 0 (lam (i : Integer) (tuple i 1.5)))", "0,0"),
            ("(sumbuild (tuple 2 2) (lam (ij : Tuple Integer Integer) (rows 3)))", "[[], [40], [80, 84]]"),
            ("(ts_add (same 1.0) (same 2.0))", "[[3, 5], [5, 7]]"),
            ("(ts_add (pairs 2) (build 2 (lam (i : Integer) (tuple (tuple) 0.5))))", "[0,0.5, 1,1.5]"),
            ("(ts_scale 2.0 (same 1.0))", "[[2, 4], [4, 6]]"),
            ("(ts_neg (same 1.0))", "[[-1, -2], [-2, -3]]"),
            ("(ts_dot (same 1.0) (same 0.0))", "10"),
        ],
    );
}

#[test]
fn equality() {
    check(
        RAGGED,
        &[
            ("(eq (rows 3) (rows 3))", "1"),
            ("(eq (rows 3) (rows 4))", "0"),
            ("(eq (index 3 (deep 5)) (rows 3))", "1"),
            ("(ne (words) (Vec_init \"a\" \"\" \"bce\"))", "1"),
            ("(eq (words) (Vec_init \"a\" \"\" \"bcd\"))", "1"),
            ("(eq (pairs 3) (pairs 3))", "1"),
            ("(eq (Vec_init (Vec_init 1 2) (Vec_init 3)) (Vec_init (Vec_init 1) (Vec_init 2 3)))", "0"),
            ("(eq (units 2) (units 3))", "0"),
            ("(eq (units 3) (units 3))", "1"),
        ],
    );
}

#[test]
fn zip_shape_and_zero() {
    check(
        RAGGED,
        &[
            ("(unzip (pairs 3))", "[0, 1, 2],[0, 1, 4]"),
            (
                "(unzip (build 3 (lam (i : Integer) (tuple (build i (lam (j : Integer) j)) true))))",
                "[[], [0], [0, 1]],[1, 1, 1]",
            ),
            ("(shape (rows 3))", "[0, 1, 2]"),
            ("(shape (boxes 2))", "[0,2, 1,2]"),
            ("(shape (deep 3))", "[[], [0], [0, 1]]"),
            ("(shape (pairs 3))", "3"),
            ("(delta 1 2 (rows 3))", "[[], [0], [0, 0]]"),
            ("(delta 1 1 (rows 3))", "[[], [10], [20, 21]]"),
            ("(deltaVec 3 1 (Vec_init 4 5))", "[[0, 0], [4, 5], [0, 0]]"),
            ("(deltaVec 2 0 (tuple 1 2.5))", "[1,2.5, 0,0]"),
            ("(constVec 2 (Vec_init 4 5))", "[[4, 5], [4, 5]]"),
            ("(constVec (tuple 1 2) (tuple 4 \"x\"))", "[[4,x, 4,x]]"),
            ("(diag 2 3 (lam (i : Integer) (to_float (add i 1))))", "[[1, 0, 0], [0, 2, 0]]"),
        ],
    );
}

#[test]
fn build_from_sparse() {
    check(
        RAGGED,
        &[
            (
                "(buildFromSparse (constVec 4 (tuple)) 3 (lam (i : Integer) (tuple (div i 2) 1.0)))",
                "[2, 1, 0, 0]",
            ),
            (
                "(buildFromSparse (constVec (tuple 2 2) (tuple)) 3 (lam (i : Integer) (tuple (tuple 1 (div i 2)) i)))",
                "[[0, 0], [1, 2]]",
            ),
            (
                "(buildFromSparse (Vec_init (constVec 1 (tuple)) (constVec 2 (tuple))) 3 (lam (i : Integer) (tuple 1 (Vec_init i 1))))",
                "[[0], [3, 3]]",
            ),
            (
                "(buildFromSparse (Vec_init 1 2) 3 (lam (i : Integer) (tuple 1 (Vec_init i 1))))",
                "[[0], [3, 3]]",
            ),
            (
                "(buildFromSparseTupled (tuple (constVec 2 (tuple)) (constVec 1 (tuple))) 3 (lam (i : Integer) (tuple (tuple 1 i) (tuple 0 0.5))))",
                "[0, 3],[1.5]",
            ),
        ],
    );
    let outside =
        printed("", &["(buildFromSparse (constVec 2 (tuple)) 3 (lam (i : Integer) (tuple i 1.0)))"]);
    assert_eq!(
        outside,
        "stopped: buildFromSparse: index 2 is out of bounds for a tensor of extent 2 (axis 0)\n"
    );
}

#[test]
fn check_of_a_derivative() {
    let defs = "
(def f Float ((a : Float) (v : Vec (Vec Float))) (mul a (index 0 (index 1 v))))
(def good (Tuple Float (Vec (Vec Float))) ((x : Tuple Float (Vec (Vec Float))) (d : Float))
  (tuple (mul d (index 0 (index 1 (get$2$2 x)))) (Vec_init (Vec_init 0.0 0.0) (Vec_init (mul d (get$1$2 x))))))
(def bad (Tuple Float (Vec (Vec Float))) ((x : Tuple Float (Vec (Vec Float))) (d : Float)) (good x (mul 2.0 d)))
(def v (Vec (Vec Float)) (x : Float) (Vec_init (Vec_init x 2.0) (Vec_init x)))
(def run Float (n : Integer) (if (eq n 0)
  ($check (lam (x : Tuple Float (Vec (Vec Float))) (f x)) (lam (t : Tuple (Tuple Float (Vec (Vec Float))) Float) (good t))
     (tuple 2.0 (v 3.0)) (tuple 0.001 (v 0.001)) 1.0)
  ($check (lam (x : Tuple Float (Vec (Vec Float))) (f x)) (lam (t : Tuple (Tuple Float (Vec (Vec Float))) Float) (bad t))
     (tuple 2.0 (v 3.0)) (tuple 0.001 (v 0.001)) 1.0)))";
    check(defs, &[("(lt (run 0) 0.001)", "1"), ("(gt (run 1) 0.3)", "1")]);
}

#[test]
fn vec_init_takes_linear_time() {
    let element = |at: usize| format!("(Vec_init {at})");
    let elements: String = (0..2000).map(element).collect();
    assert_eq!(printed("", &[&format!("(sum (index 1999 (Vec_init {elements})))")]), "1999\n");
}
