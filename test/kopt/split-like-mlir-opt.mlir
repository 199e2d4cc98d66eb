// REQUIRES: mlir-opt
// RUN: %kopt %s --split-input-file 2>%t.err | sed "/^$/d" > %t.ours
// RUN: %mlir-opt %s --split-input-file 2>%t.err | sed "/^$/d" > %t.theirs
// RUN: diff %t.theirs %t.ours
// Locations, that of a module that is not written too, are those in the file.
// RUN: %kopt %s --split-input-file --mlir-print-debuginfo | sed "/^$/d" > %t.ours
// RUN: %mlir-opt %s --split-input-file --mlir-print-debuginfo | sed "/^$/d" > %t.theirs
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
