// Functions of all front ends in one module, which call each other, and functions with operations of several dialects.

// RUN: %kopt %s --lower | FileCheck %s
// RUN: %kc run %s --entry main --backend interpret --inputs '[[1,2,3]]' | FileCheck %s --check-prefix=RESULT
// RUN: %kc run %s --entry main --backend interpret-buffers --inputs '[[1,2,3]]' | FileCheck %s --check-prefix=RESULT
// RUN: %kc run %s --entry main --backend jit --inputs '[[1,2,3]]' | FileCheck %s --check-prefix=RESULT
// ((1,2,3) + (1,2,3) doubled) squared: 16, 64, 144.
// RESULT: [16, 64, 144]

// A call of a function of another dialect, in either direction.
// CHECK-LABEL: func.func @main(
// CHECK: call @relay_sum(%{{.*}}) : (tensor<3xf32>) -> tensor<3xf32>
// CHECK: call @square(%{{.*}}) : (tensor<?xf32>) -> tensor<?xf32>
func.func @main(%x: tensor<3xf32>) -> tensor<?xf32> {
  %0 = relay.call @relay_sum(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = tensor.cast %0 : tensor<3xf32> to tensor<?xf32>
  %2 = knossos.call @square(%1) : (tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// CHECK-LABEL: func.func @relay_sum(
// CHECK: linalg.generic
// CHECK: call @double(%{{.*}}) : (tensor<3xf32>) -> tensor<3xf32>
relay.func @relay_sum(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = relay.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = relay.call @double(%0) : (tensor<3xf32>) -> tensor<3xf32>
  relay.return %1 : tensor<3xf32>
}

// An operation on tensors in a function of the dialect func.
// CHECK-LABEL: func.func @double(
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK: return %[[SUM]]
func.func @double(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = relay.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// An operation of i-expressions, and one of relay in its region, in a function of Knossos.
// CHECK-LABEL: func.func @square(
// CHECK-NOT: {{iexpr|relay|knossos}}.
// CHECK: return
knossos.func @square(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = iexpr.expr "i*i~i"(%x, %x) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  knossos.return %0 : tensor<?xf32>
}

// Operations of Knossos in the loop of another function, which capture its values.
// RUN: %kc run %s --entry power --backend interpret --inputs '[3, 4]' | FileCheck %s --check-prefix=POWER
// RUN: %kc run %s --entry power --backend jit --inputs '[3, 4]' | FileCheck %s --check-prefix=POWER
// POWER: 81
// CHECK-LABEL: func.func @power(
// CHECK: scf.for
// CHECK: arith.mulf
func.func @power(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = knossos.constant 1.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %one) -> (f32) {
    %p = knossos.prelude "mul"(%a, %x) : (f32, f32) -> f32
    scf.yield %p : f32
  }
  return %r : f32
}

// Operations of other dialects in the region of an operation of Knossos.
// RUN: %kc run %s --entry evens --backend interpret --inputs '[3]' | FileCheck %s --check-prefix=EVENS
// RUN: %kc run %s --entry evens --backend jit --inputs '[3]' | FileCheck %s --check-prefix=EVENS
// EVENS: [0, 2, 4]
// CHECK-LABEL: func.func @evens(
// CHECK: arith.addi
knossos.func @evens(%n: i64) -> tensor<?xi64> {
  %r = knossos.build %n {
  ^bb0(%i: i64):
    %d = arith.addi %i, %i : i64
    knossos.yield %d : i64
  } : tensor<?xi64>
  knossos.return %r : tensor<?xi64>
}

// A tuple that only operations of Knossos have.
// RUN: %kc run %s --entry tuple --backend interpret --inputs '[3]' | FileCheck %s --check-prefix=TUPLE
// RUN: %kc run %s --entry tuple --backend jit --inputs '[3]' | FileCheck %s --check-prefix=TUPLE
// TUPLE: 6
// CHECK-LABEL: func.func @tuple(
// CHECK-NOT: knossos
func.func @tuple(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  %t = knossos.tuple(%x, %y) : (f32, f32) -> tuple<f32, f32>
  %0 = knossos.get %t[1] : tuple<f32, f32>
  return %0 : f32
}

// Operations of a language in the regions of other dialects, in a function of the language: they take its values, tuples among
// them, and are taken by others.
// RUN: %kc run %s --entry nested --backend interpret --inputs '[3, 4]' | FileCheck %s --check-prefix=NESTED
// RUN: %kc run %s --entry nested --backend jit --inputs '[3, 4]' | FileCheck %s --check-prefix=NESTED
// NESTED: 4374
// CHECK-LABEL: func.func @nested(
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NOT: knossos
knossos.func @nested(%x: f32, %n: i64) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %n : i64 to index
  %t = knossos.tuple(%x, %n) : (f32, i64) -> tuple<f32, i64>
  %one = knossos.constant 1.0 : f32
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%a = %one) -> (f32) {
    %factor = knossos.get %t[0] : tuple<f32, i64>
    %last = knossos.get %t[1] : tuple<f32, i64>
    %at = arith.index_cast %i : index to i64
    %is_first = knossos.eq %at, %last : i64
    %p = scf.if %is_first -> (f32) {
      scf.yield %a : f32
    } else {
      %q = knossos.prelude "mul"(%a, %factor) : (f32, f32) -> f32
      scf.yield %q : f32
    }
    scf.yield %p : f32
  }
  %six = knossos.constant 54.0 : f32
  %s = knossos.prelude "mul"(%r, %six) : (f32, f32) -> f32
  knossos.return %s : f32
}

// RUN: %kc run %s --entry doubled_if --backend interpret --inputs '[[1,2,3], true]' | FileCheck %s --check-prefix=IF
// RUN: %kc run %s --entry doubled_if --backend jit --inputs '[[1,2,3], true]' | FileCheck %s --check-prefix=IF
// IF: [2, 4, 6]
// CHECK-LABEL: func.func @doubled_if(
// CHECK: scf.if
// CHECK: linalg.generic
// CHECK-NOT: relay
relay.func @doubled_if(%x: tensor<3xf32>, %c: i1) -> tensor<3xf32> {
  %0 = scf.if %c -> (tensor<3xf32>) {
    %1 = relay.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    scf.yield %1 : tensor<3xf32>
  } else {
    scf.yield %x : tensor<3xf32>
  }
  relay.return %0 : tensor<3xf32>
}
