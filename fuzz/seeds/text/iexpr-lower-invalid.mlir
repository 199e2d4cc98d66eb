func.func @graph_input(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = iexpr.expr "+ij~i||0ij"(%a) : (tensor<?x?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @not_aligned(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = iexpr.expr "^ij~ij"(%a) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = iexpr.expr "-ij~ij||ji0"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @online(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = iexpr.expr "+ij~i||ji"(%a) : (tensor<?x?xf32>) -> tensor<?xf32>
  %1 = iexpr.expr "ij/i~ij||ji1"(%a, %0) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
