// A byte order mark at the start of a file of arguments is ignored; one elsewhere is an error.
// RUN: printf '\357\273\277[[1.5, 2], 3]' > %t.json
// RUN: kc run %s --entry f --inputs %t.json | FileCheck %s
// RUN: printf '[\357\273\277[1.5, 2], 3]' > %t.wrong.json
// RUN: not kc run %s --entry f --inputs %t.wrong.json 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: ([1.5, 2], 3)
// WRONG: is not valid JSON: expected value
func.func @f(%x: tensor<2xf32>, %n: i32) -> (tensor<2xf32>, i32) {
  return %x, %n : tensor<2xf32>, i32
}
