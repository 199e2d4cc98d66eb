// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --verify-roundtrip -o /dev/null

func.func @a(%t: tensor<8x?xf32>, %i: index, %m: memref<8x16xf32>) {
  %0 = tensor.extract_slice %t[0, %i] [4, 1] [1, 1] : tensor<8x?xf32> to tensor<4xf32>
  %1 = tensor.insert_slice %0 into %t[0, %i] [4, 1] [1, 1] : tensor<4xf32> into tensor<8x?xf32>
  %2 = tensor.collapse_shape %t [[0, 1]] : tensor<8x?xf32> into tensor<?xf32>
  %3 = tensor.expand_shape %2 [[0, 1]] output_shape [%i, 4] {a = 1 : i32} : tensor<?xf32> into tensor<?x4xf32>
  %idx = tensor.empty() : tensor<3x1xindex>
  %4 = tensor.gather %t[%idx] gather_dims([0]) unique : (tensor<8x?xf32>, tensor<3x1xindex>) -> tensor<3x?xf32>
  %5 = tensor.scatter %4 into %t[%idx] scatter_dims([0]) unique : (tensor<3x?xf32>, tensor<8x?xf32>, tensor<3x1xindex>) -> tensor<8x?xf32>
  %c = arith.constant 0.0 : f32
  %6 = tensor.pad %t low[1, %i] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %c : f32
  } : tensor<8x?xf32> to tensor<9x?xf32>
  %7 = tensor.pad %t nofold low[1, %i] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %c : f32
  } {b} : tensor<8x?xf32> to tensor<9x?xf32>
  %8 = tensor.rank %t : tensor<8x?xf32>
  %sh = tensor.empty() : tensor<2xindex>
  %9 = tensor.reshape %t(%sh) : (tensor<8x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %10 = tensor.concat dim(0) %t, %t : (tensor<8x?xf32>, tensor<8x?xf32>) -> tensor<16x?xf32>
  %11 = tensor.bitcast %t : tensor<8x?xf32> to tensor<8x?xi32>
  return
}
func.func @names(%t: tensor<8x?xf32>, %i: index, %f: f32) {
  %0 = tensor.dim %t, %i : tensor<8x?xf32>
  %1 = tensor.cast %t : tensor<8x?xf32> to tensor<?x?xf32>
  %2 = tensor.from_elements %f, %f : tensor<2xf32>
  %3 = tensor.splat %f : tensor<2xf32>
  %4 = tensor.generate %i { 
  ^bb0(%a: index): 
    tensor.yield %f : f32 } : tensor<?xf32>
  %5 = tensor.extract %t[%i, %i] : tensor<8x?xf32>
  %6 = tensor.insert %f into %t[%i, %i] : tensor<8x?xf32>
  %7 = tensor.empty() : tensor<2xf32>
  return
}

func.func @shared(%t: tensor<8x4xf32>, %n: index) -> tensor<8x4xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8x4xf32>) {
    %s = tensor.extract_slice %o[%i, 0] [1, 4] [1, 1] {a} : tensor<8x4xf32> to tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    }
  }
  return %r : tensor<8x4xf32>
}
