// RUN: %kopt %s --canonicalize | FileCheck %s

data.type @List = "Cons"(i32, !data.cell<@List>) | "Nil"()

// CHECK-LABEL: func.func @project_of_make
// CHECK-NEXT: return %arg0 : i32
func.func @project_of_make(%x: i32, %xs: !data.cell<@List>) -> i32 {
  %list = data.make "Cons"[0](%x, %xs) : (i32, !data.cell<@List>) -> !data.cell<@List>
  %head = data.project %list as "Cons"[0] of [i32, !data.cell<@List>] at 0 : !data.cell<@List>
  return %head : i32
}

// CHECK-LABEL: func.func @tag_of_make
// CHECK-NEXT: %[[TAG:.*]] = arith.constant 1 : index
// CHECK-NEXT: return %[[TAG]] : index
func.func @tag_of_make() -> index {
  %nil = data.make "Nil"[1]() : () -> !data.cell<@List>
  %tag = data.tag %nil : !data.cell<@List>
  return %tag : index
}

// CHECK-LABEL: func.func @match_of_make
// CHECK-NEXT: return %arg0 : i32
func.func @match_of_make(%x: i32, %y: i32, %xs: !data.cell<@List>) -> i32 {
  %list = data.make "Cons"[0](%x, %xs) : (i32, !data.cell<@List>) -> !data.cell<@List>
  %r = data.match %list : !data.cell<@List> -> i32 {
  case "Cons"[0](%head: i32, %rest: !data.cell<@List>) {
    data.yield %head : i32
  }
  default {
    data.yield %y : i32
  }
  }
  return %r : i32
}

func.func @f(%x: i32, %y: i32) -> i32 {
  %0 = arith.subi %x, %y : i32
  return %0 : i32
}

// CHECK-LABEL: func.func @apply_of_closure
// CHECK-NEXT: %[[R:.*]] = call @f(%arg0, %arg1) : (i32, i32) -> i32
// CHECK-NEXT: return %[[R]] : i32
func.func @apply_of_closure(%x: i32, %y: i32) -> i32 {
  %f = data.closure @f(%x) : (i32) -> !data.closure<(i32) -> i32>
  %r = data.apply %f(%y) : (!data.closure<(i32) -> i32>, i32) -> i32
  return %r : i32
}

// CHECK-LABEL: func.func @unbox_of_box
// CHECK-NEXT: return %arg0 : tensor<?xf32>
func.func @unbox_of_box(%t: tensor<?xf32>) -> tensor<?xf32> {
  %b = data.box %t : (tensor<?xf32>) -> !data.box<tensor<?xf32>>
  %u = data.unbox %b : (!data.box<tensor<?xf32>>) -> tensor<?xf32>
  return %u : tensor<?xf32>
}

// References are read again after each write.
// CHECK-LABEL: func.func @aliases
// CHECK: data.ref_read
// CHECK: data.ref_write
// CHECK: data.ref_read
func.func @aliases(%r: !data.ref<i32>, %s: !data.ref<i32>) -> (i32, i32) {
  %a = data.ref_read %r : (!data.ref<i32>) -> i32
  data.ref_write %s(%a) : (!data.ref<i32>, i32) -> ()
  %b = data.ref_read %r : (!data.ref<i32>) -> i32
  return %a, %b : i32, i32
}

// CHECK-LABEL: func.func @assertion_that_holds
// CHECK-NEXT: return
func.func @assertion_that_holds(%i: index) {
  %yes = arith.constant true
  data.assert %yes, "index {}"(%i) : index
  return
}
