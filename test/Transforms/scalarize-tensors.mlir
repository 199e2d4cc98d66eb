// RUN: %kopt %s --scalarize-tensors --canonicalize | FileCheck %s

// Arguments, results and calls of a private function.
// CHECK-LABEL: func.func private @double(%arg0: i32) -> i32
// CHECK-NEXT: %[[R:.*]] = arith.addi %arg0, %arg0 : i32
// CHECK-NEXT: return %[[R]] : i32
func.func private @double(%t: tensor<i32>) -> tensor<i32> {
  %x = tensor.extract %t[] : tensor<i32>
  %y = arith.addi %x, %x : i32
  %r = tensor.from_elements %y : tensor<i32>
  return %r : tensor<i32>
}

// A public function keeps its types.
// CHECK-LABEL: func.func @public(%arg0: tensor<i32>) -> tensor<i32>
// CHECK-NEXT: %[[X:.*]] = tensor.extract %arg0[] : tensor<i32>
// CHECK-NEXT: %[[Y:.*]] = call @double(%[[X]]) : (i32) -> i32
// CHECK-NEXT: %[[T:.*]] = tensor.{{splat|from_elements}} %[[Y]]
// CHECK-NEXT: return %[[T]]
func.func @public(%t: tensor<i32>) -> tensor<i32> {
  %r = func.call @double(%t) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// A loop carries a number; only the tensor that is used as one is made.
// CHECK-LABEL: func.func @loop
// CHECK: scf.while ({{.*}}) : (i32, tensor<4xf32>) -> (i32, tensor<4xf32>)
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @loop(%n: i32, %v: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = tensor.from_elements %n : tensor<i32>
  %r:2 = scf.while (%i = %start, %w = %v) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
    %x = tensor.extract %i[] : tensor<i32>
    %c = arith.cmpi sgt, %x, %zero : i32
    scf.condition(%c) %i, %w : tensor<i32>, tensor<4xf32>
  } do {
  ^bb0(%i: tensor<i32>, %w: tensor<4xf32>):
    %x = tensor.extract %i[] : tensor<i32>
    %y = arith.subi %x, %one : i32
    %next = tensor.from_elements %y : tensor<i32>
    %more = arith.addf %w, %w : tensor<4xf32>
    scf.yield %next, %more : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// The result of a reduction is computed by the operation, not forwarded; a conditional around it becomes scalar.
// CHECK-LABEL: func.func @reduced
// CHECK: scf.if %arg0 -> (f32) {
// CHECK: linalg.generic
// CHECK: tensor.extract
// CHECK: } else {
// CHECK-NEXT: scf.yield %arg2 : f32
func.func @reduced(%c: i1, %v: tensor<4xf32>, %x: f32) -> f32 {
  %r = scf.if %c -> (tensor<f32>) {
    %init = tensor.from_elements %x : tensor<f32>
    %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%v : tensor<4xf32>) outs(%init : tensor<f32>) {
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      linalg.yield %t : f32
    } -> tensor<f32>
    scf.yield %s : tensor<f32>
  } else {
    %t = tensor.from_elements %x : tensor<f32>
    scf.yield %t : tensor<f32>
  }
  %y = tensor.extract %r[] : tensor<f32>
  return %y : f32
}

// A function that is referred to by more than calls keeps its types.
// CHECK-LABEL: func.func private @value(%arg0: tensor<i32>)
func.func private @value(%t: tensor<i32>) -> tensor<i32> {
  return %t : tensor<i32>
}

func.func @uses_value(%t: tensor<i32>) -> tensor<i32> attributes {handler = @value} {
  %r = func.call @value(%t) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// Calls of a public function go to a private copy.
// CHECK-LABEL: func.func @down(%arg0: tensor<i32>) -> tensor<i32>
// CHECK: call @down$scalar(%{{.*}}) : (i32) -> i32
// CHECK-LABEL: func.func private @down$scalar(%arg0: i32) -> i32
// CHECK: call @down$scalar(%{{.*}}) : (i32) -> i32
// CHECK-NOT: tensor
func.func @down(%t: tensor<i32>) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = tensor.extract %t[] : tensor<i32>
  %c = arith.cmpi sle, %x, %zero : i32
  %r = scf.if %c -> tensor<i32> {
    scf.yield %t : tensor<i32>
  } else {
    %y = arith.subi %x, %one : i32
    %s = tensor.from_elements %y : tensor<i32>
    %d = func.call @down(%s) : (tensor<i32>) -> tensor<i32>
    scf.yield %d : tensor<i32>
  }
  return %r : tensor<i32>
}
