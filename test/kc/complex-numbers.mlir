// Complex numbers as arguments and results, in memory, in loops and in operations on tensors, interpreted and compiled.
// RUN: kc run %s --entry numbers --backend interpret --inputs '[[1, 2], [3, -4.5], -3]' | FileCheck %s --check-prefix=NUMBERS
// RUN: kc run %s --entry numbers --backend interpret-buffers --inputs '[[1, 2], [3, -4.5], -3]' | FileCheck %s --check-prefix=NUMBERS
// RUN: kc run %s --entry numbers --inputs '[[1, 2], [3, -4.5], -3]' | FileCheck %s --check-prefix=NUMBERS
// RUN: kc run %s --entry numbers --schedule off --inputs '[[1, 2], [3, -4.5], -3]' | FileCheck %s --check-prefix=NUMBERS
// RUN: kc run %s --entry numbers --format json --inputs '[[1, 2], [3, -4.5], -3]' | FileCheck %s --check-prefix=JSON
// RUN: kc run %s --entry tensors --backend interpret | FileCheck %s --check-prefix=TENSORS
// RUN: kc run %s --entry tensors --backend interpret-buffers | FileCheck %s --check-prefix=TENSORS
// RUN: kc run %s --entry tensors | FileCheck %s --check-prefix=TENSORS
// RUN: kc run %s --entry tensors --schedule off | FileCheck %s --check-prefix=TENSORS
// RUN: kc run %s --entry memory --backend interpret --inputs '[[[1, 2], [0, 3], [0.5, 1], [-1, "inf"]]]' | FileCheck %s --check-prefix=MEMORY
// RUN: kc run %s --entry memory --inputs '[[[1, 2], [0, 3], [0.5, 1], [-1, "inf"]]]' | FileCheck %s --check-prefix=MEMORY
// RUN: kc run %s --entry bits --backend interpret --inputs '[[1, 2], 4611686019492741120]' | FileCheck %s --check-prefix=BITS
// RUN: kc run %s --entry bits --inputs '[[1, 2], 4611686019492741120]' | FileCheck %s --check-prefix=BITS
// RUN: not kc run %s --entry bits --inputs '[1, 2]' 2>&1 | FileCheck %s --check-prefix=REAL

// NUMBERS: (12+1.5i, -0.08800000000000001+0.016i, 2.23606797749979, true)
// JSON: {"tuple":[{{\[}}12.0,1.5],[-0.08800000000000001,0.016],2.23606797749979,true]}
func.func @numbers(%a: complex<f64>, %b: complex<f64>, %n: i32) -> (complex<f64>, complex<f64>, f64, i1) {
  %0 = complex.mul %a, %b : complex<f64>
  %1 = call @power(%a, %n) : (complex<f64>, i32) -> complex<f64>
  %2 = complex.abs %a : complex<f64>
  %3 = complex.neq %0, %1 : complex<f64>
  return %0, %1, %2, %3 : complex<f64>, complex<f64>, f64, i1
}

func.func private @power(%a: complex<f64>, %n: i32) -> complex<f64> {
  %0 = complex.powi %a, %n : complex<f64>, i32
  return %0 : complex<f64>
}

// TENSORS: ([1-3i, 4+2i, 0.25+8i, 0+0i], [6+2i, -4+8i, -16+0.5i, 0+0i], 5.25+7i)
func.func @tensors() -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, complex<f32>) {
  %a = arith.constant dense<[(1.0, 2.0), (3.0, -1.0), (0.0, 4.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %b = arith.constant dense<[(0.0, -5.0), (1.0, 3.0), (0.25, 4.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %c = arith.constant dense<(0.0, 2.0)> : tensor<4xcomplex<f32>>
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                         iterator_types = ["parallel"]}
      ins(%a, %b : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) outs(%e : tensor<4xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %y: complex<f32>, %o: complex<f32>):
    %s = complex.add %x, %y : complex<f32>
    linalg.yield %s : complex<f32>
  } -> tensor<4xcomplex<f32>>
  %product = linalg.mul ins(%sum, %c : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) outs(%e : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %lower = arith.constant 0 : index
  %step = arith.constant 1 : index
  %upper = arith.constant 4 : index
  %total = scf.for %i = %lower to %upper step %step iter_args(%t = %zero) -> complex<f32> {
    %x = tensor.extract %sum[%i] : tensor<4xcomplex<f32>>
    %next = complex.add %t, %x : complex<f32>
    scf.yield %next : complex<f32>
  }
  return %sum, %product, %total : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, complex<f32>
}

// MEMORY: [0-3i, 0+3i, 0.5+1i, -1+infi]
func.func @memory(%a: memref<4xcomplex<f32>>) -> memref<4xcomplex<f32>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<4xcomplex<f32>>
  %x = memref.load %a[%c1] : memref<4xcomplex<f32>>
  %y = complex.conj %x : complex<f32>
  memref.copy %a, %r : memref<4xcomplex<f32>> to memref<4xcomplex<f32>>
  memref.store %y, %r[%c0] : memref<4xcomplex<f32>>
  return %r : memref<4xcomplex<f32>>
}

// BITS: (4611686019492741120, 1+2i, 2.000000473111868)
// REAL: argument 1: expected a complex number (complex64) as [re, im], found the number 1
func.func @bits(%a: complex<f32>, %i: i64) -> (i64, complex<f32>, f64) {
  %0 = complex.bitcast %a : complex<f32> to i64
  %1 = complex.bitcast %i : i64 to complex<f32>
  %2 = complex.bitcast %a : complex<f32> to f64
  return %0, %1, %2 : i64, complex<f32>, f64
}
