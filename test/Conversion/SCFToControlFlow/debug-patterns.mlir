// Which patterns a conversion applies to illegal operations, and their effects.
// RUN: %kopt %s --convert-scf-to-cf --debug-patterns -o /dev/null 2>&1 | FileCheck %s
// CHECK: convert-scf-to-cf on 'func.func' @f
// CHECK: {{^}}scf.while #
// CHECK-NEXT: {{^}}  pattern 'do-while-to-branches': the second region is not empty
// CHECK-NEXT: {{^}}  pattern 'while-to-branches': applied
// CHECK: {{^}}    insert cf.
// CHECK: {{^}}    erase scf.while #
func.func @f(%x: i32) -> i32 {
  %0 = scf.while (%a = %x) : (i32) -> i32 {
    %p = arith.cmpi slt, %a, %x : i32
    scf.condition(%p) %a : i32
  } do {
  ^bb0(%b: i32):
    %c = arith.addi %b, %x : i32
    scf.yield %c : i32
  }
  return %0 : i32
}
