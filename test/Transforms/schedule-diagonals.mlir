// RUN: %kopt %s --form-kernels --schedule-kernels | FileCheck %s

// The elements of a diagonal are not rows of a matrix that can be copied.
// CHECK-LABEL: @diagonal
// CHECK-NOT: pack
// CHECK: linalg.generic
func.func @diagonal(%matrix: tensor<40x40xi64>, %other: tensor<40x40xi64>, %start: tensor<40xi64>) -> tensor<40xi64> {
  %maxima = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d0)>, affine_map<(d0, d1) -> (d1, d1)>, affine_map<(d0, d1) -> (d0)>],
                          iterator_types = ["parallel", "reduction"]}
      ins(%matrix, %other : tensor<40x40xi64>, tensor<40x40xi64>) outs(%start : tensor<40xi64>) {
  ^bb0(%x: i64, %y: i64, %z: i64):
    %s = arith.xori %x, %y : i64
    %t = arith.maxsi %z, %s : i64
    linalg.yield %t : i64
  } -> tensor<40xi64>
  return %maxima : tensor<40xi64>
}
