// RUN: %kopt %s | FileCheck %s
// RUN: %kopt %s --mlir-print-op-generic | %kopt | FileCheck %s

func.func @f(%x: f64, %n: i64, %t: tensor<?xf64>) -> (f64, i64, tensor<?xf64>) {
  // CHECK: diff.stop %arg0 : f64
  %s = diff.stop %x : f64
  return %s, %n, %t : f64, i64, tensor<?xf64>
}

func.func @df(%x: f64, %d: f64) -> f64 {
  return %d : f64
}

func.func @g(%x: f64) -> f64 {
  return %x : f64
}

// CHECK: diff.rule @g "fwd" by @df
diff.rule @g "fwd" by @df
// CHECK: diff.rule @g "rev" by @df
diff.rule @g "rev" by @df

// CHECK-LABEL: func.func @requests
func.func @requests(%x: f64, %n: i64, %t: tensor<?xf64>) {
  // CHECK: diff.fwd @f(%arg0, %arg1, %arg2)(%arg0, %arg2) : (f64, i64, tensor<?xf64>, f64, tensor<?xf64>) -> (f64, tensor<?xf64>)
  %0:2 = diff.fwd @f(%x, %n, %t)(%x, %t) : (f64, i64, tensor<?xf64>, f64, tensor<?xf64>) -> (f64, tensor<?xf64>)
  // CHECK: diff.value_and_fwd @g(%arg0)(%arg0) : (f64, f64) -> (f64, f64)
  %1:2 = diff.value_and_fwd @g(%x)(%x) : (f64, f64) -> (f64, f64)
  // CHECK: diff.rev @f(%arg0, %arg1, %arg2)(%arg0, %arg2) {wrt = [2]} : (f64, i64, tensor<?xf64>, f64, tensor<?xf64>) -> tensor<?xf64>
  %2 = diff.rev @f(%x, %n, %t)(%x, %t) {wrt = [2]} : (f64, i64, tensor<?xf64>, f64, tensor<?xf64>) -> tensor<?xf64>
  // CHECK: diff.value_and_rev @g(%arg0)(%arg0) : (f64, f64) -> (f64, f64)
  %3:2 = diff.value_and_rev @g(%x)(%x) : (f64, f64) -> (f64, f64)
  // CHECK: diff.value_and_rev @f(%arg0, %arg1, %arg2)() {ones, wrt = [2]} : (f64, i64, tensor<?xf64>) -> (f64, i64, tensor<?xf64>, tensor<?xf64>)
  %4:4 = diff.value_and_rev @f(%x, %n, %t)() {ones, wrt = [2]} : (f64, i64, tensor<?xf64>) -> (f64, i64, tensor<?xf64>, tensor<?xf64>)
  return
}
