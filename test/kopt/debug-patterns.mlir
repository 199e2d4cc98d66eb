// Which patterns are applied to which operations, in an order that is independent of threads.
// RUN: %kopt %s --canonicalize --debug-patterns -o %t 2>%t.log
// RUN: FileCheck %s < %t.log
// CHECK: canonicalize on 'func.func' @a
// CHECK-NEXT: iteration 1
// CHECK: {{^}}arith.addi #
// CHECK: {{^}}  pattern 'arith-add-add-constant': operand 0 of AddI is no AddI
// CHECK: {{^}}  pattern 'arith-add-add-constant': applied
// CHECK: {{^}}    insert arith.
// CHECK: canonicalize on 'func.func' @b
// RUN: %kopt %s --canonicalize --debug-patterns --mlir-disable-threading -o %t 2>%t.again.log
// RUN: diff %t.log %t.again.log
// The trace agrees with the statistics.
// RUN: %kopt %s --canonicalize --debug-patterns --mlir-pass-statistics -o %t 2>%t.with
// RUN: %kopt %s --canonicalize --mlir-pass-statistics -o %t 2>%t.without
// RUN: grep "(S)" %t.with > %t.1
// RUN: grep "(S)" %t.without | diff %t.1 -
func.func @a(%a: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %0 = arith.addi %a, %c1 : i32
  %1 = arith.addi %0, %c1 : i32
  return %1 : i32
}
func.func @b() {
  return
}
