// Arguments and results are JSON with the structure of the signature.
// RUN: echo '[{"x": 2.5, "y": 4}, 3.0]' > %t.json
// RUN: %kc run %s --entry f --inputs %t.json --format json --backend interpret | FileCheck %s
// RUN: %kc run %s --entry f --inputs %t.json --format json | FileCheck %s
// CHECK: {"product":7.5,"rest":[null,4]}
// RUN: %kc run %s --entry f --inputs %t.json --backend interpret | FileCheck %s --check-prefix=TEXT
// TEXT: {product: 7.5, rest: (4,)}
func.func @f(%y: i64 {minoan.index_path = [0, "y"]}, %x: f32 {minoan.index_path = [0, "x"]},
             %z: f32 {minoan.index_path = [1]})
    -> (i64 {minoan.index_path = ["rest", 1]}, f32 {minoan.index_path = ["product"]}) {
  %0 = arith.mulf %x, %z : f32
  return %y, %0 : i64, f32
}

// RUN: %kc signature %s | FileCheck %s --check-prefix=SIGNATURE
// SIGNATURE: sip I27!S23!k0D13!K2!x_1K2!y_0k1_2R31!D27!K8!product_1K5!restS5!k1_0
// SIGNATURE: inputs:[
// SIGNATURE-NEXT: 0:{
// SIGNATURE-NEXT: x=raw(1),
// SIGNATURE-NEXT: y=raw(0),

// Every key that is wrong is named, in one run.
// RUN: echo '[{"x": 2.5, "why": 4, "w": 1}, {"x": 1}, 5]' | not %kc run %s --entry f --inputs - --backend interpret 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: argument [0]["y"]: missing: expected an integer
// WRONG: error: argument [0]: unexpected key "why"
// WRONG: error: argument [0]: unexpected key "w"
// WRONG: error: argument [1]: expected a number (float32), found an object
// WRONG: error: the arguments: expected an array of 2 values, found 3

// RUN: echo '{"x": 2.5}' | not %kc run %s --entry f --inputs - --backend interpret 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: the arguments: expected an array, found an object

// A key at the wrong place is shown the right one.
// RUN: echo '{"a": {"x": 1, "c": 2}}' | not %kc run %s --entry g --inputs - --backend interpret 2>&1 | FileCheck %s --check-prefix=HOME
// HOME: error: argument ["a"]["b"]: missing: expected an integer
// HOME: error: argument ["a"]: unexpected key "c"
// HOME: "c" belongs to the arguments
// HOME: error: argument ["c"]: missing: expected an integer
func.func @g(%0: i64 {minoan.index_path = ["a", "x"]}, %1: i64 {minoan.index_path = ["a", "b"]}, %2: i64 {minoan.index_path = ["c"]}) -> i64 {
  return %2 : i64
}
