//! What is said about programs with errors.

mod common;

use common::front;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&front(text).messages);
}

#[test]
fn several_syntax_errors_per_run() {
    check(
        "(def f Flaot (x : Float) x)
(define g Float () 1.0)
(def h Integer (x Integer) x)
(def i Integer (let : Integer) 1)
(edef j Float)
(gdef rve [f Float])
(def k Integer () 99999999999999999999)
(def l Integer () (if true 1))
(def m Integer () (add 1 2) 3)
(def n (Float Float) () 1)
stray
(def o Integer () \"abc)
(def p Integer () \"\\q\")",
        expect![[r#"
            error: unknown type 'Flaot'
             --> test.ks:1:8
              |
            1 | (def f Flaot (x : Float) x)
              |        ^^^^^
              |
              = help: did you mean 'Float'?
            error: unknown top-level form 'define'
             --> test.ks:2:2
              |
            2 | (define g Float () 1.0)
              |  ^^^^^^
              |
              = note: a file holds 'def', 'edef', 'gdef' and 'rule' forms
            error: expected ':' and a type, found 'Integer'
             --> test.ks:3:19
              |
            3 | (def h Integer (x Integer) x)
              |                   ^^^^^^^
            error: expected the name of a parameter, found the reserved word 'let'
             --> test.ks:4:17
              |
            4 | (def i Integer (let : Integer) 1)
              |                 ^^^
            error: expected the type of the argument, found ')'
             --> test.ks:5:14
              |
            5 | (edef j Float)
              |              ^
            error: unknown derivation 'rve'
             --> test.ks:6:7
              |
            6 | (gdef rve [f Float])
              |       ^^^
              |
              = note: what 'gdef' can derive: fwd, rev, suffwdpass, sufrevpass, sufrev, shape, CL, D
              = help: did you mean 'rev'?
            error: the integer 99999999999999999999 does not fit 64 bits
             --> test.ks:7:19
              |
            7 | (def k Integer () 99999999999999999999)
              |                   ^^^^^^^^^^^^^^^^^^^^
            error: expected the value of 'if' when the condition is false, found ')'
             --> test.ks:8:29
              |
            8 | (def l Integer () (if true 1))
              |                             ^
            error: expected ')' at the end of the definition, found '3'
             --> test.ks:9:29
              |
            9 | (def m Integer () (add 1 2) 3)
              |                             ^
            error: expected ')' after the type, found 'Float'
              --> test.ks:10:15
               |
            10 | (def n (Float Float) () 1)
               |               ^^^^^
               |
               = help: a tuple type is written '(Tuple Float Float)'
            error: expected a top-level form ('def', 'edef', 'gdef' or 'rule'), found 'stray'
              --> test.ks:11:1
               |
            11 | stray
               | ^^^^^
            error: unclosed bracket: expected ')' before the next top-level form
              --> test.ks:12:1
               |
            12 | (def o Integer () "abc)
               | ^
            error: unterminated string: expected '"' before the end of the line
              --> test.ks:12:19
               |
            12 | (def o Integer () "abc)
               |                   ^^^^^
            error: unknown escape '\q'
              --> test.ks:13:20
               |
            13 | (def p Integer () "\q")
               |                    ^
            error: 'p' is declared to return 'Integer', but its body is of type 'String'
              --> test.ks:13:19
               |
            13 | (def p Integer () "\q")
               |      -            ^^^^
               |      |
               |      declared here
        "#]],
    );
}

#[test]
fn brackets() {
    check(
        "(def f Integer () (add 1 2)\n(def g Integer () 1)\n)",
        expect![[r#"
        error: unclosed bracket: expected ')' before the next top-level form
         --> test.ks:1:1
          |
        1 | (def f Integer () (add 1 2)
          | ^
        error: unexpected ')'
         --> test.ks:3:1
          |
        3 | )
          | ^
    "#]],
    );
    check(
        "(def f Integer () ([rev f) 1])",
        expect![[r#"
        error: expected ']', found ')'
         --> test.ks:1:26
          |
        1 | (def f Integer () ([rev f) 1])
          |                    -     ^
          |                    |
          |                    to close this
        error: expected ')', found ']'
         --> test.ks:1:29
          |
        1 | (def f Integer () ([rev f) 1])
          |                   -         ^
          |                   |
          |                   to close this
        error: unknown function '[rev f]'
         --> test.ks:1:20
          |
        1 | (def f Integer () ([rev f) 1])
          |                    ^^^^^^^
          |
          = note: the argument does not tell which overload is meant
          = help: write the type in the name: '[rev [f Type]]'
    "#]],
    );
    check(
        "(def f Integer () (add 1",
        expect![[r#"
        error: unclosed bracket: expected ')' before the end of the file
         --> test.ks:1:1
          |
        1 | (def f Integer () (add 1
          | ^
          |
          = note: 2 brackets are open there
        error: 'add' takes 2 arguments, but 1 is given
         --> test.ks:1:19
          |
        1 | (def f Integer () (add 1
          |                   ^^^^^^
          |
          = note: add : (Tuple Float Float) -> Float
          = note: add : (Tuple Integer Integer) -> Integer
    "#]],
    );
    check(
        "#| one #| two |# ",
        expect![[r#"
        error: unclosed comment: expected '|#' before the end of the file
         --> test.ks:1:1
          |
        1 | #| one #| two |# 
          | ^^ starts here
    "#]],
    );
}

#[test]
fn expressions_that_are_not() {
    check(
        "(def f Integer (x : Integer) ((add x) 1))
(def g Integer () ())
(def h Integer () (let (x) 1))
(def i Integer () (let ((a (b c)) (tuple 1 2)) 1))
(def j Integer () [rev f])
(def k Integer () (let (x 1)))
(def l Integer () tuple)
(def m (Tensor 0 Float) () 1)
(def n (Tensor Float) () 1)
(def o Integer (x : Vec) 1)",
        expect![[r#"
            error: expected a function name, found an expression
             --> test.ks:1:31
              |
            1 | (def f Integer (x : Integer) ((add x) 1))
              |                               ^
              |
              = note: only functions that have a name can be called
            error: expected an expression, found '()'
             --> test.ks:2:19
              |
            2 | (def g Integer () ())
              |                   ^^
              |
              = help: the empty tuple is written '(tuple)'
            error: expected the value of the binding, found ')'
             --> test.ks:3:26
              |
            3 | (def h Integer () (let (x) 1))
              |                          ^
            error: expected a name, found a nested pattern
             --> test.ks:4:28
              |
            4 | (def i Integer () (let ((a (b c)) (tuple 1 2)) 1))
              |                            ^
              |
              = help: unpack in two steps: '(let ((a bc) t) (let ((b c) bc) ...))'
            error: expected an expression, found the name of a function
             --> test.ks:5:19
              |
            5 | (def j Integer () [rev f])
              |                   ^
              |
              = help: functions can only be called: '([rev f] x dx)'
            error: expected the body of 'let', found ')'
             --> test.ks:6:29
              |
            6 | (def k Integer () (let (x 1)))
              |                             ^
            error: expected an expression, found the reserved word 'tuple'
             --> test.ks:7:19
              |
            7 | (def l Integer () tuple)
              |                   ^^^^^
            error: the rank of a tensor must be from 1 to 64, but is 0
             --> test.ks:8:16
              |
            8 | (def m (Tensor 0 Float) () 1)
              |                ^
            error: expected the rank of the tensor, an integer, found 'Float'
             --> test.ks:9:16
              |
            9 | (def n (Tensor Float) () 1)
              |                ^^^^^
            error: expected a type, found ')'
              --> test.ks:10:24
               |
            10 | (def o Integer (x : Vec) 1)
               |                        ^
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
fn one_error_does_not_lead_to_others() {
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
            error: a lambda cannot stand here
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
            error: a variable that stands for a lambda cannot be used as a value
             --> test.ks:6:59
              |
            6 | (def f Integer () (let (f (lam (x : Integer) x)) (if true f f)))
              |                                                           ^
              |
              = note: a lambda is an argument of a primitive such as 'build' or of an 'edef', or is named by 'let'
            error: a variable that stands for a lambda cannot be used as a value
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
(def c Float () ([grad f] 1.0))
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
            error: there is no function '[sufrev [f Float]]' to derive
             --> test.ks:7:1
              |
            7 | (gdef sufrev [sufrev [f Float]])
              | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = help: add '(gdef sufrev [f Float])'
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
            error: unknown function '[grad f]'
              --> test.ks:12:18
               |
            12 | (def c Float () ([grad f] 1.0))
               |                  ^^^^^^^^
               |
               = note: 'grad' is no derivation that 'gdef' knows
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
            warning: 'size' is built in; the declaration is not used
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
              |                       what is replaced
        "#]],
    );
}

#[test]
fn too_many_errors_are_cut() {
    let text = "(def f Float () nope1)\n".replace("nope1", "(add no no)").repeat(100);
    let messages = front(&text).messages;
    assert!(messages.ends_with("error: too many errors; the rest is not reported\n"), "{messages}");
    assert_eq!(messages.matches("error:").count(), 21);
}
