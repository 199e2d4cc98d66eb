// A function returns a reshape of the buffer that it allocates, and its caller frees it.
// RUN: %kc run %s --entry main --inputs '[3]' --backend interpret-buffers | FileCheck %s
// RUN: %kc run %s --entry main --inputs '[3]' --memory-check 2>&1 | FileCheck %s --check-prefixes=CHECK,BLOCKS
// CHECK: 4
// BLOCKS: blocks left: 0
func.func private @f(%n: index) -> tensor<?xi32> attributes {no_inline} {
  %c4 = arith.constant 4 : i32
  %0 = tensor.splat %c4[%n] : tensor<?x4xi32>
  %collapsed = tensor.collapse_shape %0 [[0, 1]] : tensor<?x4xi32> into tensor<?xi32>
  return %collapsed : tensor<?xi32>
}
func.func @main(%n: index) -> i32 {
  %c1 = arith.constant 1 : index
  %0 = call @f(%n) : (index) -> tensor<?xi32>
  %x = tensor.extract %0[%c1] : tensor<?xi32>
  return %x : i32
}
