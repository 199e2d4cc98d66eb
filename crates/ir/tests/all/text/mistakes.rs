//! Diagnostics of syntax errors.

use super::fails;
use expect_test::expect;

#[test]
fn all_errors_are_reported() {
    fails(
        r#"
t.func @f(%a: f32, %count : i1) -> f32 {
  %x = t.add %a, %a : i64
  %y = t.ad %a, %a : f32
  %z = t.add %cuont, %y : i1
  %a = t.const 1 : i32
  t.cmp le, %a, %a : f32
  t.add %a %a : f32
  "t.odd"() : () -> ()
  "u.odd"() : () -> ()
  v.odd
  t.cond_br %count, ^bb, ^bb1
^bb1:
  "t.return"(%a : (f32) -> ()
}
t.return %a : vector<4xf33>
"#,
        &expect![[r#"
            error: use of value '%a' expects different type than prior uses: 'i64' vs 'f32'
             --> a.mlir:3:14
              |
            3 |   %x = t.add %a, %a : i64
              |              ^^       --- this type
              |
            note: prior use here
             --> a.mlir:2:11
              |
            2 | t.func @f(%a: f32, %count : i1) -> f32 {
              |           ^^
            error: custom op 't.ad' is unknown
             --> a.mlir:4:8
              |
            4 |   %y = t.ad %a, %a : f32
              |        ^^^^
              |
              = help: did you mean 't.add'?
            error: redefinition of SSA value '%a'
             --> a.mlir:6:3
              |
            6 |   %a = t.const 1 : i32
              |   ^^
              |
            note: previously defined here
             --> a.mlir:2:11
              |
            2 | t.func @f(%a: f32, %count : i1) -> f32 {
              |           ^^
            error: custom op 't.cmp' expected string or keyword containing one of the following enum values for attribute 'predicate' [eq, ne]
             --> a.mlir:7:9
              |
            7 |   t.cmp le, %a, %a : f32
              |         ^^
              |
              = help: did you mean 'ne'?
            error: expected ','
             --> a.mlir:8:11
              |
            8 |   t.add %a %a : f32
              |           ^
            error: unregistered operation 't.odd' found in dialect ('t') that does not allow unknown operations
             --> a.mlir:9:3
              |
            9 |   "t.odd"() : () -> ()
              |   ^^^^^^^
              |
              = help: did you mean 't.add'?
            error: operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used
              --> a.mlir:10:10
               |
            10 |   "u.odd"() : () -> ()
               |          ^
            error: Dialect `v' not found for custom op 'v.odd'
              --> a.mlir:11:3
               |
            11 |   v.odd
               |   ^^^^^
               |
               = note: Available dialects: t
            error: expected ')' to end operand list
              --> a.mlir:14:16
               |
            14 |   "t.return"(%a : (f32) -> ()
               |                ^
            error: expected non-function type
              --> a.mlir:16:24
               |
            16 | t.return %a : vector<4xf33>
               |                        ^^^
               |
               = help: did you mean 'f32'?
            error: expected '}'
              --> a.mlir:16:28
               |
            16 | t.return %a : vector<4xf33>
               |                            ^
               |
              ::: a.mlir:2:40
               |
             2 | t.func @f(%a: f32, %count : i1) -> f32 {
               |                                        - opened here
            error: reference to an undefined block '^bb'
              --> a.mlir:12:21
               |
            12 |   t.cond_br %count, ^bb, ^bb1
               |                     ^^^
               |
               = help: did you mean '^bb1'?
            error: use of undeclared SSA value name '%cuont'
             --> a.mlir:5:14
              |
            5 |   %z = t.add %cuont, %y : i1
              |              ^^^^^^
              |
              = help: did you mean '%count'?
        "#]],
    );
}
