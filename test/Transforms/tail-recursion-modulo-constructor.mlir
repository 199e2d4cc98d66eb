// RUN: %kopt %s --tail-recursion-modulo-constructor | FileCheck %s

data.type @List = "Cons"(i32, !data.cell<@List>) | "Nil"()
data.type @Tree = "Node"(!data.cell<@Tree>, i32, !data.cell<@Tree>) | "Leaf"()

// The function creates the first cell, the copy the others. The addition is executed before the call.
// CHECK-LABEL: func.func @map(
// CHECK: data.project %arg0 {{.*}} at 0
// CHECK: %[[REST:.*]] = data.project %arg0 {{.*}} at 1
// CHECK-NEXT: %[[Y:.*]] = arith.addi
// CHECK-NEXT: %[[NONE:.*]] = data.nothing
// CHECK-NEXT: %[[CELL:.*]] = data.make "Cons"[0] (%[[Y]], %[[NONE]]) {open}
// CHECK-NEXT: %[[HOLE:.*]] = data.hole %[[CELL]] {{.*}} at 1
// CHECK-NEXT: func.call @map$fill(%[[REST]], %[[HOLE]])
// CHECK-NEXT: scf.yield %[[CELL]]
// CHECK-LABEL: func.func private @map$fill(
// CHECK-SAME: %[[XS:.*]]: !data.cell<@List>, %[[OUTER:.*]]: !data.hole<!data.cell<@List>>)
// CHECK: scf.index_switch
// CHECK: %[[CELL:.*]] = data.make "Cons"[0] {{.*}} {open}
// CHECK-NEXT: %[[HOLE:.*]] = data.hole %[[CELL]]
// CHECK-NEXT: data.fill %[[OUTER]](%[[CELL]])
// CHECK-NEXT: func.call @map$fill(%{{.*}}, %[[HOLE]])
// CHECK-NEXT: scf.yield
// CHECK: default
// CHECK: %[[NIL:.*]] = data.make "Nil"
// CHECK-NEXT: data.fill %[[OUTER]](%[[NIL]])
// CHECK: return{{$}}
func.func @map(%xs: !data.cell<@List>) -> !data.cell<@List> {
  %tag = data.tag %xs : !data.cell<@List>
  %r = scf.index_switch %tag -> !data.cell<@List>
  case 0 {
    %x = data.project %xs as "Cons"[0] of [i32, !data.cell<@List>] at 0 : !data.cell<@List>
    %rest = data.project %xs as "Cons"[0] of [i32, !data.cell<@List>] at 1 : !data.cell<@List>
    %more = func.call @map(%rest) : (!data.cell<@List>) -> !data.cell<@List>
    %y = arith.addi %x, %x : i32
    %cell = data.make "Cons"[0](%y, %more) : (i32, !data.cell<@List>) -> !data.cell<@List>
    scf.yield %cell : !data.cell<@List>
  }
  default {
    %nil = data.make "Nil"[1]() : () -> !data.cell<@List>
    scf.yield %nil : !data.cell<@List>
  }
  return %r : !data.cell<@List>
}

// A plain tail call has the same hole.
// CHECK-LABEL: func.func private @positive$fill(
// CHECK: scf.if
// CHECK: data.fill
// CHECK: func.call @positive$fill(
// CHECK: else
// CHECK-NEXT: func.call @positive$fill(%{{.*}}, %arg1)
func.func @positive(%xs: !data.cell<@List>) -> !data.cell<@List> {
  %tag = data.tag %xs : !data.cell<@List>
  %zero = arith.constant 0 : i32
  %r = scf.index_switch %tag -> !data.cell<@List>
  case 0 {
    %x = data.project %xs as "Cons"[0] of [i32, !data.cell<@List>] at 0 : !data.cell<@List>
    %rest = data.project %xs as "Cons"[0] of [i32, !data.cell<@List>] at 1 : !data.cell<@List>
    %c = arith.cmpi sgt, %x, %zero : i32
    %s = scf.if %c -> (!data.cell<@List>) {
      %more = func.call @positive(%rest) : (!data.cell<@List>) -> !data.cell<@List>
      %cell = data.make "Cons"[0](%x, %more) : (i32, !data.cell<@List>) -> !data.cell<@List>
      scf.yield %cell : !data.cell<@List>
    } else {
      %more = func.call @positive(%rest) : (!data.cell<@List>) -> !data.cell<@List>
      scf.yield %more : !data.cell<@List>
    }
    scf.yield %s : !data.cell<@List>
  }
  default {
    scf.yield %xs : !data.cell<@List>
  }
  return %r : !data.cell<@List>
}

// The last of two calls becomes a tail call.
// CHECK-LABEL: func.func @mirror(
// CHECK: %[[L:.*]] = func.call @mirror(
// CHECK: data.make "Node"[0] (%{{.*}}, %{{.*}}, %[[L]]) {open}
// CHECK: data.hole {{.*}} at 0
// CHECK: func.call @mirror$fill
func.func @mirror(%t: !data.cell<@Tree>) -> !data.cell<@Tree> {
  %tag = data.tag %t : !data.cell<@Tree>
  %r = scf.index_switch %tag -> !data.cell<@Tree>
  case 0 {
    %l = data.project %t as "Node"[0] of [!data.cell<@Tree>, i32, !data.cell<@Tree>] at 0 : !data.cell<@Tree>
    %x = data.project %t as "Node"[0] of [!data.cell<@Tree>, i32, !data.cell<@Tree>] at 1 : !data.cell<@Tree>
    %s = data.project %t as "Node"[0] of [!data.cell<@Tree>, i32, !data.cell<@Tree>] at 2 : !data.cell<@Tree>
    %a = func.call @mirror(%l) : (!data.cell<@Tree>) -> !data.cell<@Tree>
    %b = func.call @mirror(%s) : (!data.cell<@Tree>) -> !data.cell<@Tree>
    %node = data.make "Node"[0](%b, %x, %a) : (!data.cell<@Tree>, i32, !data.cell<@Tree>) -> !data.cell<@Tree>
    scf.yield %node : !data.cell<@Tree>
  }
  default {
    scf.yield %t : !data.cell<@Tree>
  }
  return %r : !data.cell<@Tree>
}

// The operation after the call has an effect.
// CHECK-LABEL: func.func @prints(
// CHECK: call @prints(
// CHECK-NOT: @prints$fill
func.func private @print(i32)
func.func @prints(%x: i32, %xs: !data.cell<@List>) -> !data.cell<@List> {
  %more = func.call @prints(%x, %xs) : (i32, !data.cell<@List>) -> !data.cell<@List>
  func.call @print(%x) : (i32) -> ()
  %cell = data.make "Cons"[0](%x, %more) : (i32, !data.cell<@List>) -> !data.cell<@List>
  return %cell : !data.cell<@List>
}

// The result of the call is used twice.
// CHECK-LABEL: func.func @twice(
// CHECK-NOT: @twice$fill
func.func @twice(%x: i32, %xs: !data.cell<@Tree>) -> !data.cell<@Tree> {
  %more = func.call @twice(%x, %xs) : (i32, !data.cell<@Tree>) -> !data.cell<@Tree>
  %node = data.make "Node"[0](%more, %x, %more) : (!data.cell<@Tree>, i32, !data.cell<@Tree>) -> !data.cell<@Tree>
  return %node : !data.cell<@Tree>
}
