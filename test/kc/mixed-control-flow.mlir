// Control flow of other dialects that forwards values whose types lowering changes.

// RUN: %kopt %s --lower | FileCheck %s

// The attributes of an argument or result are those of each component.
// CHECK: func.func private @external(f32, f32, i64 {test.argument}) -> (f32 {test.result})
// CHECK-LABEL: func.func @declaration(
// CHECK: call @external(%{{.*}}, %{{.*}}, %{{.*}}) : (f32, f32, i64) -> f32
func.func private @external(tuple<f32, f32>, i64 {test.argument}) -> (tuple<f32> {test.result})
func.func @declaration(%x: f32, %i: i64) -> f32 {
  %t = knossos.tuple(%x, %x) : (f32, f32) -> tuple<f32, f32>
  %r = func.call @external(%t, %i) : (tuple<f32, f32>, i64) -> tuple<f32>
  %0 = knossos.get %r[0] : tuple<f32>
  return %0 : f32
}

// A string, which becomes a tensor.
// RUN: %kc run %s --entry strings --backend interpret --inputs '[true]' | FileCheck %s --check-prefix=STRINGS
// RUN: %kc run %s --entry strings --backend jit --inputs '[true]' | FileCheck %s --check-prefix=STRINGS
// STRINGS: abc1
// CHECK-LABEL: func.func @strings(
// CHECK: scf.if %{{.*}} -> (tensor<?xi8>)
func.func @strings(%c: i1) -> i64 {
  %s = knossos.string "abc"
  %t = knossos.string "de"
  %r = scf.if %c -> (!knossos.string) {
    scf.yield %s : !knossos.string
  } else {
    scf.yield %t : !knossos.string
  }
  %0 = knossos.print %r : !knossos.string
  return %0 : i64
}

// Switches.
// RUN: %kc run %s --entry switches --backend interpret --inputs '[1, 7, 3]' | FileCheck %s --check-prefix=PRODUCT
// RUN: %kc run %s --entry switches --backend jit --inputs '[1, 7, 3]' | FileCheck %s --check-prefix=PRODUCT
// PRODUCT: 18
// RUN: %kc run %s --entry switches --backend interpret --inputs '[2, 7, 3]' | FileCheck %s --check-prefix=FORWARDED
// RUN: %kc run %s --entry switches --backend jit --inputs '[2, 7, 3]' | FileCheck %s --check-prefix=FORWARDED
// FORWARDED: 6
// CHECK-LABEL: func.func @switches(
// CHECK: scf.index_switch %{{.*}} -> f32, f32
// CHECK: cf.switch %{{.*}} : i32, [
// CHECK-NEXT: default: ^bb1(%{{.*}}, %{{.*}} : f32, f32),
// CHECK-NEXT: 1: ^bb2(%{{.*}}, %{{.*}}, %{{.*}} : f32, f32, f32),
// CHECK-NEXT: 2: ^bb1(%{{.*}}, %{{.*}} : f32, f32)
func.func @switches(%i: i32, %k: index, %x: f32) -> f32 {
  %t = knossos.tuple(%x, %x) : (f32, f32) -> tuple<f32, f32>
  %z = scf.index_switch %k -> tuple<f32, f32>
  case 2 {
    scf.yield %t : tuple<f32, f32>
  }
  default {
    %y = arith.addf %x, %x : f32
    %u = knossos.tuple(%y, %x) : (f32, f32) -> tuple<f32, f32>
    scf.yield %u : tuple<f32, f32>
  }
  cf.switch %i : i32, [
    default: ^bb1(%t : tuple<f32, f32>),
    1: ^bb2(%z, %x : tuple<f32, f32>, f32),
    2: ^bb1(%z : tuple<f32, f32>)
  ]
^bb1(%a: tuple<f32, f32>):
  %0 = knossos.get %a[0] : tuple<f32, f32>
  return %0 : f32
^bb2(%b: tuple<f32, f32>, %c: f32):
  %1 = knossos.get %b[0] : tuple<f32, f32>
  %2 = arith.mulf %1, %c : f32
  return %2 : f32
}

// A region with several blocks in a region of the language.
// RUN: %kc run %s --entry nested --backend interpret --inputs '[3]' | FileCheck %s --check-prefix=NESTED
// RUN: %kc run %s --entry nested --backend jit --inputs '[3]' | FileCheck %s --check-prefix=NESTED
// NESTED: [9, 9]
// CHECK-LABEL: func.func @nested(
// CHECK: scf.execute_region -> tensor<?xf32>
knossos.func @nested(%n: i64) -> tensor<?xf32> {
  %s = knossos.sumbuild %n {
  ^bb0(%i: i64):
    %v = scf.execute_region -> tensor<?xf32> {
      cf.br ^first
    ^last:
      %q = knossos.get %p[1] : tuple<i64, tensor<?xf32>>
      scf.yield %q : tensor<?xf32>
    ^first:
      %k = knossos.constant 2 : i64
      %f = knossos.constant 3.0 : f32
      %w = knossos.const_vec %f[%k] : tensor<?xf32>
      %p = knossos.tuple(%k, %w) : (i64, tensor<?xf32>) -> tuple<i64, tensor<?xf32>>
      cf.br ^last
    }
    knossos.yield %v : tensor<?xf32>
  } : tensor<?xf32>
  knossos.return %s : tensor<?xf32>
}
