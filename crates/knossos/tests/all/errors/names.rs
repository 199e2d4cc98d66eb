//! Errors in names, arguments and bodies.

use super::check;
use expect_test::expect;

#[test]
fn elements_with_commas() {
    check(
        "(def f Float ((x : Tensor 2 Float) (i : Integer) (j : Integer)) (index (i, j) x))
(def g Float ((i : Float) (j : Float)) (add i, j))",
        expect![[r#"
            error: unknown function 'i,'
             --> test.ks:1:73
              |
            1 | (def f Float ((x : Tensor 2 Float) (i : Integer) (j : Integer)) (index (i, j) x))
              |                                                                         ^^
              |
              = help: elements are written without commas, and a tuple begins with its name: '(tuple i j)'
            error: unknown variable 'i,'
             --> test.ks:2:45
              |
            2 | (def g Float ((i : Float) (j : Float)) (add i, j))
              |                                             ^^
              |
              = help: elements are written without commas
        "#]],
    );
}

#[test]
fn unknown_names() {
    check(
        "(def scale Float (factor : Float) (mull factor facter))
(def f Float (x : Float) (scale y))
(def g Float (x : Float) (add x scale))
(def h Float (x : Float) (x 1.0))
(def i Integer () (lam (x) 1))",
        expect![[r#"
            error: unknown function 'mull'
             --> test.ks:1:36
              |
            1 | (def scale Float (factor : Float) (mull factor facter))
              |                                    ^^^^
              |
              = help: did you mean 'mul'?
            error: unknown variable 'facter'
             --> test.ks:1:48
              |
            1 | (def scale Float (factor : Float) (mull factor facter))
              |                                                ^^^^^^
              |
              = help: did you mean 'factor'?
            error: unknown variable 'y'
             --> test.ks:2:33
              |
            2 | (def f Float (x : Float) (scale y))
              |                                 ^
            error: unknown variable 'scale'
             --> test.ks:3:33
              |
            3 | (def g Float (x : Float) (add x scale))
              |                                 ^^^^^
              |
              = note: 'scale' is a function; functions can only be called
              = help: for a lambda write '(lam (x : Type) (scale x))'
            error: unknown function 'x'
             --> test.ks:4:27
              |
            4 | (def h Float (x : Float) (x 1.0))
              |                           ^
              |
            note: 'x' is a variable of type 'Float'
             --> test.ks:4:15
              |
            4 | (def h Float (x : Float) (x 1.0))
              |               ^
            error: unknown function 'lam'
             --> test.ks:5:20
              |
            5 | (def i Integer () (lam (x) 1))
              |                    ^^^
              |
              = help: a lambda is written '(lam (x : Type) body)'
            error: unknown function 'x'
             --> test.ks:5:25
              |
            5 | (def i Integer () (lam (x) 1))
              |                         ^
        "#]],
    );
}

#[test]
fn arguments() {
    check(
        "(def f Float ((x : Float) (n : Integer)) x)
(def a Float () (f 1.0))
(def b Float () (f 1.0 2.0))
(def c Float () (f 1 2.0))
(def d Float () (f (tuple 1 2)))
(def e Float () (sin 1))
(def g Float () (sub 1.0 2.0 3.0))
(def h Float () (add@ii 1.0 2.0))
(def i Float () (pi 1))",
        expect![[r#"
            error: 'f' takes 2 arguments, but 1 is given
             --> test.ks:2:17
              |
            2 | (def a Float () (f 1.0))
              |                 ^^^^^^^
              |
            note: f : (Tuple Float Integer) -> Float
             --> test.ks:1:6
              |
            1 | (def f Float ((x : Float) (n : Integer)) x)
              |      ^
            error: argument 2 of 'f' must be of type 'Integer', but is 'Float'
             --> test.ks:3:24
              |
            3 | (def b Float () (f 1.0 2.0))
              |                        ^^^
              |
            note: f : (Tuple Float Integer) -> Float
             --> test.ks:1:6
              |
            1 | (def f Float ((x : Float) (n : Integer)) x)
              |      ^
            error: argument 1 of 'f' must be of type 'Float', but is 'Integer'
             --> test.ks:4:20
              |
            4 | (def c Float () (f 1 2.0))
              |                    ^
              |
            note: f : (Tuple Float Integer) -> Float
             --> test.ks:1:6
              |
            1 | (def f Float ((x : Float) (n : Integer)) x)
              |      ^
            error: argument 2 of 'f' must be of type 'Integer', but is 'Float'
             --> test.ks:4:22
              |
            4 | (def c Float () (f 1 2.0))
              |                      ^^^
              |
            note: f : (Tuple Float Integer) -> Float
             --> test.ks:1:6
              |
            1 | (def f Float ((x : Float) (n : Integer)) x)
              |      ^
            error: the argument of 'f' must be of type '(Tuple Float Integer)', but is '(Tuple Integer Integer)'
             --> test.ks:5:20
              |
            5 | (def d Float () (f (tuple 1 2)))
              |                    ^^^^^^^^^^^
              |
            note: f : (Tuple Float Integer) -> Float
             --> test.ks:1:6
              |
            1 | (def f Float ((x : Float) (n : Integer)) x)
              |      ^
            error: the argument of 'sin' must be of type 'Float', but is 'Integer'
             --> test.ks:6:22
              |
            6 | (def e Float () (sin 1))
              |                      ^
              |
              = note: sin : Float -> Float
            error: 'sub' takes 2 arguments, but 3 are given
             --> test.ks:7:17
              |
            7 | (def g Float () (sub 1.0 2.0 3.0))
              |                 ^^^^^^^^^^^^^^^^^
              |
              = note: sub : (Tuple Float Float) -> Float
              = note: sub : (Tuple Integer Integer) -> Integer
              = note: sub : (Tuple (Vec Float) (Vec Float)) -> (Vec Float)
              = note: sub : (Tuple (Vec Float) Float) -> (Vec Float)
            error: the suffix '@ii' does not describe the argument, '(Tuple Float Float)'
             --> test.ks:8:18
              |
            8 | (def h Float () (add@ii 1.0 2.0))
              |                  ^^^^^^
            error: 'pi' takes 0 arguments, but 1 is given
             --> test.ks:9:17
              |
            9 | (def i Float () (pi 1))
              |                 ^^^^^^
              |
              = note: pi : (Tuple) -> Float
        "#]],
    );
}

#[test]
fn no_cascading_errors() {
    check(
        "(def f Float (x : Float) (let (y (nope x)) (add y (mul y (index y (build y (lam (i : Integer) y)))))))",
        expect![[r#"
        error: unknown function 'nope'
         --> test.ks:1:35
          |
        1 | (def f Float (x : Float) (let (y (nope x)) (add y (mul y (index y (build y (lam (i : Integer) y)))))))
          |                                   ^^^^
    "#]],
    );
    check(
        "(def f Flaot (x : Float) x)\n(def g Float (x : Float) (f (f x)))",
        expect![[r#"
        error: unknown type 'Flaot'
         --> test.ks:1:8
          |
        1 | (def f Flaot (x : Float) x)
          |        ^^^^^
          |
          = help: did you mean 'Float'?
    "#]],
    );
    check(
        "(def f Float (x Float) x)\n(def g Float (x : Float) (f (f x)))\n(gdef rev [f Float])",
        expect![[r#"
        error: expected ':' and a type, found 'Float'
         --> test.ks:1:17
          |
        1 | (def f Float (x Float) x)
          |                 ^^^^^
    "#]],
    );
}

#[test]
fn bodies_and_branches() {
    check(
        "(def f Integer (x : Float)
  (let (y (mul x x))
    (assert (gt y 0.0)
      y)))
(def g Float (x : Float) (if x x 1))
(def h Float (x : Float) (assert 1 x))
(def i Float (t : Tuple Float Float) (let ((a b c) t) a))
(def j Float (t : Float) (let ((a b) t) a))
(def k Float ((x : Float) (x : Float)) x)
(def l Float (x : Any) 1.0)",
        expect![[r#"
            error: 'f' is declared to return 'Integer', but its body is of type 'Float'
             --> test.ks:4:7
              |
            4 |       y)))
              |       ^
              |
             ::: test.ks:1:6
              |
            1 | (def f Integer (x : Float)
              |      - declared here
            error: the condition of 'if' must be of type 'Bool', but is 'Float'
             --> test.ks:5:30
              |
            5 | (def g Float (x : Float) (if x x 1))
              |                              ^
            error: the branches of 'if' must have one type, but are 'Float' and 'Integer'
             --> test.ks:5:34
              |
            5 | (def g Float (x : Float) (if x x 1))
              |                                - ^ Integer
              |                                |
              |                                Float
            error: the condition of 'assert' must be of type 'Bool', but is 'Integer'
             --> test.ks:6:34
              |
            6 | (def h Float (x : Float) (assert 1 x))
              |                                  ^
            error: 3 names unpack a tuple of 3, but the value is a tuple of 2
             --> test.ks:7:52
              |
            7 | (def i Float (t : Tuple Float Float) (let ((a b c) t) a))
              |                                                    ^
            error: 2 names unpack a tuple of 2, but the value is 'Float'
             --> test.ks:8:38
              |
            8 | (def j Float (t : Float) (let ((a b) t) a))
              |                                      ^
            error: the parameter 'x' occurs twice
             --> test.ks:9:28
              |
            9 | (def k Float ((x : Float) (x : Float)) x)
              |                -           ^
              |                |
              |                first here
            error: 'Any' is a type in rules only
              --> test.ks:10:19
               |
            10 | (def l Float (x : Any) 1.0)
               |                   ^^^
        "#]],
    );
}

#[test]
fn names_that_the_reference_reserves_have_a_reason() {
    check(
        "
(def f Float (x : Float) (lmApply (lmVariant (lmOne x) (lmScale x 2.0)) x))",
        expect![[r#"
            error: unknown function 'lmVariant'
             --> test.ks:2:36
              |
            2 | (def f Float (x : Float) (lmApply (lmVariant (lmOne x) (lmScale x 2.0)) x))
              |                                    ^^^^^^^^^
              |
              = note: ksc reserves the name for one of two linear maps, but gives it no type
              = help: choose between the maps by 'if'
        "#]],
    );
}
