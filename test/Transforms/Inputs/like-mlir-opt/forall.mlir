// An scf.forall is a loop, and dead if its results are.
func.func @f(%a: index, %b: index, %n: index) {
  scf.forall (%i) in (%n) {
    %0 = arith.addi %a, %b : index
    "use"(%0) : (index) -> ()
  }
  return
}
func.func @dead(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  %0 = scf.forall (%i) in (4) shared_outs(%o = %b) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32> }
  }
  return
}
func.func @live(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%o = %b) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}
