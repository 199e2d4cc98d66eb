// The program states two derivatives that do not agree: the Hessian is that of the reverse, the reference that of the forward one.
// RUN: not %kc hvp %s --entry f --inputs '[2]' --direction '[1]' --check 2>&1 | FileCheck %s
// CHECK: 12
// CHECK: error: the product does not agree with other ways to compute it
// CHECK: 12, but 2 by forward mode
// CHECK: 12, but 2 by central differences
func.func @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func @backward(%x: f64, %d: f64) -> f64 {
  %s = arith.mulf %x, %x : f64
  %c = arith.mulf %s, %x : f64
  %r = arith.mulf %c, %d : f64
  return %r : f64
}
func.func @forward(%x: f64, %d: f64) -> f64 {
  %t = arith.addf %x, %x : f64
  %r = arith.mulf %t, %d : f64
  return %r : f64
}
diff.rule @square "rev" by @backward
diff.rule @square "fwd" by @forward
func.func @f(%x: f64) -> f64 {
  %y = call @square(%x) : (f64) -> f64
  return %y : f64
}
