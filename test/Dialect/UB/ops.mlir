// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --verify-roundtrip -o /dev/null

func.func @poison() {
  %0 = ub.poison : vector<4xi64>
  %1 = ub.poison <#ub.poison> : i32
  %2 = ub.poison {tag} : f32
  ub.unreachable
}
