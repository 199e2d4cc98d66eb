func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = iexpr.expr "ik*kj~ijk"(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %1 = iexpr.expr "+ijk~ij"(%0) : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @diagonal(%a: tensor<4x?xf32>) -> tensor<4xf32> {
  %0 = iexpr.expr "ii~i"(%a) : (tensor<4x?xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @no_op(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = iexpr.expr "+i~i"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @inner_no_op(%c: i1, %a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = scf.if %c -> (tensor<?xf32>) {
    %1 = iexpr.expr "+i~i"(%a) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  %2 = iexpr.expr "-i~i"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %0, %2 : tensor<?xf32>, tensor<?xf32>
}

func.func @max(%a: tensor<?xf32>) -> tensor<f32> {
  %0 = iexpr.expr ">i~."(%a) : (tensor<?xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @fused(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = iexpr.expr "ik*kj~ijk"(%a, %b) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8x8xf32>
  %1 = iexpr.expr "+ijk~ij||ijk0"(%0) : (tensor<8x8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

func.func @outer_reduction(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = iexpr.expr "+ik~i||ki"(%a) : (tensor<?x?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @tile(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = iexpr.expr "^i~i|i:4|"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = iexpr.expr "-i~i|i:4|i0i'"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
