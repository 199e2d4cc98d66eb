// The data types of the source that declarations are instances of.
// RUN: %kopt %s | FileCheck %s
// RUN: %kopt %s | %kopt | FileCheck %s

// CHECK: data.type @Expr = "Lit"(tensor<f32>) | "Neg"(!data.cell<@Expr>) {relay.instance = #relay.instance<"Expr">}
data.type @Expr = "Lit"(tensor<f32>) | "Neg"(!data.cell<@Expr>) {relay.instance = #relay.instance<"Expr">}
// CHECK: data.type @Fns = "MkFns"(!data.closure<(tensor<i1>) -> tuple<tensor<i32>, tensor<i1>>>, !data.cell<@Expr>) | "None"()
// CHECK-SAME{LITERAL}: {relay.instance = #relay.instance<"Fns", params = ["A", "B"], args = [tensor<i1>, tensor<i32>], fields = [[!data.closure<(!relay.type_var<"A">) -> tuple<!relay.type_var<"B">, !relay.type_var<"A">>>, !relay.type_call<"Expr">], []]>}
data.type @Fns = "MkFns"(!data.closure<(tensor<i1>) -> tuple<tensor<i32>, tensor<i1>>>, !data.cell<@Expr>) | "None"()
  {relay.instance = #relay.instance<"Fns", params = ["A", "B"], args = [tensor<i1>, tensor<i32>],
    fields = [[!data.closure<(!relay.type_var<"A">) -> tuple<!relay.type_var<"B">, !relay.type_var<"A">>>, !relay.type_call<"Expr">], []]>}
// Several arguments of a data type, and types by aliases.
// CHECK{LITERAL}: fields = [[!relay.type_call<"Fns", !relay.type_var<"A">, tuple<tensor<i1>>>]]>
!a = !relay.type_var<"A">
data.type @Other = "MkOther"(!data.cell<@Fns>)
  {relay.instance = #relay.instance<"Other", params = ["A"], args = [tensor<i1>], fields = [[!relay.type_call<"Fns", !a, tuple<tensor<i1>>>]]>}
