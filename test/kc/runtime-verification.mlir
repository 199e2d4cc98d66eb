// What the interpreter checks, compiled code checks as well, with the same messages.

// RUN: echo '[[1, 2, 3], [1, 2, 4]]' | %kc run %s --entry add --inputs - | FileCheck %s --check-prefix=SUM
// SUM: [2, 4, 7]
// RUN: echo '[[1, 2, 3], [1, 2]]' > %t.json
// RUN: not %kc run %s --entry add --inputs %t.json 2>&1 | FileCheck %s --check-prefix=ADD
// RUN: not %kc run %s --entry add --inputs %t.json --backend interpret-buffers 2>&1 | FileCheck %s --check-prefix=ADD
// RUN: not %kc run %s --entry add --inputs %t.json --backend interpret 2>&1 | FileCheck %s --check-prefix=ADD
// ADD: error: inconsistent extents of loop 0: 3 and 2
// ADD-NEXT: runtime-verification.mlir:[[@LINE+5]]:8
func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %r = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// An index that is data, in the computation of an element.
// RUN: echo '[[10, 20, 30], [2, 0]]' | %kc run %s --entry gather --inputs - | FileCheck %s --check-prefix=GATHERED
// GATHERED: [30, 10]
// RUN: echo '[[10, 20, 30], [2, 3]]' > %t.json
// RUN: not %kc run %s --entry gather --inputs %t.json 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: not %kc run %s --entry gather --inputs %t.json --backend interpret-buffers 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: not %kc run %s --entry gather --inputs %t.json --backend interpret 2>&1 | FileCheck %s --check-prefix=GATHER
// GATHER: error: index 3 is out of bounds for extent 3
func.func @gather(%t: tensor<?xf32>, %at: tensor<?xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %at, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%at : tensor<?xi64>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: i64, %out: f32):
    %k = arith.index_cast %x : i64 to index
    %v = tensor.extract %t[%k] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// RUN: echo '[[1, 2, 3, 4, 5], 4, 3, -2]' | %kc run %s --entry slice --inputs - | FileCheck %s --check-prefix=SLICED
// SLICED: [5, 3, 1]
// RUN: echo '[[1, 2, 3, 4, 5], 2, 3, -2]' > %t.json
// RUN: not %kc run %s --entry slice --inputs %t.json 2>&1 | FileCheck %s --check-prefix=BACKWARD
// RUN: not %kc run %s --entry slice --inputs %t.json --backend interpret 2>&1 | FileCheck %s --check-prefix=BACKWARD
// BACKWARD: error: index -2 is out of bounds for extent 5
// RUN: echo '[[1, 2, 3, 4, 5], 1, 3, 2]' > %t.json
// RUN: not %kc run %s --entry slice --inputs %t.json 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not %kc run %s --entry slice --inputs %t.json --backend interpret 2>&1 | FileCheck %s --check-prefix=SLICE
// SLICE: error: index 5 is out of bounds for extent 5
func.func @slice(%a: tensor<?xf32>, %o: index, %n: index, %s: index) -> tensor<?xf32> {
  %r = tensor.extract_slice %a[%o] [%n] [%s] : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

// A product of extents that overflows is not a number of elements.
// RUN: echo '[[1, 2, 3, 4, 5, 6], 3, 2]' | %kc run %s --entry expand --inputs - | FileCheck %s --check-prefix=EXPANDED
// EXPANDED: {{\[\[}}1, 2], [3, 4], [5, 6]]
// RUN: echo '[[], 0, 7]' | %kc run %s --entry expand --inputs - | FileCheck %s --check-prefix=EMPTY
// EMPTY: {{\[]}}
// RUN: echo '[[], 4294967296, 4294967296]' > %t.json
// RUN: not %kc run %s --entry expand --inputs %t.json 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not %kc run %s --entry expand --inputs %t.json --backend interpret 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// OVERFLOW: error: dimension 0 of extent 0 is expanded to extents [4294967296, 4294967296]
// RUN: echo '[[1, 2, 3, 4, 5, 6], -3, -2]' > %t.json
// RUN: not %kc run %s --entry expand --inputs %t.json 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: dimension 0 of extent 6 is expanded to extents [-3, -2]
func.func @expand(%a: tensor<?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %r = tensor.expand_shape %a [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Without the checks, the program has none of the assertions.
// RUN: %kc build %s --entry add --emit=shared | FileCheck %s --check-prefix=CHECKED
// RUN: %kc build %s --entry add --emit=shared --no-check-bounds | FileCheck %s --check-prefix=UNCHECKED
// CHECKED: data.assert
// UNCHECKED-NOT: data.assert

// RUN: echo '[[[1, 2], [3, 4], [5, 6]], [[2], [0]]]' | %kc run %s --entry rows --inputs - | FileCheck %s --check-prefix=ROWS
// ROWS: {{\[\[}}5, 6], [1, 2]]
// RUN: echo '[[[1, 2], [3, 4], [5, 6]], [[2], [-1]]]' > %t.json
// RUN: not %kc run %s --entry rows --inputs %t.json 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: not %kc run %s --entry rows --inputs %t.json --backend interpret 2>&1 | FileCheck %s --check-prefix=ROW
// ROW: error: index -1 is out of bounds for extent 3
func.func @rows(%t: tensor<?x2xf32>, %at: tensor<?x1xi32>) -> tensor<?x2xf32> {
  %r = tensor.gather %t[%at] gather_dims([0]) : (tensor<?x2xf32>, tensor<?x1xi32>) -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}

// RUN: echo '[[[9, 8]], [[1, 2], [3, 4], [5, 6]], [[1]]]' | %kc run %s --entry put --inputs - | FileCheck %s --check-prefix=PUT
// PUT: {{\[\[}}1, 2], [9, 8], [5, 6]]
// RUN: echo '[[[9, 8], [7, 6]], [[1, 2], [3, 4], [5, 6]], [[1]]]' > %t.json
// RUN: not %kc run %s --entry put --inputs %t.json 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not %kc run %s --entry put --inputs %t.json --backend interpret 2>&1 | FileCheck %s --check-prefix=PART
// PART: error: a tensor of extent 2 in dimension 0 is inserted into a slice of size 1
func.func @put(%s: tensor<?x2xf32>, %t: tensor<?x2xf32>, %at: tensor<?x1xindex>) -> tensor<?x2xf32> {
  %r = tensor.scatter %s into %t[%at] scatter_dims([0]) unique : (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x1xindex>) -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
