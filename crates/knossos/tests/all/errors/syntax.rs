//! Errors in brackets and forms.

use super::{check, front};
use expect_test::expect;

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
              = note: what 'gdef' can derive: fwd, rev, suffwdpass, sufrevpass, sufrev, shape, CL, D, grad
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
          = note: the argument does not determine the overload
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
fn malformed_expressions() {
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
fn error_limit() {
    let text = "(def f Float () nope1)\n".replace("nope1", "(add no no)").repeat(100);
    let messages = front(&text).messages;
    assert!(messages.ends_with("error: too many errors; the rest is not reported\n"), "{messages}");
    assert_eq!(messages.matches("error:").count(), 21);
}
