// RUN: %kopt %s --infer-borrow --place-counts --sink-counts --reuse-objects | FileCheck %s
// RUN: %kopt %s --infer-borrow --place-counts --sink-counts --reuse-objects --verify-ownership -o %t
// RUN: %kopt %s --infer-borrow --place-counts --sink-counts --reuse-objects --expand-counts | FileCheck %s --check-prefix=EXPANDED

data.type @List = "Cons"(i32, !data.cell<@List>) | "Nil"()
data.type @Color = "Red"() | "Black"()
data.type @Set = "Node"(!data.cell<@Color>, !data.cell<@Set>, i32, !data.cell<@Set>) | "Empty"()

// The tail moves to the new cell, which takes the memory of the old one.
// CHECK-LABEL: func.func private @next(
// CHECK: %[[REST:.*]] = data.project %arg0 {{.*}} at 1
// CHECK-NEXT: %[[M:.*]] = data.reset %arg0 keeps [1](%[[REST]]) as "Cons"[0]
// CHECK-NOT: data.dup
// CHECK-NOT: data.drop
// CHECK: data.make_in %[[M]] "Cons"[0]
// CHECK-NEXT: return
// EXPANDED-LABEL: func.func private @next(
// EXPANDED: %[[UNIQUE:.*]] = data.is_unique %arg0
// EXPANDED-NEXT: %[[M:.*]] = scf.if %[[UNIQUE]] -> (!data.memory<3>) {
// EXPANDED-NEXT: data.memory_of %arg0
// EXPANDED-NEXT: scf.yield
// EXPANDED-NEXT: } else {
// EXPANDED: data.retain
// EXPANDED: data.release %arg0
// EXPANDED-NEXT: data.no_memory
// EXPANDED: %[[THERE:.*]] = data.has_memory %[[M]]
// EXPANDED-NEXT: %[[AT:.*]] = scf.if %[[THERE]]
// EXPANDED: data.new_memory
// EXPANDED: data.make_at %[[AT]] "Cons"[0]
func.func private @next(%xs: !data.cell<@List>) -> !data.cell<@List> {
  %x = data.project %xs as "Cons"[0] of [i32, !data.cell<@List>] at 0 : !data.cell<@List>
  %rest = data.project %xs as "Cons"[0] of [i32, !data.cell<@List>] at 1 : !data.cell<@List>
  %y = arith.addi %x, %x : i32
  %cell = data.make "Cons"[0](%y, %rest) : (i32, !data.cell<@List>) -> !data.cell<@List>
  return %cell : !data.cell<@List>
}

// One branch creates, the other frees the memory.
// CHECK-LABEL: func.func private @maybe(
// CHECK: %[[M:.*]] = data.reset %arg0 keeps [1](%[[REST:.*]]) as
// CHECK: scf.if
// CHECK: data.make_in %[[M]] "Cons"[0]
// CHECK: } else {
// CHECK-NEXT: data.drop %[[M]] : !data.memory<3>
// CHECK-NEXT: scf.yield %[[REST]]
func.func private @maybe(%xs: !data.cell<@List>, %c: i1) -> !data.cell<@List> {
  %rest = data.project %xs as "Cons"[0] of [i32, !data.cell<@List>] at 1 : !data.cell<@List>
  %x = func.call @head(%xs) : (!data.cell<@List>) -> i32
  %r = scf.if %c -> (!data.cell<@List>) {
    %cell = data.make "Cons"[0](%x, %rest) : (i32, !data.cell<@List>) -> !data.cell<@List>
    scf.yield %cell : !data.cell<@List>
  } else {
    scf.yield %rest : !data.cell<@List>
  }
  return %r : !data.cell<@List>
}

func.func private @head(%xs: !data.cell<@List>) -> i32 {
  %x = data.project %xs as "Cons"[0] of [i32, !data.cell<@List>] at 0 : !data.cell<@List>
  return %x : i32
}

// The owners of the parts are added in the branches, where they move or where they are not needed. Colors are never counted
// in machine code.
// CHECK-LABEL: func.func private @recolored(
// CHECK: %[[L:.*]] = data.project %arg0 {{.*}} at 1
// CHECK: %[[R:.*]] = data.project %arg0 {{.*}} at 3
// CHECK-NOT: data.dup
// CHECK: scf.if
// CHECK: data.reset %arg0 keeps [1, 3](%[[L]], %[[R]])
// CHECK: data.make_in
// CHECK: } else {
// CHECK-NOT: data.d
// CHECK: scf.yield %arg0
// EXPANDED-LABEL: func.func private @recolored(
// EXPANDED-NOT: data.is_allocated %{{.*}} : !data.cell<@Color>
// EXPANDED: return
func.func private @recolored(%t: !data.cell<@Set>, %c: i1) -> !data.cell<@Set> {
  %l = data.project %t as "Node"[0] of [!data.cell<@Color>, !data.cell<@Set>, i32, !data.cell<@Set>] at 1 : !data.cell<@Set>
  %x = data.project %t as "Node"[0] of [!data.cell<@Color>, !data.cell<@Set>, i32, !data.cell<@Set>] at 2 : !data.cell<@Set>
  %r = data.project %t as "Node"[0] of [!data.cell<@Color>, !data.cell<@Set>, i32, !data.cell<@Set>] at 3 : !data.cell<@Set>
  %s = scf.if %c -> (!data.cell<@Set>) {
    %red = data.make "Red"[0]() : () -> !data.cell<@Color>
    %node = data.make "Node"[0](%red, %l, %x, %r) : (!data.cell<@Color>, !data.cell<@Set>, i32, !data.cell<@Set>) -> !data.cell<@Set>
    scf.yield %node : !data.cell<@Set>
  } else {
    scf.yield %t : !data.cell<@Set>
  }
  return %s : !data.cell<@Set>
}

// An object of another size does not fit: the tail only moves out of the cell, which is freed.
// CHECK-LABEL: func.func @calls(
// CHECK: data.reset %[[XS:.*]] keeps [1](%[[REST:.*]]) as
// CHECK-NEXT: data.drop %{{.*}} : !data.memory<3>
func.func @calls(%x: i32, %c: i1, %t: !data.cell<@Set>) -> (!data.cell<@List>, !data.cell<@Set>) {
  %nil = data.make "Nil"[1]() : () -> !data.cell<@List>
  %one = data.make "Cons"[0](%x, %nil) : (i32, !data.cell<@List>) -> !data.cell<@List>
  %two = func.call @next(%one) : (!data.cell<@List>) -> !data.cell<@List>
  %three = func.call @maybe(%two, %c) : (!data.cell<@List>, i1) -> !data.cell<@List>
  %rest = data.project %three as "Cons"[0] of [i32, !data.cell<@List>] at 1 : !data.cell<@List>
  %set = func.call @recolored(%t, %c) : (!data.cell<@Set>, i1) -> !data.cell<@Set>
  return %rest, %set : !data.cell<@List>, !data.cell<@Set>
}
