// RUN: %kopt %s --split-input-file --allow-unregistered-dialect --pass-pipeline="builtin.module(hoist-buffers)" | FileCheck %s
// Buffers of up to 1024 bytes are allocated on the stack; the module's data layout determines the sizes.

// CHECK-LABEL: func.func @wide
// CHECK: memref.alloc()
func.func @wide() {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<200xindex>
  memref.store %c0, %m[%c0] : memref<200xindex>
  memref.dealloc %m : memref<200xindex>
  return
}

// -----

// CHECK-LABEL: func.func @narrow
// CHECK: memref.alloca()
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
  func.func @narrow() {
    %c0 = arith.constant 0 : index
    %m = memref.alloc() : memref<200xindex>
    memref.store %c0, %m[%c0] : memref<200xindex>
    memref.dealloc %m : memref<200xindex>
    return
  }
}

// -----

// Elements stand at multiples of their alignment: three bytes take four.
// CHECK-LABEL: func.func @aligned
// CHECK: memref.alloca() : memref<256xi24>
// CHECK: memref.alloc() : memref<300xi24>
func.func @aligned() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1 : i24
  %m = memref.alloc() : memref<300xi24>
  memref.store %x, %m[%c0] : memref<300xi24>
  memref.dealloc %m : memref<300xi24>
  %n = memref.alloc() : memref<256xi24>
  memref.store %x, %n[%c0] : memref<256xi24>
  memref.dealloc %n : memref<256xi24>
  return
}
