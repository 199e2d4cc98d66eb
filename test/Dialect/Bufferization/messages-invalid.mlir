// Errors of the custom forms, at the places and with the words of mlir-opt.
// RUN: %kopt --split-input-file --verify-diagnostics %s
// RUN: %if mlir-opt %{ %mlir-opt --split-input-file --verify-diagnostics %s %}

func.func @sizes(%n: index) {
  // expected-error@+1 {{expected '('}}
  %0 = bufferization.alloc_tensor %n : tensor<?xf32>
}

// -----

func.func @copied(%t: tensor<2xf32>) {
  // expected-error@+1 {{expected '('}}
  %0 = bufferization.alloc_tensor() copy %t : tensor<2xf32>
}

// -----

func.func @hint(%n: index) {
  // expected-error@+1 {{expected '='}}
  %0 = bufferization.alloc_tensor() size_hint %n : tensor<2xf32>
}

// -----

func.func @condition(%m: memref<2xf32>, %c: i1) {
  // expected-error@+1 {{expected '('}}
  bufferization.dealloc (%m : memref<2xf32>) if %c
}

// -----

func.func @types(%m: memref<2xf32>, %c: i1) {
  // expected-error@+1 {{expected ':'}}
  bufferization.dealloc (%m) if (%c)
}

// -----

func.func @retained(%m: memref<2xf32>) {
  // expected-error@+1 {{expected '('}}
  bufferization.dealloc retain %m : memref<2xf32>
}

// -----

func.func @order(%m: memref<2xf32>) {
  // expected-error@+1 {{expected ':'}}
  %0 = bufferization.to_tensor %m writable restrict : memref<2xf32> to tensor<2xf32>
}
