// RUN: %kopt %s --raise-loops --split-input-file | FileCheck %s

// A tensor computed from its indices reads others at the indices of its domain.
// CHECK-LABEL: func.func @generate
// CHECK: %[[OUT:.*]] = tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK: linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<?xf32>) outs(%[[OUT]] : tensor<?xf32>) {
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[R:.*]] = arith.mulf %[[IN]], %[[IN]] : f32
// CHECK-NEXT: linalg.yield %[[R]] : f32
func.func @generate(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<?xf32>
    %s = arith.mulf %a, %a : f32
    tensor.yield %s : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// A loop that carries scalars through monoids is a reduction; the order is kept.
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[NONE:.*]] = affine_map<(d0) -> ()>
// CHECK-LABEL: func.func @reduce
// CHECK: %[[SUM:.*]] = tensor.splat %arg1 : tensor<f32>
// CHECK: %[[MAX:.*]] = tensor.splat %arg2 : tensor<i32>
// CHECK: %[[R:.*]]:2 = linalg.generic {indexing_maps = [#[[ID]], #[[NONE]], #[[NONE]]], iterator_types = ["reduction"]} ins(%arg0 : tensor<?xf32>) outs(%[[SUM]], %[[MAX]] : tensor<f32>, tensor<i32>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %[[S:.*]]: f32, %[[M:.*]]: i32):
// CHECK: %[[I:.*]] = arith.fptosi %[[IN]]
// CHECK: arith.addf %[[S]], %[[IN]] : f32
// CHECK: arith.maxsi %[[I]], %[[M]] : i32
// CHECK: tensor.extract %[[R]]#0[] : tensor<f32>
// CHECK: tensor.extract %[[R]]#1[] : tensor<i32>
func.func @reduce(%x: tensor<?xf32>, %start: f32, %least: i32) -> (f32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %start, %m = %least) -> (f32, i32) {
    %a = tensor.extract %x[%i] : tensor<?xf32>
    %t = arith.addf %s, %a : f32
    %j = arith.fptosi %a : f32 to i32
    %k = arith.maxsi %j, %m : i32
    scf.yield %t, %k : f32, i32
  }
  return %r#0, %r#1 : f32, i32
}

// -----

// Perfectly nested loops that insert at their indices write each element once.
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[T:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @transpose
// CHECK-NOT: scf.for
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[T]]], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<8x4xf32>)
func.func @transpose(%x: tensor<4x8xf32>, %to: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %to) -> (tensor<8x4xf32>) {
    %s = scf.for %j = %c0 to %c8 step %c1 iter_args(%b = %a) -> (tensor<8x4xf32>) {
      %e = tensor.extract %x[%i, %j] : tensor<4x8xf32>
      %c = tensor.insert %e into %b[%j, %i] : tensor<8x4xf32>
      scf.yield %c : tensor<8x4xf32>
    }
    scf.yield %s : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}

// -----

// The sum of a row does not depend on the column: it is computed once per row.
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @normalize
// CHECK: %[[ZERO:.*]] = tensor.splat %{{.*}}[%[[N:.*]]] : tensor<?xf32>
// CHECK: %[[SUMS:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ROW]]], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x?xf32>) outs(%[[ZERO]] : tensor<?xf32>)
// CHECK: arith.addf
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[ROW]], #[[ID]]], iterator_types = ["parallel", "parallel"]} ins(%arg0, %[[SUMS]] : tensor<?x?xf32>, tensor<?xf32>)
// CHECK: arith.divf
func.func @normalize(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %r = tensor.generate %n, %m {
  ^bb0(%i: index, %j: index):
    %s = scf.for %k = %c0 to %m step %c1 iter_args(%a = %zero) -> (f32) {
      %e = tensor.extract %x[%i, %k] : tensor<?x?xf32>
      %t = arith.addf %a, %e : f32
      scf.yield %t : f32
    }
    %e = tensor.extract %x[%i, %j] : tensor<?x?xf32>
    %q = arith.divf %e, %s : f32
    tensor.yield %q : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// A product of matrices: the reduction depends on both indices, and nothing else is left of the tensor.
// CHECK-LABEL: func.func @matmul
// CHECK: %[[R:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x16xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return %[[R]] : tensor<4x16xf32>
func.func @matmul(%x: tensor<4x8xf32>, %y: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %r = tensor.generate {
  ^bb0(%i: index, %j: index):
    %s = scf.for %k = %c0 to %c8 step %c1 iter_args(%a = %zero) -> (f32) {
      %e = tensor.extract %x[%i, %k] : tensor<4x8xf32>
      %f = tensor.extract %y[%k, %j] : tensor<8x16xf32>
      %p = arith.mulf %e, %f : f32
      %t = arith.addf %a, %p : f32
      scf.yield %t : f32
    }
    tensor.yield %s : f32
  } : tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

// A tensor inside of a reduction is computed for all iterations before.
// CHECK-LABEL: func.func @inner_tensor
// CHECK: %[[T:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x8xf32>) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK: math.exp
// CHECK: %[[S:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[T]] : tensor<4x8xf32>)
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%[[S]] : tensor<4xf32>)
// CHECK: math.log
func.func @inner_tensor(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %r = tensor.generate {
  ^bb0(%i: index):
    %v = tensor.generate %c8 {
    ^bb0(%j: index):
      %e = tensor.extract %x[%i, %j] : tensor<4x8xf32>
      %f = math.exp %e : f32
      tensor.yield %f : f32
    } : tensor<?xf32>
    %n = tensor.dim %v, %c0 : tensor<?xf32>
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
      %e = tensor.extract %v[%k] : tensor<?xf32>
      %t = arith.addf %a, %e : f32
      scf.yield %t : f32
    }
    %l = math.log %s : f32
    tensor.yield %l : f32
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// An assertion on a value from outside is checked once, if there is an iteration.
// CHECK-LABEL: func.func @assertion
// CHECK: %[[SOME:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
// CHECK: %[[OK:.*]] = arith.select %[[SOME]], %arg1, %{{.*}} : i1
// CHECK: cf.assert %[[OK]], "wrong"
// CHECK-NOT: cf.assert
// CHECK: return %arg0
func.func @assertion(%x: tensor<?xf32>, %ok: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = tensor.generate %n {
  ^bb0(%i: index):
    cf.assert %ok, "wrong"
    %a = tensor.extract %x[%i] : tensor<?xf32>
    tensor.yield %a : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// A recurrence that is not a monoid stays a loop. An element at a computed index is gathered if there is an iteration around it.
// CHECK-LABEL: func.func @kept
// CHECK: scf.for
// CHECK: arith.subf
// CHECK: %[[G:.*]] = linalg.generic {indexing_maps = [#{{.*}}], iterator_types = ["parallel"]} outs(%{{.*}} : tensor<?xf32>)
// CHECK: %[[K:.*]] = linalg.index 0
// CHECK: %[[SOME:.*]] = arith.cmpi slt
// CHECK: scf.if %[[SOME]]
// CHECK: %[[AT:.*]] = arith.addi %[[K]], %[[K]]
// CHECK: tensor.extract %arg0[%[[AT]]]
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[G]] : tensor<?xf32>)
func.func @kept(%x: tensor<?xf32>, %start: f32, %m: index) -> (f32, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) {
    %a = tensor.extract %x[%i] : tensor<?xf32>
    %t = arith.subf %s, %a : f32
    scf.yield %t : f32
  }
  %g = tensor.generate %n {
  ^bb0(%i: index):
    %q = scf.for %k = %c0 to %m step %c1 iter_args(%s = %start) -> (f32) {
      %at = arith.addi %k, %k : index
      %a = tensor.extract %x[%at] : tensor<?xf32>
      %t = arith.addf %s, %a : f32
      scf.yield %t : f32
    }
    tensor.yield %q : f32
  } : tensor<?xf32>
  return %r, %g : f32, tensor<?xf32>
}

// -----

// Tensors of other extents than a reduced dimension are read as slices, which are in bounds even if the reduction is not
// executed; the dimension is clamped to the extents of all of them.
// CHECK-LABEL: func.func @clamped
// CHECK-NOT: tensor.extract %
// CHECK: %[[N:.*]] = tensor.dim %arg0, %c1
// CHECK: %[[L1:.*]] = arith.minsi %arg2, %[[N]] : index
// CHECK: %[[M:.*]] = tensor.dim %arg1, %c0
// CHECK: %[[L2:.*]] = arith.minsi %[[L1]], %[[M]] : index
// CHECK: %[[K:.*]] = arith.maxsi %[[L2]], %{{.*}} : index
// CHECK: %[[X:.*]] = tensor.extract_slice %arg0[%{{.*}}, %{{.*}}] [%{{.*}}, %[[K]]] [1, 1]
// CHECK: %[[Y:.*]] = tensor.extract_slice %arg1[%{{.*}}, %{{.*}}] [%[[K]], %{{.*}}] [1, 1]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[Y]]
func.func @clamped(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %m: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %p = tensor.dim %y, %c1 : tensor<?x?xf32>
  %g = tensor.generate %n, %p {
  ^bb0(%i: index, %j: index):
    %q = scf.for %k = %c0 to %m step %c1 iter_args(%s = %zero) -> (f32) {
      %a = tensor.extract %x[%i, %k] : tensor<?x?xf32>
      %b = tensor.extract %y[%k, %j] : tensor<?x?xf32>
      %c = arith.mulf %a, %b : f32
      %t = arith.addf %s, %c : f32
      scf.yield %t : f32
    }
    tensor.yield %q : f32
  } : tensor<?x?xf32>
  return %g : tensor<?x?xf32>
}

// -----

// A parallel dimension has as many elements as before, so it cannot be clamped: elements that may be out of bounds are gathered.
// CHECK-LABEL: func.func @parallel_extent
// CHECK-NOT: tensor.extract_slice
// CHECK: linalg.generic
// CHECK: scf.if
// CHECK: tensor.extract %arg0
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
func.func @parallel_extent(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %g = tensor.generate %n {
  ^bb0(%i: index):
    %q = scf.for %k = %c0 to %m step %c1 iter_args(%s = %zero) -> (f32) {
      %a = tensor.extract %x[%i] : tensor<?xf32>
      %b = tensor.extract %y[%k] : tensor<?xf32>
      %c = arith.mulf %a, %b : f32
      %t = arith.addf %s, %c : f32
      scf.yield %t : f32
    }
    tensor.yield %q : f32
  } : tensor<?xf32>
  return %g : tensor<?xf32>
}

// -----

// An inner sum up to the row runs over all rows, with zeros.
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[NONE:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: func.func @triangular
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[NONE]]], iterator_types = ["reduction", "reduction"]} ins(%arg0 : tensor<8x8xf32>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %[[SUM:.*]]: f32):
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[J]], %[[I]] : index
// CHECK: %[[NEUTRAL:.*]] = arith.constant -0.0
// CHECK: %[[TERM:.*]] = arith.select %[[BELOW]], %[[IN]], %[[NEUTRAL]] : f32
// CHECK: arith.addf %[[SUM]], %[[TERM]] : f32
func.func @triangular(%x: tensor<8x8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %zero) -> (f32) {
    %s = scf.for %j = %c0 to %i step %c1 iter_args(%b = %a) -> (f32) {
      %e = tensor.extract %x[%i, %j] : tensor<8x8xf32>
      %t = arith.addf %b, %e : f32
      scf.yield %t : f32
    }
    scf.yield %s : f32
  }
  return %r : f32
}

// -----

// Sums and maxima for each row are computed for several rows at once: the rows are the last dimension of what is kept for them,
// so that the elements of the rows are transposed.
// CHECK-DAG: #[[MK:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[KM:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[RK:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-LABEL: func.func @rows
// CHECK: %[[W:.*]] = linalg.generic {indexing_maps = [#[[KM]]], iterator_types = ["parallel", "parallel"]} outs(
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: arith.cmpi slt, %[[J]], %[[I]]
// CHECK: scf.if
// CHECK: tensor.extract %arg1
// CHECK: %[[XT:.*]] = linalg.generic {indexing_maps = [#[[MK]], #[[KM]]], iterator_types = ["parallel", "parallel"]} ins(%arg0
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[XT]], %[[W]] : tensor<?x?xf32>, tensor<?x?xf32>)
// CHECK: arith.mulf
// CHECK: arith.select
// CHECK: arith.addf
// CHECK: %[[FIRST:.*]] = linalg.generic {indexing_maps = [#[[ROW]]], iterator_types = ["parallel"]} outs(
// CHECK: tensor.extract %[[V:[0-9]*]][
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[V]] : tensor<?x?xf32>) outs(%[[FIRST]] : tensor<?xf32>)
// CHECK: arith.cmpf ogt
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[MAX]] : tensor<?xf32>)
// CHECK: arith.addf
func.func @rows(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %r = scf.for %row = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
    %v = tensor.generate %m {
    ^bb0(%i: index):
      %s = scf.for %j = %c0 to %i step %c1 iter_args(%b = %zero) -> (f32) {
        %at = arith.muli %i, %j : index
        %e = tensor.extract %x[%row, %j] : tensor<?x?xf32>
        %f = tensor.extract %w[%at] : tensor<?xf32>
        %p = arith.mulf %e, %f : f32
        %t = arith.addf %b, %p : f32
        scf.yield %t : f32
      }
      tensor.yield %s : f32
    } : tensor<?xf32>
    %first = tensor.extract %v[%c0] : tensor<?xf32>
    %max = scf.for %i = %c0 to %m step %c1 iter_args(%b = %first) -> (f32) {
      %e = tensor.extract %v[%i] : tensor<?xf32>
      %larger = arith.cmpf ogt, %e, %b : f32
      %t = arith.select %larger, %e, %b : f32
      scf.yield %t : f32
    }
    %t = arith.addf %a, %max : f32
    scf.yield %t : f32
  }
  return %r : f32
}

// -----

// An assertion that depends on one of two indices is checked once for each of its values.
// CHECK-LABEL: func.func @assertion_of_column
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: %[[AT:.*]] = arith.muli %[[J]], %[[J]]
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %arg2
// CHECK: %[[OK:.*]] = arith.select %{{.*}}, %[[IN]], %{{.*}} : i1
// CHECK: cf.assert %[[OK]], "wrong"
// CHECK: }
// CHECK-NOT: cf.assert
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%arg0
// CHECK-NOT: cf.assert
func.func @assertion_of_column(%x: tensor<?x?xf32>, %n: index, %limit: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %k = tensor.dim %x, %c1 : tensor<?x?xf32>
  %r = tensor.generate %m, %k {
  ^bb0(%i: index, %j: index):
    %at = arith.muli %j, %j : index
    %ok = arith.cmpi ult, %at, %limit : index
    cf.assert %ok, "wrong"
    %a = tensor.extract %x[%i, %j] : tensor<?x?xf32>
    %e = math.exp %a : f32
    tensor.yield %e : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// A fold whose next value is an element of a tensor that is cut out before it: the read is replaced.
// CHECK-LABEL: func.func @fold_reads_cut_tensor
// CHECK: %[[ROW:.*]] = linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK: %[[LAST:.*]] = linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[ROW]]
// CHECK: tensor.generate {
// CHECK: tensor.extract %[[LAST]][]
func.func @fold_reads_cut_tensor(%a: f32, %n: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = tensor.generate {
  ^bb0(%i: index):
    %row = tensor.generate {
    ^bb0(%j: index):
      tensor.yield %a : f32
    } : tensor<3xf32>
    %last = scf.for %j = %c0 to %c3 step %c1 iter_args(%s = %a) -> (f32) {
      %e = tensor.extract %row[%j] : tensor<3xf32>
      scf.yield %e : f32
    }
    %other = scf.for %j = %c0 to %n step %c1 iter_args(%s = %a) -> (f32) {
      scf.yield %a : f32
    }
    %x = arith.subf %last, %other : f32
    tensor.yield %x : f32
  } : tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// The values in the message are computed before the loop as well.
// CHECK-LABEL: func.func @assertion_with_values
// CHECK: scf.for %[[J:.*]] =
// CHECK: %[[AT:.*]] = arith.muli %[[J]], %[[J]]
// CHECK: data.assert %{{.*}}, "{} of column {}"(%[[AT]], %[[J]]) : index, index
// CHECK-NOT: data.assert
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%arg0
// CHECK-NOT: data.assert
func.func @assertion_with_values(%x: tensor<?x?xf32>, %limit: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %k = tensor.dim %x, %c1 : tensor<?x?xf32>
  %r = tensor.generate %m, %k {
  ^bb0(%i: index, %j: index):
    %at = arith.muli %j, %j : index
    %ok = arith.cmpi ult, %at, %limit : index
    data.assert %ok, "{} of column {}"(%at, %j) : index, index
    %a = tensor.extract %x[%i, %j] : tensor<?x?xf32>
    %e = math.exp %a : f32
    tensor.yield %e : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
