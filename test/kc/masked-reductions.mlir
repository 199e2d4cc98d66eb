// Elements that are not active have no influence, and a reduction of none of them is the neutral element. MLIR gives inactive
// elements of 'maximumf' a value just below zero, which is above negative elements.
// RUN: %kc run %s --entry main --backend jit --inputs '[-5.0, true]' | FileCheck %s --check-prefix=SOME
// RUN: %kc run %s --entry main --backend interpret --inputs '[-5.0, true]' | FileCheck %s --check-prefix=SOME
// SOME: {{^}}(-5, -5, -3, -5, -10, -5, 3)
// RUN: %kc run %s --entry main --backend jit --inputs '[-5.0, false]' | FileCheck %s --check-prefix=NONE
// RUN: %kc run %s --entry main --backend interpret --inputs '[-5.0, false]' | FileCheck %s --check-prefix=NONE
// NONE: {{^}}(-inf, inf, 2, -0, 1, -2147483648, -1)
func.func @main(%f: f32, %c: i1) -> (f32, f32, f32, f32, f32, i32, i32) {
  %no = arith.constant false
  %two = arith.constant 2.0 : f32
  %i = arith.fptosi %f : f32 to i32
  %c3 = arith.constant 3 : i32
  %c7 = arith.constant 7 : i32
  %mask = vector.from_elements %no, %c, %no, %c : vector<4xi1>
  %a = vector.from_elements %two, %f, %two, %f : vector<4xf32>
  %b = vector.from_elements %f, %f, %f, %two : vector<4xf32>
  %n = vector.from_elements %c7, %i, %c7, %i : vector<4xi32>
  %u = vector.from_elements %c7, %c3, %c7, %c7 : vector<4xi32>
  %0 = vector.mask %mask { vector.reduction <maximumf>, %a : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %1 = vector.mask %mask { vector.reduction <minimumf>, %b : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %one = vector.from_elements %f : vector<1xf32>
  %only = vector.from_elements %c : vector<1xi1>
  %2 = vector.mask %only { vector.reduction <add>, %one, %two : vector<1xf32> into f32 } : vector<1xi1> -> f32
  %3 = vector.mask %only { vector.reduction <add>, %one : vector<1xf32> into f32 } : vector<1xi1> -> f32
  %pair = vector.from_elements %two, %f, %two, %two : vector<4xf32>
  %odd = vector.from_elements %c, %c, %no, %no : vector<4xi1>
  %4 = vector.mask %odd { vector.reduction <mul>, %pair : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %5 = vector.mask %mask { vector.reduction <maxsi>, %n : vector<4xi32> into i32 } : vector<4xi1> -> i32
  %6 = vector.mask %mask { vector.reduction <minui>, %u : vector<4xi32> into i32 } : vector<4xi1> -> i32
  return %0, %1, %2, %3, %4, %5, %6 : f32, f32, f32, f32, f32, i32, i32
}
