// Callers pass and receive integers of any width, vectors, and tensors of such integers.
// RUN: %kc run %s --entry wide --backend jit --inputs '[7, -56713727820156410577229101238628035242]' | FileCheck %s --check-prefix=WIDE
// RUN: %kc run %s --entry wide --backend interpret --inputs '[7, -56713727820156410577229101238628035242]' | FileCheck %s --check-prefix=WIDE
// RUN: %kc run %s --entry widths --backend jit --inputs '[9, -8388608, 316912650057057350374175801344]' | FileCheck %s --check-prefix=WIDTHS
// RUN: %kc run %s --entry widths --backend interpret --inputs '[9, -8388608, 316912650057057350374175801344]' | FileCheck %s --check-prefix=WIDTHS
// RUN: %kc run %s --entry vectors --backend jit --inputs '[[[1, 2, 3], [-4, 5, 300]], [true, false, true, false, true], [-5, 18446744073709551617, 3], 7, [1, -2]]' | FileCheck %s --check-prefix=VECTORS
// RUN: %kc run %s --entry vectors --backend interpret --inputs '[[[1, 2, 3], [-4, 5, 300]], [true, false, true, false, true], [-5, 18446744073709551617, 3], 7, [1, -2]]' | FileCheck %s --check-prefix=VECTORS
// RUN: %kc run %s --entry floats --backend jit --inputs '[[1, 2.5, -0.125], 0.5]' | FileCheck %s --check-prefix=FLOATS
// RUN: %kc run %s --entry floats --backend interpret --inputs '[[1, 2.5, -0.125], 0.5]' | FileCheck %s --check-prefix=FLOATS
// RUN: %kc run %s --entry tensors --backend jit --inputs '[[-5, 18446744073709551616, 3], [-3, 7, 15], [1, -2]]' | FileCheck %s --check-prefix=TENSORS
// RUN: %kc run %s --entry tensors --backend interpret --inputs '[[-5, 18446744073709551616, 3], [-3, 7, 15], [1, -2]]' | FileCheck %s --check-prefix=TENSORS

// JSON and NumPy's files, whose integers have at most 64 bits.
// RUN: %kc run %s --entry wide --inputs '[7, 18446744073709551616]' -o %t.json
// RUN: FileCheck %s --check-prefix=JSON --input-file %t.json
// RUN: %kc run %s --entry floats --inputs '[[1, 2.5, -0.125], 0.5]' -o %t.npy
// RUN: %kc run %s --entry floats --inputs arr_0=@%t.npy --inputs arr_1=1 | FileCheck %s --check-prefix=ARCHIVE

// WIDE: (7, -170141183460469231731687303715884105726)
// JSON: {"tuple":[7,55340232221128654848]}
func.func @wide(%a: i64, %b: i128) -> (i64, i128) {
  %c = arith.constant 3 : i128
  %0 = arith.muli %b, %c : i128
  return %a, %0 : i64, i128
}

// WIDTHS: (-14, 0, -633825300114114700748351602688)
func.func @widths(%a: i5, %b: i24, %c: i100) -> (i5, i24, i100) {
  %0 = arith.addi %a, %a : i5
  %1 = arith.addi %b, %b : i24
  %2 = arith.addi %c, %c : i100
  return %0, %1, %2 : i5, i24, i100
}

// VECTORS: ([{{\[}}1, 4, 9], [16, 25, 24464]], [false, true, false, true, false], [25, 36893488147419103233, 9], 14, [1, -2])
func.func @vectors(%a: vector<2x3xi16>, %b: vector<5xi1>, %c: vector<3xi128>, %d : vector<i32>, %e: vector<2xindex>) -> (vector<2x3xi16>, vector<5xi1>, vector<3xi128>, vector<i32>, vector<2xindex>) {
  %0 = arith.muli %a, %a : vector<2x3xi16>
  %t = arith.constant dense<true> : vector<5xi1>
  %1 = arith.xori %b, %t : vector<5xi1>
  %2 = arith.muli %c, %c : vector<3xi128>
  %3 = arith.addi %d, %d : vector<i32>
  return %0, %1, %2, %3, %e : vector<2x3xi16>, vector<5xi1>, vector<3xi128>, vector<i32>, vector<2xindex>
}

// FLOATS: [1.5, 3, 0.375]
// ARCHIVE: [2.5, 4, 1.375]
func.func @floats(%a: vector<3xf32>, %b: f32) -> vector<3xf32> {
  %0 = vector.broadcast %b : f32 to vector<3xf32>
  %1 = arith.addf %a, %0 : vector<3xf32>
  return %1 : vector<3xf32>
}

// TENSORS: ([-10, 36893488147419103232, 6], [-6, 14, -2], [2, -4])
func.func @tensors(%a: tensor<3xi128>, %b: tensor<?xi5>, %c: tensor<2xi24>) -> (tensor<3xi128>, tensor<?xi5>, tensor<2xi24>) {
  %0 = arith.addi %a, %a : tensor<3xi128>
  %1 = arith.addi %b, %b : tensor<?xi5>
  %2 = arith.addi %c, %c : tensor<2xi24>
  return %0, %1, %2 : tensor<3xi128>, tensor<?xi5>, tensor<2xi24>
}
