// Operations under a mask do not fold as they do without one.
func.func @a(%a : vector<1xf32>, %acc: f32, %mask : vector<1xi1>) -> f32 {
  %s = vector.mask %mask { vector.reduction <add>, %a, %acc : vector<1xf32> into f32 } : vector<1xi1> -> f32
  return %s : f32
}
func.func @b(%mask : vector<4xi1>) -> f32 {
  %a = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %s = vector.mask %mask { vector.reduction <add>, %a : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return %s : f32
}
func.func @e(%mask : vector<2x2xi1>) -> vector<2x2xf32> {
  %a = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %acc = arith.constant dense<0.0> : vector<2x2xf32>
  %s = vector.mask %mask { vector.outerproduct %a, %a, %acc {kind = #vector.kind<add>} : vector<2xf32>, vector<2xf32> } : vector<2x2xi1> -> vector<2x2xf32>
  return %s : vector<2x2xf32>
}
func.func @f(%m: memref<16xf32>, %i: index, %ind : vector<4xi32>, %p : vector<4xf32>, %mask : vector<4xi1>) -> vector<4xf32> {
  %z = arith.constant dense<0> : vector<4xi1>
  %s = vector.mask %mask { vector.gather %m[%i] [%ind], %z, %p : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %s : vector<4xf32>
}
