// Operations of dialects that are not loaded, whose regions may use values before they are defined.

// RUN: %kopt %s --allow-unregistered-dialect --lower | FileCheck %s

// CHECK-LABEL: func.func @language(
// CHECK: "some.graph"() ({
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[X:.*]], %[[X]] : f32
// CHECK-NEXT: "some.use"(%[[SUM]], %[[PRODUCT:.*]]) : (f32, f32) -> ()
// CHECK-NEXT: %[[PRODUCT]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK-NEXT: })
knossos.func @language(%x: f32) -> f32 {
  "some.graph"() ({
    %u = knossos.get %t[0] : tuple<f32, f32>
    %v = knossos.prelude "add"(%u, %x) : (f32, f32) -> f32
    "some.use"(%v, %w) : (f32, f32) -> ()
    %t = knossos.tuple(%x, %w) : (f32, f32) -> tuple<f32, f32>
    %w = knossos.prelude "mul"(%x, %x) : (f32, f32) -> f32
  }) : () -> ()
  knossos.return %x : f32
}

// CHECK-LABEL: func.func @other(
// CHECK: "some.graph"() ({
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[X:.*]], %[[X]] : f32
// CHECK-NEXT: "some.use"(%[[SUM]], %[[PRODUCT:.*]]) : (f32, f32) -> ()
// CHECK-NEXT: %[[PRODUCT]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK-NEXT: })
func.func @other(%x: f32) -> f32 {
  "some.graph"() ({
    %u = knossos.get %t[0] : tuple<f32, f32>
    %v = knossos.prelude "add"(%u, %x) : (f32, f32) -> f32
    "some.use"(%v, %w) : (f32, f32) -> ()
    %t = knossos.tuple(%x, %w) : (f32, f32) -> tuple<f32, f32>
    %w = knossos.prelude "mul"(%x, %x) : (f32, f32) -> f32
  }) : () -> ()
  return %x : f32
}

// A value of a type of the language that is defined in front of its use, but in a block behind it; unreachable blocks.
// CHECK-LABEL: func.func @blocks(
// CHECK-NOT: {{knossos|tuple|cast}}
func.func @blocks(%x: f32) -> f32 {
  cf.br ^second
^first:
  %a = knossos.prelude "add"(%d, %c) : (f32, f32) -> f32
  return %a : f32
^second:
  %b = knossos.prelude "mul"(%x, %x) : (f32, f32) -> f32
  %t = knossos.tuple(%b, %x) : (f32, f32) -> tuple<f32, f32>
  %c = knossos.get %t[0] : tuple<f32, f32>
  %d = knossos.get %t[1] : tuple<f32, f32>
  cf.br ^first
^unreachable:
  %e = knossos.get %u[0] : tuple<f32, f32>
  %f = knossos.prelude "add"(%e, %x) : (f32, f32) -> f32
  %u = knossos.tuple(%f, %x) : (f32, f32) -> tuple<f32, f32>
  cf.br ^unreachable
}
