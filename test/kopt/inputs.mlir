// Several files are processed in order.
// RUN: echo "func.func private @first()" > %t.1.mlir
// RUN: echo "func.func private @second()" > %t.2.mlir
// RUN: %kopt %t.1.mlir %t.2.mlir | FileCheck %s
// RUN: %kopt %t.1.mlir - < %t.2.mlir | FileCheck %s
// CHECK: @first
// CHECK: // -----
// CHECK: @second
// An error in one does not stop the others, but one that is not there does before anything is written.
// RUN: echo "func.func private @" > %t.bad.mlir
// RUN: not %kopt %t.1.mlir %t.bad.mlir %t.2.mlir 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=BAD < %t.err
// BAD: .bad.mlir:1:
// RUN: not %kopt %t.1.mlir %t.none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE-NOT: @first
// NONE: error: cannot read '{{.*}}.none.mlir'
// Without a file it is standard input.
// RUN: %kopt < %t.1.mlir | FileCheck %s --check-prefix=STDIN
// RUN: %kopt --mlir-print-debuginfo - < %t.1.mlir | FileCheck %s --check-prefix=STDIN
// STDIN: @first
// RUN: not %kopt - < %t.bad.mlir 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: --> <stdin>:1:
// Bytecode is not read.
// RUN: printf 'ML\357R\015' > %t.bc
// RUN: not %kopt %t.bc 2>&1 | FileCheck %s --check-prefix=BYTECODE
// RUN: not %kopt < %t.bc 2>&1 | FileCheck %s --check-prefix=BYTECODE
// BYTECODE: error: '{{.*}}' is bytecode, expected text
// BYTECODE: help: mlir-opt prints bytecode as text: mlir-opt {{.*}} | ..

// The language can be said, whatever the file is called.
// RUN: echo '(def f Float (x : Float) x)' > %t.text
// RUN: %kopt %t.text --language knossos | FileCheck %s --check-prefix=LANGUAGE
// LANGUAGE: knossos.func @f(%arg0: f32) -> f32
// RUN: not %kopt %t.text --language knosos 2>&1 | FileCheck %s --check-prefix=NO-LANGUAGE
// NO-LANGUAGE: error: there is no language 'knosos'
// NO-LANGUAGE: did you mean 'knossos'?
