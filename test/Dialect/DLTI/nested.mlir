// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs: what stands in the attributes is printed as everywhere, but for keys,
// in which nothing has an alias.
// RUN: %kopt %s --allow-unregistered-dialect --verify-roundtrip -o /dev/null

#map = affine_map<(d0) -> (d0 + 1)>
module {
"t.x"() {
 a = #dlti.map<"a" = dense<[1,2,3]> : tensor<3xi32>, "m" = affine_map<(d0) -> (d0 + 1)>, "l" = loc("x":1:2), "d" = distinct[0]<i32>, "d2" = distinct[1]<>>,
 b = #dlti.dl_entry<"x", dense_resource<blob> : tensor<1xi64>>,
 c = #dlti.map<tuple<i1,i2,i3,i4,i5,i6,i7,i8,i9,i10,i11,i12,i13,i14,i15,i16,i17,i18> = tuple<i1,i2,i3,i4,i5,i6,i7,i8,i9,i10,i11,i12,i13,i14,i15,i16,i17,i18>>,
 e = #dlti.map<"n" = #dlti.map<"k" = [dense<[1,2]> : tensor<2xi32>, memref<2xi32, #map>]>>,
 f = #dlti.map<memref<2xi32,#map> = #map, "f1" = 1.0 : f64, "i64" = 3, "i64b" = 3 : i64, "i32" = 3 : i32>,
 g = #dlti.dl_spec<#dlti.dl_entry<"x", affine_map<(d0) -> (d0)>>, memref<1xi32, #map> = dense<[4,5]> : tensor<2xi8>>,
 h = distinct[1]<>, i = #foo.x<affine_map<(d0) -> (d0)>>, j = #dlti.map<"r" = #foo.bar<"x"> , "h" = dense<1> : tensor<4xi32>>,
 k = #dlti.dl_entry<memref<2xi32,#map>, loc("y":3:4)>,
 l = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"x" = loc("y":3:4)>>,
 m = #dlti.dl_spec<i32 = dense<32> : vector<1xi64>>, n= #dlti.function_pointer_alignment<64, function_dependent = true>
} : () -> () loc(fused<#dlti.map<"a" = loc("z":1:2), "m" = affine_map<(d0) -> (d0 + 7)>>>["q":1:2]) }
{-# dialect_resources: { builtin: { blob: "0x080000000100000000000000" } } #-}
