// Complex numbers in NumPy's files, in the headers of libraries, and in memory of C programs.
// RUN: rm -rf %t && mkdir %t
// RUN: kc run %s --entry pair --inputs '[[1.5, -2], [[[1, 2], ["nan", "-inf"], [0, -0.25]]]]' -o %t/pair.npz
// RUN: python3 -c "import sys; data = open(sys.argv[1], 'rb').read(); print(data.count(b'<c8'), data.count(b'<c16'))" %t/pair.npz | FileCheck %s --check-prefix=DESCR
// RUN: kc run %s --entry rows --inputs '[[[[1, 2], ["nan", "-inf"], [0, -0.25]]]]' -o %t/rows.npy
// RUN: kc run %s --entry rows --inputs arr_0=@%t/rows.npy | FileCheck %s --check-prefix=ROWS
// RUN: kc run %s --entry rows --backend interpret --inputs arr_0=@%t/rows.npy | FileCheck %s --check-prefix=ROWS
// RUN: not kc run %s --entry pair --inputs arr_0=@%t/rows.npy --inputs arr_1=@%t/rows.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: kc build %s --emit=header | FileCheck %s --check-prefix=HEADER

// DESCR: 1 1
// HEADER: minoan_c64 arr_0, minoan_c32_2 arr_1, minoan_c64 *result_0, minoan_c32_2 *result_1, minoan_failure *failure
func.func @pair(%a: complex<f64>, %b: tensor<1x3xcomplex<f32>>) -> (complex<f64>, tensor<1x3xcomplex<f32>>) {
  %0 = complex.neg %a : complex<f64>
  return %0, %b : complex<f64>, tensor<1x3xcomplex<f32>>
}

// ROWS: {{\[\[}}1+2i, NaN-infi, 0-0.25i]]
// SHAPE: expected a complex number (complex128), found an array of shape [1, 3] of complex64
func.func @rows(%a: tensor<1x3xcomplex<f32>>) -> tensor<1x3xcomplex<f32>> {
  return %a : tensor<1x3xcomplex<f32>>
}
