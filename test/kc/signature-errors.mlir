// Structures without a JSON form are rejected before the program runs.
// RUN: not %kc run %s --entry bytes --backend interpret 2>&1 | FileCheck %s --check-prefix=BYTES
// BYTES: error: values in the structure of 'sip' have no form in JSON: inputs["\xff"] has a key that is not UTF-8
func.func @bytes(%a: i64 {minoan.index_path = ["\FF"]}) -> i64 {
  return %a : i64
}

// RUN: not %kc run %s --entry sparse --backend interpret 2>&1 | FileCheck %s --check-prefix=SPARSE
// SPARSE: error: values in the structure of 'sip' have no form in JSON: results[2000000000] follows too large a key
func.func @sparse() -> (i64 {minoan.index_path = [2000000000]}) {
  %0 = arith.constant 1 : i64
  return %0 : i64
}

// A gap in a sequence is null.
// RUN: echo '[null, 1]' | %kc run %s --entry gap --inputs - --backend interpret | FileCheck %s --check-prefix=GAP
// GAP: {{^}}1{{$}}
// RUN: echo '[2, 1]' | not %kc run %s --entry gap --inputs - --backend interpret 2>&1 | FileCheck %s --check-prefix=FILLED
// FILLED: error: argument [0]: expected null for the unused index
// RUN: echo '[null]' | not %kc run %s --entry gap --inputs - --backend interpret 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: error: argument [1]: missing: expected an integer
func.func @gap(%a: i64 {minoan.index_path = [1]}) -> i64 {
  return %a : i64
}

// Types that the raw ABI lacks are warnings.
// RUN: %kc signature %s 2>&1 | FileCheck %s --check-prefix=WARNING
// WARNING: warning: Argument #0 of function unknown is not a recognized public ABI type and the function may not be invokable by standard tools
func.func @unknown(%a: index) {
  return
}
