// RUN: %kopt %s --pass-pipeline="builtin.module(infer-shapes)"
module {
  func.func private @unused(%arg0: i32, %arg1: i1) {
    %c1 = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %splat = tensor.splat %c1[%c3] : tensor<?xi32>
    cf.cond_br %arg1, ^bb1, ^bb2
  ^bb1:
    %inserted = tensor.insert %arg0 into %splat[%c0] : tensor<?xi32>
    call @unused(%arg0, %arg1) : (i32, i1) -> ()
    cf.br ^bb2
  ^bb2:
    return
  }
  func.func @f() -> i32 {
    %c1 = arith.constant 1 : i32
    return %c1 : i32
  }
}
