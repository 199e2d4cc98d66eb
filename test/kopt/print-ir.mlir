// Before and after passes, each printing under its line.
// RUN: %kopt %s --mlir-print-ir-before=canonicalize --pass-pipeline="builtin.module(func.func(canonicalize,cse))" -o %t 2>&1 | FileCheck %s --check-prefix=BEFORE
// BEFORE: {{^}}// -----// IR Dump Before canonicalize //----- //{{$}}
// BEFORE-NEXT: {{^}}func.func @a
// BEFORE-NEXT: muli
// BEFORE: {{^}}// -----// IR Dump Before canonicalize //----- //{{$}}
// BEFORE-NEXT: {{^}}func.func @b
// BEFORE-NOT: IR Dump
// RUN: %kopt %s --mlir-print-ir-after=cse,canonicalize --pass-pipeline="builtin.module(func.func(canonicalize,cse))" -o %t 2>&1 | FileCheck %s --check-prefix=AFTER
// AFTER: IR Dump After canonicalize
// AFTER-NEXT: func.func @a
// AFTER-NEXT: return
// AFTER: IR Dump After cse
// AFTER-NEXT: func.func @a
// AFTER: IR Dump After canonicalize
// AFTER-NEXT: func.func @b
// AFTER: IR Dump After cse
// AFTER-NEXT: func.func @b
// Only where something changed; alone, after all passes that changed something.
// RUN: %kopt %s --mlir-print-ir-after-all --mlir-print-ir-after-change --pass-pipeline="builtin.module(func.func(canonicalize,cse))" -o %t 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: %kopt %s --mlir-print-ir-after-change --pass-pipeline="builtin.module(func.func(canonicalize,cse))" -o %t 2>&1 | FileCheck %s --check-prefix=CHANGE
// CHANGE: IR Dump After canonicalize
// CHANGE-NEXT: func.func @a
// CHANGE-NOT: IR Dump
// The whole module.
// RUN: %kopt %s --mlir-print-ir-before-all --mlir-print-ir-module-scope --pass-pipeline="builtin.module(func.func(cse))" -o %t 2>&1 | FileCheck %s --check-prefix=MODULE
// MODULE: {{^}}// -----// IR Dump Before cse ('func.func' operation: @a) //----- //
// MODULE-NEXT: {{^}}module {
// MODULE-NEXT: func.func @a
// MODULE: {{^}}// -----// IR Dump Before cse ('func.func' operation: @b) //----- //
// MODULE-NEXT: {{^}}module {
// MODULE-NEXT: func.func @a
// Files in folders like the operations.
// RUN: rm -rf %t.tree
// RUN: %kopt %s --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%t.tree --pass-pipeline="builtin.module(func.func(canonicalize,cse),symbol-dce)" -o %t 2>%t.err
// RUN: count 0 < %t.err
// RUN: FileCheck %s --check-prefix=TREE --input-file=%t.tree/builtin_module_no-symbol-name/func_func_a/0_0_canonicalize.mlir
// TREE: {{^}}// -----// IR Dump After canonicalize //----- //
// TREE-NEXT: func.func @a
// TREE-NEXT: return
// RUN: ls %t.tree/builtin_module_no-symbol-name %t.tree/builtin_module_no-symbol-name/func_func_b | FileCheck %s --check-prefix=FILES
// FILES: {{[0-9]+}}_symbol-dce.mlir
// FILES: 0_0_canonicalize.mlir
// FILES: 0_1_cse.mlir
// A pass that there is not.
// RUN: not %kopt %s --mlir-print-ir-after=canonicalise 2>&1 | FileCheck %s --check-prefix=NEAR
// NEAR: error: for the --mlir-print-ir-after option: there is no pass 'canonicalise'
// NEAR: did you mean 'canonicalize'?
// IR printing disables threading, so that the order is that of the text.
func.func @a(%a: i32) {
  %0 = arith.muli %a, %a : i32
  return
}
func.func @b() {
  return
}
