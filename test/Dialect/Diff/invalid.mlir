// RUN: not %kopt %s 2>&1 | FileCheck %s

func.func @f(%x: f64, %n: i64) -> f64 {
  return %x : f64
}

func.func @unknown(%x: f64) {
  // CHECK: error: 'diff.rev' op 'h' does not reference a valid function
  %0 = diff.rev @h(%x)(%x) : (f64, f64) -> f64
  return
}

func.func @count(%x: f64, %n: i64) {
  // CHECK: error: 'diff.fwd' op operand #3 must be 'f64', but got 'i64'
  %0 = diff.fwd @f(%x, %n)(%x, %n) : (f64, i64, f64, i64) -> f64
  return
}

func.func @type(%x: f64, %n: i64, %y: f32) {
  // CHECK: error: 'diff.rev' op operand #2 must be 'f64', but got 'f32'
  %0 = diff.rev @f(%x, %n)(%y) : (f64, i64, f32) -> f64
  return
}

func.func @results(%x: f64, %n: i64) {
  // CHECK: error: 'diff.rev' op expects 1 results, but has 2
  %0:2 = diff.rev @f(%x, %n)(%x) : (f64, i64, f64) -> (f64, f64)
  return
}

func.func @no_tangent(%x: f64, %n: i64) {
  // CHECK: error: 'diff.rev' op 'wrt' names argument #1, but values of type 'i64' have no tangent
  %0 = diff.rev @f(%x, %n)(%x) {wrt = [1]} : (f64, i64, f64) -> i64
  return
}

func.func @no_argument(%x: f64, %n: i64) {
  // CHECK: error: 'diff.rev' op 'wrt' names argument #2 of a function with 2
  %0 = diff.rev @f(%x, %n)(%x) {wrt = [2]} : (f64, i64, f64) -> f64
  return
}

// CHECK: error: 'diff.rule' op expects mode "fwd" or "rev"
diff.rule @f "forward" by @f
// CHECK: error: 'diff.rule' op expects 3 argument of the derivatives, but has 2
diff.rule @f "rev" by @f
