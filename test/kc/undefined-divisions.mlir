// An integer division by zero, or one that overflows, is the same error with the same exit code, interpreted and compiled.
// DEFINE: %{backend} = jit
// DEFINE: %{entry} = scalar
// DEFINE: %{inputs} = []
// DEFINE: %{run} = %kc run %s --backend %{backend} --entry %{entry} --inputs '%{inputs}'
// DEFINE: %{fails} = sh -c "%kc run %s --backend %{backend} --entry %{entry} --inputs '%{inputs}'; test $? = 3" 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: division by zero, or overflow of a signed division
// ERROR-NEXT: undefined-divisions.mlir:[[#]]:

// REDEFINE: %{inputs} = [7, 0]
// RUN: %{fails}
// REDEFINE: %{inputs} = [-2147483648, -1]
// RUN: %{fails}
// REDEFINE: %{backend} = interpret
// RUN: %{fails}
// REDEFINE: %{backend} = jit
// REDEFINE: %{inputs} = [-2147483647, -1]
// RUN: %{run} | FileCheck %s --check-prefix=MOST
// MOST: {{^}}2147483647{{$}}
func.func @scalar(%a: i32, %b: i32) -> i32 {
  %q = arith.divsi %a, %b : i32
  return %q : i32
}

// All operations, at any width.
// REDEFINE: %{entry} = all
// REDEFINE: %{inputs} = [7, 1, 1, 1, 1, 1, 1, 2]
// RUN: %{run} | FileCheck %s --check-prefix=ALL
// ALL: {{^}}35{{$}}
// REDEFINE: %{inputs} = [7, 0, 1, 1, 1, 1, 1, 2]
// RUN: %{fails}
// REDEFINE: %{inputs} = [7, 1, 0, 1, 1, 1, 1, 2]
// RUN: %{fails}
// REDEFINE: %{inputs} = [7, 1, 1, 0, 1, 1, 1, 2]
// RUN: %{fails}
// REDEFINE: %{inputs} = [7, 1, 1, 1, 0, 1, 1, 2]
// RUN: %{fails}
// REDEFINE: %{inputs} = [7, 1, 1, 1, 1, 0, 1, 2]
// RUN: %{fails}
// REDEFINE: %{inputs} = [7, 1, 1, 1, 1, 1, 0, 2]
// RUN: %{fails}
// REDEFINE: %{inputs} = [7, 1, 1, 1, 1, 1, 1, 256]
// RUN: %{fails}
func.func @all(%a: i64, %b: i64, %c: i64, %d: i64, %e: i64, %f: i64, %g: i64, %h: i64) -> i64 {
  %0 = arith.divui %a, %b : i64
  %1 = arith.ceildivsi %0, %c : i64
  %2 = arith.ceildivui %1, %d : i64
  %3 = arith.floordivsi %2, %e : i64
  %4 = arith.remsi %a, %f : i64
  %x = arith.extsi %a : i64 to i128
  %y = arith.extsi %g : i64 to i128
  %5 = arith.remui %x, %y : i128
  %6 = arith.trunci %5 : i128 to i64
  %v = arith.trunci %a : i64 to i8
  %w = arith.trunci %h : i64 to i8
  %7 = arith.divsi %v, %w : i8
  %8 = arith.extsi %7 : i8 to i64
  %s = arith.addi %4, %6 : i64
  %t = arith.addi %s, %3 : i64
  %c4 = arith.constant 4 : i64
  %u = arith.muli %t, %c4 : i64
  %z = arith.addi %u, %8 : i64
  %o = arith.addi %z, %c4 : i64
  return %o : i64
}

// REDEFINE: %{entry} = indices
// REDEFINE: %{inputs} = [-7, 2]
// RUN: %{run} | FileCheck %s --check-prefix=INDEX
// INDEX: {{^}}-4{{$}}
// REDEFINE: %{inputs} = [-9223372036854775808, -1]
// RUN: %{fails}
func.func @indices(%a: index, %b: index) -> index {
  %q = index.floordivs %a, %b
  return %q : index
}

// REDEFINE: %{entry} = vectors
// REDEFINE: %{inputs} = [7, 2]
// RUN: %{run} | FileCheck %s --check-prefix=VECTOR
// VECTOR: {{^}}4{{$}}
// REDEFINE: %{inputs} = [7, 0]
// RUN: %{fails}
func.func @vectors(%a: i32, %b: i32) -> i32 {
  %x = vector.broadcast %a : i32 to vector<2x3xi32>
  %ones = arith.constant dense<1> : vector<2x3xi32>
  %y = vector.insert %b, %ones [1, 1] : i32 into vector<2x3xi32>
  %q = arith.divsi %x, %y : vector<2x3xi32>
  %e = vector.extract %q[1, 1] : i32 from vector<2x3xi32>
  %u = vector.broadcast %a : i32 to vector<i32>
  %v = vector.broadcast %b : i32 to vector<i32>
  %r = arith.remsi %u, %v : vector<i32>
  %f = vector.extract %r[] : i32 from vector<i32>
  %s = arith.addi %e, %f : i32
  return %s : i32
}

// A divisor that is the same in all iterations is not divided by if there are none.
// REDEFINE: %{entry} = loop
// REDEFINE: %{inputs} = [[7, -8], 3]
// RUN: %{run} | FileCheck %s --check-prefix=LOOP
// LOOP: {{^}}[2, -2]{{$}}
// REDEFINE: %{inputs} = [[], 0]
// RUN: %{run} | FileCheck %s --check-prefix=EMPTY
// EMPTY: {{^}}[]{{$}}
// REDEFINE: %{inputs} = [[7, 8], 0]
// RUN: %{fails}
// REDEFINE: %{inputs} = [[7, -2147483648], -1]
// RUN: %{fails}
// REDEFINE: %{inputs} = [[7, 8], -1]
// RUN: %{run} | FileCheck %s --check-prefix=NEGATED
// NEGATED: {{^}}[-7, -8]{{$}}
func.func @loop(%a: tensor<?xi32>, %d: i32) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %x = tensor.extract %a[%i] : tensor<?xi32>
    %q = arith.divsi %x, %d : i32
    tensor.yield %q : i32
  } : tensor<?xi32>
  return %r : tensor<?xi32>
}

// REDEFINE: %{entry} = named
// REDEFINE: %{inputs} = [[7, -8], [2, 3]]
// RUN: %{run} | FileCheck %s --check-prefix=NAMED
// NAMED: {{^}}[3, -2]{{$}}
// REDEFINE: %{inputs} = [[7, -8], [2, 0]]
// RUN: %{fails}
func.func @named(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %q = linalg.div ins(%a, %b : tensor<?xi32>, tensor<?xi32>) outs(%a : tensor<?xi32>) -> tensor<?xi32>
  return %q : tensor<?xi32>
}

// The divisor of the second division is the quotient of the first.
// REDEFINE: %{entry} = chain
// REDEFINE: %{inputs} = [[7, 8], [2, 3]]
// RUN: %{run} | FileCheck %s --check-prefix=CHAIN
// CHAIN: {{^}}[2, 4]{{$}}
// REDEFINE: %{inputs} = [[7, 8], [0, 3]]
// RUN: %{fails}
// REDEFINE: %{inputs} = [[7, 8], [2, 9]]
// RUN: %{fails}
func.func @chain(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %q = linalg.map ins(%a, %b : tensor<?xi32>, tensor<?xi32>) outs(%a : tensor<?xi32>) (%x: i32, %y: i32, %o: i32) {
    %d = arith.divui %x, %y : i32
    %e = arith.divui %x, %d : i32
    linalg.yield %e : i32
  }
  return %q : tensor<?xi32>
}

// The dividend is accumulated.
// REDEFINE: %{entry} = accumulated
// REDEFINE: %{inputs} = [[7, 8]]
// RUN: %{run} | FileCheck %s --check-prefix=ACCUMULATED
// ACCUMULATED: {{^}}17{{$}}
// REDEFINE: %{inputs} = [[7, 0]]
// RUN: %{fails}
func.func @accumulated(%a: tensor<?xi32>) -> tensor<i32> {
  %thousand = arith.constant dense<1000> : tensor<i32>
  %q = linalg.reduce ins(%a: tensor<?xi32>) outs(%thousand : tensor<i32>) dimensions = [0] (%in: i32, %acc: i32) {
    %d = arith.divsi %acc, %in : i32
    linalg.yield %d : i32
  }
  return %q : tensor<i32>
}

// The extent of the second loop is that of the output.
// REDEFINE: %{entry} = broadcast
// REDEFINE: %{inputs} = [[7, 8], [2, 3], [[0], [0]]]
// RUN: %{run} | FileCheck %s --check-prefix=BROADCAST
// BROADCAST: {{^}}{{\[}}[3], [2]]{{$}}
// REDEFINE: %{inputs} = [[7, 8], [2, 0], [[0], [0]]]
// RUN: %{fails}
func.func @broadcast(%a: tensor<2xi32>, %b: tensor<2xi32>, %o: tensor<2x?xi32>) -> tensor<2x?xi32> {
  %q = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a, %b : tensor<2xi32>, tensor<2xi32>) outs(%o : tensor<2x?xi32>) {
  ^bb0(%x: i32, %y: i32, %acc: i32):
    %r = arith.divsi %x, %y : i32
    linalg.yield %r : i32
  } -> tensor<2x?xi32>
  return %q : tensor<2x?xi32>
}

// An atomic update contains no assertions: its divisions are checked after it, also those in conditionals.
// REDEFINE: %{entry} = atomic
// REDEFINE: %{inputs} = [[7, 8], 2]
// RUN: %{run} | FileCheck %s --check-prefix=ATOMIC
// ATOMIC: {{^}}[3, 8]{{$}}
func.func @atomic(%a: memref<2xi32>, %d: i32) -> memref<2xi32> {
  %c0 = arith.constant 0 : index
  %r = memref.generic_atomic_rmw %a[%c0] : memref<2xi32> {
  ^bb0(%x: i32):
    %q = arith.divui %x, %d : i32
    memref.atomic_yield %q : i32
  }
  return %a : memref<2xi32>
}
// REDEFINE: %{inputs} = [[7, 8], 0]
// RUN: %{fails}

// REDEFINE: %{entry} = atomic_divisor
// REDEFINE: %{inputs} = [[7, 8]]
// RUN: %{run} | FileCheck %s --check-prefix=DIVISOR
// DIVISOR: {{^}}(7, [14, 8]){{$}}
// REDEFINE: %{inputs} = [[0, 8]]
// RUN: %{fails}
func.func @atomic_divisor(%a: memref<2xi32>) -> (i32, memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %hundred = arith.constant 100 : i32
  %r = memref.generic_atomic_rmw %a[%c0] : memref<2xi32> {
  ^bb0(%x: i32):
    %q = arith.divsi %hundred, %x : i32
    memref.atomic_yield %q : i32
  }
  return %r, %a : i32, memref<2xi32>
}

// REDEFINE: %{backend} = interpret
// REDEFINE: %{entry} = atomic_choice
// REDEFINE: %{inputs} = [[0, 8], false]
// RUN: %{run} | FileCheck %s --check-prefix=CHOICE
// CHOICE: {{^}}(0, [100, 8]){{$}}
// REDEFINE: %{inputs} = [[0, 8], true]
// RUN: %{fails}
func.func @atomic_choice(%a: memref<2xi32>, %divides: i1) -> (i32, memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %hundred = arith.constant 100 : i32
  %r = memref.generic_atomic_rmw %a[%c0] : memref<2xi32> {
  ^bb0(%x: i32):
    %q = scf.if %divides -> i32 {
      %d = arith.divsi %hundred, %x : i32
      scf.yield %d : i32
    } else {
      scf.yield %hundred : i32
    }
    memref.atomic_yield %q : i32
  }
  return %r, %a : i32, memref<2xi32>
}
