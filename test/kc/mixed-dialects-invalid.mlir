// RUN: not %kopt %s --allow-unregistered-dialect --lower --split-input-file 2>&1 | FileCheck %s

// An operation that uses a tuple as such has no conversion.
func.func @tuple(%x: f32) {
  %t = knossos.tuple(%x, %x) : (f32, f32) -> tuple<f32, f32>
  // CHECK: error: failed to legalize operation 'some.use' that was explicitly marked illegal
  // CHECK-NEXT: mixed-dialects-invalid.mlir:[[#@LINE+1]]:3
  "some.use"(%t) : (tuple<f32, f32>) -> ()
  return
}

// -----

// An operation that defines a tuple.
func.func @source() -> f32 {
  // CHECK: error: failed to legalize operation 'some.source' that was explicitly marked illegal
  // CHECK-NEXT: mixed-dialects-invalid.mlir:[[#@LINE+1]]:8
  %t = "some.source"() : () -> tuple<f32, f32>
  %0 = knossos.get %t[1] : tuple<f32, f32>
  return %0 : f32
}

// -----

// The type of an element has no conversion of its own.
relay.func @unsigned(%x: tensor<3xui8>) -> tensor<3xui8> {
  %c0 = arith.constant 0 : index
  // CHECK: error: failed to legalize operation 'tensor.extract' that was explicitly marked illegal
  // CHECK-NEXT: mixed-dialects-invalid.mlir:[[#@LINE+1]]:8
  %0 = tensor.extract %x[%c0] : tensor<3xui8>
  relay.return %x : tensor<3xui8>
}

// -----

// A block argument of a region of an unknown operation.
knossos.func @argument(%x: f32) -> f32 {
  // CHECK: error: failed to legalize operation 'some.region' that was explicitly marked illegal
  // CHECK-NEXT: mixed-dialects-invalid.mlir:[[#@LINE+1]]:3
  "some.region"() ({
  ^bb0(%t: tuple<f32, f32>):
    %0 = knossos.get %t[0] : tuple<f32, f32>
    "some.end"(%0) : (f32) -> ()
  }) : () -> ()
  knossos.return %x : f32
}

// -----

// Values without dominance that depend on each other.
knossos.func @cycle(%x: f32) -> f32 {
  "some.graph"() ({
    %t = knossos.tuple(%u) : (tuple<f32>) -> tuple<tuple<f32>>
    // CHECK: error: failed to legalize unresolved materialization from ('f32') to ('f32') that remained live after conversion
    %u = knossos.get %t[0] : tuple<tuple<f32>>
    %v = knossos.get %u[0] : tuple<f32>
    "some.use"(%v) : (f32) -> ()
  }) : () -> ()
  knossos.return %x : f32
}

// -----

func.func @cycle_of_functions(%x: f32) -> f32 {
  "some.graph"() ({
    %t = knossos.tuple(%u) : (tuple<f32>) -> tuple<tuple<f32>>
    // CHECK: error: failed to legalize unresolved materialization from
    %u = knossos.get %t[0] : tuple<tuple<f32>>
    %v = knossos.get %u[0] : tuple<f32>
    "some.use"(%v) : (f32) -> ()
  }) : () -> ()
  return %x : f32
}

// -----

module {
// A nested module has functions that are not lowered.
module @nested {
  // CHECK: error: failed to legalize operation 'knossos.func' that was explicitly marked illegal
  // CHECK-NEXT: mixed-dialects-invalid.mlir:[[#@LINE+1]]:3
  knossos.func @f(%x: f32) -> f32 {
    knossos.return %x : f32
  }
}
}

// -----

// The language has no tuples of other types.
// CHECK: error: 'knossos.func' has a value of type 'tuple<index>', which cannot be lowered
// CHECK-NEXT: mixed-dialects-invalid.mlir:[[#@LINE+1]]:1
knossos.func @index(%x: tuple<index>) -> f32 {
  %0 = knossos.constant 0.0 : f32
  knossos.return %0 : f32
}
