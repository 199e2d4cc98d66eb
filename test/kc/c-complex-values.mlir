// Values of data types with complex numbers in C: fields of two slots.
// RUN: rm -rf %t && mkdir %t
// RUN: %kc build %s --emit=header --prefix l_ -o %t/values.h
// RUN: FileCheck %s --check-prefix=HEADER < %t/values.h
// HEADER: static inline l_List l_List_Cons(minoan_c64 f0, int32_t f1, minoan_c32 f2, l_List f3) {
// HEADER: static inline minoan_c64 l_List_Cons_0(l_List value) {
// HEADER-NEXT: uint64_t word[2] = {minoan_value_word(value.object, 1), minoan_value_word(value.object, 2)};
// RUN: %kc build %s --emit=so --prefix l_ -o %t/libvalues.so
// RUN: cc -std=c99 -Wall -Wextra -Werror -pedantic -I%t %S/Inputs/c-complex-values.c -L%t -lvalues -Wl,-rpath,%t -o %t/dynamic
// RUN: %t/dynamic | FileCheck %s
// RUN: %kc build %s --emit=obj --prefix l_ -o %t/values.o
// RUN: %kc runtime -o %t/libminoan_runtime.a
// RUN: c++ -std=c++17 -Wall -Wextra -Werror -x c++ -I%t %S/Inputs/c-complex-values.c -x none %t/values.o %t/libminoan_runtime.a -lm -lpthread -ldl -o %t/static
// RUN: %t/static | FileCheck %s

// CHECK: 0, -2+1i 7 0.5+4i, 1+3i 8 -2+0i
// CHECK-NEXT: left: 0
data.type @List = "Cons"(complex<f64>, i32, complex<f32>, !data.cell<@List>) | "Nil"()

func.func @scaled(%xs: !data.cell<@List>, %by: complex<f64>) -> !data.cell<@List> {
  %r = data.match %xs : !data.cell<@List> -> !data.cell<@List> {
  case "Cons"[0](%x: complex<f64>, %n: i32, %z: complex<f32>, %rest: !data.cell<@List>) {
    %y = complex.mul %x, %by : complex<f64>
    %w = complex.conj %z : complex<f32>
    %s = func.call @scaled(%rest, %by) : (!data.cell<@List>, complex<f64>) -> !data.cell<@List>
    %t = data.make "Cons"[0](%y, %n, %w, %s) : (complex<f64>, i32, complex<f32>, !data.cell<@List>) -> !data.cell<@List>
    data.yield %t : !data.cell<@List>
  }
  case "Nil"[1]() {
    data.yield %xs : !data.cell<@List>
  }
  }
  return %r : !data.cell<@List>
}
