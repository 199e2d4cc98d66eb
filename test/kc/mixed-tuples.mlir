// Values whose types lowering changes (tuples, strings, unsigned integers) that functions and operations of other dialects forward.

// RUN: %kopt %s --lower | FileCheck %s

// A tuple as an argument of a loop, in a function of the language.
// RUN: %kc run %s --entry fibonacci --backend interpret --inputs '[10]' | FileCheck %s --check-prefix=FIBONACCI
// RUN: %kc run %s --entry fibonacci --backend jit --inputs '[10]' | FileCheck %s --check-prefix=FIBONACCI
// FIBONACCI: 55
// CHECK-LABEL: func.func @fibonacci(
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (i64, i64)
// CHECK: %[[SUM:.*]] = arith.addi %[[A]], %[[B]]
// CHECK: scf.yield %[[B]], %[[SUM]] : i64, i64
// CHECK: return %[[LOOP]]#0 : i64
knossos.func @fibonacci(%n: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %n : i64 to index
  %zero = knossos.constant 0 : i64
  %one = knossos.constant 1 : i64
  %start = knossos.tuple(%zero, %one) : (i64, i64) -> tuple<i64, i64>
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%t = %start) -> (tuple<i64, i64>) {
    %a = knossos.get %t[0] : tuple<i64, i64>
    %b = knossos.get %t[1] : tuple<i64, i64>
    %s = knossos.prelude "add"(%a, %b) : (i64, i64) -> i64
    %next = knossos.tuple(%b, %s) : (i64, i64) -> tuple<i64, i64>
    scf.yield %next : tuple<i64, i64>
  }
  %0 = knossos.get %r[0] : tuple<i64, i64>
  knossos.return %0 : i64
}

// A conditional that yields a tuple, and a selection of tuples, in a function of another dialect.
// RUN: %kc run %s --entry choose --backend interpret --inputs '[true, 2, 3]' | FileCheck %s --check-prefix=CHOOSE
// RUN: %kc run %s --entry choose --backend jit --inputs '[true, 2, 3]' | FileCheck %s --check-prefix=CHOOSE
// (2, 3) is chosen and then selected: 2 * 10 + 3.
// CHOOSE: 23
// CHECK-LABEL: func.func @choose(
// CHECK: %[[IF:.*]]:2 = scf.if %{{.*}} -> (f32, f32)
// CHECK: %[[X:.*]] = arith.select %{{.*}}, %[[IF]]#0, %{{.*}} : f32
// CHECK: %[[Y:.*]] = arith.select %{{.*}}, %[[IF]]#1, %{{.*}} : f32
func.func @choose(%c: i1, %x: f32, %y: f32) -> f32 {
  %t = knossos.tuple(%x, %y) : (f32, f32) -> tuple<f32, f32>
  %u = knossos.tuple(%y, %x) : (f32, f32) -> tuple<f32, f32>
  %r = scf.if %c -> (tuple<f32, f32>) {
    scf.yield %t : tuple<f32, f32>
  } else {
    %v = knossos.tuple(%x, %x) : (f32, f32) -> tuple<f32, f32>
    scf.yield %v : tuple<f32, f32>
  }
  %s = arith.select %c, %r, %u : tuple<f32, f32>
  %a = knossos.get %s[0] : tuple<f32, f32>
  %b = knossos.get %s[1] : tuple<f32, f32>
  %ten = arith.constant 10.0 : f32
  %0 = arith.mulf %a, %ten : f32
  %1 = arith.addf %0, %b : f32
  return %1 : f32
}

// A tuple that the branches of a loop of blocks forward; the block that uses it is in front of the one that defines it.
// RUN: %kc run %s --entry blocks --backend interpret --inputs '[5]' | FileCheck %s --check-prefix=BLOCKS
// RUN: %kc run %s --entry blocks --backend jit --inputs '[5]' | FileCheck %s --check-prefix=BLOCKS
// The sum of 0, .., 4, doubled.
// BLOCKS: 20
// CHECK-LABEL: func.func @blocks(
// CHECK: cf.br ^[[HEAD:.*]](%{{.*}}, %{{.*}} : i64, i64)
// CHECK-NOT: tuple
// CHECK-LABEL: func.func @callee(
func.func @blocks(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %start = knossos.tuple(%zero, %zero) : (i64, i64) -> tuple<i64, i64>
  cf.br ^head(%start : tuple<i64, i64>)
^end:
  %0 = knossos.get %doubled[0] : tuple<i64, i64>
  return %0 : i64
^head(%t: tuple<i64, i64>):
  %i = knossos.get %t[0] : tuple<i64, i64>
  %s = knossos.get %t[1] : tuple<i64, i64>
  %more = arith.cmpi slt, %i, %n : i64
  cf.cond_br %more, ^body, ^exit(%t : tuple<i64, i64>)
^exit(%u: tuple<i64, i64>):
  %sum = knossos.get %u[1] : tuple<i64, i64>
  %twice = arith.addi %sum, %sum : i64
  %doubled = knossos.tuple(%twice, %sum) : (i64, i64) -> tuple<i64, i64>
  cf.br ^end
^body:
  %j = arith.addi %i, %one : i64
  %r = knossos.prelude "add"(%s, %i) : (i64, i64) -> i64
  %next = knossos.tuple(%j, %r) : (i64, i64) -> tuple<i64, i64>
  cf.br ^head(%next : tuple<i64, i64>)
}

// A function of another dialect that takes and returns tuples. It keeps the structure of its arguments, for callers from outside.
// RUN: %kc run %s --entry callee --backend interpret --inputs '[[1, [2, 3]]]' | FileCheck %s --check-prefix=CALLEE
// RUN: %kc run %s --entry callee --backend jit --inputs '[[1, [2, 3]]]' | FileCheck %s --check-prefix=CALLEE
// CALLEE: ((2, 3), 1)
// CHECK-SAME: %[[X:.*]]: i64 {{{.*}}}, %[[Y:.*]]: f32 {{{.*}}}, %[[Z:.*]]: f32 {{{.*}}}) -> (f32 {{{.*}}}, f32 {{{.*}}}, i64 {{{.*}}}) {
// CHECK-NEXT: return %[[Y]], %[[Z]], %[[X]] : f32, f32, i64
func.func @callee(%t: tuple<i64, tuple<f32, f32>>) -> tuple<tuple<f32, f32>, i64> {
  %a = knossos.get %t[0] : tuple<i64, tuple<f32, f32>>
  %b = knossos.get %t[1] : tuple<i64, tuple<f32, f32>>
  %r = knossos.tuple(%b, %a) : (tuple<f32, f32>, i64) -> tuple<tuple<f32, f32>, i64>
  return %r : tuple<tuple<f32, f32>, i64>
}

// It is called by a function of the language, and calls one.
// RUN: %kc run %s --entry caller --backend interpret --inputs '[3, 4]' | FileCheck %s --check-prefix=CALLER
// RUN: %kc run %s --entry caller --backend jit --inputs '[3, 4]' | FileCheck %s --check-prefix=CALLER
// CALLER: 7
// CHECK-LABEL: func.func @caller(
// CHECK: call @callee(%{{.*}}, %{{.*}}, %{{.*}}) : (i64, f32, f32) -> (f32, f32, i64)
knossos.func @caller(%x: i64, %y: f32) -> f32 {
  %p = knossos.tuple(%y, %y) : (f32, f32) -> tuple<f32, f32>
  %t = knossos.tuple(%x, %p) : (i64, tuple<f32, f32>) -> tuple<i64, tuple<f32, f32>>
  %r = knossos.call @callee(%t) : (tuple<i64, tuple<f32, f32>>) -> tuple<tuple<f32, f32>, i64>
  %s = func.call @sum(%r) : (tuple<tuple<f32, f32>, i64>) -> f32
  knossos.return %s : f32
}

knossos.func @first(%t: tuple<f32, f32>) -> f32 {
  %0 = knossos.get %t[0] : tuple<f32, f32>
  knossos.return %0 : f32
}

// CHECK-LABEL: func.func private @sum(
// CHECK: call @first(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
func.func private @sum(%t: tuple<tuple<f32, f32>, i64>) -> f32 {
  %p = knossos.get %t[0] : tuple<tuple<f32, f32>, i64>
  %n = knossos.get %t[1] : tuple<tuple<f32, f32>, i64>
  %a = func.call @first(%p) : (tuple<f32, f32>) -> f32
  %m = arith.sitofp %n : i64 to f32
  %0 = arith.addf %a, %m : f32
  return %0 : f32
}

// Tuples of tensors that operations of Knossos and of Relay create and take, in one function.
// RUN: %kc run %s --entry languages --backend interpret --inputs '[[1, 2, 3]]' | FileCheck %s --check-prefix=LANGUAGES
// RUN: %kc run %s --entry languages --backend jit --inputs '[[1, 2, 3]]' | FileCheck %s --check-prefix=LANGUAGES
// x + x, added to x, three times the size.
// LANGUAGES: [6, 12, 18]
// CHECK-LABEL: func.func @languages(
// CHECK: scf.if %{{.*}} -> (tensor<?xf32>, tensor<?xf32>)
// CHECK-NOT: tuple
// CHECK-LABEL: func.func @unsigned(
func.func @languages(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = relay.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %t = relay.tuple(%x, %0) : (tensor<?xf32>, tensor<?xf32>) -> tuple<tensor<?xf32>, tensor<?xf32>>
  %1 = knossos.get %t[1] : tuple<tensor<?xf32>, tensor<?xf32>>
  %two = knossos.constant 2.0 : f32
  %y = knossos.ts_scale %two, %1 : f32, tensor<?xf32>
  %u = knossos.tuple(%0, %y) : (tensor<?xf32>, tensor<?xf32>) -> tuple<tensor<?xf32>, tensor<?xf32>>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %c = arith.cmpi ugt, %n, %c0 : index
  %v = scf.if %c -> (tuple<tensor<?xf32>, tensor<?xf32>>) {
    scf.yield %u : tuple<tensor<?xf32>, tensor<?xf32>>
  } else {
    scf.yield %t : tuple<tensor<?xf32>, tensor<?xf32>>
  }
  %2 = relay.get %v[0] : tuple<tensor<?xf32>, tensor<?xf32>>
  %3 = relay.get %v[1] : tuple<tensor<?xf32>, tensor<?xf32>>
  %4 = relay.add %2, %3 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %4 : tensor<?xf32>
}

// Unsigned integers become signless.
// RUN: %kc run %s --entry unsigned --backend interpret --inputs '[[200, 2, 3], true]' | FileCheck %s --check-prefix=UNSIGNED
// RUN: %kc run %s --entry unsigned --backend jit --inputs '[[200, 2, 3], true]' | FileCheck %s --check-prefix=UNSIGNED
// UNSIGNED: [100, 1, 1]
// CHECK-SAME: %{{.*}}: tensor<3xi8> {{{.*}}}, %{{.*}}: i1) -> (tensor<3xi8> {{{.*}}})
// CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (tensor<3xi8>, i1) -> tensor<3xi8>
func.func @unsigned(%x: tensor<3xui8>, %c: i1) -> tensor<3xui8> {
  %no = arith.constant false
  %two = relay.constant dense<2> : tensor<ui8>
  %r = scf.while (%a = %x, %again = %c) : (tensor<3xui8>, i1) -> tensor<3xui8> {
    scf.condition(%again) %a : tensor<3xui8>
  } do {
  ^bb0(%b: tensor<3xui8>):
    %half = relay.divide %b, %two : (tensor<3xui8>, tensor<ui8>) -> tensor<3xui8>
    scf.yield %half, %no : tensor<3xui8>, i1
  }
  return %r : tensor<3xui8>
}

// A region with several blocks in a function of the language: a block in front of the one that defines what it uses, and one
// that is unreachable.
// RUN: %kc run %s --entry region --backend interpret --inputs '[[1, 2, 3], true]' | FileCheck %s --check-prefix=REGION
// RUN: %kc run %s --entry region --backend jit --inputs '[[1, 2, 3], true]' | FileCheck %s --check-prefix=REGION
// REGION: [4, 8, 12]
// CHECK-LABEL: func.func @region(
// CHECK: scf.execute_region -> (tensor<3xf32>, tensor<3xf32>)
// CHECK: cf.cond_br %{{.*}}, ^[[A:.*]], ^[[B:.*]](%{{.*}}, %{{.*}} : tensor<3xf32>, tensor<3xf32>)
relay.func @region(%x: tensor<3xf32>, %c: i1) -> tensor<3xf32> {
  %t = relay.tuple(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tuple<tensor<3xf32>, tensor<3xf32>>
  %0 = scf.execute_region -> tuple<tensor<3xf32>, tensor<3xf32>> {
    cf.br ^first
  ^last(%r: tuple<tensor<3xf32>, tensor<3xf32>>):
    scf.yield %r : tuple<tensor<3xf32>, tensor<3xf32>>
  ^second:
    %u = relay.get %s[0] : tuple<tensor<3xf32>, tensor<3xf32>>
    %v = relay.add %u, %u : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %w = relay.tuple(%u, %v) : (tensor<3xf32>, tensor<3xf32>) -> tuple<tensor<3xf32>, tensor<3xf32>>
    cf.br ^last(%w : tuple<tensor<3xf32>, tensor<3xf32>>)
  ^unreachable:
    %d = relay.get %later[0] : tuple<tensor<3xf32>, tensor<3xf32>>
    cf.br ^defined(%d : tensor<3xf32>)
  ^defined(%e: tensor<3xf32>):
    %f = relay.add %e, %e : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %later = relay.tuple(%f, %e) : (tensor<3xf32>, tensor<3xf32>) -> tuple<tensor<3xf32>, tensor<3xf32>>
    cf.br ^unreachable
  ^first:
    %y = relay.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %s = relay.tuple(%y, %x) : (tensor<3xf32>, tensor<3xf32>) -> tuple<tensor<3xf32>, tensor<3xf32>>
    cf.cond_br %c, ^second, ^last(%t : tuple<tensor<3xf32>, tensor<3xf32>>)
  }
  %1 = relay.get %0[1] : tuple<tensor<3xf32>, tensor<3xf32>>
  relay.return %1 : tensor<3xf32>
}

// A value without components: the empty tuple.
// RUN: %kc run %s --entry nothing --backend interpret --inputs '[true]' | FileCheck %s --check-prefix=NOTHING
// RUN: %kc run %s --entry nothing --backend jit --inputs '[true]' | FileCheck %s --check-prefix=NOTHING
// NOTHING: 1
// CHECK-LABEL: func.func @nothing(
// CHECK-NOT: tuple
// CHECK: scf.if
func.func @nothing(%c: i1) -> i64 {
  %unit = knossos.tuple() : () -> tuple<>
  %u = scf.if %c -> (tuple<>) {
    scf.yield %unit : tuple<>
  } else {
    scf.yield %unit : tuple<>
  }
  %same = knossos.eq %u, %unit : tuple<>
  %0 = arith.extui %same : i1 to i64
  return %0 : i64
}
