// REQUIRES: mlir-opt
// RUN: %kopt %s --split-input-file 2>%t.err | sed "/^$/d" > %t.ours
// RUN: %mlir-opt %s --split-input-file 2>%t.err | sed "/^$/d" > %t.theirs
// RUN: diff %t.theirs %t.ours
func.func @a() {
  return
}
// -----
// Nothing but a comment.
// -----
module @b {
}
// -----
