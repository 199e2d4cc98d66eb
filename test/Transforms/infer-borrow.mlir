// RUN: %kopt %s --infer-borrow | FileCheck %s
// RUN: %kopt %s --infer-borrow --place-counts --verify-ownership -o %t

data.type @List = "Cons"(i32, !data.cell<@List>) | "Nil"()
data.type @Pair = "Pair"(!data.cell<@List>, !data.cell<@List>, i32, i32)

// A function that only reads borrows.
// CHECK-LABEL: func.func private @head(
// CHECK-NOT: takes
// CHECK: return
func.func private @head(%xs: !data.cell<@List>) -> i32 {
  %x = data.project %xs as "Cons"[0] of [i32, !data.cell<@List>] at 0 : !data.cell<@List>
  return %x : i32
}

// One that stores an argument takes it, and not the other.
// CHECK-LABEL: func.func private @push(
// CHECK-SAME: attributes {takes = array<i64: 1>}
func.func private @push(%ys: !data.cell<@List>, %xs: !data.cell<@List>) -> !data.cell<@List> {
  %x = func.call @head(%ys) : (!data.cell<@List>) -> i32
  %cell = data.make "Cons"[0](%x, %xs) : (i32, !data.cell<@List>) -> !data.cell<@List>
  return %cell : !data.cell<@List>
}

// One that can use the memory of an argument takes it; what calls it with a part of its own argument can as well.
// CHECK-LABEL: func.func private @next(
// CHECK-SAME: attributes {takes = array<i64: 0>}
func.func private @next(%xs: !data.cell<@List>) -> !data.cell<@List> {
  %x = data.project %xs as "Cons"[0] of [i32, !data.cell<@List>] at 0 : !data.cell<@List>
  %rest = data.project %xs as "Cons"[0] of [i32, !data.cell<@List>] at 1 : !data.cell<@List>
  %y = arith.addi %x, %x : i32
  %cell = data.make "Cons"[0](%y, %rest) : (i32, !data.cell<@List>) -> !data.cell<@List>
  return %cell : !data.cell<@List>
}

// CHECK-LABEL: func.func private @next_of_left(
// CHECK-SAME: attributes {takes = array<i64: 0>}
// CHECK: call @next(%{{.*}}) {takes = array<i64: 0>}
func.func private @next_of_left(%p: !data.cell<@Pair>) -> !data.cell<@List> {
  %xs = data.project %p as "Pair"[0] of [!data.cell<@List>, !data.cell<@List>, i32, i32] at 0 : !data.cell<@Pair>
  %r = func.call @next(%xs) : (!data.cell<@List>) -> !data.cell<@List>
  return %r : !data.cell<@List>
}

// A part that is only stored does not require ownership of the whole.
// CHECK-LABEL: func.func private @left(
// CHECK-NOT: takes
// CHECK: return
func.func private @left(%p: !data.cell<@Pair>) -> !data.cell<@List> {
  %xs = data.project %p as "Pair"[0] of [!data.cell<@List>, !data.cell<@List>, i32, i32] at 0 : !data.cell<@Pair>
  return %xs : !data.cell<@List>
}

// A public function that is called is a wrapper, which borrows.
// CHECK-LABEL: func.func @public(%arg0: !data.cell<@List>) -> !data.cell<@List>
// CHECK-NOT: attributes
// CHECK-NEXT: %[[R:.*]] = call @public$owner(%arg0) {takes = array<i64: 0>}
// CHECK-NEXT: return %[[R]]
// CHECK-LABEL: func.func private @public$owner(
// CHECK-SAME: attributes {takes = array<i64: 0>}
// CHECK: call @next(
func.func @public(%xs: !data.cell<@List>) -> !data.cell<@List> {
  %r = func.call @next(%xs) : (!data.cell<@List>) -> !data.cell<@List>
  return %r : !data.cell<@List>
}

// CHECK-LABEL: func.func @calls(
// CHECK: call @push(%{{.*}}, %{{.*}}) {takes = array<i64: 1>}
// CHECK: call @next_of_left(%{{.*}}) {takes = array<i64: 0>}
// CHECK: call @public$owner(
func.func @calls(%p: !data.cell<@Pair>, %xs: !data.cell<@List>) -> !data.cell<@List> {
  %a = func.call @left(%p) : (!data.cell<@Pair>) -> !data.cell<@List>
  %b = func.call @push(%a, %xs) : (!data.cell<@List>, !data.cell<@List>) -> !data.cell<@List>
  %c = func.call @next_of_left(%p) : (!data.cell<@Pair>) -> !data.cell<@List>
  %d = func.call @push(%b, %c) : (!data.cell<@List>, !data.cell<@List>) -> !data.cell<@List>
  %e = func.call @public(%d) : (!data.cell<@List>) -> !data.cell<@List>
  return %e : !data.cell<@List>
}

// A loop that traverses an argument owns nothing; the conditional in it neither.
// CHECK-LABEL: func.func @length(
// CHECK: scf.while
// CHECK: scf.index_switch %{{.*}} {borrows = array<i64: 1>}
// CHECK: attributes {borrows = array<i64: 0, 2, 4>}
func.func @length(%xs: !data.cell<@List>) -> i32 {
  %n0 = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %no = arith.constant false
  %yes = arith.constant true
  %r:2 = scf.while (%at = %xs, %n = %n0) : (!data.cell<@List>, i32) -> (!data.cell<@List>, i32) {
    %tag = data.tag %at : !data.cell<@List>
    %s:3 = scf.index_switch %tag -> i1, !data.cell<@List>, i32
    case 0 {
      %rest = data.project %at as "Cons"[0] of [i32, !data.cell<@List>] at 1 : !data.cell<@List>
      %m = arith.addi %n, %one : i32
      scf.yield %yes, %rest, %m : i1, !data.cell<@List>, i32
    }
    default {
      scf.yield %no, %at, %n : i1, !data.cell<@List>, i32
    }
    scf.condition(%s#0) %s#1, %s#2 : !data.cell<@List>, i32
  } do {
  ^bb0(%at: !data.cell<@List>, %n: i32):
    scf.yield %at, %n : !data.cell<@List>, i32
  }
  return %r#1 : i32
}

// A loop that creates what it carries owns it.
// CHECK-LABEL: func.func @build(
// CHECK-NOT: borrows
// CHECK: return
func.func @build(%n: index, %x: i32) -> !data.cell<@List> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nil = data.make "Nil"[1]() : () -> !data.cell<@List>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%xs = %nil) -> (!data.cell<@List>) {
    %cell = data.make "Cons"[0](%x, %xs) : (i32, !data.cell<@List>) -> !data.cell<@List>
    scf.yield %cell : !data.cell<@List>
  }
  return %r : !data.cell<@List>
}
