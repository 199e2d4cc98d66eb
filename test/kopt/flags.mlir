// Passes as flags run in the order given.
// RUN: %kopt %s --dce --inline --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: builtin.module(
// ORDER-NEXT: dce,
// ORDER-NEXT: inline
// ORDER: func.func @f(%arg0: i32) -> i32 {
// ORDER-NEXT: return %arg0
// RUN: not %kopt %s --dce --pass-pipeline="builtin.module(dce)" 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: '--pass-pipeline' option can't be used with individual pass options
// An option that the pass does not have.
// RUN: not %kopt %s --dce=x=1 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: <Pass-Options-Parser>: no such option x
// OPTION: note: pass 'dce' has no options
// RUN: %kopt %s --pass-pipeline="builtin.module(func.func(dce))" --mlir-print-ir-after=dce -o %t 2>&1 | FileCheck %s --check-prefix=AFTER
// AFTER: // -----// IR Dump After dce //----- //
// AFTER-NEXT: func.func @f
// RUN: %kopt %s --pass-pipeline="builtin.module(func.func(dce))" --mlir-timing -o %t 2>&1 | FileCheck %s --check-prefix=TIMING
// TIMING: ... Execution time report ...
// TIMING: Parser
// TIMING-NEXT: 'func.func' Pipeline
// TIMING: Output
// RUN: not %kopt %s --mlir-debug-counter=x=1 2>&1 | FileCheck %s --check-prefix=COUNTER
// COUNTER: error: expected DebugCounter counter name to end with either `-skip` or `-count`, but got `x`
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %a : i32
}
