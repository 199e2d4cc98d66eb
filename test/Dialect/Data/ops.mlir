// RUN: %kopt %s | FileCheck %s
// RUN: %kopt %s --mlir-print-op-generic | %kopt | FileCheck %s

// CHECK: data.type @List = "Cons"(i32, !data.cell<@List>) | "Nil"()
data.type @List = "Cons"(i32, !data.cell<@List>) | "Nil"()

// CHECK: data.type @"Option[f32]" = "Some"(f32) | "None"()
data.type @"Option[f32]" = "Some"(f32) | "None"()

// CHECK-LABEL: func.func @cells
func.func @cells(%x: i32) -> (i32, index) {
  // CHECK: data.make "Nil"[1] () : () -> !data.cell<@List>
  %nil = data.make "Nil"[1]() : () -> !data.cell<@List>
  // CHECK: data.make "Cons"[0] (%arg0, %0) : (i32, !data.cell<@List>) -> !data.cell<@List>
  %list = data.make "Cons"[0](%x, %nil) : (i32, !data.cell<@List>) -> !data.cell<@List>
  // CHECK: data.tag %1 : !data.cell<@List>
  %tag = data.tag %list : !data.cell<@List>
  // CHECK: data.project %1 as "Cons"[0] of [i32, !data.cell<@List>] at 0 : !data.cell<@List>
  %head = data.project %list as "Cons"[0] of [i32, !data.cell<@List>] at 0 : !data.cell<@List>
  return %head, %tag : i32, index
}

// CHECK-LABEL: func.func @matches
func.func @matches(%list: !data.cell<@List>, %zero: i32) -> i32 {
  // CHECK: %0 = data.match %arg0 : !data.cell<@List> -> i32 {
  // CHECK-NEXT: case "Cons"[0](%arg2: i32, %arg3: !data.cell<@List>) {
  // CHECK-NEXT:   data.yield %arg2 : i32
  // CHECK-NEXT: }
  // CHECK-NEXT: default {
  // CHECK-NEXT:   data.yield %arg1 : i32
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  %r = data.match %list : !data.cell<@List> -> i32 {
  case "Cons"[0](%x: i32, %rest: !data.cell<@List>) {
    data.yield %x : i32
  }
  default {
    data.yield %zero : i32
  }
  }
  // CHECK: data.match %arg0 : !data.cell<@List> {
  data.match %list : !data.cell<@List> {
  case "Nil"[1]() {
    // CHECK: data.fail "no elements"
    data.fail "no elements"
    // CHECK: %{{.*}}:2 = data.fail "no elements" -> i32, f32
    %none:2 = data.fail "no elements" -> i32, f32
    data.yield
  }
  case "Cons"[0](%x: i32, %rest: !data.cell<@List>) {
    data.yield
  }
  }
  return %r : i32
}

func.func @add(%x: i32, %y: i32) -> i32 {
  %0 = arith.addi %x, %y : i32
  return %0 : i32
}

// CHECK-LABEL: func.func @closures
func.func @closures(%x: i32) -> i32 {
  // CHECK: data.closure @add(%arg0) : (i32) -> !data.closure<(i32) -> i32>
  %f = data.closure @add(%x) : (i32) -> !data.closure<(i32) -> i32>
  // CHECK: data.apply %0(%arg0) : (!data.closure<(i32) -> i32>, i32) -> i32
  %y = data.apply %f(%x) : (!data.closure<(i32) -> i32>, i32) -> i32
  return %y : i32
}

// CHECK-LABEL: func.func @references
func.func @references(%x: i32, %y: f32) -> (i32, f32) {
  // CHECK: data.ref_new(%arg0, %arg1) : (i32, f32) -> !data.ref<i32, f32>
  %r = data.ref_new(%x, %y) : (i32, f32) -> !data.ref<i32, f32>
  // CHECK: data.ref_write %0(%arg0, %arg1) : (!data.ref<i32, f32>, i32, f32) -> ()
  data.ref_write %r(%x, %y) : (!data.ref<i32, f32>, i32, f32) -> ()
  // CHECK: data.ref_read %0 : (!data.ref<i32, f32>) -> (i32, f32)
  %a, %b = data.ref_read %r : (!data.ref<i32, f32>) -> (i32, f32)
  return %a, %b : i32, f32
}

// CHECK-LABEL: func.func @boxes
func.func @boxes(%t: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: data.box %arg0 : (tensor<?xf32>) -> !data.box<tensor<?xf32>>
  %b = data.box %t : (tensor<?xf32>) -> !data.box<tensor<?xf32>>
  // CHECK: data.unbox %0 : (!data.box<tensor<?xf32>>) -> tensor<?xf32>
  %u = data.unbox %b : (!data.box<tensor<?xf32>>) -> tensor<?xf32>
  // CHECK: data.nothing : !data.box<tensor<?xf32>>
  %n = data.nothing : !data.box<tensor<?xf32>>
  // CHECK: data.dup %0 : !data.box<tensor<?xf32>>
  data.dup %b : !data.box<tensor<?xf32>>
  // CHECK: data.drop %0 : !data.box<tensor<?xf32>>
  data.drop %b : !data.box<tensor<?xf32>>
  return %u : tensor<?xf32>
}

// CHECK-LABEL: func.func @memory
func.func @memory(%xs: !data.cell<@List>, %f: !data.closure<(f32) -> f32>, %r: !data.ref<i32>, %x: i32) -> i32 {
  // CHECK-NEXT: data.is_allocated %{{.*}} : !data.cell<@List>
  %a = data.is_allocated %xs : !data.cell<@List>
  // CHECK-NEXT: data.header_tag %{{.*}} : !data.cell<@List>
  %h = data.header_tag %xs : !data.cell<@List>
  // CHECK-NEXT: data.immediate_tag %{{.*}} : !data.cell<@List>
  %i = data.immediate_tag %xs : !data.cell<@List>
  // CHECK-NEXT: data.is_unique %{{.*}} : !data.cell<@List>
  %u = data.is_unique %xs : !data.cell<@List>
  // CHECK-NEXT: data.retain %{{.*}} : !data.cell<@List>
  data.retain %xs : !data.cell<@List>
  // CHECK-NEXT: data.release %{{.*}} : !data.cell<@List>
  data.release %xs : !data.cell<@List>
  // CHECK-NEXT: data.free %{{.*}} : !data.closure<(f32) -> f32>
  data.free %f : !data.closure<(f32) -> f32>
  // CHECK-NEXT: data.ref_store %{{.*}}(%{{.*}}) : (!data.ref<i32>, i32) -> ()
  data.ref_store %r(%x) : (!data.ref<i32>, i32) -> ()
  // CHECK-NEXT: data.capture %{{.*}} of [f32, i32] at 1 : !data.closure<(f32) -> f32>
  %c = data.capture %f of [f32, i32] at 1 : !data.closure<(f32) -> f32>
  return %c : i32
}

// CHECK-LABEL: func.func @reused
func.func @reused(%x: i32, %rest: !data.cell<@List>, %list: !data.cell<@List>) -> !data.cell<@List> {
  // CHECK: %0 = data.reset %arg2 keeps [1](%arg1) as "Cons"[0] of [i32, !data.cell<@List>] : (!data.cell<@List>, !data.cell<@List>) -> !data.memory<3>
  %m = data.reset %list keeps [1](%rest) as "Cons"[0] of [i32, !data.cell<@List>] : (!data.cell<@List>, !data.cell<@List>) -> !data.memory<3>
  // CHECK: %1 = data.make_in %0 "Cons"[0] (%arg0, %arg1) : (!data.memory<3>, i32, !data.cell<@List>) -> !data.cell<@List>
  %cell = data.make_in %m "Cons"[0](%x, %rest) : (!data.memory<3>, i32, !data.cell<@List>) -> !data.cell<@List>
  // CHECK: %2 = data.hole %1 as "Cons"[0] of [i32, !data.cell<@List>] at 1 : (!data.cell<@List>) -> !data.hole<!data.cell<@List>>
  %hole = data.hole %cell as "Cons"[0] of [i32, !data.cell<@List>] at 1 : (!data.cell<@List>) -> !data.hole<!data.cell<@List>>
  // CHECK: data.fill %2(%arg1) : (!data.hole<!data.cell<@List>>, !data.cell<@List>) -> ()
  data.fill %hole(%rest) : (!data.hole<!data.cell<@List>>, !data.cell<@List>) -> ()
  return %cell : !data.cell<@List>
}

// CHECK-LABEL: func.func @assertions
func.func @assertions(%c: i1, %i: index, %n: i32) {
  // CHECK-NEXT: data.assert %arg0, "index {} of {}"(%arg1, %arg2) : index, i32
  data.assert %c, "index {} of {}"(%i, %n) : index, i32
  // CHECK-NEXT: data.assert %arg0, "{}: index {}"(%arg1) {note} : index
  data.assert %c, "{}: index {}"(%i) {note} : index
  // CHECK-NEXT: data.assert %arg0, "no values"
  data.assert %c, "no values"
  return
}
