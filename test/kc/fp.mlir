// RUN: %kc build %s --emit=buffers --entry=f -o - | FileCheck %s --check-prefix=DEFAULT
// RUN: %kc build %s --emit=buffers --entry=f --fp=strict -o - | FileCheck %s --check-prefix=STRICT
// RUN: %kc build %s --emit=buffers --entry=f --fp=fast -o - | FileCheck %s --check-prefix=FAST
// RUN: not %kc build %s --fp=loose 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: [possible values: strict, default, fast]

// DEFAULT: arith.mulf %{{.*}} fastmath<contract> : f32
// DEFAULT: arith.addf %{{.*}}, %{{[a-z0-9]+}} : f32
// STRICT: arith.mulf %{{.*}}, %{{[a-z0-9]+}} : f32
// FAST: arith.mulf %{{.*}} fastmath<nnan,ninf,nsz,arcp,contract,afn> : f32
// FAST: arith.addf %{{.*}} fastmath<nnan,ninf,nsz,arcp,contract,afn> : f32
func.func @f(%x: f32, %y: f32) -> f32 {
  %p = arith.mulf %x, %y fastmath<contract> : f32
  %s = arith.addf %p, %y : f32
  return %s : f32
}
