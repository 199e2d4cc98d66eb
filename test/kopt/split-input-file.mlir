// Each part is processed independently; an error in one does not stop the others. Lines are those of the file.
// RUN: not %kopt %s --split-input-file 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERR < %t.err
// One dash is as good as two.
// RUN: not %kopt %s -split-input-file 2>%t.err2 | FileCheck %s
// RUN: diff %t.err %t.err2
// Standard input is split as well.
// RUN: not %kopt - --split-input-file < %s 2>&1 | FileCheck %s --check-prefix=STDIN
// STDIN: <stdin>:[[#@LINE+11]]:3
// With a failure in some part no file is written, with --verify-diagnostics it is.
// RUN: rm -f %t.out
// RUN: not %kopt %s --split-input-file -o %t.out 2>&1
// RUN: not ls %t.out
// CHECK-LABEL: func.func @a
func.func @a() {
  return
}
// -----
func.func @b() {
  foo.bar
  return
}
// ERR: error: Dialect `foo' not found for custom op 'foo.bar'
// ERR-NEXT: split-input-file.mlir:[[#@LINE-4]]:3
// CHECK: {{^}}// -----
// CHECK-NEXT: {{^}}// -----
// -----
// CHECK-NOT: @b
// CHECK: func.func @c
func.func @c() {
  return
}
// -----
func.func @d() {
  %0 = "arith.addi"() : () -> i32
  return
}
// The verifier's errors show their lines as well.
// ERR: error: 'arith.addi' op expected 2 operands, but found 0
// ERR-NEXT: split-input-file.mlir:[[#@LINE-5]]:8
// ERR-NEXT: |
// ERR-NEXT: [[#@LINE-7]] |   %0 = "arith.addi"
