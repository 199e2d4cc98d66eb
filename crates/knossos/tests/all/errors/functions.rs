//! Errors in lambdas, primitives, derivatives and definitions.

use super::check;
use expect_test::expect;

#[test]
fn lambdas() {
    check(
        "(def a Integer () (let (f (lam (x : Integer) x)) (f 1.0)))
(def b Integer () (print (lam (x : Integer) x)))
(def c Integer (f : Lam Integer Integer) 1)
(def d (Vec Integer) () (build 2 (lam (x : Float) 1)))
(def e (Vec Integer) () (build 2 3))
(def f Integer () (let (f (lam (x : Integer) x)) (if true f f)))
(def g Float (v : Vec Float) (fold (lam (t : Tuple Float Float) 1) 0.0 v))",
        expect![[r#"
            error: the lambda 'f' takes 'Integer', but is given 'Float'
             --> test.ks:1:50
              |
            1 | (def a Integer () (let (f (lam (x : Integer) x)) (f 1.0)))
              |                         - bound here             ^^^^^^^
            error: a lambda is not allowed here
             --> test.ks:2:26
              |
            2 | (def b Integer () (print (lam (x : Integer) x)))
              |                          ^^^^^^^^^^^^^^^^^^^^^
              |
              = note: a lambda is an argument of a primitive such as 'build' or of an 'edef', or is named by 'let'
            error: a parameter of a 'def' cannot be of function type
             --> test.ks:3:21
              |
            3 | (def c Integer (f : Lam Integer Integer) 1)
              |                     ^^^^^^^^^^^^^^^^^^^
              |
              = help: lambdas are arguments of primitives and of 'edef' functions
            error: 'build': the lambda must take 'Integer', but takes 'Float'
             --> test.ks:4:34
              |
            4 | (def d (Vec Integer) () (build 2 (lam (x : Float) 1)))
              |                                  ^^^^^^^^^^^^^^^^^^^
              |
              = note: (build size (lam (i : Index) T)) -> Tensor of T
            error: 'build': expected a lambda, found 'Integer'
             --> test.ks:5:34
              |
            5 | (def e (Vec Integer) () (build 2 3))
              |                                  ^
              |
              = note: (build size (lam (i : Index) T)) -> Tensor of T
            error: a variable bound to a lambda cannot be used as a value
             --> test.ks:6:59
              |
            6 | (def f Integer () (let (f (lam (x : Integer) x)) (if true f f)))
              |                                                           ^
              |
              = note: a lambda is an argument of a primitive such as 'build' or of an 'edef', or is named by 'let'
            error: a variable bound to a lambda cannot be used as a value
             --> test.ks:6:61
              |
            6 | (def f Integer () (let (f (lam (x : Integer) x)) (if true f f)))
              |                                                             ^
              |
              = note: a lambda is an argument of a primitive such as 'build' or of an 'edef', or is named by 'let'
            error: 'fold': the lambda must return the accumulator, 'Float', but returns 'Integer'
             --> test.ks:7:36
              |
            7 | (def g Float (v : Vec Float) (fold (lam (t : Tuple Float Float) 1) 0.0 v))
              |                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = note: (fold (lam (acc_x : Tuple A B) A) A (Vec B)) -> A
        "#]],
    );
}

#[test]
fn primitives() {
    check(
        "(def a Float (v : Vec Float) (index 1.0 v))
(def b Float (v : Tensor 2 Float) (index 1 v))
(def c Float (x : Float) (sum x))
(def d Float (t : Tuple Float Float) (get$3$2 t))
(def e Bool (x : Float) (eq x 1))
(def f (Vec Float) (x : Float) (Vec_init x 1))
(def g (Vec Float) () (Vec_init))
(def h Float (v : Vec Float) (size v 1))
(def i (Vec Float) () (buildFromSparse (constVec 4 1.0) 3 (lam (i : Integer) (tuple i 1.0))))",
        expect![[r#"
            error: 'index': an index into '(Vec Float)' is 'Integer'; expected 'Integer', found 'Float'
             --> test.ks:1:37
              |
            1 | (def a Float (v : Vec Float) (index 1.0 v))
              |                                     ^^^
              |
              = note: (index index (Tensor n T)) -> T
            error: 'index': an index into '(Tensor 2 Float)' is '(Tuple Integer Integer)'; expected '(Tuple Integer Integer)', found 'Integer'
             --> test.ks:2:42
              |
            2 | (def b Float (v : Tensor 2 Float) (index 1 v))
              |                                          ^
              |
              = note: (index index (Tensor n T)) -> T
            error: 'sum': expected a tensor, found 'Float'
             --> test.ks:3:31
              |
            3 | (def c Float (x : Float) (sum x))
              |                               ^
              |
              = note: (sum (Tensor n T)) -> T
            error: 'get$3$2': components count from 1 to 2, there is no 3
             --> test.ks:4:38
              |
            4 | (def d Float (t : Tuple Float Float) (get$3$2 t))
              |                                      ^^^^^^^^^^^
              |
              = note: (get$3$2 tuple) -> the component
            error: 'eq': both sides must have one type; expected 'Float', found 'Integer'
             --> test.ks:5:31
              |
            5 | (def e Bool (x : Float) (eq x 1))
              |                               ^
              |
              = note: (eq T T) -> Bool
            error: 'Vec_init': all elements must have one type; expected 'Float', found 'Integer'
             --> test.ks:6:44
              |
            6 | (def f (Vec Float) (x : Float) (Vec_init x 1))
              |                                            ^
              |
              = note: (Vec_init T T ...) -> (Vec T)
            error: 'Vec_init': at least one element is needed
             --> test.ks:7:23
              |
            7 | (def g (Vec Float) () (Vec_init))
              |                       ^^^^^^^^^^
              |
              = note: (Vec_init T T ...) -> (Vec T)
            error: 'size' takes 1 argument, but 2 are given
             --> test.ks:8:30
              |
            8 | (def h Float (v : Vec Float) (size v 1))
              |                              ^^^^^^^^^^
              |
              = note: (size (Tensor n T)) -> the size, an Integer or a tuple of n Integers
            error: 'buildFromSparse': the shape of the result is '(Vec (Tuple))', but '(Vec Float)' is given
             --> test.ks:9:40
              |
            9 | (def i (Vec Float) () (buildFromSparse (constVec 4 1.0) 3 (lam (i : Integer) (tuple i 1.0))))
              |                                        ^^^^^^^^^^^^^^^^
              |
              = note: (buildFromSparse shape size (lam (i : Index) (Tuple Index T))) -> Tensor of T
        "#]],
    );
}

#[test]
fn derivatives() {
    check(
        "(def f Float (x : Float) x)
(def f Float (x : Integer) 1.0)
(gdef rev f)
(gdef rev [g Float])
(gdef rev [f Bool])
(gdef rev [sum (Vec Float)])
(gdef sufrev [sufrev [f Float]])
(def [rev [f Float]] Float ((x : Float) (d : Integer)) x)
(def a Float () ([fwd f] 1.0 1.0))
(def b Float () ([fwd f] 1.0))
(def d Float () ([rev f] true 1.0))
(def c Float () ([cost f] 1.0))
(gdef fwd [f Integer])
(gdef fwd [f Integer])",
        expect![[r#"
            error: the type of 'f' is missing
             --> test.ks:3:1
              |
            3 | (gdef rev f)
              | ^^^^^^^^^^^^
              |
            note: f : Float -> Float
             --> test.ks:1:6
              |
            1 | (def f Float (x : Float) x)
              |      ^
            note: f : Integer -> Float
             --> test.ks:2:6
              |
            2 | (def f Float (x : Integer) 1.0)
              |      ^
              = help: write '[f Type]'
            error: there is no function '[g Float]' to derive
             --> test.ks:4:1
              |
            4 | (gdef rev [g Float])
              | ^^^^^^^^^^^^^^^^^^^^
            error: there is no function '[f Bool]' to derive
             --> test.ks:5:1
              |
            5 | (gdef rev [f Bool])
              | ^^^^^^^^^^^^^^^^^^^
              |
            note: f : Float -> Float
             --> test.ks:1:6
              |
            1 | (def f Float (x : Float) x)
              |      ^
            note: f : Integer -> Float
             --> test.ks:2:6
              |
            2 | (def f Float (x : Integer) 1.0)
              |      ^
            error: the primitive 'sum' cannot be derived on its own
             --> test.ks:6:1
              |
            6 | (gdef rev [sum (Vec Float)])
              | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = help: derive a function that calls it
            error: '[rev [f Float]]' must be of type '(Tuple Float Float) -> Float', but is of type '(Tuple Float Integer) -> Float'
             --> test.ks:8:6
              |
            8 | (def [rev [f Float]] Float ((x : Float) (d : Integer)) x)
              |      ^^^^^^^^^^^^^^^
              |
             ::: test.ks:1:6
              |
            1 | (def f Float (x : Float) x)
              |      - it is derived from this
            error: unknown function '[fwd f]'
             --> test.ks:9:18
              |
            9 | (def a Float () ([fwd f] 1.0 1.0))
              |                  ^^^^^^^
              |
              = help: add '(gdef fwd [f Float])'
            error: '[fwd f]' takes 2 arguments, but 1 is given
              --> test.ks:10:17
               |
            10 | (def b Float () ([fwd f] 1.0))
               |                 ^^^^^^^^^^^^^
               |
            note: [fwd f] : (Tuple Integer (Tuple)) -> Float
              --> test.ks:13:1
               |
            13 | (gdef fwd [f Integer])
               | ^^^^^^^^^^^^^^^^^^^^^^
            error: unknown function '[cost f]'
              --> test.ks:12:18
               |
            12 | (def c Float () ([cost f] 1.0))
               |                  ^^^^^^^^
               |
               = note: 'cost' is not a derivation that 'gdef' supports
            warning: '[fwd [f Integer]]' is derived already
              --> test.ks:14:1
               |
            14 | (gdef fwd [f Integer])
               | ^^^^^^^^^^^^^^^^^^^^^^
               |
              ::: test.ks:13:1
               |
            13 | (gdef fwd [f Integer])
               | ---------------------- here
        "#]],
    );
}

#[test]
fn definitions() {
    check(
        "(edef f Float Float)
(def f Integer (x : Float) 1)
(def add Float ((x : Float) (y : Float)) x)
(edef size Integer (Vec Float))
(rule \"r\" (x : Float) (mul x 2.0) 1)",
        expect![[r#"
            error: '[f Float]' returns 'Integer' here, but 'Float' elsewhere
             --> test.ks:2:6
              |
            2 | (def f Integer (x : Float) 1)
              |      ^
              |
             ::: test.ks:1:7
              |
            1 | (edef f Float Float)
              |       - declared here
            error: 'add' for '(Tuple Float Float)' is built in and cannot be defined again
             --> test.ks:3:6
              |
            3 | (def add Float ((x : Float) (y : Float)) x)
              |      ^^^
              |
              = help: other argument types can be given to the same name
            warning: 'size' is built in; the declaration is ignored
             --> test.ks:4:7
              |
            4 | (edef size Integer (Vec Float))
              |       ^^^^
            error: both sides of a rule must have one type, but 'Integer' is put in the place of 'Float'
             --> test.ks:5:35
              |
            5 | (rule "r" (x : Float) (mul x 2.0) 1)
              |                       ----------- ^
              |                       |
              |                       the replaced definition
        "#]],
    );
}
