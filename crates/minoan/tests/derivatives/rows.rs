//! The rows of the table: see the documentation of the test.

/// A function with a point and directions.
pub struct Row {
    pub name: &'static str,
    /// The types of the argument `x` and of the result.
    pub source: &'static str,
    pub target: &'static str,
    pub body: &'static str,
    /// The point, a tangent of it, and a cotangent of the result.
    pub x: &'static str,
    pub dx: &'static str,
    pub dy: &'static str,
}

const RAGGED: &str = "(Vec_init (Vec_init 0.3) (Vec_init 0.5 0.7) (Vec_init 1.1 1.3 1.7))";
const D_RAGGED: &str = "(Vec_init (Vec_init 0.9) (Vec_init 0.2 0.4) (Vec_init 0.6 0.1 0.8))";
const VECTOR: &str = "(Vec_init 0.3 0.5 0.7)";
const D_VECTOR: &str = "(Vec_init 0.9 0.2 0.4)";
const MATRIX: &str = "(build (tuple 2 3) (lam (ij : Tuple Integer Integer) (add 0.5 (to_float (add (mul 3 (get$1$2 ij)) (get$2$2 ij))))))";
const D_MATRIX: &str = "(build (tuple 2 3) (lam (ij : Tuple Integer Integer) (sin (to_float (add (mul 3 (get$1$2 ij)) (get$2$2 ij))))))";
const F: &str = "Float";
const V: &str = "(Vec Float)";
const VV: &str = "(Vec (Vec Float))";
const M: &str = "(Tensor 2 Float)";

/// Functions that the rows call.
pub const HELPERS: &str = "
(def power Float ((x : Float) (n : Integer)) (if (eq n 0) 1.0 (mul x (sin (power x (sub n 1))))))
(def even Float ((x : Float) (n : Integer)) (if (eq n 0) x (if (gt x 100.0) (odd x 0) (mul x (exp (odd (neg x) (sub n 1)))))))
(def odd Float ((x : Float) (n : Integer)) (add x (even (sin x) (max 0 (sub n 1)))))
(def tree Float ((x : Float) (n : Integer)) (if (lt n 2) x (mul (tree x (sub n 1)) (tree (cos x) (sub n 2)))))
(def total Float ((i : Integer) (x : Vec Float)) (if (eq i (size x)) 0.0 (mul (index i x) (add 1.0 (total (add i 1) x)))))
(gdef rev [tree (Tuple Float Integer)])
(def while Float ((x : Float) (s : Float)) (if (gt x 100.0) (mul s x) (while (mul x 1.7) (add s (sin x)))))
";

macro_rules! rows {
    ($($name:literal $source:tt $target:tt $body:literal $x:tt $dx:tt $dy:tt;)*) => {
        pub const ROWS: &[Row] = &[$(Row {
            name: $name,
            source: $source,
            target: $target,
            body: $body,
            x: $x,
            dx: $dx,
            dy: $dy,
        }),*];
    };
}

rows! {
    "add" F F
        "(mul x (sin x))"
        "0.7" "0.9" "1.0";
    "ifassert" F F
        "(assert (gt x 0.0) (if (gt x 0.5) (exp x) (neg x)))"
        "0.7" "0.9" "1.0";
    "build" V V
        "(build (size x) (lam (i : Integer) (mul (index i x) (to_float i))))"
        VECTOR D_VECTOR "(Vec_init 0.1 0.2 0.3)";
    "buildm" M M
        "(build (size x) (lam (i : Tuple Integer Integer) (mul (index i x) (index i x))))"
        MATRIX D_MATRIX D_MATRIX;
    "sumbuild" V F
        "(sumbuild (size x) (lam (i : Integer) (mul (index i x) (index i x))))"
        VECTOR D_VECTOR "1.0";
    "sum" V F
        "(sum x)"
        VECTOR D_VECTOR "1.0";
    "fold" V F
        "(fold (lam (t : Tuple Float Float) (mul (get$1$2 t) (get$2$2 t))) 1.0 x)"
        VECTOR D_VECTOR "1.0";
    "map" V V
        "(map (lam (t : Float) (mul t (sum x))) x)"
        VECTOR D_VECTOR D_VECTOR;
    "map2" V V
        "(map2 (lam (t : Tuple Float Float) (mul t)) x (map (lam (t : Float) (sin t)) x))"
        VECTOR D_VECTOR D_VECTOR;
    "constVec" F V
        "(constVec 3 (mul x x))"
        "0.7" "0.9" D_VECTOR;
    "deltaVec" F V
        "(deltaVec 3 1 (mul x x))"
        "0.7" "0.9" D_VECTOR;
    "delta" F F
        "(add (delta 1 1 (mul x x)) (delta 1 2 x))"
        "0.7" "0.9" "1.0";
    "diag" F VV
        "(diag 2 2 (lam (i : Integer) (mul x (to_float (add i 1)))))"
        "0.7" "0.9" "(Vec_init (Vec_init 0.1 0.2) (Vec_init 0.3 0.4))";
    "Vec_init" F V
        "(Vec_init x (mul x x) 1.0)"
        "0.7" "0.9" D_VECTOR;
    "unzip" V "(Tuple (Vec Float) (Vec Float))"
        "(unzip (map (lam (t : Float) (tuple (mul t t) (sin t))) x))"
        VECTOR D_VECTOR "(tuple (Vec_init 0.9 0.2 0.4) (Vec_init 0.3 0.5 0.7))";
    "bfs" V V
        "(buildFromSparse (constVec 4 (tuple)) 3 (lam (i : Integer) (tuple (div i 2) (mul (index i x) (index i x)))))"
        VECTOR D_VECTOR "(Vec_init 0.1 0.2 0.3 0.4)";
    "bfst" V "(Tuple (Vec Float) (Vec Float))"
        "(buildFromSparseTupled (tuple (constVec 2 (tuple)) (constVec 3 (tuple))) 3 (lam (i : Integer) (tuple (tuple (div i 2) (index i x)) (tuple i (sin (index i x))))))"
        VECTOR D_VECTOR "(tuple (Vec_init 0.1 0.2) (Vec_init 0.9 0.2 0.4))";
    "ts_add" V V
        "(ts_add x (map (lam (t : Float) (mul t t)) x))"
        VECTOR D_VECTOR D_VECTOR;
    "ts_scale" V V
        "(ts_scale (sum x) x)"
        VECTOR D_VECTOR D_VECTOR;
    "ts_dot" V F
        "(ts_dot x x)"
        VECTOR D_VECTOR "1.0";
    "ts_neg" V V
        "(ts_neg (ts_scale (sum x) x))"
        VECTOR D_VECTOR D_VECTOR;
    "ragsum" VV F
        "(sumbuild (size x) (lam (i : Integer) (let (r (index i x)) (mul (sum r) (sum r)))))"
        RAGGED D_RAGGED "1.0";
    "ragmap" VV VV
        "(map (lam (r : Vec Float) (map (lam (t : Float) (mul t (sum r))) r)) x)"
        RAGGED D_RAGGED D_RAGGED;
    "ragbuild" V VV
        "(build (size x) (lam (i : Integer) (build (add i 1) (lam (j : Integer) (mul (index i x) (index j x))))))"
        VECTOR D_VECTOR D_RAGGED;
    "ragfold" VV F
        "(fold (lam (t : Tuple Float (Vec Float)) (mul (get$1$2 t) (sum (get$2$2 t)))) 1.0 x)"
        RAGGED D_RAGGED "1.0";
    "ragid" VV VV
        "x"
        RAGGED D_RAGGED D_RAGGED;
    "ragif" VV VV
        "(if (gt (index 0 (index 0 x)) 0.0) x (map (lam (r : Vec Float) r) x))"
        RAGGED D_RAGGED D_RAGGED;
    "ragindex" VV V
        "(index 2 x)"
        RAGGED D_RAGGED D_VECTOR;
    "ragsumrows" VV V
        "(sum (map (lam (r : Vec Float) (build 2 (lam (i : Integer) (mul (sum r) (to_float (add i 1)))))) x))"
        RAGGED D_RAGGED "(Vec_init 0.1 0.2)";
    "vectup" "(Vec (Tuple Float Integer))" V
        "(map (lam (t : Tuple Float Integer) (mul (get$1$2 t) (mul (get$1$2 t) (to_float (get$2$2 t))))) x)"
        "(Vec_init (tuple 0.5 1) (tuple 0.7 2))" "(Vec_init (tuple 0.9 (tuple)) (tuple 0.3 (tuple)))" "(Vec_init 0.2 0.3)";
    "max2" F F
        "(add (max x 0.5) (max 0.9 x))"
        "0.7" "0.9" "1.0";
    "maxv" V F
        "(max (map (lam (t : Float) (mul t t)) x))"
        VECTOR D_VECTOR "1.0";
    "lgamma" F F
        "(lgamma x)"
        "1.7" "0.9" "1.0";
    "abs" F F
        "(add (abs x) (abs (neg x)))"
        "0.7" "0.9" "1.0";
    "cosh" F F
        "(cosh (erf (tanh (sqrt (log (add 2.0 x))))))"
        "0.7" "0.9" "1.0";
    "pow" F F
        "(pow x 3)"
        "0.7" "0.9" "1.0";
    "mulFV" F V
        "(mul x (Vec_init x 2.0))"
        "0.7" "0.9" "(Vec_init 0.2 0.3)";
    "mulFI" F F
        "(mul x 3)"
        "0.7" "0.9" "1.0";
    "mulMV" "(Tuple (Tensor 2 Float) (Vec Float))" V
        "(mul (get$1$2 x) (get$2$2 x))"
        "(tuple (build (tuple 2 3) (lam (ij : Tuple Integer Integer) (add 0.5 (to_float (add (mul 3 (get$1$2 ij)) (get$2$2 ij)))))) (Vec_init 0.3 0.5 0.7))" "(tuple (build (tuple 2 3) (lam (ij : Tuple Integer Integer) (sin (to_float (add (mul 3 (get$1$2 ij)) (get$2$2 ij)))))) (Vec_init 0.9 0.2 0.4))" "(Vec_init 0.2 0.3)";
    "subVV" V V
        "(sub (exp x) (sub x 1.0))"
        VECTOR D_VECTOR D_VECTOR;
    "b2f" F F
        "(mul x (bool_to_float (gt x 0.1)))"
        "0.7" "0.9" "1.0";
    "lte" F F
        "(if (lte x 0.1) x (mul x x))"
        "0.7" "0.9" "1.0";
    "eq" F F
        "(if (eq x 0.7) x (mul x x))"
        "0.8" "0.9" "1.0";
    "trace" F F
        "($copydown ($inline (mul x x)))"
        "0.8" "0.9" "1.0";
    "dummy" F F
        "(let (u ($dummy Float)) (mul x x))"
        "0.8" "0.9" "1.0";
    "str" "(Tuple Float String)" F
        "(mul (get$1$2 x) (get$1$2 x))"
        "(tuple 0.7 \"a\")" "(tuple 0.9 (tuple))" "1.0";
    "bool" "(Tuple Float Bool Integer)" F
        "(if (get$2$3 x) (pow (get$1$3 x) (get$3$3 x)) 0.0)"
        "(tuple 0.7 true 2)" "(tuple 0.9 (tuple) (tuple))" "1.0";
    "shape" V F
        "(mul (sum x) (to_float (shape x)))"
        VECTOR D_VECTOR "1.0";
    "tupout" F "(Tuple Float (Tuple Float))"
        "(tuple x (tuple (mul x x)))"
        "0.7" "0.9" "(tuple 0.3 (tuple 0.4))";
    "vecvecvec" "(Vec (Vec (Vec Float)))" F
        "(sumbuild (size x) (lam (i : Integer) (sumbuild (size (index i x)) (lam (j : Integer) (let (r (index j (index i x))) (mul (sum r) (sum r)))))))"
        "(Vec_init (Vec_init (Vec_init 0.3) (Vec_init 0.5 0.7) (Vec_init 1.1 1.3 1.7)) (Vec_init (Vec_init 0.3) (Vec_init 0.5 0.7) (Vec_init 1.1 1.3 1.7)))" "(Vec_init (Vec_init (Vec_init 0.9) (Vec_init 0.2 0.4) (Vec_init 0.6 0.1 0.8)) (Vec_init (Vec_init 0.9) (Vec_init 0.2 0.4) (Vec_init 0.6 0.1 0.8)))" "1.0";
    "vector_of_matrices" "(Vec (Tensor 2 Float))" F
        "(sumbuild (size x) (lam (i : Integer) (mul (sum (index i x)) (sum (index i x)))))"
        "(Vec_init (build (tuple 2 3) (lam (ij : Tuple Integer Integer) (add 0.5 (to_float (add (mul 3 (get$1$2 ij)) (get$2$2 ij)))))) (build (tuple 2 3) (lam (ij : Tuple Integer Integer) (add 0.5 (to_float (add (mul 3 (get$1$2 ij)) (get$2$2 ij)))))))" "(Vec_init (build (tuple 2 3) (lam (ij : Tuple Integer Integer) (sin (to_float (add (mul 3 (get$1$2 ij)) (get$2$2 ij)))))) (build (tuple 2 3) (lam (ij : Tuple Integer Integer) (add 0.5 (to_float (add (mul 3 (get$1$2 ij)) (get$2$2 ij)))))))" "1.0";
    "lm_zero_one" F F
        "(lmApply (lmAdd (lmZero x x) (lmOne x)) (mul x x))"
        "0.7" "0.9" "1.0";
    "lm_scale" F V
        "(lmApply (lmCompose (lmScale (Vec_init x x) (sin x)) (lmScaleR (Vec_init x 2.0))) x)"
        "0.7" "0.9" "(Vec_init 0.2 0.3)";
    "lm_dot" V F
        "(lmApply (lmDot x) (lmApplyR 1.0 (lmDot x)))"
        VECTOR D_VECTOR "1.0";
    "lm_cat" "(Tuple Float Float)" "(Tuple Float Float)"
        "(lmApply (lmVCat (lmHCat (lmScale 1.0 (get$1$2 x)) (lmOne 1.0)) (lmHCat (lmOne 1.0) (lmScale 1.0 (get$2$2 x)))) x)"
        "(tuple 0.3 0.5)" "(tuple 0.9 0.2)" "(tuple 0.4 0.6)";
    "lm_cat_transposed" "(Tuple Float Float)" "(Tuple Float Float)"
        "(lmApplyR x (lmVCat (lmHCat (lmScale 1.0 (get$1$2 x)) (lmOne 1.0)) (lmHCat (lmOne 1.0) (lmScale 1.0 (get$2$2 x)))))"
        "(tuple 0.3 0.5)" "(tuple 0.9 0.2)" "(tuple 0.4 0.6)";
    "lm_tensors" V V
        "(lmApply (lmCompose (lmVCatV (build (size x) (lam (i : Integer) (lmScale 1.0 (index i x))))) (lmHCatV (build (size x) (lam (i : Integer) (lmScale 1.0 (index i x)))))) x)"
        VECTOR D_VECTOR D_VECTOR;
    "lm_build" V V
        "(lmApplyR (sum x) (lmBuildT (size x) (lam (i : Integer) (lmCompose (lmHCatV (build 2 (lam (j : Integer) (lmOne 1.0)))) (lmBuild 2 (lam (j : Integer) (lmScale 1.0 (index i x))))))))"
        VECTOR D_VECTOR D_VECTOR;
    "lm_if" F F
        "(let (m (if (gt x 0.5) (lmScale x x) (lmOne x))) (lmApply m (lmApplyR x m)))"
        "0.7" "0.9" "1.0";
    "lm_tuple_let" F F
        "(let (((lm_a lm_b) (tuple (lmScale x x) ([D sin] x))) (t (Vec_init x))) (lmApply (assert true (lmCompose lm_a lm_b)) (index 0 t)))"
        "0.7" "0.9" "1.0";
    "integers" V F
        "(let ((n (size x)) (k (add (sub (mul n 2) (div n 2)) (neg (mod n 2)))) (r (rem (max k 3) (min k 7)))) (if (and (or (gt k 2) (lt k 1)) (not (gte r k))) (mul (sum x) (mul (sum x) (to_float (abs r)))) (if (lte k 3) 0.0 1.0)))"
        VECTOR D_VECTOR "1.0";
    "imax" V F
        "(index (imax x) (map (lam (t : Float) (exp t)) x))"
        VECTOR D_VECTOR "1.0";
    "pi_hash" F F
        "(mul (mul x x) (add (pi) ($ranhashdoub 3)))"
        "0.7" "0.9" "1.0";
    "compare" F F
        "(if (and (gte x 0.1) (lt x 0.9)) (div (min x 2.0) (add x 1.0)) (neg x))"
        "0.7" "0.9" "1.0";
    "mymul" F V
        "(mymul x (ts_scale x (Vec_init x 2.0)))"
        "0.7" "0.9" "(Vec_init 0.2 0.3)";
    "expV" V V
        "(exp (sub x 0.5))"
        VECTOR D_VECTOR D_VECTOR;
    "trace_print_check" F F
        "(let (n (print \"\")) (mul ($trace x) (if (ne n 3) (if (lt ($check (lam (t : Float) (mul t t)) (lam (t : Tuple Float Float) (mul (mul 2.0 (get$1$2 t)) (get$2$2 t))) 2.0 0.001 1.0) 0.5) x 2.0) 0.0)))"
        "0.7" "0.9" "1.0";
    "bench" F F
        "(mul x (if (lt ($BENCH (lam (none : Tuple) (mul x x))) 0.0) 2.0 (if (lt ($BENCH (lam (n : Integer) n)) 0.0) 3.0 x)))"
        "0.7" "0.9" "1.0";
    "lm_fold" V F
        "(let (s (index 1 x)) (lmApply (lmFold 0.0 (lam (ax : Tuple Float Float) (let ((a t) ax) (add (mul a t) (sin (mul s a))))) (lam (ax : Tuple Float Float) (let ((a t) ax) (lmHCat (lmScale 1.0 (mul a (cos (mul s a)))) (lmHCat (lmScale 1.0 (add t (mul s (cos (mul s a))))) (lmScale 1.0 a))))) 0.9 x) (tuple s (tuple (mul s s) x))))"
        VECTOR D_VECTOR "1.0";
    "lm_fold_transposed" V "(Tuple Float (Tuple Float (Vec Float)))"
        "(let (s (index 1 x)) (lmApplyR (mul s s) (lmFold 0.0 (lam (ax : Tuple Float Float) (let ((a t) ax) (add (mul a t) (sin (mul s a))))) (lam (ax : Tuple Float Float) (let ((a t) ax) (lmHCat (lmScale 1.0 (mul a (cos (mul s a)))) (lmHCat (lmScale 1.0 (add t (mul s (cos (mul s a))))) (lmScale 1.0 a))))) 0.9 x)))"
        VECTOR D_VECTOR "(tuple 0.3 (tuple 0.2 (Vec_init 0.9 0.2 0.4)))";
    "lm_fold_of_rows" VV "(Tuple (Tuple) (Tuple (Vec Float) (Vec (Vec Float))))"
        "(lmApplyR (index 1 x) (lmFold (tuple) (lam (ar : Tuple (Vec Float) (Vec Float)) (let ((a r) ar) (map (lam (t : Float) (mul t (sum r))) a))) (lam (ar : Tuple (Vec Float) (Vec Float)) (let ((a r) ar) (lmHCat (lmZero (tuple) a) (lmHCat (lmScale a (sum r)) (lmCompose (lmScaleR a) (lmDot (map (lam (t : Float) 1.0) r))))))) (index 1 x) x))"
        RAGGED D_RAGGED "(tuple (tuple) (tuple (Vec_init 0.3 0.4) (Vec_init (Vec_init 0.9) (Vec_init 0.2 0.4) (Vec_init 0.6 0.1 0.8))))";
    "folds_applied" V "(Tuple Float (Tuple Float (Tuple Float (Vec Float))))"
        "(let (s (index 1 x)) (tuple (FFold (lam (ax : Tuple Float Float) (let ((a t) ax) (add (mul a t) (sin (mul s a))))) 0.9 x (lam (p : Tuple (Tuple Float Float) (Tuple Float Float)) (let (((a t) (get$1$2 p)) ((da dt) (get$2$2 p))) (add (mul a dt) (mul da (add t (mul s (cos (mul s a)))))))) s x) (RFold 0.0 0.0 (lam (ax : Tuple Float Float) (let ((a t) ax) (add (mul a t) (sin (mul s a))))) (lam (p : Tuple (Tuple Float Float) Float) (let (((a t) (get$1$2 p)) (d (get$2$2 p))) (tuple (mul d (mul a (cos (mul s a)))) (tuple (mul d (add t (mul s (cos (mul s a))))) (mul d a))))) 0.9 x (mul s s))))"
        VECTOR D_VECTOR "(tuple 0.7 (tuple 0.3 (tuple 0.2 (Vec_init 0.9 0.2 0.4))))";
    "map_passes" V "(Tuple (Vec Float) Float)"
        "(let ((y bag) (suffwdpass_map (lam (t : Float) (tuple (mul t t) (tuple t (sum x)))) x)) (sufrevpass_map (sum y) (lam (t : Tuple Float (Tuple Float Float)) (let ((d ts) t) (tuple (mul d (mul (get$1$2 ts) 2.0)) (mul d (get$2$2 ts))))) x bag))"
        VECTOR D_VECTOR "(tuple (Vec_init 0.9 0.2 0.4) 0.6)";
    "map_passes_of_matrices" M "(Tuple (Tensor 2 Float) Float)"
        "(sufrevpass_map 0.5 (lam (t : Tuple Float Float) (tuple (mul t) (sin (get$1$2 t)))) x x)"
        MATRIX D_MATRIX "(tuple (build (tuple 2 3) (lam (ij : Tuple Integer Integer) 0.3)) 0.6)";
    "dup_elim" F F
        "(let (((a b c) (dup$3 (mul x x))) (none (elim x))) (mul a (mul b (sin c))))"
        "0.7" "0.9" "1.0";
    "cos" F F
        "(cos (add (to_float 2) x))"
        "0.7" "0.9" "1.0";
    "recursion" F F "(power x 4)" "0.7" "0.9" "1.0";
    "mutual_recursion" F F "(even (mul x x) 5)" "0.7" "0.9" "1.0";
    "tree_recursion" F F "(tree (mul x x) 6)" "0.7" "0.9" "1.0";
    "recursion_over_a_vector" V F "(total 0 x)" VECTOR D_VECTOR "1.0";
    "tail_recursion" F F "(while x (mul x x))" "1.3" "0.9" "1.0";
    "older_names" F F "(mul (get$1$2 (rev$power (tuple x 3) (sin x))) (fwd$sin x (mul x x)))" "0.7" "0.9" "1.0";
    "nested_reverse" F F "(get$1$2 ([rev tree] (tuple (sin x) 5) (mul x x)))" "0.7" "0.9" "1.0";
}
