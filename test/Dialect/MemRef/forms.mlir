// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --verify-roundtrip -o /dev/null

func.func @subviews(%m: memref<8x16xf32>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>, %i: index, %z: memref<f32>) {
  %0 = memref.subview %m[0, 4] [4, 1] [1, 1] : memref<8x16xf32> to memref<4x1xf32, strided<[16, 1], offset: 4>>
  %1 = memref.subview %m[0, 4][4, 1][1, 1] {a} : memref<8x16xf32> to memref<4xf32, strided<[16], offset: 4>>
  %2 = memref.subview %m[%i, 0] [%i, 8] [2, %i] : memref<8x16xf32> to memref<?x8xf32, strided<[32, ?], offset: ?>>
  %3 = memref.subview %d[%i, %i] [%i, %i] [1, 1] : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  %4 = memref.subview %z[] [] [] : memref<f32> to memref<f32, strided<[]>>
  %5 = memref.subview %m[0, 0] [1, 1] [1, 1] : memref<8x16xf32> to memref<1xf32, strided<[1]>>
  %6 = memref.subview %m[0, 0] [1, 1] [1, 1] : memref<8x16xf32> to memref<1xf32, strided<[16]>>
  %7 = memref.subview %m[2, 3] [1, 1] [1, 1] : memref<8x16xf32> to memref<f32, strided<[], offset: 35>>
  return
}

func.func @casts(%m: memref<8x16xf32>, %u: memref<*xf32>, %i: index, %s: memref<4x5xf32, strided<[?, 1], offset: ?>, 3>) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [64, 2], strides: [2, 1] : memref<8x16xf32> to memref<64x2xf32>
  %1 = memref.reinterpret_cast %u to offset: [%i], sizes: [%i, 2], strides: [%i, 1] {b = 2 : i8} : memref<*xf32> to memref<?x2xf32, strided<[?, 1], offset: ?>>
  %2 = memref.reinterpret_cast %m to offset: [5], sizes: [], strides: [] : memref<8x16xf32> to memref<f32, strided<[], offset: 5>>
  %3 = memref.transpose %m (i, j) -> (j, i) : memref<8x16xf32> to memref<16x8xf32, strided<[1, 16]>>
  %4 = memref.transpose %s (d0, d1) -> (d1, d0) {c} : memref<4x5xf32, strided<[?, 1], offset: ?>, 3> to memref<5x4xf32, strided<[1, ?], offset: ?>, 3>
  %5 = memref.transpose %m (d0, d1) -> (d0, d1) : memref<8x16xf32> to memref<8x16xf32, strided<[16, 1]>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %s : memref<4x5xf32, strided<[?, 1], offset: ?>, 3> -> memref<f32, 3>, index, index, index, index, index
  %zero = memref.get_global @scalar : memref<f32>
  %base1, %offset1 = memref.extract_strided_metadata %zero : memref<f32> -> memref<f32>, index
  %6 = memref.cast %s : memref<4x5xf32, strided<[?, 1], offset: ?>, 3> to memref<?x5xf32, strided<[?, ?], offset: 2>, 3>
  %7 = memref.cast %u : memref<*xf32> to memref<4xf32>
  %8 = memref.cast %7 : memref<4xf32> to memref<*xf32>
  return
}
memref.global "private" @scalar : memref<f32>
memref.global constant @t : memref<2xi32, 3> = dense<[1, 2]> {alignment = 64 : i64}
memref.global @u : memref<2xi32> = uninitialized

func.func @reshapes(%m: memref<2x3x4xf32>, %d: memref<?x4xf32>, %g: memref<2x3x4xf32, strided<[48, 8, 2], offset: 3>>, %i: index, %one: memref<1x1xf32>, %f: memref<f32>, %q: memref<?xf32, strided<[?], offset: ?>>, %w: memref<4x1x?xf32, strided<[?, ?, 1]>>) {
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
  %1 = memref.collapse_shape %d [[0, 1]] {a} : memref<?x4xf32> into memref<?xf32>
  %2 = memref.collapse_shape %g [[0], [1, 2]] : memref<2x3x4xf32, strided<[48, 8, 2], offset: 3>> into memref<2x12xf32, strided<[48, 2], offset: 3>>
  %3 = memref.collapse_shape %one [] : memref<1x1xf32> into memref<f32>
  %4 = memref.expand_shape %1 [[0, 1]] output_shape [%i, 4] : memref<?xf32> into memref<?x4xf32>
  %5 = memref.expand_shape %2 [[0], [1, 2]] output_shape [2, 3, 4] {b} : memref<2x12xf32, strided<[48, 2], offset: 3>> into memref<2x3x4xf32, strided<[48, 8, 2], offset: 3>>
  %6 = memref.expand_shape %f [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
  %7 = memref.expand_shape %q [[0, 1]] output_shape [2, %i] : memref<?xf32, strided<[?], offset: ?>> into memref<2x?xf32, strided<[?, ?], offset: ?>>
  %8 = memref.collapse_shape %w [[0], [1, 2]] : memref<4x1x?xf32, strided<[?, ?, 1]>> into memref<4x?xf32, strided<[?, ?]>>
  return
}

func.func @bytes(%m: memref<64xi8>, %i: index, %g: memref<8xf32>) {
  %0 = memref.view %m[%i][] : memref<64xi8> to memref<4x4xf32>
  %1 = memref.view %m[%i][%i] {a} : memref<64xi8> to memref<?x4xf32>
  %2 = memref.assume_alignment %g, 16 : memref<8xf32>
  %3:2 = memref.distinct_objects %m, %g : memref<64xi8>, memref<8xf32>
  memref.prefetch %g[%i], read, locality<3>, data : memref<8xf32>
  memref.prefetch %g[%i], write, locality<0>, instr : memref<8xf32>
  %4 = memref.realloc %g : memref<8xf32> to memref<12xf32>
  %5 = memref.realloc %g(%i) {alignment = 8} : memref<8xf32> to memref<?xf32>
  return
}

func.func @scopes(%i: index) -> f32 {
  memref.alloca_scope {
    %0 = memref.alloca(%i) : memref<?xf32>
  }
  %1 = memref.alloca_scope -> (f32) {
    %c = arith.constant 0.0 : f32
    memref.alloca_scope.return %c : f32
  } {a}
  return %1 : f32
}

func.func @atomics(%f: f32, %n: i32, %m: memref<8xf32>, %k: memref<8x8xi32>, %i: index) {
  %0 = memref.atomic_rmw addf %f, %m[%i] : (f32, memref<8xf32>) -> f32
  %1 = memref.atomic_rmw assign %n, %k[%i, %i] {a} : (i32, memref<8x8xi32>) -> i32
  %2 = memref.atomic_rmw maxu %n, %k[%i, %i] : (i32, memref<8x8xi32>) -> i32
  %3 = memref.generic_atomic_rmw %m[%i] : memref<8xf32> {
  ^bb0(%old: f32):
    %new = arith.mulf %old, %f : f32
    memref.atomic_yield %new : f32
  }
  return
}

func.func @transfers(%a: memref<8x8xf32>, %b: memref<64xf32, 1>, %tag: memref<1xi32>, %i: index) {
  memref.dma_start %a[%i, %i], %b[%i], %i, %tag[%i] : memref<8x8xf32>, memref<64xf32, 1>, memref<1xi32>
  memref.dma_start %a[%i, %i], %b[%i], %i, %tag[%i], %i, %i : memref<8x8xf32>, memref<64xf32, 1>, memref<1xi32>
  memref.dma_wait %tag[%i], %i : memref<1xi32>
  return
}
