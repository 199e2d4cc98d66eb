// Spans of the driver and of passes, in Chrome's trace format.
// RUN: %kopt %s --pass-pipeline="builtin.module(func.func(cse,canonicalize))" --trace-file=%t.json -o %t
// RUN: python3 %S/Inputs/check_trace.py %t.json
// RUN: not %kopt %s --trace-file=%t/no/such/folder.json 2>&1 | FileCheck %s
// CHECK: error: cannot write a trace to '{{.*}}folder.json':
func.func @a() {
  return
}
func.func @b() {
  return
}
