// Function values whose signatures have types that lowering changes: constants, calls, and operations that forward them.

// RUN: %kopt %s --lower | FileCheck %s
// RUN: %kc run %s --entry choose --backend interpret --inputs '[true, 2, 3]' | FileCheck %s --check-prefix=FIRST
// RUN: %kc run %s --entry choose --backend jit --inputs '[true, 2, 3]' | FileCheck %s --check-prefix=FIRST
// FIRST: {{^}}(2, 2)
// RUN: %kc run %s --entry choose --backend interpret --inputs '[false, 2, 3]' | FileCheck %s --check-prefix=LAST
// RUN: %kc run %s --entry choose --backend jit --inputs '[false, 2, 3]' | FileCheck %s --check-prefix=LAST
// LAST: {{^}}(3, 3)
// CHECK-LABEL: func.func @choose(
// CHECK: %[[F:.*]] = constant @first : (f32, f32) -> f32
// CHECK: %[[G:.*]] = constant @last : (f32, f32) -> f32
// CHECK: %[[H:.*]] = arith.select %{{.*}}, %[[F]], %[[G]] : (f32, f32) -> f32
// CHECK: call_indirect %[[H]](%{{.*}}, %{{.*}}) : (f32, f32) -> f32
// CHECK: call @apply(%[[H]], %{{.*}}, %{{.*}}) : ((f32, f32) -> f32, f32, f32) -> f32
func.func @choose(%c: i1, %x: f32, %y: f32) -> (f32, f32) {
  %f = func.constant @first : (tuple<f32, f32>) -> f32
  %g = func.constant @last : (tuple<f32, f32>) -> f32
  %h = arith.select %c, %f, %g : (tuple<f32, f32>) -> f32
  %t = knossos.tuple(%x, %y) : (f32, f32) -> tuple<f32, f32>
  %0 = func.call_indirect %h(%t) : (tuple<f32, f32>) -> f32
  %1 = func.call @apply(%h, %t) : ((tuple<f32, f32>) -> f32, tuple<f32, f32>) -> f32
  return %0, %1 : f32, f32
}

func.func private @apply(%f: (tuple<f32, f32>) -> f32, %t: tuple<f32, f32>) -> f32 attributes {no_inline} {
  %0 = func.call_indirect %f(%t) : (tuple<f32, f32>) -> f32
  return %0 : f32
}

func.func private @first(%t: tuple<f32, f32>) -> f32 {
  %0 = knossos.get %t[0] : tuple<f32, f32>
  return %0 : f32
}

func.func private @last(%t: tuple<f32, f32>) -> f32 {
  %0 = knossos.get %t[1] : tuple<f32, f32>
  return %0 : f32
}

// A function that returns a tuple, in a function of the language; a function value that a function returns.
// RUN: %kc run %s --entry swap --backend interpret --inputs '[2, 3]' | FileCheck %s --check-prefix=SWAP
// RUN: %kc run %s --entry swap --backend jit --inputs '[2, 3]' | FileCheck %s --check-prefix=SWAP
// SWAP: {{^}}1.5
// CHECK-LABEL: func.func @swap(
// CHECK: %[[MAKE:.*]] = constant @make : () -> ((f32, f32) -> (f32, f32))
// CHECK: %[[S:.*]] = call_indirect %[[MAKE]]() : () -> ((f32, f32) -> (f32, f32))
// CHECK: %{{.*}}:2 = call_indirect %[[S]](%{{.*}}, %{{.*}}) : (f32, f32) -> (f32, f32)
knossos.func @swap(%x: f32, %y: f32) -> f32 {
  %make = func.constant @make : () -> ((tuple<f32, f32>) -> tuple<f32, f32>)
  %f = func.call_indirect %make() : () -> ((tuple<f32, f32>) -> tuple<f32, f32>)
  %t = knossos.tuple(%x, %y) : (f32, f32) -> tuple<f32, f32>
  %u = func.call_indirect %f(%t) : (tuple<f32, f32>) -> tuple<f32, f32>
  %a = knossos.get %u[0] : tuple<f32, f32>
  %b = knossos.get %u[1] : tuple<f32, f32>
  %0 = knossos.prelude "div"(%a, %b) : (f32, f32) -> f32
  knossos.return %0 : f32
}

func.func private @make() -> ((tuple<f32, f32>) -> tuple<f32, f32>) attributes {no_inline} {
  %f = func.constant @swapped : (tuple<f32, f32>) -> tuple<f32, f32>
  return %f : (tuple<f32, f32>) -> tuple<f32, f32>
}

func.func private @swapped(%t: tuple<f32, f32>) -> tuple<f32, f32> attributes {no_inline} {
  %a = knossos.get %t[0] : tuple<f32, f32>
  %b = knossos.get %t[1] : tuple<f32, f32>
  %r = knossos.tuple(%b, %a) : (f32, f32) -> tuple<f32, f32>
  return %r : tuple<f32, f32>
}
