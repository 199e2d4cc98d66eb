// RUN: %kopt %s --split-input-file --mlir-timing --pass-pipeline="builtin.module(func.func(cse,canonicalize),symbol-dce)" -o %t 2>&1 | FileCheck %s
// CHECK: {{^}}===----
// CHECK-NEXT: {{^}}                         ... Execution time report ...{{$}}
// CHECK-NEXT: {{^}}===----
// CHECK-NEXT: {{^}}  Total Execution Time: {{[0-9]+[.][0-9]+}} seconds
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}  ----Wall Time----  ----Name----
// CHECK-NEXT: {{^}}  {{ *[0-9]+[.][0-9]+}} ({{.*}}%)  Parser
// CHECK-NEXT: %)  'func.func' Pipeline
// CHECK-NEXT: %)    cse
// CHECK: %)    canonicalize
// CHECK: %)  symbol-dce
// CHECK: %)  Output
// CHECK-NEXT: %)  Rest
// CHECK-NEXT: (100.0%)  Total

// As a list: one line for each name, slowest first; parts of the input are added up.
// RUN: cat %s | %kopt --split-input-file --mlir-timing --mlir-timing-display=list --canonicalize --dce --canonicalize -o %t 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: ----Name----
// LIST-DAG: %)  Parser
// LIST-DAG: %)  canonicalize
// LIST-DAG: %)  dce
// LIST-DAG: %)  Output
// LIST-NOT: canonicalize
// LIST: %)  Rest
// LIST-NEXT: (100.0%)  Total

// As JSON, with the numbers that are said to be in it.
// RUN: %kopt %s --split-input-file --mlir-timing --mlir-output-format=json --pass-pipeline="builtin.module(func.func(cse,canonicalize))" -o %t 2>%t.json
// RUN: python3 %S/Inputs/check_timing.py %t.json
// RUN: %kopt %s --split-input-file --mlir-timing --mlir-output-format=json --mlir-timing-display=list --cse -o %t 2>%t.list.json
// RUN: python3 -c "import json, sys; times = json.load(open(sys.argv[1]))[:-2]; walls = [one['wall']['duration'] for one in times]; assert walls == sorted(walls, reverse=True) and not any('passes' in one for one in times)" %t.list.json

// Times are shown of a run that fails, too.
// RUN: echo "module {" | not %kopt --mlir-timing 2>&1 | FileCheck %s --check-prefix=FAILED
// FAILED: error:
// FAILED: %)  Parser
// FAILED: (100.0%)  Total
func.func @a(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}
// -----
func.func @b(%a: i32) -> i32 {
  return %a : i32
}
