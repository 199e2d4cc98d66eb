// RUN: %kopt %s --hoist-assertions | FileCheck %s
// RUN: %kopt %s --canonicalize --hoist-assertions | FileCheck %s

// A condition that is the same in all iterations is checked before the loop; if it does not hold, a copy of the loop fails.
// CHECK-LABEL: func.func @condition
// CHECK: scf.if
// CHECK: scf.for
// CHECK: cf.assert
// CHECK: scf.for
// CHECK-NOT: cf.assert
// CHECK: return
func.func @condition(%a: tensor<?xi32>, %d: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> i32 {
    %x = tensor.extract %a[%i] : tensor<?xi32>
    %nonzero = arith.cmpi ne, %d, %zero : i32
    cf.assert %nonzero, "zero"
    %q = arith.divui %x, %d : i32
    %t = arith.addi %acc, %q : i32
    scf.yield %t : i32
  }
  return %sum : i32
}

// A choice that is true where an invariant condition holds: the other condition is only evaluated in the copy.
// CHECK-LABEL: func.func @choice
// CHECK: scf.if
// CHECK: scf.for
// CHECK: cf.assert
// CHECK: tensor.generate
// CHECK-NOT: cf.assert
// CHECK: return
func.func @choice(%a: tensor<?xi32>, %sufficient: i1) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %zero = arith.constant 0 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %x = tensor.extract %a[%i] : tensor<?xi32>
    %nonzero = arith.cmpi ne, %x, %zero : i32
    %holds = arith.select %sufficient, %true, %nonzero : i1
    cf.assert %holds, "zero"
    tensor.yield %x : i32
  } : tensor<?xi32>
  return %r : tensor<?xi32>
}

// An assertion that not every iteration executes remains.
// CHECK-LABEL: func.func @conditional
// CHECK: scf.for
// CHECK: scf.if
// CHECK: cf.assert
func.func @conditional(%a: tensor<?xi32>, %d: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> i32 {
    %x = tensor.extract %a[%i] : tensor<?xi32>
    %nonzero = arith.cmpi ne, %x, %zero : i32
    scf.if %nonzero {
      cf.assert %d, "zero"
    }
    %t = arith.addi %acc, %x : i32
    scf.yield %t : i32
  }
  return %sum : i32
}
