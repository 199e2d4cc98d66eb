// RUN: %kopt %s | FileCheck %s
// RUN: %kopt %s | %kopt | FileCheck %s
// RUN: %kopt %s --mlir-print-op-generic | %kopt | FileCheck %s
// CHECK-LABEL: func.func @assertion
func.func @assertion(%c: i1) {
  // CHECK: cf.assert %{{.*}}, "it holds"
  cf.assert %c, "it holds"
  // CHECK: cf.assert %{{.*}}, "with \22quotes\22" {note}
  cf.assert %c, "with \"quotes\"" {note}
  return
}

// CHECK-LABEL: func.func @branches
func.func @branches(%c: i1, %a: i32, %x: f32) {
  // CHECK: cf.br ^bb1
  cf.br ^bb1
^bb1:
  // CHECK: cf.br ^bb2(%{{.*}}, %{{.*}} : i32, f32)
  cf.br ^bb2(%a, %x : i32, f32)
^bb2(%p: i32, %q: f32):
  // CHECK: cf.cond_br %{{.*}}, ^bb1, ^bb3(%{{.*}} : i32)
  cf.cond_br %c, ^bb1, ^bb3(%p : i32)
^bb3(%r: i32):
  // CHECK: cf.cond_br %{{.*}} weights([1, 7]), ^bb2(%{{.*}}, %{{.*}} : i32, f32), ^bb4 {note}
  cf.cond_br %c weights([1, 7]), ^bb2(%r, %q : i32, f32), ^bb4 {note}
^bb4:
  return
}

// CHECK-LABEL: func.func @switches
func.func @switches(%a: i32, %b: i64) {
  // CHECK: cf.switch %{{.*}} : i32, [
  // CHECK-NEXT: default: ^bb1(%{{.*}} : i32),
  // CHECK-NEXT: 42: ^bb2(%{{.*}}, %{{.*}} : i32, i64),
  // CHECK-NEXT: 4294967295: ^bb3
  // CHECK-NEXT: ]
  cf.switch %a : i32, [
    default: ^bb1(%a : i32),
    42: ^bb2(%a, %b : i32, i64),
    -1: ^bb3
  ]
^bb1(%p: i32):
  // CHECK: cf.switch %{{.*}} : i64, [
  // CHECK-NEXT: default: ^bb3] {note}
  cf.switch %b : i64, [
    default: ^bb3
  ] {note}
^bb2(%q: i32, %r: i64):
  // CHECK: cf.switch %{{.*}} : i32, [
  // CHECK-NEXT: default: ^bb3,
  // CHECK-NEXT: 1: ^bb3
  // CHECK-NEXT: ]
  cf.switch %a : i32, [
    default: ^bb3,
    1: ^bb3
  ]
^bb3:
  return
}

// Numbers of cases are taken modulo the width of the flag.
// CHECK-LABEL: func.func @wrapped_cases
func.func @wrapped_cases(%flag: i8, %unsigned: ui16) {
  // CHECK: cf.switch %{{.*}} : i8, [
  // CHECK-NEXT: default: ^bb1,
  // CHECK-NEXT: 1: ^bb2,
  // CHECK-NEXT: 0: ^bb2,
  // CHECK-NEXT: 240: ^bb2
  cf.switch %flag : i8, [
    default: ^bb1,
    257: ^bb2,
    -0: ^bb2,
    -0x10: ^bb2
  ]
^bb1:
  // CHECK: cf.switch %{{.*}} : ui16, [
  // CHECK-NEXT: default: ^bb2,
  // CHECK-NEXT: 65535: ^bb2
  cf.switch %unsigned : ui16, [
    default: ^bb2,
    -1: ^bb2
  ]
^bb2:
  return
}
