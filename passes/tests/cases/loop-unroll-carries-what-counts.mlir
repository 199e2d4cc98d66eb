// RUN: %kopt %s --pass-pipeline="builtin.module(loop-unroll{unroll-full=true})"
module {
  func.func @f0() -> index {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %0 = scf.for %arg0 = %c0 to %c4 step %c4 iter_args(%arg1 = %c0) -> (index) {
      scf.yield %arg0 : index
    }
    return %0 : index
  }
}
