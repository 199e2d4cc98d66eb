// RUN: %kopt %s --apply-rules --split-input-file 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

// REMARK: remark: rule "unbound" is ignored: its right side uses a variable that its left side does not
// REMARK: remark: rule "anything" is ignored: its left side is a variable, which matches every value
// REMARK: remark: rule "foreign" is ignored: not supported
// CHECK-LABEL: knossos.func @f
// CHECK-NEXT: %[[C:.*]] = constant 1.0{{.*}} : f32
// CHECK-NEXT: %[[R:.*]] = prelude "mul"(%arg0, %[[C]])
// CHECK-NEXT: return %[[R]]
// CHECK-NOT: rule
knossos.func @f(%x: f32) -> f32 {
  %c = constant 2.0 : f32
  %r = prelude "mul"(%x, %c) : (f32, f32) -> f32
  return %r : f32
}
knossos.rule "unbound" {
^bb0(%x: f32, %y: f32):
  %r = knossos.prelude "sin"(%x) : (f32) -> f32
  knossos.yield %r : f32
} to {
^bb0(%x: f32, %y: f32):
  knossos.yield %y : f32
}
knossos.rule "anything" {
^bb0(%x: f32):
  knossos.yield %x : f32
} to {
^bb0(%x: f32):
  knossos.yield %x : f32
}
knossos.rule "foreign" {
} to {
} {ignored = "not supported"}
knossos.rule "half" {
^bb0(%x: f32):
  %c = knossos.constant 2.0 : f32
  %r = knossos.prelude "mul"(%x, %c) : (f32, f32) -> f32
  knossos.yield %r : f32
} to {
^bb0(%x: f32):
  %c = knossos.constant 1.0 : f32
  %r = knossos.prelude "mul"(%x, %c) : (f32, f32) -> f32
  knossos.yield %r : f32
}

// -----

// REMARK: warning: rule "commute" applies to its own results without end; it was stopped
// CHECK-LABEL: knossos.func @g
// CHECK: prelude "add"
knossos.func @g(%x: f32, %y: f32) -> f32 {
  %r = prelude "add"(%x, %y) : (f32, f32) -> f32
  return %r : f32
}
knossos.rule "commute" {
^bb0(%x: f32, %y: f32):
  %r = knossos.prelude "add"(%x, %y) : (f32, f32) -> f32
  knossos.yield %r : f32
} to {
^bb0(%x: f32, %y: f32):
  %r = knossos.prelude "add"(%y, %x) : (f32, f32) -> f32
  knossos.yield %r : f32
}

// -----

// A rule that does not end neither keeps other rules from being applied, nor are they reported.
// REMARK-NOT: rule "one"
// REMARK: warning: rule "endless" applies to its own results without end; it was stopped
// REMARK-NOT: rule "one"
// CHECK-LABEL: knossos.func @h
// CHECK-NOT: prelude "mul"
knossos.func @h(%x: f32) -> f32 {
  %zero = constant 0.0 : f32
  %one = constant 1.0 : f32
  %sum = prelude "add"(%x, %zero) : (f32, f32) -> f32
  %r = prelude "mul"(%sum, %one) : (f32, f32) -> f32
  return %r : f32
}
knossos.rule "endless" {
^bb0(%x: f32):
  %zero = knossos.constant 0.0 : f32
  %r = knossos.prelude "add"(%x, %zero) : (f32, f32) -> f32
  knossos.yield %r : f32
} to {
^bb0(%x: f32):
  %zero = knossos.constant 0.0 : f32
  %one = knossos.constant 1.0 : f32
  %first = knossos.prelude "add"(%x, %zero) : (f32, f32) -> f32
  %same = knossos.prelude "mul"(%first, %one) : (f32, f32) -> f32
  %r = knossos.prelude "add"(%same, %zero) : (f32, f32) -> f32
  knossos.yield %r : f32
}
knossos.rule "one" {
^bb0(%x: f32):
  %one = knossos.constant 1.0 : f32
  %r = knossos.prelude "mul"(%x, %one) : (f32, f32) -> f32
  knossos.yield %r : f32
} to {
^bb0(%x: f32):
  knossos.yield %x : f32
}
