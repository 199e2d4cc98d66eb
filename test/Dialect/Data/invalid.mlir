// RUN: not %kopt %s --split-input-file 2>&1 | FileCheck %s

data.type @List = "Cons"(i32, !data.cell<@List>) | "Nil"()

func.func @unknown_type() {
  // CHECK: error: 'data.make' op '@Tree' does not declare a data type
  %0 = data.make "Leaf"[0]() : () -> !data.cell<@Tree>
  return
}

func.func @unknown_constructor() {
  // CHECK: error: 'data.make' op names no constructor 'Leaf' of the type, only Cons, Nil
  %0 = data.make "Leaf"[0]() : () -> !data.cell<@List>
  return
}

func.func @wrong_position() {
  // CHECK: error: 'data.make' op expects position 1 of constructor 'Nil', but got 0
  %0 = data.make "Nil"[0]() : () -> !data.cell<@List>
  return
}

func.func @wrong_number_of_fields(%x: i32) {
  // CHECK: error: 'data.make' op expects 2 fields, but has 1
  %0 = data.make "Cons"[0](%x) : (i32) -> !data.cell<@List>
  return
}

func.func @wrong_field(%x: f32, %xs: !data.cell<@List>) {
  // CHECK: error: 'data.make' op field #0 must be 'i32', but got 'f32'
  %0 = data.make "Cons"[0](%x, %xs) : (f32, !data.cell<@List>) -> !data.cell<@List>
  return
}

func.func @missing_case(%xs: !data.cell<@List>) {
  // CHECK: error: 'data.match' op has neither a case for Nil nor a default
  data.match %xs : !data.cell<@List> {
  case "Cons"[0](%x: i32, %rest: !data.cell<@List>) {
    data.yield
  }
  }
  return
}

func.func @other_fields(%xs: !data.cell<@List>) {
  // CHECK: error: 'data.match' op field #0 must be 'i32', but got 'i64'
  data.match %xs : !data.cell<@List> {
  case "Cons"[0](%x: i64, %rest: !data.cell<@List>) {
    data.yield
  }
  default {
    data.yield
  }
  }
  return
}

func.func @f(%x: i32, %y: i32) -> i32 {
  return %x : i32
}

func.func @unknown_function() {
  // CHECK: error: 'data.closure' op 'g' does not reference a valid function
  %0 = data.closure @g() : () -> !data.closure<() -> i32>
  return
}

func.func @wrong_capture(%x: f32) {
  // CHECK: error: 'data.closure' op capture or argument #0 must be 'i32', but got 'f32'
  %0 = data.closure @f(%x) : (f32) -> !data.closure<(i32) -> i32>
  return
}

func.func @wrong_result(%x: i32) {
  // CHECK: error: 'data.closure' op result #0 must be 'i32', but got 'f32'
  %0 = data.closure @f(%x) : (i32) -> !data.closure<(i32) -> f32>
  return
}

// -----

// CHECK: error: 'data.type' op declares constructor 'A' twice
data.type @twice = "A"() | "A"()

// -----

data.type @List = "Cons"(i32, !data.cell<@List>) | "Nil"()

func.func @two_cases(%xs: !data.cell<@List>) {
  // CHECK: error: 'data.match' op has two cases for constructor 1
  data.match %xs : !data.cell<@List> {
  case "Nil"[1]() {
    data.yield
  }
  case "Nil"[1]() {
    data.yield
  }
  }
  return
}

// -----

func.func @apply(%f: !data.closure<(i32) -> i32>, %x: f32) {
  // CHECK: error: 'data.apply' op argument #0 must be 'i32', but got 'f32'
  %0 = data.apply %f(%x) : (!data.closure<(i32) -> i32>, f32) -> i32
  return
}

// -----

func.func @write(%r: !data.ref<i32>, %x: f32) {
  // CHECK: error: 'data.ref_write' op component #0 must be 'i32', but got 'f32'
  data.ref_write %r(%x) : (!data.ref<i32>, f32) -> ()
  return
}

// -----

func.func @boxed(%t: tensor<4xf32>) {
  // CHECK: error: 'data.box' op expects contents of type 'tensor<?xf32>', but got 'tensor<4xf32>'
  %0 = data.box %t : (tensor<4xf32>) -> !data.box<tensor<?xf32>>
  return
}

// -----

func.func @field(%x: !data.cell<@T>) {
  // CHECK: error: {{.*}}there is no such field among 1
  %0 = data.project %x as "A"[0] of [i32] at 1 : !data.cell<@T>
  return
}

// -----

// CHECK: error: {{.*}}expected a function type
func.func @closure_of(%x: !data.closure<i32>) {
  return
}

// -----

func.func @captured(%f: !data.closure<() -> i32>) {
  // CHECK: error: {{.*}}there is no such value among 1
  %0 = data.capture %f of [i32] at 1 : !data.closure<() -> i32>
  return
}

// -----

func.func @kept(%x: !data.cell<@T>, %y: !data.cell<@T>) {
  // CHECK: error: 'data.reset' op field #0 must be 'i32', but got '!data.cell<@T>'
  %0 = data.reset %x keeps [0](%y) as "A"[0] of [i32] : (!data.cell<@T>, !data.cell<@T>) -> !data.memory<2>
  return
}

// -----

func.func @memory_of_another_size(%m: !data.memory<3>, %x: i32) {
  // CHECK: error: 'data.make_in' op the memory must be that of 1 fields
  %0 = data.make_in %m "A"[0](%x) : (!data.memory<3>, i32) -> !data.cell<@T>
  return
}

// -----

func.func @place(%x: !data.cell<@T>) {
  // CHECK: error: 'data.hole' op the result must be the place of a value of the field's type
  %0 = data.hole %x as "A"[0] of [i32] at 0 : (!data.cell<@T>) -> !data.hole<i64>
  return
}

// -----

func.func @placeholders(%c: i1, %i: index) {
  // CHECK: error: 'data.assert' op expects a placeholder in the message for each value: there are 1 for 2
  data.assert %c, "index {}"(%i, %i) : index, index
  return
}

// -----

func.func @shown(%c: i1, %x: f32) {
  // CHECK: error: 'data.assert' op operand #1 must be variadic of index or signless integer of 2 to 64 bits, but got 'f32'
  data.assert %c, "value {}"(%x) : f32
  return
}
