// RUN: %kopt %s --differentiate --canonicalize --cse --symbol-dce | FileCheck %s

data.type @List = "Cons"(i32, f64, !data.cell<@List>) | "Nil"()

// The tangent of a list has no integers, and is zero where a list has no floats.
// CHECK-LABEL: func.func private @sum.rev(
// CHECK-SAME: %[[L:.*]]: !data.cell<@List>, %[[CT:.*]]: f64) -> !data.cell<@List.tangent>
// CHECK-NOT: call @sum(
// CHECK: case 0
// CHECK: %[[T:.*]] = data.project %[[L]]
// CHECK-NEXT: %[[REST:.*]] = func.call @sum.rev(%[[T]], %[[CT]])
// CHECK-NEXT: data.make "Cons"[0] (%[[CT]], %[[REST]])

// CHECK-LABEL: func.func private @sum.fwd(
// CHECK-SAME: %[[L:.*]]: !data.cell<@List>, %[[DL:.*]]: !data.cell<@List.tangent>) -> (f64, f64)
// CHECK: %[[TAG:.*]] = data.tag %[[DL]]
// CHECK: func.call @sum.fwd
func.func private @sum(%l: !data.cell<@List>) -> f64 {
  %0 = data.tag %l : !data.cell<@List>
  %1 = scf.index_switch %0 -> f64
  case 0 {
    %h = data.project %l as "Cons"[0] of [i32, f64, !data.cell<@List>] at 1 : !data.cell<@List>
    %t = data.project %l as "Cons"[0] of [i32, f64, !data.cell<@List>] at 2 : !data.cell<@List>
    %rest = func.call @sum(%t) : (!data.cell<@List>) -> f64
    %s = arith.addf %h, %rest : f64
    scf.yield %s : f64
  }
  default {
    %zero = arith.constant 0.0 : f64
    scf.yield %zero : f64
  }
  return %1 : f64
}

func.func private @f(%x: f64, %n: i32) -> f64 {
  %nil = data.make "Nil"[1]() : () -> !data.cell<@List>
  %0 = data.make "Cons"[0](%n, %x, %nil) : (i32, f64, !data.cell<@List>) -> !data.cell<@List>
  %1 = call @sum(%0) : (!data.cell<@List>) -> f64
  return %1 : f64
}

func.func @forward(%x: f64, %n: i32) -> f64 {
  %0 = diff.fwd @f(%x, %n)(%x) : (f64, i32, f64) -> f64
  return %0 : f64
}

func.func @reverse(%x: f64, %n: i32) -> f64 {
  %0 = diff.rev @f(%x, %n)(%x) : (f64, i32, f64) -> f64
  return %0 : f64
}

// CHECK: data.type @List.tangent = "Cons"(f64, !data.cell<@List.tangent>) | "Zero"()
