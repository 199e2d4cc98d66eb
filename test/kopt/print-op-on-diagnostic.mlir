// As mlir-opt shows it: the operation in generic form, with the numbers that values have in the function.
// RUN: not %kopt %s --diagnostic-format=line 2>&1 | FileCheck %s --match-full-lines --strict-whitespace --check-prefix=LINE
//      LINE:{{.*}}print-op-on-diagnostic.mlir:[[@LINE+33]]:10: error: 'arith.addi' op expected 2 operands, but found 1
// LINE-NEXT:    %2 = "arith.addi"(%1) : (i32) -> i32
// LINE-NEXT:         ^
// LINE-NEXT:{{.*}}print-op-on-diagnostic.mlir:[[@LINE+30]]:10: note: see current operation: %3 = "arith.addi"(%2) <{overflowFlags = #arith.overflow<none>}> : (i32) -> i32
// LINE-NEXT:{{.*}}print-op-on-diagnostic.mlir:[[@LINE+34]]:3: error: 'scf.if' op operand #0 must be 1-bit signless integer, but got 'i32'
// LINE-NEXT:  "scf.if"(%a) ({
// LINE-NEXT:  ^
// LINE-NEXT:{{.*}}print-op-on-diagnostic.mlir:[[@LINE+31]]:3: note: see current operation: 
// LINE-NEXT:"scf.if"(%arg0) ({
// LINE-NEXT:  %1 = "arith.addi"(%arg0, %arg0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
// LINE-NEXT:  "scf.yield"() : () -> ()
// LINE-NEXT:}, {
// LINE-NEXT:}) : (i32) -> ()

// With the lines of the source beside it, only where that is wanted.
// RUN: not %kopt %s 2>&1 | FileCheck %s --check-prefix=SNIPPET
// SNIPPET-NOT: see current operation
// RUN: not %kopt %s --mlir-print-op-on-diagnostic 2>&1 | FileCheck %s --check-prefix=ASKED
// ASKED: note: see current operation: %3 = "arith.addi"(%2)
// RUN: not %kopt %s --diagnostic-format=line --mlir-print-op-on-diagnostic=false 2>&1 | FileCheck %s --check-prefix=SNIPPET
// RUN: not %kopt %s --diagnostic-format=line --verify-diagnostics 2>&1 | FileCheck %s --check-prefix=SNIPPET

// The location of a diagnostic.
// RUN: not %kopt %s --mlir-print-stacktrace-on-diagnostic 2>&1 | FileCheck %s --check-prefix=TRACE
// TRACE: error: 'arith.addi' op expected 2 operands, but found 1
// TRACE: note: diagnostic emitted with trace:
// TRACE: minoan_ir::verify
// RUN: not %kopt %s 2>&1 | FileCheck %s --check-prefix=NO-TRACE
// NO-TRACE-NOT: with trace

func.func @f(%a: i32, %c: i1) -> i32 {
  %x = scf.if %c -> i32 {
    %1 = arith.addi %a, %a : i32
    %2 = "arith.addi"(%1) : (i32) -> i32
    scf.yield %2 : i32
  } else {
    scf.yield %a : i32
  }
  "scf.if"(%a) ({
    %1 = arith.addi %a, %a : i32
    scf.yield
  }, {}) : (i32) -> ()
  return %x : i32
}
