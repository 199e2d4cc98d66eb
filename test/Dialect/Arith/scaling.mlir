// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --verify-roundtrip -o /dev/null

func.func @a(%x: f4E2M1FN, %s: f8E8M0FNU, %v: vector<4xf8E5M2>, %w: vector<4xf8E8M0FNU>, %f: f32, %vf: vector<4xf32>, %t: tensor<4xf16>, %u: tensor<4xf8E5M2>, %d: f32) {
  %0 = arith.scaling_extf %x, %s : f4E2M1FN, f8E8M0FNU to f32
  %1 = arith.scaling_extf %v, %w fastmath<fast> {a} : vector<4xf8E5M2>, vector<4xf8E8M0FNU> to vector<4xf32>
  %2 = arith.scaling_truncf %f, %s : f32, f8E8M0FNU to f4E2M1FN
  %3 = arith.scaling_truncf %vf, %w upward fastmath<nnan> : vector<4xf32>, vector<4xf8E8M0FNU> to vector<4xf8E5M2>
  %4 = arith.scaling_truncf %f, %d to_nearest_even : f32, f32 to f16
  return
}
