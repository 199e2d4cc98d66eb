// A conditional in an atomic update compiles: its branches have no side effects, and the result is selected.
// RUN: kc run %s --entry f --backend interpret --inputs '[3]' | FileCheck %s
// RUN: kc run %s --entry f --backend interpret-buffers --inputs '[3]' | FileCheck %s
// RUN: kc run %s --entry f --inputs '[3]' | FileCheck %s

// CHECK: (1, 4, 5, 5)
func.func @f(%x: f32) -> (f32, f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %five = arith.constant 5.0 : f32
  %m = memref.alloc() : memref<2xf32>
  memref.store %one, %m[%c0] : memref<2xf32>
  memref.store %five, %m[%c1] : memref<2xf32>
  %olds:2 = scf.execute_region -> (f32, f32) {
    %a = func.call @update(%m, %c0, %x) : (memref<2xf32>, index, f32) -> f32
    %b = func.call @update(%m, %c1, %x) : (memref<2xf32>, index, f32) -> f32
    scf.yield %a, %b : f32, f32
  }
  %p = memref.load %m[%c0] : memref<2xf32>
  %q = memref.load %m[%c1] : memref<2xf32>
  memref.dealloc %m : memref<2xf32>
  return %olds#0, %p, %olds#1, %q : f32, f32, f32, f32
}

func.func private @update(%m: memref<2xf32>, %i: index, %x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %old = memref.generic_atomic_rmw %m[%i] : memref<2xf32> {
  ^bb0(%value: f32):
    %less = arith.cmpf olt, %value, %x : f32
    %new = scf.if %less -> f32 {
      %sum = arith.addf %value, %x : f32
      %negative = arith.cmpf olt, %sum, %zero : f32
      %inner = scf.if %negative -> f32 {
        %minus = arith.negf %sum : f32
        scf.yield %minus : f32
      } else {
        scf.yield %sum : f32
      }
      scf.yield %inner : f32
    } else {
      scf.yield %value : f32
    }
    memref.atomic_yield %new : f32
  }
  return %old : f32
}
