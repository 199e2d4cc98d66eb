// Deep recursion used to reach the guard of the stack inside of `malloc`, whose lock then stayed taken.
// RUN: not %kc run %s --inputs '[1000000000]' 2>&1 | FileCheck %s
// CHECK: error: recursion too deep
func.func private @copy(%n: i64, %m: memref<8x8xf32>) -> f32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %ci = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %z = arith.cmpi eq, %n, %c0 : i64
  %r = scf.if %z -> f32 {
    scf.yield %f0 : f32
  } else {
    %a = memref.subview %m[0,0][4,3][1,2] : memref<8x8xf32> to memref<4x3xf32, strided<[8,2], offset: 0>>
    %b = memref.subview %m[4,0][4,3][1,2] : memref<8x8xf32> to memref<4x3xf32, strided<[8,2], offset: 32>>
    memref.copy %a, %b : memref<4x3xf32, strided<[8,2], offset: 0>> to memref<4x3xf32, strided<[8,2], offset: 32>>
    %n1 = arith.subi %n, %c1 : i64
    %s = func.call @copy(%n1, %m) : (i64, memref<8x8xf32>) -> f32
    %x = memref.load %m[%ci, %ci] : memref<8x8xf32>
    %u = arith.mulf %s, %x : f32
    %t = arith.addf %u, %x : f32
    %t2 = math.sqrt %t : f32
    scf.yield %t2 : f32
  }
  return %r : f32
}
func.func @main(%n: i64) -> f32 {
  %m = memref.alloc() : memref<8x8xf32>
  %z = arith.constant 1.0 : f32
  linalg.fill ins(%z : f32) outs(%m : memref<8x8xf32>)
  %r = call @copy(%n, %m) : (i64, memref<8x8xf32>) -> f32
  memref.dealloc %m : memref<8x8xf32>
  return %r : f32
}
