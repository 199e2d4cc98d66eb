// RUN: not %kopt %s --split-input-file 2>&1 | FileCheck %s

// The operation of a mask may lack attributes and operands.
// CHECK: error: {{.*}}indexing_maps
func.func @contract(%a: vector<3xf32>, %b: vector<3x2xf32>, %c: vector<2xf32>, %m: vector<3x2xi1>) -> vector<2xf32> {
  %r = "vector.mask"(%m) ({
    %0 = "vector.contract"(%a, %b, %c) {iterator_types = [#vector.iterator_type<reduction>, #vector.iterator_type<parallel>]} : (vector<3xf32>, vector<3x2xf32>, vector<2xf32>) -> vector<2xf32>
    "vector.yield"(%0) : (vector<2xf32>) -> ()
  }) : (vector<3x2xi1>) -> vector<2xf32>
  return %r : vector<2xf32>
}

// -----

// CHECK: error: {{.*}}operand
func.func @reduction(%m: vector<4xi1>) -> f32 {
  %r = "vector.mask"(%m) ({
    %0 = "vector.reduction"() {kind = #vector.kind<add>} : () -> f32
    "vector.yield"(%0) : (f32) -> ()
  }) : (vector<4xi1>) -> f32
  return %r : f32
}
