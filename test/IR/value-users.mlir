// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --verify-roundtrip -o /dev/null

module {
func.func private @two() -> (i32, i32)
func.func @f(%a: i32, %b: index, %m: memref<4xf32>) -> i32 {
  %0:2 = call @two() : () -> (i32, i32)
  %1 = arith.addi %a, %0#1 : i32
  %2 = arith.addi %a, %0#1 : i32
  %c = arith.constant 0 : index
  %3 = scf.for %i = %c to %b step %c iter_args(%x = %1) -> (i32) {
    %4 = arith.addi %x, %x : i32
    %d = memref.dim %m, %c : memref<4xf32>
    %cond = arith.constant true
    %5 = scf.if %cond -> i32 { scf.yield %4 : i32 } else { %z = arith.muli %4, %1 : i32
    scf.yield %z : i32 }
    scf.yield %5 : i32
  }
  cf.br ^bb1(%3 : i32)
^bb1(%y: i32):
  cf.br ^bb2
^bb2:
  return %y : i32
}
func.func @g(%x: i32) { 
  %0 = arith.addi %x, %x : i32
  scf.execute_region { %1 = arith.addi %x, %0 : i32
  scf.yield }
  return }
}
