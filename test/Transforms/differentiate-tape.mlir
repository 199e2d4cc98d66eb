// The reverse sweep of a right fold needs the results of the recursive calls. They are recorded on a stack, so the derivative makes a
// constant number of calls at each level.
// RUN: %kopt %s --differentiate --canonicalize --symbol-dce | FileCheck %s

data.type @List = "Cons"(f64, !data.cell<@List>) | "Nil"()

// CHECK-LABEL: func.func private @product.replay(
// CHECK-SAME: %[[L:.*]]: !data.cell<@List>, %[[CT:.*]]: f64, %[[STACK:.*]]: !data.cell<@f64.stack>) -> (!data.cell<@List.tangent>, !data.cell<@f64.stack>)
// CHECK-NOT: call
// CHECK-DAG: %[[VALUE:.*]] = data.project %[[STACK]] as "Push"[0] {{.*}} at 0
// CHECK-DAG: %[[REST:.*]] = data.project %[[STACK]] as "Push"[0] {{.*}} at 1
// CHECK: scf.index_switch
// CHECK: arith.mulf %[[CT]], %[[VALUE]]
// CHECK: call @product.replay(%{{.*}}, %{{.*}}, %[[REST]])
// CHECK-NOT: call

// CHECK-LABEL: func.func private @product.record(
// CHECK-SAME: %[[L:.*]]: !data.cell<@List>, %[[STACK:.*]]: !data.cell<@f64.stack>) -> (f64, !data.cell<@f64.stack>)
// CHECK: %[[IF:.*]]:3 = scf.index_switch
// CHECK: call @product.record(%{{.*}}, %[[STACK]])
// CHECK: default
// CHECK: scf.yield %{{.*}}, %[[STACK]], %{{.*}}
// CHECK: %[[PUSHED:.*]] = data.make "Push"[0] (%[[IF]]#2, %[[IF]]#1)
// CHECK: return %[[IF]]#0, %[[PUSHED]]

// CHECK-LABEL: func.func private @product.rev(
// CHECK: %[[EMPTY:.*]] = data.make "Empty"
// CHECK: %[[R:.*]]:2 = call @product.record(%{{.*}}, %[[EMPTY]])
// CHECK: call @product.replay(%{{.*}}, %{{.*}}, %[[R]]#1)
func.func private @product(%l: !data.cell<@List>) -> f64 {
  %0 = data.tag %l : !data.cell<@List>
  %1 = scf.index_switch %0 -> f64
  case 0 {
    %h = data.project %l as "Cons"[0] of [f64, !data.cell<@List>] at 0 : !data.cell<@List>
    %t = data.project %l as "Cons"[0] of [f64, !data.cell<@List>] at 1 : !data.cell<@List>
    %rest = func.call @product(%t) : (!data.cell<@List>) -> f64
    %p = arith.mulf %h, %rest : f64
    scf.yield %p : f64
  }
  default {
    %one = arith.constant 1.0 : f64
    scf.yield %one : f64
  }
  return %1 : f64
}

func.func private @twice(%l: !data.cell<@List>) -> f64 {
  %0 = func.call @product(%l) : (!data.cell<@List>) -> f64
  %1 = arith.mulf %0, %0 : f64
  return %1 : f64
}

func.func @gradient(%l: !data.cell<@List>, %d: f64) -> !data.cell<@List> {
  %0 = diff.rev @twice(%l)(%d) : (!data.cell<@List>, f64) -> !data.cell<@List>
  return %0 : !data.cell<@List>
}
