// Wrong pipelines are explained.
// RUN: not %kopt %s --pass-pipeline='builtin.modul(cse)' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: error: can't run 'builtin.modul' pass manager on 'builtin.module' op
// ANCHOR: = help: did you mean 'builtin.module'?
// RUN: not %kopt %s --pass-pipeline='func.func(cse)' 2>&1 | FileCheck %s --check-prefix=NEST
// NEST: error: can't run 'func.func' pass manager on 'builtin.module' op
// NEST: = help: 'builtin.module(func.func(...))' runs the passes on each 'func.func' op of the module
// RUN: not %kopt %s --pass-pipeline='builtin.module(canonicalize{max-iterations=3)' 2>&1 | FileCheck %s --check-prefix=BRACE
// BRACE: error: missing closing '}' while processing pass options
// BRACE-NEXT: <pass-pipeline>:1:28
// RUN: not %kopt %s --canonicalize='{max-iterations=3' 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: expected the name of an option of pass 'canonicalize'
// RUN: not %kopt %s --take-destinations=functions=ff 2>&1 | FileCheck %s --check-prefix=FUNCTION
// FUNCTION: error: there is no function 'ff' to take destinations
// FUNCTION: = help: did you mean 'f'?

// Passes on operations that do not exist would silently do nothing.
// RUN: %kopt %s --pass-pipeline='builtin.module(func.fun(cse),any(cse))' -o - 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=UNKNOWN < %t.err
// CHECK: func.func @f
// UNKNOWN: warning: no loaded dialect has an operation 'func.fun', so the passes nested on it do not run
// UNKNOWN: = help: did you mean 'func.func'?
func.func @f() {
  return
}
