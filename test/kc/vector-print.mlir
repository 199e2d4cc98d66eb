// RUN: %kc run %s --backend jit --inputs '[[1, 2.5, -3, 1e9], -3]' | FileCheck %s
// RUN: %kc run %s --backend interpret --inputs '[[1, 2.5, -3, 1e9], -3]' | FileCheck %s
// RUN: %kc run %s --backend interpret-buffers --inputs '[[1, 2.5, -3, 1e9], -3]' | FileCheck %s
// RUN: %kc run %s --entry kinds --backend jit | FileCheck %s --check-prefix=KINDS
// RUN: %kc run %s --entry kinds --backend interpret | FileCheck %s --check-prefix=KINDS
// `vector.print` prints the same as MLIR's runner does, in compiled code and in the interpreter.

// CHECK: ( 1, 2.5, -3, 1e+09 )
// CHECK-NEXT: ( ( 1, 2.5 ), ( -3, 1e+09 ) )
// CHECK-NEXT: -3, -3 hello
// CHECK-NEXT: ()
func.func @main(%v: vector<4xf32>, %i: i32) {
  vector.print %v : vector<4xf32>
  %rows = vector.shape_cast %v : vector<4xf32> to vector<2x2xf32>
  vector.print %rows : vector<2x2xf32>
  vector.print %i : i32 punctuation <comma>
  vector.print %i : i32 punctuation <no_punctuation>
  vector.print str " hello\0A"
  return
}

// KINDS: 1
// KINDS-NEXT: ( 0, 1 )
// KINDS-NEXT: 18446744073709551615
// KINDS-NEXT: -1
// KINDS-NEXT: -56
// KINDS-NEXT: 0.333252
// KINDS-NEXT: 0.333984
// KINDS-NEXT: 0.333333
// KINDS-NEXT: ( 7 )
// KINDS-NEXT: nan
func.func @kinds() {
  %true = arith.constant true
  %bits = arith.constant dense<[false, true]> : vector<2xi1>
  %index = arith.constant -1 : index
  %long = arith.constant -1 : i64
  %byte = arith.constant 200 : i8
  %half = arith.constant 0.3333 : f16
  %brain = arith.constant 0.3333 : bf16
  %double = arith.constant 0.3333333333 : f64
  %single = arith.constant dense<7> : vector<i32>
  %nan = arith.constant 0x7FC00000 : f32
  vector.print %true : i1
  vector.print %bits : vector<2xi1>
  vector.print %index : index
  vector.print %long : i64
  vector.print %byte : i8
  vector.print %half : f16
  vector.print %brain : bf16
  vector.print %double : f64
  vector.print %single : vector<i32>
  vector.print %nan : f32
  return
}
