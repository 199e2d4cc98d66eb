// A derivative that a program gives, and that is not one.
// RUN: not %kc grad %s --entry wrong --inputs [2] --check 2>&1 | FileCheck %s
// CHECK: error: the gradient does not agree with other ways to compute it
// CHECK: note: {{.*}}: 12, but 4 by
func.func private @square(%x: f64) -> f64 attributes {no_inline} {
  %r = arith.mulf %x, %x : f64
  return %r : f64
}
func.func private @square.rev(%x: f64, %d: f64) -> f64 {
  %six = arith.constant 6.0 : f64
  %t = arith.mulf %x, %six : f64
  %r = arith.mulf %t, %d : f64
  return %r : f64
}
diff.rule @square "rev" by @square.rev
func.func @wrong(%x: f64) -> f64 {
  %r = func.call @square(%x) : (f64) -> f64
  return %r : f64
}
