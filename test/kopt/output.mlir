// A file is replaced as a whole; a device is written to and stays what it is.
// RUN: %kopt %s -o /dev/null
// RUN: python3 -c "import os, stat; assert stat.S_ISCHR(os.stat('/dev/null').st_mode)"
// RUN: %kopt %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// CHECK: module {
module {
}
