// Reduces a module while a command exits with 0, as for llvm-reduce, or with another code.
// RUN: %kreduce %s -- bash -c 'grep -q arith.divsi $0' | FileCheck %s
// RUN: %kreduce %s --exit-code 3 -- bash -c 'if grep -q arith.divsi $0; then exit 3; fi' | FileCheck %s
// RUN: %kreduce %s --exit-code 134 -- bash -c 'if grep -q arith.divsi $0; then kill -ABRT $$; fi' | FileCheck %s
// RUN: %kreduce %s --stderr 'found a division' -- bash -c 'grep -q arith.divsi $0 && echo found a division >&2' 2>&1 | FileCheck %s
// RUN: not %kreduce %s --stderr 'no such text' -- true 2>&1 | FileCheck %s --check-prefix=NO-MATCH
// RUN: not %kreduce %s -- /no/such/command 2>&1 | FileCheck %s --check-prefix=NO-COMMAND

// CHECK: module {
// CHECK-NEXT: func.func @main(%arg0: i64, %arg1: i64) -> i64 {
// CHECK-NEXT: %0 = arith.divsi %arg0, %arg{{[01]}} : i64
// CHECK-NEXT: return %arg0 : i64
// CHECK-NEXT: }
// CHECK-NEXT: }

// The sense of the command is checked on the input and on the empty module.
// RUN: not %kreduce %s -- bash -c 'if grep -q arith.divsi $0; then echo found it >&2; exit 3; fi' 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: the input is not interesting: expected exit code 0, found 3
// WRONG: note: standard error: found it
// WRONG: help: '--exit-code=3' reduces while the command exits with 3
// RUN: %kreduce %s -- true 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: warning: the empty module is interesting, too
// EMPTY: help: the command should exit with 0 only if the module shows the bug
// EMPTY: operations became 0

// NO-MATCH: error: the input is not interesting: standard error does not match 'no such text'
// NO-COMMAND: error: cannot run '/no/such/command'

func.func private @helper(%x: i64) -> i64 {
  return %x : i64
}

func.func @main(%x: i64, %y: i64) -> i64 {
  %0 = arith.addi %x, %y : i64
  %c = arith.cmpi slt, %0, %y : i64
  %1 = scf.if %c -> (i64) {
    %2 = func.call @helper(%0) : (i64) -> i64
    %3 = arith.divsi %2, %y : i64
    scf.yield %3 : i64
  } else {
    scf.yield %x : i64
  }
  return %1 : i64
}
