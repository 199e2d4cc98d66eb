// RUN: not %kopt %s --allow-unregistered-dialect --lower --split-input-file 2>&1 | FileCheck %s

// A tuple has no value of its own after the lowering.
func.func @tuple(%x: f32) {
  // CHECK: error: 'knossos.tuple' has a value of type 'tuple<f32, f32>', which only operations of the dialect knossos have
  // CHECK-NEXT: mixed-dialects-invalid.mlir:[[#@LINE+1]]:8
  %t = knossos.tuple(%x, %x) : (f32, f32) -> tuple<f32, f32>
  "some.use"(%t) : (tuple<f32, f32>) -> ()
  return
}

// -----

relay.func @unsigned(%x: tensor<3xui8>) -> tensor<3xui8> {
  %c0 = arith.constant 0 : index
  // CHECK: error: 'tensor.dim' has a value of type 'tensor<3xui8>', which only operations of the dialect relay have
  %0 = tensor.dim %x, %c0 : tensor<3xui8>
  relay.return %x : tensor<3xui8>
}

// -----

relay.func @region(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: error: 'scf.execute_region' has a region with several blocks, in which operations of the dialect relay cannot be used, in a function of this dialect
  %0 = scf.execute_region -> tensor<3xf32> {
    %1 = relay.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    cf.br ^bb1
  ^bb1:
    scf.yield %1 : tensor<3xf32>
  }
  relay.return %0 : tensor<3xf32>
}

// -----

// An argument of a region that the language and another dialect share.
knossos.func @argument(%x: tuple<f32, f32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: error: 'scf.for' has a value of type 'tuple<f32, f32>', which only operations of the dialect knossos have
  %0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) -> (tuple<f32, f32>) {
    scf.yield %a : tuple<f32, f32>
  }
  %1 = knossos.get %0[0] : tuple<f32, f32>
  knossos.return %1 : f32
}
