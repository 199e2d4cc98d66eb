// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --allow-unregistered-dialect --verify-roundtrip -o /dev/null
// RUN: %kopt %s --allow-unregistered-dialect --mlir-elide-resource-strings-if-larger=200 | grep . > %t.ours
// RUN: %mlir-opt %s --allow-unregistered-dialect --mlir-elide-resource-strings-if-larger=200 | grep . > %t.theirs
// RUN: diff %t.ours %t.theirs
// Resources that are named are printed.

"t.r"() {a = dense_resource<blob1> : tensor<3xi64>, b = dense_resource<"key with space"> : tensor<2xf32>, c = dense_resource<missing> : tensor<2xf32>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      blob1: "0x08000000010000000000000002000000000000000300000000000000",
      "key with space": "0x0400000000000000000000FF",
      unused: "0x0400000001"
    }
  },
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(cse)",
      disable_threading: true,
      verify_each: true
    },
    other: {
      s: "string", b: false, blob: "0x0400000001"
    }
  }
#-}
