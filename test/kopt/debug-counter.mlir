// Running a pass on an operation is a step that can be left out.
// RUN: %kopt %s --canonicalize --mlir-debug-counter=pass-execution-count=0 --mlir-print-debug-counter 2>%t.err | FileCheck %s --check-prefix=NONE
// NONE: muli
// NONE: muli
// RUN: FileCheck %s --check-prefix=REPORT < %t.err
// REPORT: DebugCounter counters:
// REPORT: pass-execution                  : {1,0,0}
// RUN: %kopt %s --pass-pipeline="builtin.module(func.func(canonicalize))" --mlir-debug-counter=pass-execution-skip=1,pass-execution-count=1 --mlir-print-debug-counter 2>%t.err | FileCheck %s --check-prefix=SECOND
// SECOND: @a
// SECOND: muli
// SECOND: @b
// SECOND-NOT: muli
// SECOND: @c
// SECOND: muli
// RUN: FileCheck %s --check-prefix=SECOND-REPORT < %t.err
// SECOND-REPORT: pass-execution                  : {3,1,1}
// RUN: not %kopt %s --mlir-debug-counter=pass-execution-some=1 2>&1 | FileCheck %s --check-prefix=SUFFIX
// SUFFIX: error: expected DebugCounter counter name to end with either `-skip` or `-count`, but got `pass-execution-some`
// RUN: not %kopt %s --mlir-debug-counter=pass-execution 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: expected DebugCounter argument to have an `=` separating the counter name and value, but the provided argument was: `pass-execution`
func.func @a(%a: i32) {
  %0 = arith.muli %a, %a : i32
  return
}
func.func @b(%a: i32) {
  %0 = arith.muli %a, %a : i32
  return
}
func.func @c(%a: i32) {
  %0 = arith.muli %a, %a : i32
  return
}
