// RUN: %kopt %s --pass-pipeline="builtin.module(float-policy{fp=strict})" | FileCheck %s --check-prefix=STRICT
// RUN: %kopt %s --pass-pipeline="builtin.module(float-policy)" | FileCheck %s --check-prefix=DEFAULT
// RUN: %kopt %s --pass-pipeline="builtin.module(float-policy{fp=fast})" | FileCheck %s --check-prefix=FAST

// STRICT: arith.addf %arg0, %arg1 : f32
// STRICT: math.exp %{{.*}} : f32
// STRICT: vector.reduction <add>, %arg2 : vector<4xf32> into f32
// DEFAULT: arith.addf %arg0, %arg1 fastmath<reassoc> : f32
// DEFAULT: math.exp %{{.*}} : f32
// DEFAULT: vector.reduction <add>, %arg2 fastmath<reassoc> : vector<4xf32> into f32
// FAST: arith.addf %arg0, %arg1 fastmath<fast> : f32
// FAST: math.exp %{{.*}} fastmath<nnan,ninf,nsz,arcp,contract,afn> : f32
// FAST: vector.reduction <add>, %arg2 fastmath<fast> : vector<4xf32> into f32
// FAST: arith.addi %{{.*}}, %{{.*}} : i32
func.func @f(%x: f32, %y: f32, %v: vector<4xf32>, %i: i32) -> (f32, f32, i32) {
  %s = arith.addf %x, %y fastmath<reassoc> : f32
  %e = math.exp %s : f32
  %r = vector.reduction <add>, %v fastmath<reassoc> : vector<4xf32> into f32
  %j = arith.addi %i, %i : i32
  return %e, %r, %j : f32, f32, i32
}
