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

relay.func @region(%x: tensor<3xf32>, %c: i1) -> tensor<3xf32> {
  %0 = scf.if %c -> (tensor<3xf32>) {
    // CHECK: error: 'relay.add' cannot be used in a region of 'scf.if', in a function of the dialect relay
    %1 = relay.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    scf.yield %1 : tensor<3xf32>
  } else {
    scf.yield %x : tensor<3xf32>
  }
  relay.return %0 : tensor<3xf32>
}
