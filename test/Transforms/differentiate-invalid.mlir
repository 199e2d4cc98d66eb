// RUN: not %kopt %s --differentiate 2>&1 | FileCheck %s

func.func private @external(f64) -> f64

func.func @f(%x: f64) -> f64 {
  %0 = arith.bitcast %x : f64 to f64
  %1 = call @external(%0) : (f64) -> f64
  return %1 : f64
}

// Every operation is named, with the request that wants its derivative.
// CHECK: error: 'f' cannot be differentiated
// CHECK: note: 'arith.bitcast' op has no derivative
// CHECK: note: function 'external' is external, and no 'diff.rule' declares its derivative
func.func @request(%x: f64) -> f64 {
  %0 = diff.rev @f(%x)(%x) : (f64, f64) -> f64
  return %0 : f64
}

// A value that a branch only passes on has a derivative, too.
// CHECK: error: 'passed_on' cannot be differentiated
// CHECK: note: 'scf.execute_region' op branches between blocks, which has no derivative
func.func @passed_on(%x: f64, %c: i1) -> f64 {
  %r = scf.execute_region -> (f64) {
    cf.cond_br %c, ^a(%x : f64), ^a(%x : f64)
  ^a(%v: f64):
    scf.yield %v : f64
  }
  return %r : f64
}
func.func @request_passed_on(%x: f64, %c: i1) -> f64 {
  %0 = diff.fwd @passed_on(%x, %c)(%x) : (f64, i1, f64) -> f64
  return %0 : f64
}
