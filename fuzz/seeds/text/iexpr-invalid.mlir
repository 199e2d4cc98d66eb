func.func @grammar(%a: tensor<?x?xf32>) {
  %0 = iexpr.expr "+ij i"(%a) : (tensor<?x?xf32>) -> tensor<?xf32>
  return
}




func.func @rule(%a: tensor<?x?xf32>) {
  %0 = iexpr.expr "-ij~i"(%a) : (tensor<?x?xf32>) -> tensor<?xf32>
  return
}




func.func @schedule(%a: tensor<?x?xf32>) {
  %0 = iexpr.expr "+ij~i|i:2|ij"(%a) : (tensor<?x?xf32>) -> tensor<?xf32>
  return
}




func.func @generic(%a: tensor<?x?xf32>) {
  %0 = "iexpr.expr"(%a) <{inputs = ["?"], output = "i", operator = "+"}> : (tensor<?x?xf32>) -> tensor<?xf32>
  %1 = "iexpr.expr"(%a) <{inputs = [], output = "i"}> : (tensor<?x?xf32>) -> tensor<?xf32>
  %2 = "iexpr.expr"(%a) <{inputs = ["ij"], output = "i"}> : (tensor<?x?xf32>) -> tensor<?xf32>
  return
}
