// RUN: %kc run %s --entry parts --inputs '[[[1, 2], [3, 4]], 1]' --backend interpret | FileCheck %s --check-prefix=PARTS
// RUN: %kc run %s --entry parts --inputs '[[[1, 2], [3, 4]], 1]' --backend interpret-buffers | FileCheck %s --check-prefix=PARTS
// RUN: %kc run %s --entry parts --inputs '[[[1, 2], [3, 4]], 1]' --backend jit | FileCheck %s --check-prefix=PARTS
// RUN: %kc run %s --entry deep --inputs '[2, 1]' --backend interpret | FileCheck %s --check-prefix=DEEP
// RUN: %kc run %s --entry deep --inputs '[2, 1]' --backend interpret-buffers | FileCheck %s --check-prefix=DEEP
// RUN: %kc run %s --entry deep --inputs '[2, 1]' --backend jit | FileCheck %s --check-prefix=DEEP

// LLVM's arrays, which represent vectors of several dimensions, have constant indices only.
// PARTS: {{^}}([3, 4], 2, 4, {{\[\[}}1, 2], [3, 9]], {{\[\[}}1, 2], [9, 9]]){{$}}
func.func @parts(%t: tensor<2x2xf32>, %i: index) -> (vector<2xf32>, f32, f32, vector<2x2xf32>, vector<2x2xf32>) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %nine = arith.constant 9.0 : f32
  %nines = arith.constant dense<9.0> : vector<2xf32>
  %v = vector.transfer_read %t[%c0, %c0], %p {in_bounds = [true, true]} : tensor<2x2xf32>, vector<2x2xf32>
  %0 = vector.extract %v[%i] : vector<2xf32> from vector<2x2xf32>
  %1 = vector.extract %v[0, %i] : f32 from vector<2x2xf32>
  %2 = vector.extract %v[%i, %i] : f32 from vector<2x2xf32>
  %3 = vector.insert %nine, %v[%i, %i] : f32 into vector<2x2xf32>
  %4 = vector.insert %nines, %v[%i] : vector<2xf32> into vector<2x2xf32>
  return %0, %1, %2, %3, %4 : vector<2xf32>, f32, f32, vector<2x2xf32>, vector<2x2xf32>
}

// DEEP: {{^}}([10, 11], 11, {{\[\[\[}}0, 1], [2, 3], [4, 5]], {{\[\[}}6, 7], [8, 9], [10, -1]]], {{\[\[\[}}0, 1], [2, 3], [4, 5]], {{\[\[}}6, 7], [8, 9], [-2, -2]]]){{$}}
func.func @deep(%i: index, %j: index) -> (vector<2xi32>, i32, vector<2x3x2xi32>, vector<2x3x2xi32>) {
  %v = arith.constant dense<[[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]> : vector<2x3x2xi32>
  %one = arith.constant -1 : i32
  %two = arith.constant dense<-2> : vector<2xi32>
  %0 = vector.extract %v[1, %i] : vector<2xi32> from vector<2x3x2xi32>
  %1 = vector.extract %v[%j, %i, 1] : i32 from vector<2x3x2xi32>
  %2 = vector.insert %one, %v[%j, %i, %j] : i32 into vector<2x3x2xi32>
  %3 = vector.insert %two, %v[1, %i] : vector<2xi32> into vector<2x3x2xi32>
  return %0, %1, %2, %3 : vector<2xi32>, i32, vector<2x3x2xi32>, vector<2x3x2xi32>
}
