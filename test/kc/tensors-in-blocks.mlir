// Tensors between the blocks of functions: loops, swaps, tensors that only one successor needs, and arguments of the caller.
// 'interpret-buffers' reports buffers that are freed twice, used after they were freed, or never freed.

// RUN: %kc run %s --entry double --backend jit --inputs '[[1,2,3,4], 3]' | FileCheck %s --check-prefix=LOOP
// RUN: %kc run %s --entry double --backend interpret --inputs '[[1,2,3,4], 3]' | FileCheck %s --check-prefix=LOOP
// RUN: %kc run %s --entry double --backend interpret-buffers --inputs '[[1,2,3,4], 3]' | FileCheck %s --check-prefix=LOOP
// LOOP: {{^}}([2, 4, 6, 4], [1, 2, 3, 4])
func.func @double(%t: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %t : index, tensor<4xf32>)
^head(%i: index, %x: tensor<4xf32>):
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %e = tensor.extract %x[%i] : tensor<4xf32>
  %d = arith.addf %e, %e : f32
  %y = tensor.insert %d into %x[%i] : tensor<4xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %y : index, tensor<4xf32>)
^end:
  return %x, %t : tensor<4xf32>, tensor<4xf32>
}

// Tensors change places, and one is passed twice.
// RUN: %kc run %s --entry swap --backend jit --inputs '[true, 2]' | FileCheck %s --check-prefix=SWAP
// RUN: %kc run %s --entry swap --backend interpret --inputs '[true, 2]' | FileCheck %s --check-prefix=SWAP
// RUN: %kc run %s --entry swap --backend interpret-buffers --inputs '[true, 2]' | FileCheck %s --check-prefix=SWAP
// SWAP: {{^}}([1, 1], [0, 9], [0, 1])
// RUN: %kc run %s --entry swap --backend jit --inputs '[false, 2]' | FileCheck %s --check-prefix=TWICE
// RUN: %kc run %s --entry swap --backend interpret --inputs '[false, 2]' | FileCheck %s --check-prefix=TWICE
// RUN: %kc run %s --entry swap --backend interpret-buffers --inputs '[false, 2]' | FileCheck %s --check-prefix=TWICE
// TWICE: {{^}}([0, 1], [0, 9], [0, 1])
func.func @swap(%c: i1, %n: index) -> (tensor<?xindex>, tensor<?xindex>, tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %p = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<?xindex>
  %q = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %c1 : index
  } : tensor<?xindex>
  cf.cond_br %c, ^end(%q, %p : tensor<?xindex>, tensor<?xindex>), ^end(%p, %p : tensor<?xindex>, tensor<?xindex>)
^end(%x: tensor<?xindex>, %y: tensor<?xindex>):
  %z = tensor.insert %c9 into %y[%c1] : tensor<?xindex>
  return %x, %z, %p : tensor<?xindex>, tensor<?xindex>, tensor<?xindex>
}

// A tensor that one case needs, another one that is needed much later, and an argument that is passed on in one case.
// RUN: %kc run %s --entry cases --backend jit --inputs '[0, [5,6]]' | FileCheck %s --check-prefix=CASE0
// RUN: %kc run %s --entry cases --backend interpret --inputs '[0, [5,6]]' | FileCheck %s --check-prefix=CASE0
// RUN: %kc run %s --entry cases --backend interpret-buffers --inputs '[0, [5,6]]' | FileCheck %s --check-prefix=CASE0
// CASE0: {{^}}([7, 6], 3, [5, 6])
// RUN: %kc run %s --entry cases --backend jit --inputs '[1, [5,6]]' | FileCheck %s --check-prefix=CASE1
// RUN: %kc run %s --entry cases --backend interpret --inputs '[1, [5,6]]' | FileCheck %s --check-prefix=CASE1
// RUN: %kc run %s --entry cases --backend interpret-buffers --inputs '[1, [5,6]]' | FileCheck %s --check-prefix=CASE1
// CASE1: {{^}}([7, 1], 3, [5, 6])
// RUN: %kc run %s --entry cases --backend jit --inputs '[2, [5,6]]' | FileCheck %s --check-prefix=CASE2
// RUN: %kc run %s --entry cases --backend interpret --inputs '[2, [5,6]]' | FileCheck %s --check-prefix=CASE2
// RUN: %kc run %s --entry cases --backend interpret-buffers --inputs '[2, [5,6]]' | FileCheck %s --check-prefix=CASE2
// CASE2: {{^}}([7, 3], 3, [5, 6])
func.func @cases(%flag: i32, %t: tensor<2xf32>) -> (tensor<2xf32>, f32, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %seven = arith.constant 7.0 : f32
  %p = tensor.splat %one : tensor<2xf32>
  %q = tensor.splat %three : tensor<2xf32>
  cf.switch %flag : i32, [
    default: ^other,
    0: ^end(%t : tensor<2xf32>),
    1: ^end(%p : tensor<2xf32>)
  ]
^other:
  cf.br ^end(%q : tensor<2xf32>)
^end(%x: tensor<2xf32>):
  %y = tensor.insert %seven into %x[%c0] : tensor<2xf32>
  cf.br ^last
^last:
  %e = tensor.extract %q[%c0] : tensor<2xf32>
  return %y, %e, %t : tensor<2xf32>, f32, tensor<2xf32>
}

// The blocks of a region inside of an operation, which own its tensors, and blocks that are not in the order of their execution.
// RUN: %kc run %s --entry nested --backend jit --inputs '[true, [5,6]]' | FileCheck %s --check-prefix=NESTED
// RUN: %kc run %s --entry nested --backend interpret --inputs '[true, [5,6]]' | FileCheck %s --check-prefix=NESTED
// RUN: %kc run %s --entry nested --backend interpret-buffers --inputs '[true, [5,6]]' | FileCheck %s --check-prefix=NESTED
// NESTED: {{^}}([8, 6], [8, 1])
func.func @nested(%c: i1, %t: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %eight = arith.constant 8.0 : f32
  %p = tensor.splat %one : tensor<2xf32>
  cf.br ^first
^second(%k: f32):
  %u = tensor.insert %k into %t[%c0] : tensor<2xf32>
  %v = tensor.insert %k into %p[%c0] : tensor<2xf32>
  return %u, %v : tensor<2xf32>, tensor<2xf32>
^first:
  %r = scf.execute_region -> tensor<2xf32> {
    %s = tensor.insert %eight into %t[%c0] : tensor<2xf32>
    cf.cond_br %c, ^yes, ^no(%p : tensor<2xf32>)
  ^yes:
    cf.br ^no(%s : tensor<2xf32>)
  ^no(%w: tensor<2xf32>):
    scf.yield %w : tensor<2xf32>
  }
  %k0 = tensor.extract %r[%c0] : tensor<2xf32>
  cf.br ^second(%k0 : f32)
}
