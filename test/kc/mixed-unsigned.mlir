// Operations that move the elements of unsigned tensors, or read their extents.

// RUN: %kopt %s --lower | FileCheck %s
// RUN: %kc run %s --entry tiles --backend interpret --inputs '[[1, 100, 128, 129]]' | FileCheck %s --check-prefix=TILES
// RUN: %kc run %s --entry tiles --backend jit --inputs '[[1, 100, 128, 129]]' | FileCheck %s --check-prefix=TILES
// TILES: {{^}}[0, 50, 64, 64]
// CHECK-LABEL: func.func @tiles(
// CHECK: scf.forall ({{.*}}) in (2) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<4xi8>) {
// CHECK: tensor.extract_slice %{{.*}} : tensor<4xi8> to tensor<2xi8>
// CHECK: scf.forall.in_parallel {
// CHECK-NEXT: tensor.parallel_insert_slice %{{.*}} into %[[OUT]]{{.*}} : tensor<2xi8> into tensor<4xi8>
func.func @tiles(%x: tensor<4xui8>) -> tensor<4xui8> {
  %c2 = arith.constant 2 : index
  %two = relay.constant dense<2> : tensor<ui8>
  %r = scf.forall (%i) in (2) shared_outs(%o = %x) -> (tensor<4xui8>) {
    %at = arith.muli %i, %c2 : index
    %part = tensor.extract_slice %x[%at] [2] [1] : tensor<4xui8> to tensor<2xui8>
    %half = relay.divide %part, %two : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %half into %o[%at] [2] [1] : tensor<2xui8> into tensor<4xui8>
    }
  }
  return %r : tensor<4xui8>
}

// RUN: %kc run %s --entry extents --backend interpret --inputs '[[[1, 2, 127], [4, 5, 6]]]' | FileCheck %s --check-prefix=EXTENTS
// RUN: %kc run %s --entry extents --backend jit --inputs '[[[1, 2, 127], [4, 5, 6]]]' | FileCheck %s --check-prefix=EXTENTS
// EXTENTS: {{^}}(3, [1, 2, 127, 4, 5, 6, 0, 0])
// CHECK-LABEL: func.func @extents(
// CHECK: tensor.dim %{{.*}} : tensor<?x?xi8>
// CHECK: tensor.collapse_shape %{{.*}} : tensor<?x?xi8> into tensor<?xi8>
// CHECK: tensor.insert_slice %{{.*}} : tensor<?xi8> into tensor<8xi8>
func.func @extents(%x: tensor<?x?xui8>) -> (index, tensor<8xui8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<?x?xui8>
  %zeros = relay.constant dense<0> : tensor<8xui8>
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xui8> into tensor<?xui8>
  %m = tensor.dim %flat, %c0 : tensor<?xui8>
  %0 = tensor.insert_slice %flat into %zeros[0] [%m] [1] : tensor<?xui8> into tensor<8xui8>
  return %n, %0 : index, tensor<8xui8>
}

// In a function of the language.
// CHECK-LABEL: func.func @unused(
// CHECK: tensor.dim %{{.*}} : tensor<3xi8>
relay.func @unused(%x: tensor<3xui8>) -> tensor<3xui8> {
  %c0 = arith.constant 0 : index
  %0 = tensor.dim %x, %c0 : tensor<3xui8>
  relay.return %x : tensor<3xui8>
}

// Several results keep their signs.
// RUN: %kc run %s --entry results --backend interpret --inputs '[[200, 100]]' | FileCheck %s --check-prefix=RESULTS
// RUN: %kc run %s --entry results --backend jit --inputs '[[200, 100]]' | FileCheck %s --check-prefix=RESULTS
// RESULTS: {{^}}([200, 100], 2, [200, 100])
func.func @results(%x: tensor<2xui8>) -> (tensor<2xui8>, index, tensor<2xui8>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<2xui8>
  %one = relay.constant dense<1> : tensor<ui8>
  %0 = relay.multiply %x, %one : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
  return %0, %n, %x : tensor<2xui8>, index, tensor<2xui8>
}
