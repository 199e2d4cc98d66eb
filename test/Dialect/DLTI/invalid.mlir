// REQUIRES: mlir-opt
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %mlir-opt --split-input-file --verify-diagnostics %s

// expected-error@below {{'dlti.dl_spec' is expected to be a #dlti.dl_spec attribute}}
module attributes { dlti.dl_spec = 3 } {}

// -----

// expected-error@below {{attribute 'dlti.foo' not supported by dialect}}
module attributes { dlti.foo = 3 } {}

// -----

// expected-error@below {{repeated DLTI key: i32}}
module attributes { dlti.dl_spec = #dlti.dl_spec<i32 = 3, i32 = 4> } {}

// -----

// expected-error@below {{repeated DLTI key: "a"}}
module attributes { dlti.dl_spec = #dlti.dl_spec<"a" = 3, "a" = 4> } {}

// -----

// expected-error@below {{'dlti.endianness' data layout entry is expected to be either 'big' or 'little'}}
module attributes { dlti.dl_spec = #dlti.dl_spec<"dlti.endianness" = "x"> } {}

// -----

// expected-error@below {{unknown data layout entry name: dlti.foo}}
module attributes { dlti.dl_spec = #dlti.dl_spec<"dlti.foo" = "x"> } {}

// -----

// expected-error@below {{expected a dense i64 elements attribute in the data layout entry #dlti.dl_entry<i32, "x">}}
module attributes { dlti.dl_spec = #dlti.dl_spec<i32 = "x"> } {}

// -----

// expected-error@below {{expected integer attribute in the data layout entry for 'index'}}
module attributes { dlti.dl_spec = #dlti.dl_spec<index = "x"> } {}

// -----

// expected-error@below {{preferred alignment is expected to be greater than or equal to the abi alignment in data layout entry #dlti.dl_entry<i32, dense<[64, 32]> : vector<2xi64>>}}
module attributes { dlti.dl_spec = #dlti.dl_spec<i32 = dense<[64, 32]> : vector<2xi64>> } {}

// -----

// expected-error@below {{empty string as DLTI key is not allowed}}
module attributes { dlti.dl_spec = #dlti.dl_spec<"" = 4> } {}

// -----

// expected-error@below {{invalid kind of attribute specified}}
module attributes { dlti.dl_spec = #dlti.dl_spec<3 = 4> } {}

// -----

// expected-error@below {{invalid kind of attribute specified}}
module attributes { dlti.target_system_spec = #dlti.target_system_spec<3 = 4> } {}

// -----

// expected-error@below {{value associated with key "CPU" is not a DLTI device spec}}
module attributes { dlti.target_system_spec = #dlti.target_system_spec<"CPU" = 4> } {}

// -----

// expected-error@below {{repeated device ID in dlti.target_system_spec: "CPU"}}
module attributes { dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"a" = 1>, "CPU" = #dlti.target_device_spec<"a" = 1>> } {}

// -----

// expected-error@below {{repeated DLTI key: "a"}}
module attributes { dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"a" = 1, "a" = 2>> } {}

// -----

// expected-error@below {{'dlti.target_system_spec' is expected to be a #dlti.target_system_spec attribute}}
module attributes { dlti.target_system_spec = 3 } {}

// -----

// expected-error@below {{'dlti.map' is expected to be a #dlti.map attribute}}
module attributes { dlti.map = 3 } {}

// -----

// expected-error@below {{repeated DLTI key: i32}}
module attributes { a = #dlti.map<i32 = 1, i32 = 2> } {}

// -----

// expected-error@below {{unknown attribute `foo` in dialect `dlti`}}
module attributes { a = #dlti.foo<i32, 1> } {}

// -----

// expected-error@below {{expected ','}}
module attributes { a = #dlti.dl_entry<i32> } {}

// -----

// expected-error@below {{expected '='}}
module attributes { a = #dlti.dl_spec<i32> } {}

// -----

// expected-error@below {{invalid kind of attribute specified}}
module attributes { a = #dlti.target_device_spec<i32 = 1> } {}

// -----

// expected-error@below {{unexpected data layout for a built-in type}}
module attributes { dlti.dl_spec = #dlti.dl_spec<memref<4xi32> = 3> } {}

// -----

// expected-error@below {{unexpected data layout for a built-in type}}
module attributes { dlti.dl_spec = #dlti.dl_spec<vector<4xi32> = dense<64> : vector<1xi64>> } {}
