// RUN: %kopt %s --plan-buffers --split-input-file | FileCheck %s

// A tensor that is handed from call to call is updated in place: the function takes it.
// CHECK-LABEL: func.func private @count(
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: memref.store
// CHECK: call @count
// CHECK-NOT: memref.dealloc
// CHECK-LABEL: func.func @main(
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[R:.*]] = call @count(%{{.*}}, %[[A]])
// CHECK-NOT: memref.dealloc
// CHECK: return %[[R]]
func.func private @count(%i: index, %t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %last = arith.cmpi eq, %i, %c0 : index
  %r = scf.if %last -> tensor<?xf32> {
    scf.yield %t : tensor<?xf32>
  } else {
    %next = arith.subi %i, %c1 : index
    %new = tensor.insert %one into %t[%next] : tensor<?xf32>
    %all = func.call @count(%next, %new) : (index, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %all : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
func.func @main(%n: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.splat %zero[%n] : tensor<?xf32>
  %r = call @count(%n, %t) : (index, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// A caller needs the tensor afterwards, or does not own it: the function copies it if it updates it.
// CHECK-LABEL: func.func private @set(
// CHECK: memref.copy
// CHECK-LABEL: func.func @later(
// CHECK-NOT: memref.copy
func.func private @set(%c: i1, %t: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %new = tensor.insert %one into %t[%c0] : tensor<4xf32>
  return %new : tensor<4xf32>
}
func.func @later(%c: i1, %x: f32) -> (tensor<4xf32>, f32) {
  %c1 = arith.constant 1 : index
  %t = tensor.splat %x : tensor<4xf32>
  %r = call @set(%c, %t) : (i1, tensor<4xf32>) -> tensor<4xf32>
  %s = call @set(%c, %t) : (i1, tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.extract %s[%c1] : tensor<4xf32>
  return %r, %e : tensor<4xf32>, f32
}

// -----

// A loop executes the call several times with a tensor from outside.
// CHECK-LABEL: func.func private @set(
// CHECK: memref.copy
func.func private @set(%t: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %new = tensor.insert %one into %t[%c0] : tensor<4xf32>
  return %new : tensor<4xf32>
}
func.func @looped(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tensor.splat %x : tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> f32 {
    %s = func.call @set(%t) : (tensor<4xf32>) -> tensor<4xf32>
    %e = tensor.extract %s[%c1] : tensor<4xf32>
    %next = arith.addf %sum, %e : f32
    scf.yield %next : f32
  }
  return %r : f32
}

// -----

// A tensor that the function takes and neither returns nor passes on is freed there; the branches of a condition may pass it on.
// CHECK-LABEL: func.func private @first(
// CHECK-NOT: memref.copy
// CHECK: memref.dealloc
// CHECK: return
// CHECK-LABEL: func.func @branch(
// CHECK-NOT: memref.dealloc
// CHECK: scf.if
// CHECK: call @first
// CHECK: } else {
// CHECK: memref.dealloc
func.func private @first(%t: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %new = tensor.insert %one into %t[%c0] : tensor<4xf32>
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %new) -> tensor<4xf32> {
    %x = tensor.extract %a[%c1] : tensor<4xf32>
    %b = tensor.insert %x into %a[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %e = tensor.extract %sum[%c0] : tensor<4xf32>
  return %e : f32
}
func.func @branch(%c: i1, %x: f32) -> f32 {
  %t = tensor.splat %x : tensor<4xf32>
  %r = scf.if %c -> f32 {
    %e = func.call @first(%t) : (tensor<4xf32>) -> f32
    scf.yield %e : f32
  } else {
    scf.yield %x : f32
  }
  return %r : f32
}
