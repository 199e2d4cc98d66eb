// Machine code in checking mode: blocks that are left, and a second free, are reported at the allocation.
// RUN: %kc run %s --entry balanced --inputs '[3.0]' --memory-check 2>&1 | FileCheck %s --check-prefix=BALANCED
// RUN: not %kc run %s --entry leak --inputs '[3.0]' --memory-check 2>&1 | FileCheck %s --check-prefix=LEAK
// RUN: not %kc run %s --entry twice --inputs '[3.0]' --memory-check 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %kc run %s --entry leak --inputs '[3.0]' --memory-check --backend=interpret 2>&1 | FileCheck %s --check-prefix=BACKEND
// BALANCED-DAG: blocks allocated: 1, of 4096 bytes; blocks left: 0
// BALANCED-DAG: {{^}}3
// LEAK: error: 2 blocks of 8192 bytes that are allocated here are not freed
// LEAK-NEXT: memory-check.mlir:[[#@LINE+20]]:
// TWICE: error: double free of memory allocated here
// TWICE-NEXT: memory-check.mlir:[[#@LINE+29]]:
// BACKEND: error: '--memory-check' requires '--backend=jit'
// BACKEND: '--backend=interpret-buffers' always checks buffers

func.func @balanced(%x: f32) -> f32 {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<1024xf32>
  memref.store %x, %a[%zero] : memref<1024xf32>
  %y = memref.load %a[%zero] : memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  return %y : f32
}

func.func @leak(%x: f32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %sum = scf.for %i = %zero to %two step %one iter_args(%sum = %x) -> (f32) {
    %a = memref.alloc() : memref<1024xf32>
    memref.store %sum, %a[%i] : memref<1024xf32>
    %y = memref.load %a[%i] : memref<1024xf32>
    %next = arith.addf %sum, %y : f32
    scf.yield %next : f32
  }
  return %sum : f32
}

func.func @twice(%x: f32) -> f32 {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<1024xf32>
  memref.store %x, %a[%zero] : memref<1024xf32>
  %y = memref.load %a[%zero] : memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  return %y : f32
}

// Fresh blocks are filled with NaN: a read of memory that was never written is visible in the result.
// RUN: %kc run %s --entry unwritten --inputs '[3.0, 1]' --memory-check 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// UNWRITTEN: {{^}}NaN
func.func @unwritten(%x: f32, %at: index) -> f32 {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<1024xf32>
  memref.store %x, %a[%zero] : memref<1024xf32>
  %y = memref.load %a[%at] : memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  return %y : f32
}
