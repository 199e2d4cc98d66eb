// Elements of a memref have bytes of their own, whatever their width; LLVM packs the bits of vectors.
// RUN: %kc run %s --entry bits --backend jit --inputs '[[true, false, true, true, false, true, false, true], true, 1]' | FileCheck %s
// RUN: %kc run %s --entry bits --backend interpret --inputs '[[true, false, true, true, false, true, false, true], true, 1]' | FileCheck %s
// CHECK: {{^}}([true, true, true, true, false, true, true, true], [true, false, false, true, true, true], [true, true, false, true, true, true, true, true], [true, true, true, true, false, true, true, true])
func.func @bits(%m: memref<8xi1>, %c: i1, %n: index) -> (memref<8xi1>, memref<6xi1>, memref<8xi1>, memref<8xi1>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %no = arith.constant false
  // A load and a store of a part.
  %0 = memref.alloc() : memref<8xi1>
  linalg.fill ins(%c : i1) outs(%0 : memref<8xi1>)
  %v = vector.load %m[%c2] : memref<8xi1>, vector<4xi1>
  vector.store %v, %0[%c2] : memref<8xi1>, vector<4xi1>
  // Transfers that are in bounds in part, with padding and a mask.
  %1 = memref.alloc() : memref<6xi1>
  linalg.fill ins(%c : i1) outs(%1 : memref<6xi1>)
  %mask = vector.create_mask %c5 : vector<6xi1>
  %w = vector.transfer_read %m[%c5], %c, %mask : memref<8xi1>, vector<6xi1>
  vector.transfer_write %w, %1[%n] : vector<6xi1>, memref<6xi1>
  %first = memref.load %m[%c0] : memref<8xi1>
  memref.store %first, %1[%c0] : memref<6xi1>
  %last = memref.subview %1[1] [1] [1] : memref<6xi1> to memref<1xi1, strided<[1], offset: 1>>
  %one = vector.transfer_read %m[%n], %c {in_bounds = [true]} : memref<8xi1>, vector<1xi1>
  vector.transfer_write %one, %last[%c0] {in_bounds = [true]} : vector<1xi1>, memref<1xi1, strided<[1], offset: 1>>
  // Masked, gathered and compressed elements.
  %2 = memref.alloc() : memref<8xi1>
  linalg.fill ins(%c : i1) outs(%2 : memref<8xi1>)
  %some = vector.from_elements %c, %no, %c, %no : vector<4xi1>
  %yes = vector.broadcast %c : i1 to vector<4xi1>
  %x = vector.maskedload %m[%c2], %some, %yes : memref<8xi1>, vector<4xi1>, vector<4xi1> into vector<4xi1>
  vector.maskedstore %2[%c0], %some, %x : memref<8xi1>, vector<4xi1>, vector<4xi1>
  %at = arith.constant dense<[7, 6, 4, 1]> : vector<4xi32>
  %g = vector.gather %m[%c0] [%at], %some, %yes : memref<8xi1>, vector<4xi32>, vector<4xi1>, vector<4xi1> into vector<4xi1>
  vector.compressstore %2[%n], %some, %g : memref<8xi1>, vector<4xi1>, vector<4xi1>
  // In regions of masks.
  %3 = memref.alloc() : memref<8xi1>
  linalg.fill ins(%c : i1) outs(%3 : memref<8xi1>)
  %y = vector.mask %some, %yes { vector.transfer_read %m[%c0], %no {in_bounds = [true]} : memref<8xi1>, vector<4xi1> } : vector<4xi1> -> vector<4xi1>
  %z = vector.mask %some { vector.transfer_read %m[%c2], %c {in_bounds = [true]} : memref<8xi1>, vector<4xi1> } : vector<4xi1> -> vector<4xi1>
  vector.mask %some { vector.transfer_write %y, %3[%c0] {in_bounds = [true]} : vector<4xi1>, memref<8xi1> } : vector<4xi1>
  vector.store %z, %3[%c2] : memref<8xi1>, vector<4xi1>
  return %0, %1, %2, %3 : memref<8xi1>, memref<6xi1>, memref<8xi1>, memref<8xi1>
}

// Other widths that are not whole bytes, and several dimensions.
// RUN: %kc run %s --entry widths --backend jit --inputs '[[[1, -2, 3], [-4, 5, -6]]]' | FileCheck %s --check-prefix=WIDTHS
// RUN: %kc run %s --entry widths --backend interpret --inputs '[[[1, -2, 3], [-4, 5, -6]]]' | FileCheck %s --check-prefix=WIDTHS
// WIDTHS: {{^}}{{\(}}{{\[\[}}1, -4], [-2, 5], [3, -6]], [3, -5, 100, 100])
func.func @widths(%m: memref<2x3xi32>) -> (memref<3x2xi32>, memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.constant 0 : i32
  %q = arith.constant 0 : i5
  %r = arith.constant 100 : i24
  %x = vector.transfer_read %m[%c0, %c0], %p {in_bounds = [true, true]} : memref<2x3xi32>, vector<2x3xi32>
  %narrow = arith.trunci %x : vector<2x3xi32> to vector<2x3xi5>
  %0 = memref.alloca() : memref<2x3xi5>
  vector.transfer_write %narrow, %0[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xi5>, memref<2x3xi5>
  %y = vector.transfer_read %0[%c0, %c0], %q {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : memref<2x3xi5>, vector<3x2xi5>
  %wide = arith.extsi %y : vector<3x2xi5> to vector<3x2xi32>
  %1 = memref.alloc() : memref<3x2xi32>
  vector.transfer_write %wide, %1[%c0, %c0] {in_bounds = [true, true]} : vector<3x2xi32>, memref<3x2xi32>
  %2 = memref.alloca() : memref<4xi24>
  %numbers = arith.constant dense<[7, 3, -5, 9]> : vector<4xi24>
  vector.store %numbers, %2[%c0] : memref<4xi24>, vector<4xi24>
  %tail = memref.subview %2[1] [2] [1] : memref<4xi24> to memref<2xi24, strided<[1], offset: 1>>
  %z = vector.transfer_read %tail[%c0], %r : memref<2xi24, strided<[1], offset: 1>>, vector<4xi24>
  %long = arith.extsi %z : vector<4xi24> to vector<4xi64>
  %3 = memref.alloc() : memref<4xi64>
  vector.store %long, %3[%c0] : memref<4xi64>, vector<4xi64>
  return %1, %3 : memref<3x2xi32>, memref<4xi64>
}
