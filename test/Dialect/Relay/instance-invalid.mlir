// RUN: %kopt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected an identifier of Relay, found 'a b'}}
func.func private @name(!relay.type_var<"a b">)

// -----

// expected-error @below {{expected an identifier of Relay, found '1'}}
func.func private @call(!relay.type_call<"1", i32>)

// -----

// expected-error @below {{expected one type argument for each type parameter, found 2 for 1}}
data.type @T = "C"() {relay.instance = #relay.instance<"T", params = ["A"], args = [i32, i32], fields = [[]]>}

// -----

// expected-error @below {{type parameter 'A' is declared twice}}
data.type @T = "C"() {relay.instance = #relay.instance<"T", params = ["A", "A"], args = [i32, i32], fields = [[]]>}

// -----

// expected-error @below {{type parameter 'B' is not declared}}
data.type @T = "C"(i32) {relay.instance = #relay.instance<"T", params = ["A"], args = [i32], fields = [[tuple<!relay.type_var<"B">>]]>}

// -----

// expected-error @below {{expected no type parameter in type arguments, found 'A'}}
data.type @T = "C"(i32) {relay.instance = #relay.instance<"T", params = ["A"], args = [!relay.type_var<"A">], fields = [[]]>}

// -----

// expected-error @below {{expected an array of types for each constructor}}
data.type @T = "C"(i32) {relay.instance = #relay.instance<"T", params = ["A"], args = [i32], fields = [[1]]>}

// -----

// expected-error @below {{'relay.instance' is expected to be a #relay.instance attribute}}
data.type @T = "C"(i32) {relay.instance = "T"}

// -----

// expected-error @below {{'relay.instance' is only allowed on 'data.type'}}
func.func private @f() attributes {relay.instance = #relay.instance<"T">}
