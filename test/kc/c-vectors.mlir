// Vectors and integers of other widths than those of C are arguments and results of libraries: structures of the elements, and
// integers of the next wider type, which are checked and extended.
// RUN: rm -rf %t && mkdir %t
// RUN: %kc build %s --emit=header --prefix v_ -o %t/vectors.h
// RUN: FileCheck %s --check-prefix=HEADER < %t/vectors.h
// HEADER: /* A vector of 6 elements; the last dimension is the fastest. */
// HEADER: float data[6];
// HEADER-NEXT: } minoan_f32_v2x3;
// HEADER: static inline int32_t v_scale(minoan_f32_v2x3 arr_0, float arr_1, minoan_f32_v2x3 *result, minoan_failure *failure) {
// HEADER: static inline int32_t v_sum(int8_t arr_0, int64_t arr_1, int64_t *result, minoan_failure *failure) {
// HEADER: static inline int32_t v_both(minoan_i8_v3 arr_0, minoan_f64_1 arr_1, minoan_i8_v3 *result_0, minoan_f64_1 *result_1, minoan_failure *failure) {
// HEADER: static inline int32_t v_both_into(minoan_i8_v3 arr_0, minoan_f64_1 arr_1, minoan_i8_v3 *result_0, minoan_f64_1 result_1, minoan_failure *failure) {
// RUN: %kc build %s --emit=so --prefix v_ -o %t/libvectors.so
// RUN: cc -std=c99 -Wall -Wextra -Werror -pedantic -I%t %S/Inputs/c-vectors.c -L%t -lvectors -Wl,-rpath,%t -o %t/dynamic
// RUN: %t/dynamic | FileCheck %s
// RUN: %kc build %s --emit=obj --prefix v_ -o %t/vectors.o
// RUN: %kc runtime -o %t/libminoan_runtime.a
// RUN: c++ -std=c++17 -Wall -Wextra -Werror -x c++ -I%t %S/Inputs/c-vectors.c -x none %t/vectors.o %t/libminoan_runtime.a -lm -lpthread -ldl -o %t/static
// RUN: %t/static | FileCheck %s

// CHECK: scale: 0, 2 4 6 8 10 12
func.func @scale(%a: vector<2x3xf32>, %by: f32) -> vector<2x3xf32> {
  %b = vector.broadcast %by : f32 to vector<2x3xf32>
  %0 = arith.mulf %a, %b : vector<2x3xf32>
  return %0 : vector<2x3xf32>
}

// The sum of the greatest numbers, and of the least.
// CHECK-NEXT: sum: 0, 63 + 549755813887 = -549755813826
// CHECK-NEXT: sum: 0, -64 + -549755813888 = 549755813824
// CHECK-NEXT: sum: 1, argument 'arr_0' is out of the range of i7
// CHECK-NEXT: sum: 1, argument 'arr_1' is out of the range of i40
// CHECK-NEXT: no message: 1
func.func @sum(%a: i7, %b: i40) -> i40 {
  %0 = arith.extsi %a : i7 to i40
  %1 = arith.addi %0, %b : i40
  return %1 : i40
}

// CHECK-NEXT: negated: 0, 1 -7 0
// CHECK-NEXT: both: 0, 1 -7 0, 1.5 2.5
// CHECK-NEXT: both into: 0, 1 -7 0, 1.5 2.5
// CHECK-NEXT: both: 1, argument 'arr_0' is out of the range of i4
func.func @both(%a: vector<3xi4>, %x: tensor<2xf64>) -> (vector<3xi4>, tensor<2xf64>) {
  %zero = arith.constant dense<0> : vector<3xi4>
  %0 = arith.subi %zero, %a : vector<3xi4>
  return %0, %x : vector<3xi4>, tensor<2xf64>
}

func.func @negated(%a: vector<3xi4>) -> vector<3xi4> {
  %zero = arith.constant dense<0> : vector<3xi4>
  %0 = arith.subi %zero, %a : vector<3xi4>
  return %0 : vector<3xi4>
}

// CHECK-NEXT: any: 0, true false
func.func @any(%a: vector<2xi1>) -> (i1, i1) {
  %0 = vector.extract %a[0] : i1 from vector<2xi1>
  %1 = vector.extract %a[1] : i1 from vector<2xi1>
  return %0, %1 : i1, i1
}
