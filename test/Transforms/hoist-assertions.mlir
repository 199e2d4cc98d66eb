// RUN: %kopt %s --hoist-assertions --canonicalize --cse --split-input-file | FileCheck %s

// An induction variable is below its own upper bound.
// CHECK-LABEL: func.func @proven
// CHECK-NOT: cf.assert
// CHECK: tensor.extract
func.func @proven(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %in = arith.cmpi ult, %i, %n : index
    cf.assert %in, "index out of bounds"
    %a = tensor.extract %x[%i] : tensor<?xf32>
    tensor.yield %a : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Known numbers: 9 - i with i below 10, 2 i + 1 with i below 5.
// CHECK-LABEL: func.func @known
// CHECK-NOT: cf.assert
// CHECK: return
func.func @known(%x: tensor<10xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %c10 step %c1 iter_args(%acc = %zero) -> f32 {
    %j = arith.subi %c9, %i : index
    %in = arith.cmpi ult, %j, %c10 : index
    cf.assert %in, "index out of bounds"
    %a = tensor.extract %x[%j] : tensor<10xf32>
    %next = arith.addf %acc, %a : f32
    scf.yield %next : f32
  }
  %t = scf.for %i = %c0 to %c5 step %c1 iter_args(%acc = %s) -> f32 {
    %twice = arith.muli %i, %c2 : index
    %j = arith.addi %twice, %c1 : index
    %in = arith.cmpi ult, %j, %c10 : index
    cf.assert %in, "index out of bounds"
    %a = tensor.extract %x[%j] : tensor<10xf32>
    %next = arith.addf %acc, %a : f32
    scf.yield %next : f32
  }
  return %t : f32
}

// -----

// The last one of these is not in bounds.
// CHECK-LABEL: func.func @known_to_fail
// CHECK: scf.for
// CHECK: cf.assert
func.func @known_to_fail(%x: tensor<10xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %c10 step %c1 iter_args(%acc = %zero) -> f32 {
    %j = arith.addi %i, %c1 : index
    %in = arith.cmpi ult, %j, %c10 : index
    cf.assert %in, "index out of bounds"
    %a = tensor.extract %x[%j] : tensor<10xf32>
    %next = arith.addf %acc, %a : f32
    scf.yield %next : f32
  }
  return %s : f32
}

// -----

// One check for the nest; the copy with the assertions finds the place of a failure.
// CHECK-LABEL: func.func @matrix
// CHECK: %[[SIZE:.*]] = arith.muli
// CHECK: scf.if
// CHECK: } else {
// CHECK: scf.for
// CHECK: scf.for
// CHECK: cf.assert
// CHECK: }
// CHECK: scf.for
// CHECK-NOT: cf.assert
// CHECK: return
func.func @matrix(%x: tensor<?xf64>, %n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%outer = %zero) -> f64 {
    %t = scf.for %j = %c0 to %m step %c1 iter_args(%acc = %outer) -> f64 {
      %row = arith.muli %i, %m : index
      %at = arith.addi %row, %j : index
      %in = arith.cmpi ult, %at, %size : index
      cf.assert %in, "index out of bounds"
      %a = tensor.extract %x[%at] : tensor<?xf64>
      %next = arith.addf %acc, %a : f64
      scf.yield %next : f64
    }
    scf.yield %t : f64
  }
  return %s : f64
}

// -----

// Of a computed tensor, the copy is loops without results.
// CHECK-LABEL: func.func @generate
// CHECK: scf.if
// CHECK: } else {
// CHECK-NEXT: scf.for
// CHECK-NEXT: arith.cmpi ult
// CHECK-NEXT: cf.assert
// CHECK: tensor.generate
// CHECK-NOT: cf.assert
// CHECK: return
func.func @generate(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %size = tensor.dim %x, %c0 : tensor<?xf32>
    %in = arith.cmpi ult, %i, %size : index
    cf.assert %in, "index out of bounds"
    %a = tensor.extract %x[%i] : tensor<?xf32>
    tensor.yield %a : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// An index that is data, an assertion that is not always executed, and a loop with another effect.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-3: cf.assert
// CHECK-NOT: cf.assert
func.func private @log(index)
func.func @kept(%x: tensor<?xindex>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = tensor.dim %x, %c0 : tensor<?xindex>
  %s = scf.for %i = %c0 to %size step %c1 iter_args(%at = %c0) -> index {
    %in = arith.cmpi ult, %at, %size : index
    cf.assert %in, "index out of bounds"
    %next = tensor.extract %x[%at] : tensor<?xindex>
    %odd = arith.cmpi slt, %next, %n : index
    scf.if %odd {
      %in1 = arith.cmpi ult, %i, %n : index
      cf.assert %in1, "index out of bounds"
    }
    scf.yield %next : index
  }
  scf.for %i = %c0 to %n step %c1 {
    func.call @log(%i) : (index) -> ()
    %in = arith.cmpi ult, %i, %size : index
    cf.assert %in, "index out of bounds"
  }
  return %s : index
}

// -----

// A bound proves an assertion in a conditional as well; one on another index remains.
// CHECK-LABEL: func.func @in_conditional
// CHECK: scf.if
// CHECK-NEXT: tensor.extract
// CHECK: } else {
// CHECK-NEXT: arith.cmpi ult, %{{.*}}, %arg2
// CHECK-NEXT: cf.assert
// CHECK-NOT: cf.assert
func.func @in_conditional(%x: tensor<?xf32>, %row: index, %m: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %r = tensor.generate %size {
  ^bb0(%i: index):
    %is = arith.cmpi eq, %i, %row : index
    %v = scf.if %is -> f32 {
      %in = arith.cmpi ult, %i, %size : index
      cf.assert %in, "index out of bounds"
      %a = tensor.extract %x[%i] : tensor<?xf32>
      scf.yield %a : f32
    } else {
      %in = arith.cmpi ult, %i, %m : index
      cf.assert %in, "index out of bounds"
      %a = tensor.extract %x[%c0] : tensor<?xf32>
      scf.yield %a : f32
    }
    tensor.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// A loop that updates a tensor is not a nest: the number that the inner nest depends on is an element of it.
// CHECK-LABEL: func.func @updates
// CHECK: scf.for %{{.*}} iter_args(%[[X:.*]] = %arg0)
// CHECK:   %[[AT:.*]] = arith.index_cast
// CHECK:   arith.addi
// CHECK:   scf.if
// CHECK:     cf.assert
// CHECK:   tensor.generate
// CHECK-NOT: cf.assert
// CHECK:   scf.yield
func.func @updates(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ny = tensor.dim %y, %c0 : tensor<?xf32>
  %nx = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%state = %x) -> (tensor<?xf32>) {
    %first = tensor.extract %state[%c0] : tensor<?xf32>
    %number = arith.fptosi %first : f32 to i64
    %at = arith.index_cast %number : i64 to index
    %next = tensor.generate %nx {
    ^bb0(%i: index):
      %j = arith.addi %at, %i : index
      %in = arith.cmpi ult, %j, %ny : index
      cf.assert %in, "index out of bounds"
      %e = tensor.extract %y[%j] : tensor<?xf32>
      tensor.yield %e : f32
    } : tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// Values that only the message uses are removed with the assertion.
// CHECK-LABEL: func.func @values
// CHECK: tensor.generate
// CHECK-NEXT: ^bb0
// CHECK-NEXT: tensor.extract
func.func @values(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %in = arith.cmpi ult, %i, %n : index
    %shown = arith.index_cast %i : index to i64
    data.assert %in, "index {}"(%shown) : i64
    %e = tensor.extract %x[%i] : tensor<?xf32>
    tensor.yield %e : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
