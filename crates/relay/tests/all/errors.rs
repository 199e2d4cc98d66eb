//! Diagnostics of erroneous modules.

use crate::common::front;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&front(text).messages);
}

#[test]
fn several_syntax_errors_per_run() {
    check(
        "#[version = \"0.0.6\"]
def @a(%x: Tensor[(2, 3) float32]) { %x }
def @b(%x) { let %y = ; let %z = %x +; %y }
def f() { 1 }
def @c(%x { 1 }
type List[A] { Cons(A, List[A) }
def @d() { if (True) { 1 } }
def @e() { add(1, axis=1, 2) }
def @f() { %t.x }
def @g() { \"text }
def @h() { 1i7 + 99999999999999999999 }
def @i() { 1 ~ 2 }
#[vresion = \"0.0.5\"]
def @j() { ref_write(1) }",
        expect![[r#"
            error: expected version "0.0.5", found "0.0.6"
             --> test.relay:1:13
              |
            1 | #[version = "0.0.6"]
              |             ^^^^^^^
            error: expected ',' and the element type of the tensor, found 'float32'
             --> test.relay:2:26
              |
            2 | def @a(%x: Tensor[(2, 3) float32]) { %x }
              |                          ^^^^^^^
            error: expected an expression, found ';'
             --> test.relay:3:23
              |
            3 | def @b(%x) { let %y = ; let %z = %x +; %y }
              |                       ^
            error: expected an expression, found ';'
             --> test.relay:3:38
              |
            3 | def @b(%x) { let %y = ; let %z = %x +; %y }
              |                                      ^
            error: expected the name of a function, such as '@main', found 'f'
             --> test.relay:4:5
              |
            4 | def f() { 1 }
              |     ^
            error: expected an attribute, found '1'
             --> test.relay:5:13
              |
            5 | def @c(%x { 1 }
              |             ^
              |
              = note: arguments come before attributes
            error: expected ',' or ']', found ')'
             --> test.relay:6:30
              |
            6 | type List[A] { Cons(A, List[A) }
              |                            - ^
              |                            |
              |                            to close this
            error: expected 'else' and the value when the condition does not hold, found '}'
             --> test.relay:7:28
              |
            7 | def @d() { if (True) { 1 } }
              |                            ^
            error: expected an attribute, found '2'
             --> test.relay:8:27
              |
            8 | def @e() { add(1, axis=1, 2) }
              |                           ^
              |
              = note: arguments come before attributes
            error: expected the number of a component, such as '.0', found 'x'
             --> test.relay:9:15
              |
            9 | def @f() { %t.x }
              |               ^
            error: unterminated string: expected '"' before the end of the line
              --> test.relay:10:12
               |
            10 | def @g() { "text }
               |            ^^^^^^^
            error: 'i7' is not an integer type; expected i8, i16, i32 or i64
              --> test.relay:11:12
               |
            11 | def @h() { 1i7 + 99999999999999999999 }
               |            ^^^
            error: 99999999999999999999 does not fit in int64
              --> test.relay:11:18
               |
            11 | def @h() { 1i7 + 99999999999999999999 }
               |                  ^^^^^^^^^^^^^^^^^^^^
            error: unexpected character '~'
              --> test.relay:12:14
               |
            12 | def @i() { 1 ~ 2 }
               |              ^
            error: expected 'version' or 'metadata', found 'vresion'
              --> test.relay:13:3
               |
            13 | #[vresion = "0.0.5"]
               |   ^^^^^^^
               |
               = help: did you mean 'version'?
            error: 'ref_write' takes 2 arguments, not 1
              --> test.relay:14:12
               |
            14 | def @j() { ref_write(1) }
               |            ^^^^^^^^^^^^
        "#]],
    );
}

#[test]
fn arguments() {
    check(
        "def @f(%x: Tensor[(2, 3), float32], %n: int32) { %x }
def @main(%y: Tensor[(2, 4), float32]) { (@f(%y, 1), @f(%y), @f(%y, 1.5), %y(1), add(%y)) }",
        expect![[r#"
            error: argument 1 of '@f': expected 'Tensor[(2, 3), float32]', found 'Tensor[(2, 4), float32]'
             --> test.relay:2:46
              |
            2 | def @main(%y: Tensor[(2, 4), float32]) { (@f(%y, 1), @f(%y), @f(%y, 1.5), %y(1), add(%y)) }
              |           --                                 ^^
              |           |
              |           '%y' has type 'Tensor[(2, 4), float32]'
              |
             ::: test.relay:1:8
              |
            1 | def @f(%x: Tensor[(2, 3), float32], %n: int32) { %x }
              |        -- the parameter
              |
              = note: '(2, 3)' and '(2, 4)' differ
            error: '@f' takes 2 arguments, but is given 1
             --> test.relay:2:54
              |
            2 | def @main(%y: Tensor[(2, 4), float32]) { (@f(%y, 1), @f(%y), @f(%y, 1.5), %y(1), add(%y)) }
              |                                                      ^^^^^^
              |
             ::: test.relay:1:5
              |
            1 | def @f(%x: Tensor[(2, 3), float32], %n: int32) { %x }
              |     -- declared here
            error: argument 1 of '@f': expected 'Tensor[(2, 3), float32]', found 'Tensor[(2, 4), float32]'
             --> test.relay:2:65
              |
            2 | def @main(%y: Tensor[(2, 4), float32]) { (@f(%y, 1), @f(%y), @f(%y, 1.5), %y(1), add(%y)) }
              |           -- '%y' has type 'Tensor[(2, 4), float32]'            ^^
              |
             ::: test.relay:1:8
              |
            1 | def @f(%x: Tensor[(2, 3), float32], %n: int32) { %x }
              |        -- the parameter
              |
              = note: '(2, 3)' and '(2, 4)' differ
            error: argument 2 of '@f': expected 'int32', found '{float}'
             --> test.relay:2:69
              |
            2 | def @main(%y: Tensor[(2, 4), float32]) { (@f(%y, 1), @f(%y), @f(%y, 1.5), %y(1), add(%y)) }
              |                                                                     ^^^
              |
             ::: test.relay:1:37
              |
            1 | def @f(%x: Tensor[(2, 3), float32], %n: int32) { %x }
              |                                     -- the parameter
              |
              = note: a number with a point cannot be of type 'int32'
            error: expected a function, found 'Tensor[(2, 4), float32]'
             --> test.relay:2:75
              |
            2 | def @main(%y: Tensor[(2, 4), float32]) { (@f(%y, 1), @f(%y), @f(%y, 1.5), %y(1), add(%y)) }
              |           -- '%y' has type 'Tensor[(2, 4), float32]'                      ^^
            error: add takes 2 arguments (lhs, rhs), but is given 1
             --> test.relay:2:82
              |
            2 | def @main(%y: Tensor[(2, 4), float32]) { (@f(%y, 1), @f(%y), @f(%y, 1.5), %y(1), add(%y)) }
              |           --                                                                     ^^^^--^
              |           |                                                                          |
              |           '%y' has type 'Tensor[(2, 4), float32]'                                    this is 'Tensor[(2, 4), float32]'
        "#]],
    );
}

#[test]
fn results_and_branches() {
    check(
        "def @f(%x: float32) -> int32 { %x }
def @g(%c: int32, %x: float32) { if (%c) { %x } else { (%x,) } }
def @h(%x: float32) { let %y: int64 = %x; ref_write(ref(%x), True) }
def @i() { let %f = fn (%x) { %x(%x) }; 1 }
def @j(%t: (int32, int32)) { %t.2 }
def @k(%x: bool) { %x.0 }",
        expect![[r#"
            error: the result of the function: expected 'int32', found 'float32'
             --> test.relay:1:32
              |
            1 | def @f(%x: float32) -> int32 { %x }
              |        --              -----   ^^
              |        |               |
              |        |               the type of the result
              |        '%x' has type 'float32'
            error: the condition: expected 'bool', found 'int32'
             --> test.relay:2:38
              |
            2 | def @g(%c: int32, %x: float32) { if (%c) { %x } else { (%x,) } }
              |        -- '%c' has type 'int32'      ^^
            error: the branches differ: expected 'float32', found '(float32,)'
             --> test.relay:2:56
              |
            2 | def @g(%c: int32, %x: float32) { if (%c) { %x } else { (%x,) } }
              |                                            --          ^^^^^
              |                                            |
              |                                            the value when the condition holds
            error: expected 'int64', found 'float32'
             --> test.relay:3:39
              |
            3 | def @h(%x: float32) { let %y: int64 = %x; ref_write(ref(%x), True) }
              |        --                     -----   ^^
              |        |                      |
              |        |                      the type of the variable
              |        '%x' has type 'float32'
            error: the value that is written: expected 'float32', found 'bool'
             --> test.relay:3:62
              |
            3 | def @h(%x: float32) { let %y: int64 = %x; ref_write(ref(%x), True) }
              |                                                     -------  ^^^^
              |                                                     |
              |                                                     what the reference holds
            error: expected 'fn (_) -> _', found '_'
             --> test.relay:4:31
              |
            4 | def @i() { let %f = fn (%x) { %x(%x) }; 1 }
              |                         --    ^^
              |                         |
              |                         '%x' has type '_'
              |
              = note: the type would contain itself: 'fn (_) -> _'
            error: '(int32, int32)' has 2 components, and no component 2
             --> test.relay:5:30
              |
            5 | def @j(%t: (int32, int32)) { %t.2 }
              |                              ^^^^
            error: expected a tuple, found 'bool'
             --> test.relay:6:20
              |
            6 | def @k(%x: bool) { %x.0 }
              |                    ^^^^
        "#]],
    );
}

#[test]
fn attributes() {
    check(
        "def @main(%x: Tensor[(2, 3), float32]) {
  (nn.dense(%x, %x, unit=3), sum(%x, axis=\"one\"), cast(%x), nn.softmax(%x, axis=1, axis=1), reshape(%x, newshape=[4, 4]))
}",
        expect![[r#"
            error: the attribute 'axis' is given twice
             --> test.relay:2:84
              |
            2 |   (nn.dense(%x, %x, unit=3), sum(%x, axis="one"), cast(%x), nn.softmax(%x, axis=1, axis=1), reshape(%x, newshape=[4, 4]))
              |                                                                            ----    ^^^^
              |                                                                            |
              |                                                                            first here
            error: nn.dense needs the attribute 'units': an integer
             --> test.relay:2:4
              |
            2 |   (nn.dense(%x, %x, unit=3), sum(%x, axis="one"), cast(%x), nn.softmax(%x, axis=1, axis=1), reshape(%x, newshape=[4, 4]))
              |    ^^^^^^^^^^^^^^^^^^^^^^^^
            error: nn.dense has no attribute 'unit'; did you mean 'units'?
             --> test.relay:2:21
              |
            2 |   (nn.dense(%x, %x, unit=3), sum(%x, axis="one"), cast(%x), nn.softmax(%x, axis=1, axis=1), reshape(%x, newshape=[4, 4]))
              |                     ^^^^
            error: attribute 'axis' of sum must be a list of integers, but is "one"
             --> test.relay:2:43
              |
            2 |   (nn.dense(%x, %x, unit=3), sum(%x, axis="one"), cast(%x), nn.softmax(%x, axis=1, axis=1), reshape(%x, newshape=[4, 4]))
              |                                           ^^^^^
            error: cast needs the attribute 'dtype': the name of a type of elements, as "float32"
             --> test.relay:2:51
              |
            2 |   (nn.dense(%x, %x, unit=3), sum(%x, axis="one"), cast(%x), nn.softmax(%x, axis=1, axis=1), reshape(%x, newshape=[4, 4]))
              |                                                   ^^^^^^^^
            error: reshape cannot give the shape (2, 3) of 6 elements the shape (4, 4) of 16 elements
             --> test.relay:2:101
              |
            2 |   (nn.dense(%x, %x, unit=3), sum(%x, axis="one"), cast(%x), nn.softmax(%x, axis=1, axis=1), reshape(%x, newshape=[4, 4]))
              |                                                                                                     ^^ this is 'Tensor[(2, 3), float32]'
              |
             ::: test.relay:1:11
              |
            1 | def @main(%x: Tensor[(2, 3), float32]) {
              |           -- '%x' has type 'Tensor[(2, 3), float32]'
        "#]],
    );
}

#[test]
fn types() {
    check(
        "type List[A] { Cons(A, List[A]), Nil }
def @f(%a: Lisst[int32], %b: List[int32, bool], %c: flaot32, %d: int32[bool], %e: Tensor[(2), flot32]) { 1 }
def @g[A, A](%x: A) { %x }
def @h[s: Shap](%x: Tensor[s, float32]) { %x }
def @i[s: Shape](%x: s) { %x }
def @j(%x, %x) where Broadcats { %x }",
        expect![[r#"
            error: unknown kind 'Shap'
             --> test.relay:4:11
              |
            4 | def @h[s: Shap](%x: Tensor[s, float32]) { %x }
              |           ^^^^
              |
              = note: kinds are Type, Shape, BaseType, ShapeVar
              = help: did you mean 'Shape'?
            error: unknown type 'Lisst'
             --> test.relay:2:12
              |
            2 | def @f(%a: Lisst[int32], %b: List[int32, bool], %c: flaot32, %d: int32[bool], %e: Tensor[(2), flot32]) { 1 }
              |            ^^^^^^^^^^^^
              |
              = help: did you mean 'List'?
            error: the type 'List' takes 1 argument, but is given 2
             --> test.relay:2:30
              |
            2 | def @f(%a: Lisst[int32], %b: List[int32, bool], %c: flaot32, %d: int32[bool], %e: Tensor[(2), flot32]) { 1 }
              |                              ^^^^^^^^^^^^^^^^^
              |
             ::: test.relay:1:6
              |
            1 | type List[A] { Cons(A, List[A]), Nil }
              |      ---- declared here
            error: unknown type 'flaot32'
             --> test.relay:2:53
              |
            2 | def @f(%a: Lisst[int32], %b: List[int32, bool], %c: flaot32, %d: int32[bool], %e: Tensor[(2), flot32]) { 1 }
              |                                                     ^^^^^^^
              |
              = help: did you mean 'float32'?
            error: the type 'int32' takes no arguments
             --> test.relay:2:66
              |
            2 | def @f(%a: Lisst[int32], %b: List[int32, bool], %c: flaot32, %d: int32[bool], %e: Tensor[(2), flot32]) { 1 }
              |                                                                  ^^^^^^^^^^^
            error: unknown element type 'flot32'
             --> test.relay:2:95
              |
            2 | def @f(%a: Lisst[int32], %b: List[int32, bool], %c: flaot32, %d: int32[bool], %e: Tensor[(2), flot32]) { 1 }
              |                                                                                               ^^^^^^
              |
              = help: did you mean 'float32'?
            error: the type parameter 'A' occurs twice
             --> test.relay:3:11
              |
            3 | def @g[A, A](%x: A) { %x }
              |        -  ^
              |        |
              |        first here
            error: expected a type parameter of kind 'Type', but 's' is of kind 'Shape'
             --> test.relay:5:22
              |
            5 | def @i[s: Shape](%x: s) { %x }
              |                      ^
            error: the parameter '%x' occurs twice
             --> test.relay:6:12
              |
            6 | def @j(%x, %x) where Broadcats { %x }
              |        --  ^^
              |        |
              |        first here
            error: unknown type relation 'Broadcats'
             --> test.relay:6:22
              |
            6 | def @j(%x, %x) where Broadcats { %x }
              |                      ^^^^^^^^^
              |
              = help: did you mean 'Broadcast'?
        "#]],
    );
}

#[test]
fn matches() {
    check(
        "type List[A] { Cons(A, List[A]), Nil }
def @f(%l: List[(bool, List[int32])]) {
  match (%l) { Cons((_, Cons(_, Nil)), _) => 1, Cons(_, Nil) => 2 }
}
def @g(%l: List[int32]) { match (%l) { Cons(%x) => %x, Nli => 0, (%a, %b) => 1, Cons(%h: bool, _) => 2, Nil => 3 } }
def @h(%l: List[int32]) { match? (%l) { Cons(%x, _) => %x, Cons(%x, Nil) => 1 } }",
        expect![[r#"
            error: the match does not cover 'Nil', 'Cons((_, Nil), Cons(_, _))', 'Cons((_, Cons(_, Cons(_, _))), Cons(_, _))'
             --> test.relay:3:3
              |
            3 |   match (%l) { Cons((_, Cons(_, Nil)), _) => 1, Cons(_, Nil) => 2 }
              |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = help: add clauses, or write 'match?' to stop the program there
            error: the constructor 'Cons' has 2 fields, but the pattern 1
             --> test.relay:5:40
              |
            5 | def @g(%l: List[int32]) { match (%l) { Cons(%x) => %x, Nli => 0, (%a, %b) => 1, Cons(%h: bool, _) => 2, Nil => 3 } }
              |                                        ^^^^
              |
             ::: test.relay:1:16
              |
            1 | type List[A] { Cons(A, List[A]), Nil }
              |                ---- declared here
            error: unknown constructor 'Nli'
             --> test.relay:5:56
              |
            5 | def @g(%l: List[int32]) { match (%l) { Cons(%x) => %x, Nli => 0, (%a, %b) => 1, Cons(%h: bool, _) => 2, Nil => 3 } }
              |                                                        ^^^
              |
              = help: did you mean 'Nil'?
            error: the pattern: expected 'List[int32]', found '(_, _)'
             --> test.relay:5:66
              |
            5 | def @g(%l: List[int32]) { match (%l) { Cons(%x) => %x, Nli => 0, (%a, %b) => 1, Cons(%h: bool, _) => 2, Nil => 3 } }
              |                                                                  ^^^^^^^^
            error: the pattern: expected 'bool', found 'int32'
             --> test.relay:5:90
              |
            5 | def @g(%l: List[int32]) { match (%l) { Cons(%x) => %x, Nli => 0, (%a, %b) => 1, Cons(%h: bool, _) => 2, Nil => 3 } }
              |                                                                                          ^^^^
            warning: this clause is unreachable
             --> test.relay:6:60
              |
            6 | def @h(%l: List[int32]) { match? (%l) { Cons(%x, _) => %x, Cons(%x, Nil) => 1 } }
              |                                         -----------        ^^^^^^^^^^^^^
              |                                         |
              |                                         this clause covers all of its values
        "#]],
    );
}

#[test]
fn inference_failures() {
    check(
        "type List[A] { Cons(A, List[A]), Nil }
def @f() { let %l = Nil; 1 }",
        expect![[r#""#]],
    );
    check(
        "def @g() { let %f = fn (%x: _) -> _ { %f(%x) }; let %y = %f(1); %y.0 }",
        expect![[r#"
        error: cannot infer the type of component 0 of '_'
         --> test.relay:1:65
          |
        1 | def @g() { let %f = fn (%x: _) -> _ { %f(%x) }; let %y = %f(1); %y.0 }
          |                                                                 ^^^^
          |
          = help: write the types of the parameters or variables that it depends on
    "#]],
    );
}

#[test]
fn literals() {
    check(
        "def @f(%x: Tensor[(2), int8], %b: bool) { (%x + 300, %b + 1, %x * 1.5) }",
        expect![[r#"
        error: 300 does not fit in 'int8', the type that is asked for
         --> test.relay:1:49
          |
        1 | def @f(%x: Tensor[(2), int8], %b: bool) { (%x + 300, %b + 1, %x * 1.5) }
          |                                                 ^^^
        error: add needs argument 'lhs' and argument 'rhs' of one type of elements, but they are bool and int32
         --> test.relay:1:59
          |
        1 | def @f(%x: Tensor[(2), int8], %b: bool) { (%x + 300, %b + 1, %x * 1.5) }
          |                               --                     --   ^ this is 'int32'
          |                               |                      |
          |                               |                      this is 'bool'
          |                               '%b' has type 'bool'
        error: multiply needs argument 'lhs' and argument 'rhs' of one type of elements, but they are Tensor[(2), int8] and float32
         --> test.relay:1:67
          |
        1 | def @f(%x: Tensor[(2), int8], %b: bool) { (%x + 300, %b + 1, %x * 1.5) }
          |        --                                                    --   ^^^ this is 'float32'
          |        |                                                     |
          |        '%x' has type 'Tensor[(2), int8]'                     this is 'Tensor[(2), int8]'
    "#]],
    );
}

#[test]
fn metadata() {
    check(
        "def @f() { (meta[relay.Constant][0], meta[tir.Var][1]) }",
        expect![[r#"
        error: there is no 'meta[relay.Constant][0]'
         --> test.relay:1:13
          |
        1 | def @f() { (meta[relay.Constant][0], meta[tir.Var][1]) }
          |             ^^^^^^^^^^^^^^^^^^^^^^^
          |
          = note: the file has no metadata section
        error: there is no 'meta[tir.Var][1]'
         --> test.relay:1:38
          |
        1 | def @f() { (meta[relay.Constant][0], meta[tir.Var][1]) }
          |                                      ^^^^^^^^^^^^^^^^
          |
          = note: an expression can be a 'meta[relay.Constant][..]'
    "#]],
    );
    check(
        "def @f() { 1 }\n#[metadata]\n{\"root\": 1,\n \"nodes\": [}",
        expect![[r#"
        error: bad metadata: expected value
         --> test.relay:4:12
          |
        4 |  "nodes": [}
          |            ^
    "#]],
    );
    check(
        "def @f() { 1 }\n#[metadata]\n{\"root\": 0, \"nodes\": [{\"type_key\": \"\"}], \"b64ndarrays\": [\"AAAA\"]}",
        expect![[r#"
            error: bad metadata: a truncated tensor
             --> test.relay:2:1
              |
            2 | #[metadata]
              | ^^^^^^^^^^^
        "#]],
    );
}
