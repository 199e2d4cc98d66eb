//! Every construct of both syntaxes.

use crate::common::{Front, front, good};
use expect_test::{Expect, expect};
use minoan_knossos::{Callee, ExprId, TypedKind, print};

fn types_of_defs(front: &Front) -> String {
    let mut text = String::new();
    for def in &front.typed.defs {
        let types = &front.typed.types;
        let name = front.typed.name_text(&def.name);
        text += &format!("{name} : {} -> {}\n", types.text(def.arg), types.text(def.result));
    }
    text
}

/// The normal form of an expression, checked in a program with some functions.
fn normal(expression: &str, expected: Expect) {
    let text = format!(
        "(def k Integer ((b : Integer) (v : Vec Float)) (let (unit (tuple)) (size (tuple {expression}))))"
    );
    let text = text.replace("(size (tuple ", "($inline (print ");
    let front = good(&text);
    let printed = print(&front.program);
    let start = printed.find("(print ").map_or(0, |at| at + 7);
    let flat = printed[start..].split_whitespace().collect::<Vec<_>>().join(" ");
    expected.assert_eq(flat.strip_suffix(")))) ").or(flat.strip_suffix("))))")).unwrap_or(&flat));
}

#[test]
fn literals() {
    normal("42 -7 +3 0x1F 0o17 - 5", expect!["42 -7 3 31 15 -5"]);
    normal("1.5 -1.0 +2.5 1e3 1.0e-3 true false", expect!["1.5 -1.0 2.5 1000.0 0.001 true false"]);
    normal(r#""a\65\x41\n\\\"\&; not a comment""#, expect![[r#""aAA\n\\\"; not a comment""#]]);
    normal("-9223372036854775808 9223372036854775807", expect!["-9223372036854775808 9223372036854775807"]);
}

#[test]
fn comments_nest_and_attach_to_tokens() {
    good("#| a #| b |# c |# ; d\n(def f Integer#| c |#(x : Integer) #|| ; |# x); end");
}

#[test]
fn redundant_parentheses() {
    normal("((add b 1)) (b) (((b))) (5) (true)", expect!["(add b 1) (b) (b) 5 true"]);
    good("(def f (Float) (x : ((Float))) (x))");
    good("(def f Float (t : (Tuple Float Float)) ((add@ff (get$1$2 t) (get$2$2 t))))");
}

#[test]
fn lets() {
    normal("(let (x b) x)", expect!["(let (x b) x)"]);
    normal("(let ((x b)) x)", expect!["(let (x b) x)"]);
    normal("(let ((q r) (tuple 7 2)) (add q r))", expect!["(let ((q r) (tuple 7 2)) (add q r))"]);
    normal("(let () b)", expect!["(let () b)"]);
    normal("(let (() (tuple)) b)", expect!["(let (() (tuple)) b)"]);
    normal(
        "(let ((x b) (y 2) (z y)) (add x z))",
        expect![
            "(def k Integer ((b : Integer) (v : (Vec Float))) (let (unit (tuple)) ($inline (print (let ((x b) (y 2) (z y)) (add x z))"
        ],
    );
    normal("(let ((x b) (c b) (d x)) d)", expect!["(let ((x b) (c b) (d x)) d)"]);
    normal("(let ((x 1) (y x)) y)", expect!["(let ((x 1) (y x)) y)"]);
    normal("(let ((x true) (y x)) y)", expect!["(let ((x true) (y x)) y)"]);
    normal("(let (((x y) (tuple 1 2)) (z x)) z)", expect!["(let (((x y) (tuple 1 2)) (z x)) z)"]);
    normal("(let ((x b) ((y z) (tuple x x))) z)", expect!["(let ((x b) ((y z) (tuple x x))) z)"]);
}

#[test]
fn ambiguous_let_of_two_bindings_is_reported() {
    let front = front(
        "(def c (Tuple Integer Integer) (x : Integer) (tuple x x))
(def f Integer ((b : Integer) (d : Integer)) (let ((a b) (c d)) (add a b)))",
    );
    expect![[r#"
        warning: this binds 'a' and a new 'b' to the components of one value
         --> test.ks:2:51
          |
        2 | (def f Integer ((b : Integer) (d : Integer)) (let ((a b) (c d)) (add a b)))
          |                                                   ^^^^^^^^^^^^^
          |
          = help: for two bindings write '(let (a b) (let ... ))'
    "#]]
    .assert_eq(&front.messages);
}

#[test]
fn lambdas() {
    normal(
        "(build 3 (lambda (i : Integer) (to_float i)))",
        expect!["(build 3 (lam (i : Integer) (to_float i)))"],
    );
    normal(
        "(fold (lam (t : Tuple Float Float) (let ((a x) t) (sub x a))) 0.0 v)",
        expect![
            "(def k Integer ((b : Integer) (v : (Vec Float))) (let (unit (tuple)) ($inline (print (fold (lam (t : (Tuple Float Float)) (let ((a x) t) (sub x a))) 0.0 v)"
        ],
    );
    normal(
        "(fold (lam ((a : Float) (x : Float)) (sub x a)) 0.0 v)",
        expect![
            "(def k Integer ((b : Integer) (v : (Vec Float))) (let (unit (tuple)) ($inline (print (fold (lam ((a : Float) (x : Float)) (sub x a)) 0.0 v)"
        ],
    );
    normal(
        "(let (f (lam (x : Integer) (add x b))) (f 3))",
        expect![
            "(def k Integer ((b : Integer) (v : (Vec Float))) (let (unit (tuple)) ($inline (print (let (f (lam (x : Integer) (add x b))) (f 3))"
        ],
    );
    normal(
        "(let (f (lam (i : Integer) (to_float i))) (build 3 f))",
        expect![
            "(def k Integer ((b : Integer) (v : (Vec Float))) (let (unit (tuple)) ($inline (print (let (f (lam (i : Integer) (to_float i))) (build 3 f))"
        ],
    );
    normal(
        "(let (lam 1) (let (build lam) (add build 1)))",
        expect![
            "(def k Integer ((b : Integer) (v : (Vec Float))) (let (unit (tuple)) ($inline (print (let (lam 1) (let (build lam) (add build 1)))"
        ],
    );
}

#[test]
fn declarations() {
    let front = good(
        "(edef a Float Float)
(edef b Float (Float))
(edef c Float (Tuple Float Integer))
(edef d Float (Float Integer))
(edef e (Tuple Float Float) ((Tuple Float Float) (Tuple Float Float)))
(edef f Float ())
(edef g Float ((Float Float)))
(edef h Float (Lam Integer Float))
(edef D$eq@ff (LM (Tuple Float Float) Bool) (Float Float))
(edef add@ff Float (Float Float))
(def use Float (x : Float) (add (h (lam (i : Integer) (b 1.0))) (add@ff (c x 1) (add (d (tuple x 2)) (f)))))",
    );
    let edefs = front.typed.edefs.iter().map(|edef| {
        format!("{} : {}\n", front.typed.name_text(&edef.name), front.typed.types.text(edef.arg))
    });
    expect![[r#"
        a : Float
        b : Float
        c : (Tuple Float Integer)
        d : (Tuple Float Integer)
        e : (Tuple (Tuple Float Float) (Tuple Float Float))
        f : (Tuple)
        g : (Tuple Float Float)
        h : (Lam Integer Float)
        D$eq@ff : (Tuple Float Float)
        add@ff : (Tuple Float Float)
    "#]]
    .assert_eq(&edefs.collect::<String>());
    // A redeclaration of a prelude function refers to the prelude.
    let prelude = (0..front.typed.expr_count() as u32).filter(|&id| {
        matches!(
            front.typed.expr(ExprId(id)).kind,
            TypedKind::Call { callee: Callee::Prelude(overload), .. } if overload.name == "add"
        )
    });
    assert_eq!(prelude.count(), 3);
}

#[test]
fn definitions() {
    let front = good(
        "(def tadd@ff (Tuple Float Float)
             (a : (Tuple Float Float) (b : (Tuple Float Float)))
             (tuple (add@ff (get$1$2 a) (get$1$2 b)) (add@ff (get$2$2 a) (get$2$2 b))))
(def none Integer () 1)
(def one Integer ((7of9 : Integer)) 7of9)
(def m Integer (x : Tensor 2 Float) (get$1$2 (size x)))
(def nested Float (a : Tuple Float Float (b : Float)) (add (get$1$2 a) b))
(def ƒ/g.h:k<=>? Integer (-x : Integer) (neg -x))
(def main Integer () (print (one (none)) (ƒ/g.h:k<=>? 1)))",
    );
    expect![[r#"
        tadd@ff : (Tuple (Tuple Float Float) (Tuple Float Float)) -> (Tuple Float Float)
        none : (Tuple) -> Integer
        one : Integer -> Integer
        m : (Tensor 2 Float) -> Integer
        nested : (Tuple (Tuple Float Float) Float) -> Float
        ƒ/g.h:k<=>? : Integer -> Integer
        main : (Tuple) -> Integer
    "#]]
    .assert_eq(&types_of_defs(&front));
}

#[test]
fn structured_names() {
    let front = good(
        "(def f (Vec Float) ((n : Integer) (x : Float)) (build n (lam (i : Integer) x)))
(def g Float (x : Float) (mul x x))
(def [rev [g Float]] Float ((x : Float) (d : Float)) (mul 2.0 (mul x d)))
(edef [D g] (LM Float Float) Float)
(def [grad g] Float (x : Float) (mul 2.0 x))
(gdef fwd [f (Tuple Integer Float)])
(gdef rev [f (Tuple Integer Float)])
(gdef suffwdpass [f (Tuple Integer Float)])
(gdef sufrevpass [f (Tuple Integer Float)])
(gdef sufrev [f (Tuple Integer Float)])
(gdef shape [f (Tuple Integer Float)])
(gdef CL [f (Tuple Integer Float)])
(gdef shape [rev [f (Tuple Integer Float)]])
(gdef rev [rev [g Float]])
(def use Float (x : Float)
  (let ((y bag) ([suffwdpass f] 3 x))
  (let (back ([sufrevpass [f (Tuple Integer Float)]] y bag))
  (let (again ([sufrevpass f] y bag))
    (add ([rev g] x 1.0) (add ([grad g] x) (get$2$2 back)))))))
(def deep (Tuple Float Float) (x : Float) ([rev [rev g]] (tuple x 1.0) 1.0))
(def builtin Float (x : Float) ([rev sin] x 1.0))
(def applied Float (x : Float) (lmApply ([D g] x) 1.0))",
    );
    let gdefs = front.typed.gdefs.iter().map(|gdef| {
        let (typed, types) = (&front.typed, &front.typed.types);
        format!(
            "{} : {} -> {}\n",
            typed.full_text(&gdef.name, gdef.base_arg),
            types.text(gdef.arg),
            types.text(gdef.result)
        )
    });
    expect![[r#"
        [fwd [f (Tuple Integer Float)]] : (Tuple (Tuple Integer Float) (Tuple (Tuple) Float)) -> (Vec Float)
        [rev [f (Tuple Integer Float)]] : (Tuple (Tuple Integer Float) (Vec Float)) -> (Tuple (Tuple) Float)
        [suffwdpass [f (Tuple Integer Float)]] : (Tuple Integer Float) -> (Tuple (Vec Float) <what [suffwdpass [f (Tuple Integer Float)]] keeps>)
        [sufrevpass [f (Tuple Integer Float)]] : (Tuple (Vec Float) <what [suffwdpass [f (Tuple Integer Float)]] keeps>) -> (Tuple (Tuple) Float)
        [sufrev [f (Tuple Integer Float)]] : (Tuple (Tuple Integer Float) (Vec Float)) -> (Tuple (Tuple) Float)
        [shape [f (Tuple Integer Float)]] : (Tuple Integer Float) -> Integer
        [CL [f (Tuple Integer Float)]] : (Tuple Integer Float) -> (Vec Float)
        [shape [rev [f (Tuple Integer Float)]]] : (Tuple (Tuple Integer Float) (Vec Float)) -> (Tuple)
        [rev [rev [g Float]]] : (Tuple (Tuple Float Float) Float) -> (Tuple Float Float)
        [grad [use Float]] : Float -> Float
        [grad [builtin Float]] : Float -> Float
        [grad [applied Float]] : Float -> Float
        [rev [sin Float]] : (Tuple Float Float) -> Float
    "#]].assert_eq(&gdefs.collect::<String>());
}

#[test]
fn rules() {
    let front = good(
        "(rule \"mul2\" (v : Float) (mul v 2.0) (add v v))
(rule unquoted ((v : Vec Float) (i : Integer)) (index i v) (index (add i 0) v))
(rule \"any\" ((a : Any) (n : Integer) (i : Integer)) (index i (build n (lam (j : Integer) a))) a)
(rule \"if\" ((a : Any)) (if true a a) a)",
    );
    assert_eq!(front.typed.rules.len(), 4);
}

#[test]
fn forward_references_and_mutual_recursion() {
    good(
        "(def main Integer () (print (even 10)))
(def even Bool (n : Integer) (if (eq n 0) true (odd (sub n 1))))
(def odd Bool (n : Integer) (if (eq n 0) false (even (sub n 1))))",
    );
}

#[test]
fn declared_then_defined_is_one_function() {
    let front = good(
        "(edef f Float (Float Float))\n(def f Float ((a : Float) (b : Float)) a)\n(def g Float () (f 1.0 2.0))",
    );
    assert_eq!(front.typed.edefs[0].definition, Some(minoan_knossos::DefId(0)));
}

#[test]
fn primitives() {
    let front = good(
        "(def a (Tuple Integer Integer) (t : Tensor 2 Float) (size t))
(def b Float ((t : Tensor 2 Float) (i : Tuple Integer Integer)) (index i t))
(def c (Vec Float) (n : Integer) (deltaVec n 0 1.0))
(def d (Tensor 2 Float) (n : Integer) (deltaVec (tuple n n) (tuple 0 1) 1.0))
(def e (Tuple (Vec Integer) (Vec Float)) (v : Vec (Tuple Integer Float)) (unzip v))
(def f (Tensor 2 Integer) (m : Tensor 2 Float) (map (lam (x : Float) 1) m))
(def g (Vec Bool) (v : Vec Float) (map2 (lam (t : Tuple Float Float) (lt t)) v v))
(def h (Vec Float) () (buildFromSparse (constVec 4 (tuple)) 3 (lam (i : Integer) (tuple (div i 2) 1.0))))
(def i (Tuple (Vec Float) (Vec Float)) ()
  (buildFromSparseTupled (tuple (constVec 4 (tuple)) (constVec 2 (tuple))) 3
    (lam (i : Integer) (tuple (tuple i 1.0) (tuple 0 2.0)))))
(def j Integer (v : Vec Float) (shape v))
(def k (Vec Integer) (v : Vec (Vec Float)) (shape v))
(def l Float (x : Float)
  ($check (lam (x : Float) (mul x x)) (lam (t : Tuple Float Float) (let ((x d) t) (mul 2.0 (mul x d)))) x 1.0 1.0))
(def m Float (x : Float) ($BENCH (lam (i : Integer) (mul x x))))
(def n (Tuple Float Integer) (t : Tuple Float Integer) (ts_add t (tuple 1.0 (tuple))))
(def o (Vec (Vec Float)) (n : Integer) (diag n n (lam (i : Integer) 1.0)))
(def p Float (v : Vec Float) (sumbuild (size v) (lam (i : Integer) (index i v))))
(def q Bool (t : Tuple String (Vec Bool)) (eq t t))
(def r Float (t : Tuple Float Float) (max@ff t))
(def s Integer (x : Integer) (mod (max x 2) (rem x (min x (abs x)))))
(def t Float () ($dummy Float))
(def u (Vec Float) () (index (tuple 0 (Vec_init (Vec_init 1.0 2.0)))))",
    );
    assert_eq!(front.errors, 0);
}

#[test]
fn definitions_of_optional_prelude_functions() {
    let front = good(
        "(def min Float ((a : Float) (b : Float)) (if (lt a b) a b))\n(def f Float (x : Float) (min x 1.0))
(def add (Tuple Float Float) ((a : Tuple Float Float) (b : Tuple Float Float)) a)\n(def g Float (x : Float) (add x x))",
    );
    let body = front.typed.defs[1].body;
    assert!(matches!(front.typed.expr(body).kind, TypedKind::Call { callee: Callee::User(_), .. }));
}

#[test]
fn larger_example_of_the_specification() {
    let front = front(
        "(def tadd@ff (Tuple Float Float)
             (a : (Tuple Float Float) (b : (Tuple Float Float)))
             (tuple (add@ff (get$1$2 a) (get$1$2 b))
                    (add@ff (get$2$2 a) (get$2$2 b))
             )
)
(def zip@ff  (Tensor 1 (Tuple Float Float))
             ((a : (Tensor 1 Float)) (b : (Tensor 1 Float)))
             (assert (eq (size a) (size b))
               (build (size a) (lam (i : Integer)
                               (tuple (index i a) (index i b)))
               )
             )
)
(def tsum (Tuple Float Float)
          (
           (i : Integer)
           (v : (Tensor 1 (Tuple Float Float)))
           (acc : (Tuple Float Float))
          )
          ; One past last, tail return accumulated value
          (if (eq i (size v))
              acc
          ; Every other element, increment and tail recurse
          (tsum@ff (add@ii i 1) v (tadd@ff acc (index i v))))
)
(def tsum_list (Tuple Float Float) ((a : (Tensor 1 Float)) (b : (Tensor 1 Float)))
               (assert (eq (size a) (size b))
                       (tsum (0 (zip@ff a b) (tuple 0.0 0.0))))
)
(def tsum_print () ((a : (Tensor 1 Float)) (b : (Tensor 1 Float)))
                (let (s (tsum_list a b))
                     (print
                        (get$1$2 s)
                        \" \"
                        (get$2$2 s)
                     )
                )
)",
    );
    expect![[r#"
        warning: a list that starts with a literal is read as a tuple
          --> test.ks:29:30
           |
        29 |                        (tsum (0 (zip@ff a b) (tuple 0.0 0.0))))
           |                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           |
           = help: write '(tuple ...)'
        warning: the suffix '@ff' does not describe the argument, '(Tuple Integer (Vec (Tuple Float Float)) (Tuple Float Float))'
          --> test.ks:25:12
           |
        25 |           (tsum@ff (add@ii i 1) v (tadd@ff acc (index i v))))
           |            ^^^^^^^
    "#]].assert_eq(&front.messages);
    assert!(front.typed.defs[4].discards);
}
