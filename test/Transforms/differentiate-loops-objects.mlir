// RUN: %kopt %s --differentiate --canonicalize --cse --symbol-dce | FileCheck %s

data.type @List = "Cons"(f64, !data.cell<@List>) | "Nil"()

// The loop pushes the list of each iteration; the reverse loop takes it from the stack, from the last iteration to the first.
// CHECK-LABEL: func.func private @product.rev(
// CHECK: %[[EMPTY:.*]] = data.make "Empty"[1] () : () -> !data.cell<@List.stack>
// CHECK: %[[LOOP:.*]]:4 = scf.for {{.*}} iter_args(%[[L:.*]] = %{{.*}}, %[[P:.*]] = %{{.*}}, %[[STACK:.*]] = %[[EMPTY]], %{{.*}} = %{{.*}})
// CHECK: %[[PUSHED:.*]] = data.make "Push"[0] (%[[L]], %[[STACK]])
// CHECK: scf.yield %{{.*}}, %{{.*}}, %[[PUSHED]], %{{.*}}
// CHECK: scf.for {{.*}} iter_args({{.*}}%[[REST:.*]] = %[[LOOP]]#2)
// CHECK: %[[TOP:.*]] = data.project %[[REST]] as "Push"[0] {{.*}} at 0
// CHECK: data.project %[[REST]] as "Push"[0] {{.*}} at 1
// CHECK: data.project %[[TOP]] as "Cons"[0] {{.*}} at 0
func.func private @product(%l: !data.cell<@List>, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %0:2 = scf.for %i = %zero to %n step %step iter_args(%rest = %l, %p = %one) -> (!data.cell<@List>, f64) {
    %h = data.project %rest as "Cons"[0] of [f64, !data.cell<@List>] at 0 : !data.cell<@List>
    %t = data.project %rest as "Cons"[0] of [f64, !data.cell<@List>] at 1 : !data.cell<@List>
    %q = arith.mulf %p, %h : f64
    scf.yield %t, %q : !data.cell<@List>, f64
  }
  return %0#1 : f64
}

func.func @request(%l: !data.cell<@List>, %n: index, %ct: f64) -> !data.cell<@List> {
  %0 = diff.rev @product(%l, %n)(%ct) : (!data.cell<@List>, index, f64) -> !data.cell<@List>
  return %0 : !data.cell<@List>
}
