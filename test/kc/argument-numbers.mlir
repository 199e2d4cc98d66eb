// Arguments are counted from 1 in all messages, also if there is only one.
// RUN: not %kc run %s --entry only --inputs '[[1, "a"]]' 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not %kc run %s --entry only --inputs '[1, "a"]' 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: error: argument 1[1]: expected a number (float32), found the string "a"
// RUN: not %kc run %s --entry spaced --inputs '[1, [2]]' 2>&1 | FileCheck %s --check-prefix=SPACE
// SPACE: error: function 'spaced' cannot be called from outside: argument 2 is of type memref<1xf32, 1>, which has a non-default memory space
// SPACE: help: make it private, or restrict its types to numbers, vectors and memrefs
func.func @only(%m: memref<2xf32>) {
  return
}
func.func @spaced(%n: i32, %m: memref<1xf32, 1>) {
  return
}
