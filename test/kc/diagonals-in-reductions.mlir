// A kernel copied the rows of a matrix instead of its diagonal, and read beyond its end, where a reduction reads the diagonal.
// RUN: %kc run %s --entry main --backend interpret | FileCheck %s
// RUN: %kc run %s --entry main --backend interpret-buffers | FileCheck %s
// RUN: %kc run %s --entry main --backend jit | FileCheck %s

// The matrix is np.arange(1600).reshape(40, 40). According to NumPy,
// (np.arange(40)[:, None] * 41 * 3 ^ np.arange(40) * 41).max(axis=1) is
// CHECK: [1599, 1645, 1760, 1895, 2042, 2044, 1986, 2040, 2034, 2044, 2042, 2032, 2042, 2044, 2034, 2040, 2018, 3645, 3760, 3895, 4003, 4090, 4064, 4090, 4084, 4059, 4088, 4082, 4068, 4090, 4080, 4090, 4036, 4082, 5737, 5870, 6003, 6136, 6105, 6132]

func.func @main() -> tensor<40xi64> {
  %zero = arith.constant 0 : i64
  %c3 = arith.constant 3 : i64
  %matrix = memref.alloc() : memref<40x40xi64>
  %maxima = memref.alloc() : memref<40xi64>
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %at = affine.apply affine_map<(d0, d1) -> (d0 * 40 + d1)>(%i, %j)
      %number = arith.index_cast %at : index to i64
      affine.store %number, %matrix[%i, %j] : memref<40x40xi64>
    }
    affine.store %zero, %maxima[%i] : memref<40xi64>
  }
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %x = affine.load %matrix[%i, %i] : memref<40x40xi64>
      %y = affine.load %matrix[%j, %j] : memref<40x40xi64>
      %three = arith.muli %x, %c3 : i64
      %s = arith.xori %three, %y : i64
      %z = affine.load %maxima[%i] : memref<40xi64>
      %t = arith.maxsi %z, %s : i64
      affine.store %t, %maxima[%i] : memref<40xi64>
    }
  }
  %result = bufferization.to_tensor %maxima : memref<40xi64> to tensor<40xi64>
  memref.dealloc %matrix : memref<40x40xi64>
  memref.dealloc %maxima : memref<40xi64>
  return %result : tensor<40xi64>
}
