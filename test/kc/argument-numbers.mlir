// Arguments are counted from 1 in all messages, also if there is only one.
// RUN: not %kc run %s --entry only --inputs '[[1, "a"]]' 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not %kc run %s --entry only --inputs '[1, "a"]' 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: error: argument 1[1]: expected a number (float32), found the string "a"
// RUN: not %kc run %s --entry narrow --inputs '[1, 2]' 2>&1 | FileCheck %s --check-prefix=NARROW
// NARROW: error: function 'narrow' cannot be called from outside: argument 2 is of type i4, which is neither a number nor a ranked memref
func.func @only(%m: memref<2xf32>) {
  return
}
func.func @narrow(%n: i32, %m: i4) {
  return
}
