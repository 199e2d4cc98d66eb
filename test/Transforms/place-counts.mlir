// RUN: %kopt %s --place-counts | FileCheck %s
// RUN: %kopt %s --place-counts --verify-ownership -o %t

data.type @List = "Cons"(i32, !data.cell<@List>) | "Nil"()

// The value moves into the result.
// CHECK-LABEL: func.func @moved
// CHECK-NOT: data.dup
// CHECK-NOT: data.drop
// CHECK: return
func.func @moved(%x: i32) -> !data.cell<@List> {
  %nil = data.make "Nil"[1]() : () -> !data.cell<@List>
  %one = data.make "Cons"[0](%x, %nil) : (i32, !data.cell<@List>) -> !data.cell<@List>
  return %one : !data.cell<@List>
}

// An argument belongs to the caller; an owner that is stored twice is added twice.
// CHECK-LABEL: func.func @stored_twice
// CHECK: data.dup %arg0
// CHECK-NEXT: %[[A:.*]] = data.make "Cons"
// CHECK: data.dup %arg0
// CHECK-NEXT: %[[B:.*]] = data.make "Cons"
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @stored_twice(%xs: !data.cell<@List>, %x: i32) -> (!data.cell<@List>, !data.cell<@List>) {
  %a = data.make "Cons"[0](%x, %xs) : (i32, !data.cell<@List>) -> !data.cell<@List>
  %y = arith.addi %x, %x : i32
  %b = data.make "Cons"[0](%y, %xs) : (i32, !data.cell<@List>) -> !data.cell<@List>
  return %a, %b : !data.cell<@List>, !data.cell<@List>
}

// Traversing an argument counts nothing.
// CHECK-LABEL: func.func @length
// CHECK-NOT: data.dup
// CHECK-NOT: data.drop
// CHECK: return
func.func @length(%xs: !data.cell<@List>) -> i32 {
  %tag = data.tag %xs : !data.cell<@List>
  %n = scf.index_switch %tag -> i32
  case 0 {
    %rest = data.project %xs as "Cons"[0] of [i32, !data.cell<@List>] at 1 : !data.cell<@List>
    %m = func.call @length(%rest) : (!data.cell<@List>) -> i32
    %one = arith.constant 1 : i32
    %k = arith.addi %m, %one : i32
    scf.yield %k : i32
  }
  default {
    %zero = arith.constant 0 : i32
    scf.yield %zero : i32
  }
  return %n : i32
}

// A value that dies with a conditional dies in each of its branches.
// CHECK-LABEL: func.func @branches
// CHECK: %[[L:.*]] = call @make_list
// CHECK: scf.if
// CHECK-NEXT: scf.yield %[[L]]
// CHECK: else
// CHECK-NEXT: data.drop %[[L]]
// CHECK: data.make "Nil"
// CHECK: }
// CHECK-NOT: data.drop
func.func @branches(%c: i1) -> !data.cell<@List> {
  %l = func.call @make_list() : () -> !data.cell<@List>
  %r = scf.if %c -> !data.cell<@List> {
    scf.yield %l : !data.cell<@List>
  } else {
    %nil = data.make "Nil"[1]() : () -> !data.cell<@List>
    scf.yield %nil : !data.cell<@List>
  }
  return %r : !data.cell<@List>
}

func.func private @make_list() -> !data.cell<@List>

// A loop owns the list that it walks, and frees each cell behind itself.
// CHECK-LABEL: func.func @sum
// CHECK: data.dup %arg0
// CHECK-NEXT: scf.while (%[[XS:.*]] = %arg0
// CHECK: data.project %[[XS]]
// CHECK: %[[REST:.*]] = data.project %[[XS]]
// CHECK-NEXT: data.dup %[[REST]]
// CHECK-NEXT: data.drop %[[XS]]
func.func @sum(%list: !data.cell<@List>, %zero: i32) -> i32 {
  %no = arith.constant false
  %yes = arith.constant true
  %r:2 = scf.while (%xs = %list, %acc = %zero) : (!data.cell<@List>, i32) -> (!data.cell<@List>, i32) {
    %tag = data.tag %xs : !data.cell<@List>
    %s:3 = scf.index_switch %tag -> i1, !data.cell<@List>, i32
    case 0 {
      %x = data.project %xs as "Cons"[0] of [i32, !data.cell<@List>] at 0 : !data.cell<@List>
      %rest = data.project %xs as "Cons"[0] of [i32, !data.cell<@List>] at 1 : !data.cell<@List>
      %more = arith.addi %acc, %x : i32
      scf.yield %yes, %rest, %more : i1, !data.cell<@List>, i32
    }
    default {
      scf.yield %no, %xs, %acc : i1, !data.cell<@List>, i32
    }
    scf.condition(%s#0) %s#1, %s#2 : !data.cell<@List>, i32
  } do {
  ^bb0(%xs: !data.cell<@List>, %acc: i32):
    scf.yield %xs, %acc : !data.cell<@List>, i32
  }
  // CHECK: data.drop
  // CHECK-NEXT: return
  return %r#1 : i32
}

// The contents of a reference get an owner before they can be overwritten.
// CHECK-LABEL: func.func @swap
// CHECK: %[[OLD:.*]] = data.ref_read %arg0
// CHECK-NEXT: data.dup %[[OLD]]
// CHECK-NEXT: data.dup %arg1
// CHECK-NEXT: data.ref_write %arg0
// CHECK-NEXT: return %[[OLD]]
func.func @swap(%r: !data.ref<!data.cell<@List>>, %new: !data.cell<@List>) -> !data.cell<@List> {
  %old = data.ref_read %r : (!data.ref<!data.cell<@List>>) -> !data.cell<@List>
  data.ref_write %r(%new) : (!data.ref<!data.cell<@List>>, !data.cell<@List>) -> ()
  return %old : !data.cell<@List>
}

// One of two objects, which has an owner of its own before theirs may be given up.
// CHECK-LABEL: func.func @select
// CHECK: %[[A:.*]] = call @make_list
// CHECK-NEXT: %[[B:.*]] = call @make_list
// CHECK-NEXT: %[[R:.*]] = arith.select %arg0, %[[A]], %[[B]]
// CHECK-NEXT: data.dup %[[R]]
// CHECK-DAG: data.drop %[[A]]
// CHECK-DAG: data.drop %[[B]]
// CHECK: return %[[R]]
func.func @select(%c: i1) -> !data.cell<@List> {
  %a = func.call @make_list() : () -> !data.cell<@List>
  %b = func.call @make_list() : () -> !data.cell<@List>
  %r = arith.select %c, %a, %b : !data.cell<@List>
  return %r : !data.cell<@List>
}
