// RUN: %kopt --pass-pipeline='builtin.module(lower)' %s | FileCheck %s

// Extents of 1 are repeated by the index maps.
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (0, d1)>
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[CLASS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d6, d4 + (d2 + 1) floordiv 2 + 1 - d7, d5 + (d3 + 1) floordiv 2 + 1 - d8)>
// CHECK-DAG: #[[TAPS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d6, d1, d7, (d2 + 1) mod 2, d8, (d3 + 1) mod 2)>
// CHECK-DAG: #[[WOVEN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 mod 2, d3 mod 2, d2 floordiv 2, d3 floordiv 2)>
// CHECK-LABEL: func.func @broadcast
// CHECK: linalg.generic {indexing_maps = [#[[ROW]], #[[ALL]], #[[ALL]]]
// CHECK: arith.addf
relay.func @broadcast(%x: tensor<1x4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = relay.add %x, %y : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  relay.return %0 : tensor<2x4xf32>
}

// Unsigned integers become signless, and their operations unsigned.
// CHECK-LABEL: func.func @unsigned(%arg0: tensor<3xi8>{{.*}}, %arg1: tensor<3xi8>{{.*}}) -> (tensor<3xi8>{{.*}})
// CHECK: arith.divui
// CHECK: arith.maxui
relay.func @unsigned(%x: tensor<3xui8>, %y: tensor<3xui8>) -> tensor<3xui8> {
  %0 = relay.divide %x, %y : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %1 = relay.maximum %0, %y : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  relay.return %1 : tensor<3xui8>
}

// Tuples are decomposed.
// CHECK-LABEL: func.func @tuples(%arg0: tensor<2xf32>{{.*}}, %arg1: tensor<i32>{{.*}}) -> (tensor<i32>{{.*}}, tensor<2xf32>{{.*}})
// CHECK: return %arg1, %arg0
relay.func @tuples(%t: tuple<tensor<2xf32>, tensor<i32>>) -> tuple<tensor<i32>, tensor<2xf32>> {
  %0 = relay.get %t[0] : tuple<tensor<2xf32>, tensor<i32>>
  %1 = relay.get %t[1] : tuple<tensor<2xf32>, tensor<i32>>
  %2 = relay.tuple(%1, %0) : (tensor<i32>, tensor<2xf32>) -> tuple<tensor<i32>, tensor<2xf32>>
  relay.return %2 : tuple<tensor<i32>, tensor<2xf32>>
}

// A call of the function itself at its end is a loop.
// CHECK-LABEL: func.func @count
// CHECK: scf.while
// CHECK: scf.condition
// CHECK-NOT: call @count
relay.func @count(%n: tensor<i32>, %sum: tensor<i32>) -> tensor<i32> {
  %zero = relay.constant dense<0> : tensor<i32>
  %one = relay.constant dense<1> : tensor<i32>
  %more = relay.greater %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = relay.if %more {
    %next = relay.subtract %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %added = relay.add %sum, %n : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = relay.call @count(%next, %added) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    relay.yield %1 : tensor<i32>
  } else {
    relay.yield %sum : tensor<i32>
  } : tensor<i1> -> tensor<i32>
  relay.return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @dense
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
relay.func @dense(%x: tensor<?x3xf32>, %w: tensor<4x3xf32>) -> tensor<?x4xf32> {
  %0 = relay.nn.dense %x, %w {units = 4 : i64} : (tensor<?x3xf32>, tensor<4x3xf32>) -> tensor<?x4xf32>
  relay.return %0 : tensor<?x4xf32>
}

// The residue classes of the strides are one sum of products over views of the data and the kernel, and are interleaved.
// CHECK-LABEL: func.func @conv2d_transpose
// CHECK: %[[DATA:.*]] = tensor.pad
// CHECK: %[[TAP:.*]] = tensor.expand_shape %{{.*}} : tensor<3x5x4x4xf32> into tensor<3x5x2x2x2x2xf32>
// CHECK: linalg.generic {indexing_maps = [#[[CLASS]], #[[TAPS]],
// CHECK-SAME: ins(%[[DATA]], %[[TAP]] :
// CHECK: linalg.generic {indexing_maps = [#[[WOVEN]],
relay.func @conv2d_transpose(%x: tensor<1x3x4x4xf32>, %w: tensor<3x5x4x4xf32>) -> tensor<1x5x8x8xf32> {
  %0 = relay.nn.conv2d_transpose %x, %w {channels = 5 : i64, kernel_size = [4, 4], strides = [2, 2], padding = [1, 1]} : (tensor<1x3x4x4xf32>, tensor<3x5x4x4xf32>) -> tensor<1x5x8x8xf32>
  relay.return %0 : tensor<1x5x8x8xf32>
}
