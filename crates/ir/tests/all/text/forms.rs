//! Custom and generic forms.

use super::dialect::context;
use super::{OPEN, PROGRAM, print, read, round_trip};
use expect_test::expect;

#[test]
fn custom_forms() {
    round_trip(
        PROGRAM,
        &expect![[r#"
        "builtin.module"() ({
          t.func @f(%arg0: f32, %arg1: i1) -> f32 attributes {t.x = 1 : i32} {
            %0 = add %arg0, %arg0 fastmath<nnan,ninf> : f32
            %1 = add %0, %arg0 {t.y} : f32
            %c4_i64 = const 4 : i64
            %c4_i64_0 = const 4 : i64
            %true = const true
            %2:2 = call @g(%c4_i64, %c4_i64_0) : (i64, i64) -> (i64, i64)
            %3 = cmp ne, %2#0, %2#1 : i64
            if flag %3 {
              %5 = t.add %c4_i64, %c4_i64 : i64
            }
            if plain %3 {
              t.return %3 : i1
            }
            cond_br %arg1, ^bb1(%0 : f32), ^bb2
          ^bb1(%4: f32):  // pred: ^bb0
            return %4 : f32
          ^bb2:  // pred: ^bb0
            return %1 : f32
          }
        }) : () -> ()
    "#]],
        false,
        false,
    );
}

#[test]
fn generic_forms() {
    round_trip(
        PROGRAM,
        &expect![[r##"
        #loc2 = loc("a.mlir":2:11)
        #loc3 = loc("a.mlir":2:20)
        #loc16 = loc("a.mlir":17:6)
        "builtin.module"() ({
          "t.func"() <{function_type = (f32, i1) -> f32, sym_name = "f"}> ({
          ^bb0(%arg0: f32 loc("a.mlir":2:11), %arg1: i1 loc("a.mlir":2:20)):
            %0 = "t.add"(%arg0, %arg0) <{fastmath = #t.fastmath<nnan,ninf>}> : (f32, f32) -> f32 loc(#loc4)
            %1 = "t.add"(%0, %arg0) <{fastmath = #t.fastmath<none>}> {t.y} : (f32, f32) -> f32 loc(#loc5)
            %2 = "t.const"() <{value = 4 : i64}> : () -> i64 loc(#loc6)
            %3 = "t.const"() <{value = 4 : i64}> : () -> i64 loc(#loc7)
            %4 = "t.const"() <{value = true}> : () -> i1 loc(#loc8)
            %5:2 = "t.call"(%2, %3) <{callee = @g}> : (i64, i64) -> (i64, i64) loc(#loc9)
            %6 = "t.cmp"(%5#0, %5#1) <{predicate = 1 : i64}> : (i64, i64) -> i1 loc(#loc10)
            "t.if"(%6) <{flag}> ({
              %8 = "t.add"(%2, %2) <{fastmath = #t.fastmath<none>}> : (i64, i64) -> i64 loc(#loc12)
              "t.return"() : () -> () loc(#loc11)
            }) : (i1) -> () loc(#loc11)
            "t.if"(%6) ({
              "t.return"(%6) : (i1) -> () loc(#loc14)
            }) : (i1) -> () loc(#loc13)
            "t.cond_br"(%arg1, %0)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, f32) -> () loc(#loc15)
          ^bb1(%7: f32 loc("a.mlir":17:6)):  // pred: ^bb0
            "t.return"(%7) : (f32) -> () loc(#loc17)
          ^bb2:  // pred: ^bb0
            "t.return"(%1) : (f32) -> () loc(#loc18)
          }) {t.x = 1 : i32} : () -> () loc(#loc1)
        }) : () -> () loc(#loc)
        #loc = loc("a.mlir":0:0)
        #loc1 = loc("a.mlir":2:1)
        #loc4 = loc("a.mlir":3:8)
        #loc5 = loc("a.mlir":4:8)
        #loc6 = loc("a.mlir":5:8)
        #loc7 = loc("a.mlir":6:9)
        #loc8 = loc("a.mlir":7:8)
        #loc9 = loc("a.mlir":8:10)
        #loc10 = loc("a.mlir":9:8)
        #loc11 = loc("a.mlir":10:3)
        #loc12 = loc("a.mlir":11:10)
        #loc13 = loc("a.mlir":13:3)
        #loc14 = loc("a.mlir":14:5)
        #loc15 = loc("a.mlir":16:3)
        #loc17 = loc("a.mlir":18:3)
        #loc18 = loc("a.mlir":20:3)
    "##]],
        true,
        true,
    );
}

/// A cached line is not parsed again, but an operation may continue on the next line.
#[test]
fn operation_continues_after_a_cached_line() {
    let ctx = context();
    let text = "
t.func @f(%a: i64) {
  %0 = t.const 1 : i64
  %1 = t.const 1 : i64
    loc(\"elsewhere\":1:2)
  %2 = t.const 1 : i64
  t.return
}
t.func @g(%a: i64) {
  t.return
    %a : i64
}
";
    let module = read(&ctx, text, &OPEN).expect("a right text");
    expect![[r##"
        #loc2 = loc("a.mlir":2:11)
        #loc8 = loc("a.mlir":9:11)
        "builtin.module"() ({
          t.func @f(%arg0: i64 loc("a.mlir":2:11)) {
            %c1_i64 = const 1 : i64 loc(#loc3)
            %c1_i64_0 = const 1 : i64 loc(#loc4)
            %c1_i64_1 = const 1 : i64 loc(#loc5)
            return loc(#loc6)
          } loc(#loc1)
          t.func @g(%arg0: i64 loc("a.mlir":9:11)) {
            return %arg0 : i64 loc(#loc9)
          } loc(#loc7)
        }) : () -> () loc(#loc)
        #loc = loc("a.mlir":0:0)
        #loc1 = loc("a.mlir":2:1)
        #loc3 = loc("a.mlir":3:8)
        #loc4 = loc("elsewhere":1:2)
        #loc5 = loc("a.mlir":6:8)
        #loc6 = loc("a.mlir":7:3)
        #loc7 = loc("a.mlir":9:1)
        #loc9 = loc("a.mlir":10:3)
    "##]]
    .assert_eq(&print(&module, false, true));
}
