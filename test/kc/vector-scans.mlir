// MLIR has no lowering of scans.
// RUN: %kc run %s --entry rows --inputs '[[[1, 2, 3], [4, 5, 6]]]' | FileCheck %s --check-prefix=ROWS
// RUN: %kc run %s --entry rows --inputs '[[[1, 2, 3], [4, 5, 6]]]' --backend interpret | FileCheck %s --check-prefix=ROWS
// ROWS: {{^}}([1, 2, 3, 5, 7, 9], [10, 20, 30, 11, 22, 33], [11, 22, 33])
func.func @rows(%m: memref<2x3xf32>) -> (memref<6xf32>, memref<6xf32>, memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %x = vector.transfer_read %m[%c0, %c0], %p {in_bounds = [true, true]} : memref<2x3xf32>, vector<2x3xf32>
  %z = arith.constant dense<[10.0, 20.0, 30.0]> : vector<3xf32>
  %r:2 = vector.scan <add>, %x, %z {inclusive = true, reduction_dim = 0 : i64} : vector<2x3xf32>, vector<3xf32>
  %s:2 = vector.scan <add>, %x, %z {inclusive = false, reduction_dim = 0 : i64} : vector<2x3xf32>, vector<3xf32>
  %a = memref.alloc() : memref<6xf32>
  %b = memref.alloc() : memref<6xf32>
  %d = memref.alloc() : memref<3xf32>
  %rf = vector.shape_cast %r#0 : vector<2x3xf32> to vector<6xf32>
  %sf = vector.shape_cast %s#0 : vector<2x3xf32> to vector<6xf32>
  vector.store %rf, %a[%c0] : memref<6xf32>, vector<6xf32>
  vector.store %sf, %b[%c0] : memref<6xf32>, vector<6xf32>
  vector.store %s#1, %d[%c0] : memref<3xf32>, vector<3xf32>
  return %a, %b, %d : memref<6xf32>, memref<6xf32>, memref<3xf32>
}
// RUN: %kc run %s --entry columns --inputs '[[[4, 2, 6], [7, 8, 1]]]' | FileCheck %s --check-prefix=COLUMNS
// RUN: %kc run %s --entry columns --inputs '[[[4, 2, 6], [7, 8, 1]]]' --backend interpret | FileCheck %s --check-prefix=COLUMNS
// COLUMNS: {{^}}([4, 2, 2, 7, 7, 1], [4, 6, 12], 12)
func.func @columns(%m: memref<2x3xi32>) -> (memref<6xi32>, memref<3xi32>, i32) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0 : i32
  %x = vector.transfer_read %m[%c0, %c0], %p {in_bounds = [true, true]} : memref<2x3xi32>, vector<2x3xi32>
  %z = arith.constant dense<9> : vector<2xi32>
  %r:2 = vector.scan <minsi>, %x, %z {inclusive = true, reduction_dim = 1 : i64} : vector<2x3xi32>, vector<2xi32>
  %row = vector.extract %x[0] : vector<3xi32> from vector<2x3xi32>
  %none = arith.constant dense<0> : vector<i32>
  %s:2 = vector.scan <add>, %row, %none {inclusive = true, reduction_dim = 0 : i64} : vector<3xi32>, vector<i32>
  %a = memref.alloc() : memref<6xi32>
  %b = memref.alloc() : memref<3xi32>
  %rf = vector.shape_cast %r#0 : vector<2x3xi32> to vector<6xi32>
  vector.store %rf, %a[%c0] : memref<6xi32>, vector<6xi32>
  vector.store %s#0, %b[%c0] : memref<3xi32>, vector<3xi32>
  %last = vector.extract %s#1[] : i32 from vector<i32>
  return %a, %b, %last : memref<6xi32>, memref<3xi32>, i32
}
