// LLVM crashes on `llvm.sincos` of some vectors, and MLIR converts it for vectors of one dimension only: sine and cosine are computed apart.
// RUN: %kc run %s --entry brain --inputs '[0.5]' | FileCheck %s --check-prefix=BRAIN
// RUN: %kc run %s --entry brain --inputs '[0.5]' --backend interpret | FileCheck %s --check-prefix=BRAIN
// RUN: %kc run %s --entry half --inputs '[0.5]' | FileCheck %s --check-prefix=HALF
// RUN: %kc run %s --entry half --inputs '[0.5]' --backend interpret | FileCheck %s --check-prefix=HALF
// BRAIN: {{^}}(0.479, 0.88){{$}}
// HALF: {{^}}(0.4795, 0.8774){{$}}
func.func @brain(%a: bf16) -> (bf16, bf16) {
  %v = vector.broadcast %a : bf16 to vector<2xbf16>
  %s, %c = math.sincos %v : vector<2xbf16>
  %x = vector.extract %s[1] : bf16 from vector<2xbf16>
  %y = vector.extract %c[0] : bf16 from vector<2xbf16>
  return %x, %y : bf16, bf16
}
func.func @half(%a: f16) -> (f16, f16) {
  %v = vector.broadcast %a : f16 to vector<2x3xf16>
  %s, %c = math.sincos %v fastmath<contract> : vector<2x3xf16>
  %x = vector.extract %s[1, 2] : f16 from vector<2x3xf16>
  %y = vector.extract %c[0, 0] : f16 from vector<2x3xf16>
  return %x, %y : f16, f16
}
// RUN: %kc run %s --entry matrix --inputs '[0.5]' --fp strict | FileCheck %s --check-prefix=MATRIX
// RUN: %kc run %s --entry matrix --inputs '[0.5]' | FileCheck %s --check-prefix=MATRIX
// MATRIX: {{^}}0.4794255
func.func @matrix(%a: f64) -> f64 {
  %v = vector.broadcast %a : f64 to vector<2x3xf64>
  %s, %c = math.sincos %v : vector<2x3xf64>
  %x = vector.extract %s[1, 2] : f64 from vector<2x3xf64>
  return %x : f64
}
