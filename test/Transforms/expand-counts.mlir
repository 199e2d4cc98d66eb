// RUN: %kopt %s --expand-counts --split-input-file --verify-diagnostics | FileCheck %s

data.type @List = "Cons"(i32, !data.cell<@List>) | "Nil"()
data.type @Tree = "Leaf"(i32) | "Node"(!data.cell<@Tree>, !data.cell<@Tree>)
data.type @Color = "Red"() | "Green"() | "Blue"()
data.type @Shape = "Point"() | "Line"(i32) | "Disk"(i32) | "Empty"()

// One constructor with fields and one without: allocated values have the tag of the former.
// CHECK-LABEL: func.func @list
// CHECK: %[[A:.*]] = data.is_allocated %arg0
// CHECK-NEXT: scf.if %[[A]] -> (index) {
// CHECK-NEXT: %[[CONS:.*]] = arith.constant 0 : index
// CHECK-NEXT: scf.yield %[[CONS]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[NIL:.*]] = arith.constant 1 : index
// CHECK-NEXT: scf.yield %[[NIL]]
// CHECK-NOT: data.tag
func.func @list(%xs: !data.cell<@List>) -> index {
  %t = data.tag %xs : !data.cell<@List>
  return %t : index
}

// Every value has a header.
// CHECK-LABEL: func.func @tree
// CHECK-NEXT: data.header_tag %arg0
// CHECK-NEXT: return
func.func @tree(%t: !data.cell<@Tree>) -> index {
  %r = data.tag %t : !data.cell<@Tree>
  return %r : index
}

// No value has one.
// CHECK-LABEL: func.func @color
// CHECK-NEXT: data.immediate_tag %arg0
// CHECK-NEXT: return
func.func @color(%c: !data.cell<@Color>) -> index {
  %r = data.tag %c : !data.cell<@Color>
  return %r : index
}

// CHECK-LABEL: func.func @shape
// CHECK: scf.if
// CHECK-NEXT: data.header_tag
// CHECK: else
// CHECK-NEXT: data.immediate_tag
func.func @shape(%s: !data.cell<@Shape>) -> index {
  %r = data.tag %s : !data.cell<@Shape>
  return %r : index
}

// Only the last owner calls the runtime.
// CHECK-LABEL: func.func @counts
// CHECK: scf.if
// CHECK-NEXT: data.retain %arg0
// CHECK: scf.if
// CHECK-NEXT: %[[U:.*]] = data.is_unique %arg0
// CHECK-NEXT: scf.if %[[U]] {
// CHECK-NEXT: data.free %arg0
// CHECK-NEXT: } else {
// CHECK-NEXT: data.release %arg0
func.func @counts(%xs: !data.cell<@List>) {
  data.dup %xs : !data.cell<@List>
  data.drop %xs : !data.cell<@List>
  return
}

// The previous contents lose an owner after the new ones are there.
// CHECK-LABEL: func.func @write
// CHECK: %[[OLD:.*]]:2 = data.ref_read %arg0
// CHECK-NEXT: data.ref_store %arg0(%arg1, %arg2)
// CHECK-NEXT: data.is_allocated %[[OLD]]#1
// CHECK: data.free %[[OLD]]#1
func.func @write(%r: !data.ref<i32, !data.cell<@List>>, %x: i32, %xs: !data.cell<@List>) {
  data.ref_write %r(%x, %xs) : (!data.ref<i32, !data.cell<@List>>, i32, !data.cell<@List>) -> ()
  return
}

func.func private @add(%a: i32, %b: i32) -> i32

// A function has one code, whichever closures are made of it.
// CHECK-LABEL: func.func @closures
// CHECK-COUNT-2: data.closure @add{{.*}}code = @add$code
func.func @closures(%x: i32, %y: i32) -> (!data.closure<(i32) -> i32>, !data.closure<(i32) -> i32>) {
  %f = data.closure @add(%x) {counted} : (i32) -> !data.closure<(i32) -> i32>
  %g = data.closure @add(%y) {counted} : (i32) -> !data.closure<(i32) -> i32>
  return %f, %g : !data.closure<(i32) -> i32>, !data.closure<(i32) -> i32>
}

// CHECK: func.func private @add$code(%arg0: !data.closure<(i32) -> i32>, %arg1: i32) -> i32
// CHECK-NEXT: %[[C:.*]] = data.capture %arg0 of [i32] at 0
// CHECK-NEXT: %[[R:.*]] = call @add(%[[C]], %arg1)
// CHECK-NEXT: return %[[R]]

// -----

data.type @Fun = "Fun"(!data.closure<() -> i32>) | "None"()

func.func private @read(%r: !data.ref<!data.cell<@Fun>>) -> i32

// The reference may contain a closure that has the reference. A reference to a number reaches nothing. The memory that is used again
// is marked, as the program needs the collector.
// CHECK-LABEL: func.func @cycle
// CHECK: data.ref_new(%{{.*}}) {counted, cyclic} : (!data.cell<@Fun>)
// CHECK: data.ref_new(%{{.*}}) {counted} : (i32)
// CHECK: data.memory_of %{{.*}} {cyclic}
func.func @cycle(%x: i32, %f: !data.cell<@Fun>) -> (!data.ref<!data.cell<@Fun>>, !data.ref<i32>, !data.memory<2>) {
  %n = data.make "None"[1]() {counted} : () -> !data.cell<@Fun>
  %r = data.ref_new(%n) {counted} : (!data.cell<@Fun>) -> !data.ref<!data.cell<@Fun>>
  %s = data.ref_new(%x) {counted} : (i32) -> !data.ref<i32>
  %c = data.closure @read(%r) {counted} : (!data.ref<!data.cell<@Fun>>) -> !data.closure<() -> i32>
  data.drop %c : !data.closure<() -> i32>
  %m = data.reset %f keeps [] () as "Fun"[0] of [!data.closure<() -> i32>] : (!data.cell<@Fun>) -> !data.memory<2>
  return %r, %s, %m : !data.ref<!data.cell<@Fun>>, !data.ref<i32>, !data.memory<2>
}

// -----

data.type @List = "Cons"(i32, !data.cell<@List>) | "Nil"()

func.func @unexpanded(%xs: !data.cell<@List>) {
  // expected-error @+1 {{'data.match' op must be expanded to a switch first, by the pass 'expand-math'}}
  data.match %xs : !data.cell<@List> {
  default {
    data.yield
  }
  }
  return
}
