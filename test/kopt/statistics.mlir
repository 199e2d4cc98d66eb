// Statistics by the nesting of the pipeline, and summed by pass.
// RUN: %kopt %s --mlir-pass-statistics --pass-pipeline="builtin.module(func.func(canonicalize,cse),canonicalize)" -o %t 2>&1 | FileCheck %s
// CHECK: {{^}}                         ... Pass statistics report ...{{$}}
// CHECK: {{^}}'func.func' Pipeline
// CHECK-NEXT: {{^}}  canonicalize
// CHECK: {{^}}    (S) 1 num-dead - dead operations erased
// CHECK: {{^}}  cse
// CHECK: {{^}}    (S) 1 num-cse'd
// CHECK: {{^}}canonicalize
// CHECK-NEXT: {{^}}  (S) 3 num-folded
// CHECK-NEXT: {{^}}  (S) 1 num-dead
// RUN: %kopt %s --mlir-pass-statistics --mlir-pass-statistics-display=list --pass-pipeline="builtin.module(func.func(canonicalize,cse),canonicalize)" -o %t 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: {{^}}canonicalize
// LIST: {{^}}  (S) 2 num-dead - dead operations erased
// LIST: {{^}}cse
// LIST: {{^}}  (S) 1 num-cse'd
// LIST-NOT: canonicalize
func.func @a(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %a, %b : i32
  %2 = arith.muli %a, %b : i32
  %3 = arith.subi %0, %1 : i32
  %4 = arith.muli %3, %b : i32
  return %4 : i32
}
