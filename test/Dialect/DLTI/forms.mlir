// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --allow-unregistered-dialect --verify-roundtrip -o /dev/null

module attributes { dlti.dl_spec = #dlti.dl_spec< #dlti.dl_entry<index, 32 : i64>,   "dlti.endianness" = "little", i32 = dense<[32, 64]> : vector<2xi64>, f64 = dense<64> : vector<1xi64>, "dlti.stack_alignment" = 128 : i64, "dlti.alloca_memory_space" = 5 : ui64>,
  dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"L1_cache_size_in_bytes" = 4096 : i32>, "GPU" = #dlti.target_device_spec<"max_vector_op_width" = 64 : ui32>>,
  dlti.map = #dlti.map<"a" = 1, i32 = #dlti.map<"b" = 4>>, x.y = #dlti.map<>, x.z = #dlti.dl_entry<i32, 5>, x.w = #dlti.dl_entry<"a", 5 : i8>, x.f = #dlti.function_pointer_alignment<64,   function_dependent = true>} {
}

// Entries may be attributes of their own wherever there are entries.
#entry = #dlti.dl_entry<"a", 1>
module @entries attributes {
  dlti.map = #dlti.map<#dlti.dl_entry<"magic", 42 : i32>, "b" = 2, #entry>,
  foo.system = #dlti.target_system_spec<#dlti.dl_entry<"CPU", #dlti.target_device_spec<#entry>>>
} {}
