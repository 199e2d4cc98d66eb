// Vectors have no complex elements: kernels on complex numbers are loops over scalars.
// RUN: kc run %s --entry matmul --backend interpret > %t.expected
// RUN: kc run %s --entry matmul --backend interpret-buffers | diff - %t.expected
// RUN: kc run %s --entry matmul | diff - %t.expected
// RUN: kc run %s --entry transform --backend interpret > %t.expected
// RUN: kc run %s --entry transform --backend interpret-buffers | diff - %t.expected
// RUN: kc run %s --entry transform | diff - %t.expected
// RUN: %kopt --default-pipeline %s | FileCheck %s

// CHECK: func.func @matmul
// CHECK-NOT: vector
func.func @matmul() -> tensor<9x17xcomplex<f64>> {
  %e = tensor.empty() : tensor<9x17xcomplex<f64>>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<9x17xcomplex<f64>>) {
  ^bb0(%o: complex<f64>):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.index_cast %i : index to i64
    %q = arith.index_cast %j : index to i64
    %re = arith.sitofp %p : i64 to f64
    %im = arith.sitofp %q : i64 to f64
    %z = complex.create %re, %im : complex<f64>
    linalg.yield %z : complex<f64>
  } -> tensor<9x17xcomplex<f64>>
  %square = tensor.extract_slice %a[0, 0] [9, 9] [1, 1] : tensor<9x17xcomplex<f64>> to tensor<9x9xcomplex<f64>>
  %zero = complex.constant [0.0, 0.0] : complex<f64>
  %init = linalg.fill ins(%zero : complex<f64>) outs(%e : tensor<9x17xcomplex<f64>>) -> tensor<9x17xcomplex<f64>>
  %0 = linalg.matmul ins(%square, %a : tensor<9x9xcomplex<f64>>, tensor<9x17xcomplex<f64>>) outs(%init : tensor<9x17xcomplex<f64>>) -> tensor<9x17xcomplex<f64>>
  return %0 : tensor<9x17xcomplex<f64>>
}

// A row-wise sum after a function, and a transposed copy.
func.func @transform() -> (tensor<16xcomplex<f32>>, tensor<16x16xcomplex<f32>>) {
  %e = tensor.empty() : tensor<16x16xcomplex<f32>>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<16x16xcomplex<f32>>) {
  ^bb0(%o: complex<f32>):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.index_cast %i : index to i64
    %q = arith.index_cast %j : index to i64
    %re = arith.sitofp %p : i64 to f32
    %im = arith.sitofp %q : i64 to f32
    %z = complex.create %re, %im : complex<f32>
    %root = complex.sqrt %z : complex<f32>
    linalg.yield %root : complex<f32>
  } -> tensor<16x16xcomplex<f32>>
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %row = tensor.empty() : tensor<16xcomplex<f32>>
  %init = linalg.fill ins(%zero : complex<f32>) outs(%row : tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
  %sums = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<16x16xcomplex<f32>>) outs(%init : tensor<16xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %s: complex<f32>):
    %t = complex.add %s, %x : complex<f32>
    linalg.yield %t : complex<f32>
  } -> tensor<16xcomplex<f32>>
  %turned = linalg.transpose ins(%a : tensor<16x16xcomplex<f32>>) outs(%e : tensor<16x16xcomplex<f32>>) permutation = [1, 0]
  return %sums, %turned : tensor<16xcomplex<f32>>, tensor<16x16xcomplex<f32>>
}
