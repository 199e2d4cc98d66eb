// Function values: constants, chosen at run time, passed to functions and returned by them.
// RUN: %kc run %s --entry main --backend jit --inputs '[true, 5, [1,2]]' | FileCheck %s --check-prefix=YES
// RUN: %kc run %s --entry main --backend interpret --inputs '[true, 5, [1,2]]' | FileCheck %s --check-prefix=YES
// RUN: %kc run %s --entry main --backend interpret-buffers --inputs '[true, 5, [1,2]]' | FileCheck %s --check-prefix=YES
// YES: (20, 1, [-1, 2])
// RUN: %kc run %s --entry main --backend jit --inputs '[false, 5, [1,2]]' | FileCheck %s --check-prefix=NO
// RUN: %kc run %s --entry main --backend interpret --inputs '[false, 5, [1,2]]' | FileCheck %s --check-prefix=NO
// RUN: %kc run %s --entry main --backend interpret-buffers --inputs '[false, 5, [1,2]]' | FileCheck %s --check-prefix=NO
// NO: (7, 1, [1, -2])
func.func private @double(%x: i64) -> i64 attributes {no_inline} {
  %r = arith.addi %x, %x : i64
  return %r : i64
}
func.func private @next(%x: i64) -> i64 attributes {no_inline} {
  %c1 = arith.constant 1 : i64
  %r = arith.addi %x, %c1 : i64
  return %r : i64
}
func.func private @twice(%f: (i64) -> i64, %x: i64) -> i64 attributes {no_inline} {
  %y = func.call_indirect %f(%x) : (i64) -> i64
  %z = func.call_indirect %f(%y) : (i64) -> i64
  return %z : i64
}
func.func private @choose(%c: i1) -> ((i64) -> i64) attributes {no_inline} {
  %f = func.constant @double : (i64) -> i64
  %g = func.constant @next : (i64) -> i64
  cf.cond_br %c, ^end(%f : (i64) -> i64), ^end(%g : (i64) -> i64)
^end(%h: (i64) -> i64):
  return %h : (i64) -> i64
}
func.func private @negate_first(%x: tensor<2xf32>) -> tensor<2xf32> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %x[%c0] : tensor<2xf32>
  %n = arith.negf %e : f32
  %r = tensor.insert %n into %x[%c0] : tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func private @negate_last(%x: tensor<2xf32>) -> tensor<2xf32> attributes {no_inline} {
  %c1 = arith.constant 1 : index
  %e = tensor.extract %x[%c1] : tensor<2xf32>
  %n = arith.negf %e : f32
  %r = tensor.insert %n into %x[%c1] : tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @main(%c: i1, %x: i64, %t: tensor<2xf32>) -> (i64, f32, tensor<2xf32>) {
  %f = call @choose(%c) : (i1) -> ((i64) -> i64)
  %r = call @twice(%f, %x) : ((i64) -> i64, i64) -> i64
  %first = func.constant @negate_first : (tensor<2xf32>) -> tensor<2xf32>
  %last = func.constant @negate_last : (tensor<2xf32>) -> tensor<2xf32>
  %g = arith.select %c, %first, %last : (tensor<2xf32>) -> tensor<2xf32>
  %u = func.call_indirect %g(%t) : (tensor<2xf32>) -> tensor<2xf32>
  %c0 = arith.constant 0 : index
  %e = tensor.extract %t[%c0] : tensor<2xf32>
  return %r, %e, %u : i64, f32, tensor<2xf32>
}
