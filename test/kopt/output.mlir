// A file is replaced atomically; a device is written to.
// RUN: %kopt %s -o /dev/null
// RUN: python3 -c "import os, stat; assert stat.S_ISCHR(os.stat('/dev/null').st_mode)"
// RUN: %kopt %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// CHECK: module {
module {
}

// The target of a symbolic link is replaced; permissions are preserved.
// RUN: echo old > %t.real.mlir && chmod 600 %t.real.mlir && ln -sf %t.real.mlir %t.link.mlir
// RUN: %kopt %s -o %t.link.mlir
// RUN: FileCheck %s < %t.real.mlir
// RUN: python3 -c "import os, stat; assert os.path.islink('%t.link.mlir')"
// RUN: python3 -c "import os, stat; assert stat.S_IMODE(os.stat('%t.real.mlir').st_mode) == 0o600"

// A file that is not written is named, and so is standard output.
// RUN: not %kopt %s -o %t.none/out.mlir 2>&1 | FileCheck %s --check-prefix=NO-FOLDER
// NO-FOLDER: error: cannot write '{{.*}}.none/out.mlir': No such file or directory (os error 2){{$}}
// RUN: not bash -c "%kopt %s > /dev/full" 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: cannot write standard output: No space left on device

// A closed pipe is not reported as an error.
// RUN: python3 -c "print('func.func private @f()\n' + 'module {}\n' * 100000)" > %t.large.mlir
// RUN: bash -c "%kopt %t.large.mlir 2> %t.err | head -n 1" | FileCheck %s
// RUN: python3 -c "import os; assert os.path.getsize('%t.err') == 0"

// A directory for dumps that cannot be created is an error, before any pass runs.
// RUN: not %kopt %s --cse --mlir-print-ir-after-all --mlir-print-ir-tree-dir=/dev/null/tree 2>&1 | FileCheck %s --check-prefix=TREE
// TREE: error: cannot create the directory '/dev/null/tree': Not a directory
