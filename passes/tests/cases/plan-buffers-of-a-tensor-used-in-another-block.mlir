// RUN: %kopt %s --pass-pipeline="builtin.module(plan-buffers)"
module {
  func.func @f1(%arg0: tensor<3xindex>, %arg1: i1) -> tensor<3xindex> {
    %c-3 = arith.constant -3 : index
    %0 = linalg.fill ins(%c-3 : index) outs(%arg0 : tensor<3xindex>) -> tensor<3xindex>
    cf.cond_br %arg1, ^bb1, ^bb2
  ^bb1:
    return %0 : tensor<3xindex>
  ^bb2:
    return %0 : tensor<3xindex>
  }
}
