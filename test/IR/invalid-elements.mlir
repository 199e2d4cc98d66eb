// Elements of type i0 take no memory: the text in hexadecimal digits is empty, as in mlir-opt.
// RUN: %kopt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --verify-roundtrip | FileCheck %s

// CHECK: dense<[0, 0]> : tensor<2xi0>
"t.x"() {a = dense<"0x"> : tensor<2xi0>} : () -> ()

// -----

// expected-error @+1 {{elements hex data size is invalid for provided type: 'tensor<4xi0>'}}
"t.x"() {a = dense<"0x01020304"> : tensor<4xi0>} : () -> ()

// -----

// expected-error @+1 {{integer constant out of range for type}}
"t.x"() {a = dense<[1, 2]> : tensor<2xi0>} : () -> ()
