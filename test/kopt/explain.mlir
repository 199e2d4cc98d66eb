// RUN: %kopt %s --inline --cse --explain=%t.html | FileCheck %s --check-prefix=IR
// RUN: FileCheck %s --check-prefix=PAGE < %t.html
// RUN: not %kopt %s --cse --explain=/no/such/folder/x.html -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-FILE
// RUN: %kopt %s --inline --remarks-filter=inl 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %kopt %s --inline --remarks-filter-missed=. 2>&1 | FileCheck %s --check-prefix=MISSED --implicit-check-not=Passed
// RUN: %kopt %s --inline --remarks-filter=no-such-pass 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %kopt %s --remarks-filter='(' 2>&1 | FileCheck %s --check-prefix=REGEX

// The output is that of a run without a page.
// IR: func.func @main
// IR-NOT: call @twice

// PAGE: <!doctype html>
// PAGE: <title>{{.*}}explain.mlir</title>
// PAGE: <script type="application/json" id="data">{"title":
// PAGE-SAME: func.func @main
// PAGE-SAME: "name":"inline"
// PAGE-SAME: '@twice' is inlined: 2 operations

// NO-FILE: error: cannot write '/no/such/folder/x.html'

// ALL-DAG: remark: [Passed] inline: '@twice' is inlined: 2 operations
// ALL-DAG: remark: [Missed] inline: '@again' is not inlined: it is recursive

// MISSED: remark: [Missed] inline: '@again' is not inlined: it is recursive

// NONE-NOT: remark:

// REGEX: error: invalid value '(' for '--remarks-filter <REGEX>': regex parse error

func.func private @twice(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}

func.func @again(%x: i32) -> i32 {
  %0 = call @again(%x) : (i32) -> i32
  return %0 : i32
}

func.func @main(%x: i32) -> i32 {
  %0 = call @twice(%x) : (i32) -> i32
  %1 = call @again(%0) : (i32) -> i32
  return %1 : i32
}
