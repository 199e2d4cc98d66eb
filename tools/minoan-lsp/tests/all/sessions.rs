//! Replayed sessions with the real binary: diagnostics, hover, symbols, hints, IR, malformed and superseded requests.

use crate::client::{Client, range};
use crate::references::MLIR;
use crate::request::{at, check, diagnostics_of, document, hover};
use expect_test::expect;
use serde_json::{Value, json};

#[test]
fn diagnostics_have_related_places_and_utf16_columns() {
    check(
        diagnostics_of(
            "ks",
            "(def f Float ((x : Float)) x)\n(def g Float ((y : Float)) (f \"\u{1F600}é\" y))\n",
        ),
        expect![[r#"
            1:27-1:38 'f' takes 1 argument, but 2 are given
              0:5-0:6 f : Float -> Float
        "#]],
    );
}

#[test]
fn diagnostics_of_each_language() {
    check(
        diagnostics_of("relay", "def @main(%x: Tensor[(2), float32]) { sqr(%x) }\n"),
        expect![[r#"
        0:38-0:41 unknown operator or constructor 'sqr'
        help: did you mean 'sqrt'?
    "#]],
    );
    check(
        diagnostics_of("iexpr", "sum = i(\"+ij~i\")\nall = smu >> i(\"+i~.\")\n"),
        expect![[r#"
        1:6-1:9 there is no component 'smu'
        help: did you mean 'sum'?
    "#]],
    );
    check(
        diagnostics_of(
            "mlir",
            "func.func @f(%a: i32) -> i32 {\n  %b = arith.adi %a, %a : i32\n  return %c : i32\n}\n",
        ),
        expect![[r#"
            1:7-1:16 custom op 'arith.adi' is unknown
            help: did you mean 'arith.addi'?
            2:9-2:11 use of undeclared SSA value name '%c'
        "#]],
    );
}

#[test]
fn parts_of_a_test_file_are_modules_of_their_own() {
    let text = "func.func @f() {\n  return\n}\n// -----\nfunc.func @f() {\n  %é = \"\n}\n// -----\nfunc.func @g() { %0 = foo }";
    check(
        diagnostics_of("mlir", text),
        expect![[r#"
        5:2-5:3 invalid SSA name
        8:22-8:25 custom op 'foo' is unknown (tried 'func.foo' as well)
    "#]],
    );
}

#[test]
fn hover_shows_types_and_documentation() {
    check(
        hover("ks", "(def f Float ((x : Float)) (let (y (mul x x)) (add $0y 1.0)))"),
        expect![[r#"
        ```knossos
        y : Float
        ```"#]],
    );
    check(
        hover("ks", "(def f Float ((x : Float)) (sq$0rt x))"),
        expect![[r#"
        ```knossos
        (sqrt Float) -> Float
        ```

        Square root; NaN for negative numbers.

        prelude

        type here: `Float`"#]],
    );
    check(
        hover("ks", "(def f Integer ((v : Vec Float)) (si$0ze v))"),
        expect![[r#"
        ```knossos
        (size (Tensor n T)) -> the size, an Integer or a tuple of n Integers
        ```

        The extents of a tensor.

        primitive

        type here: `Integer`"#]],
    );
    check(
        hover("relay", "def @main(%x: Tensor[(2, 3), float32]) { nn.softm$0ax(%x, axis=1) }"),
        expect![[r#"
            ```relay
            nn.softmax(data)
            ```

            The exponentials along an axis, divided by their sum.

            - `axis: Int = -1`

            type relation: Softmax; fusion pattern: OutEwiseFusable

            type here: `Tensor[(2, 3), float32]`"#]],
    );
    check(
        hover("relay", "def @main(%x: Tensor[(2, 3), float32]) { sum(%x, ax$0is=[1]) }"),
        expect![[r#"
        ```relay
        axis: Ints = None
        ```

        attribute of `sum`

        type here: `Tensor[(2), float32]`"#]],
    );
    check(
        hover("iexpr", "s = i(\"$0+ij~i\")"),
        expect![[r#"
        `+` (add): Sum; unary: no-op.

        type here: `1 input -> 1 output`"#]],
    );
    check(
        hover("iexpr", "s = i(\"+ij~i\")\nt = $0s >> i(\"+i~.\")"),
        expect![[r#"
        ```iexpr
        s : (rank 2) -> (rank 1)
        ```"#]],
    );
    check(
        hover(
            "mlir",
            "func.func @f(%a: f32) -> f32 {\n  %b = arith.add$0f %a, %a : f32\n  return %b : f32\n}",
        ),
        expect![[r#"
            **`arith.addf`**: Floating-point addition.

            - operand `lhs`: floating-point-like
            - operand `rhs`: floating-point-like
            - result `result`: floating-point-like
            - attribute `fastmath`: Floating point fast math flags, default `#arith.fastmath<none>`

            traits: PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE

            assembly: `` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result) ``"#]],
    );
    check(
        hover(
            "mlir",
            "func.func @f(%a: f32) -> f32 {\n  %b = arith.addf %a, %a : f32\n  return %$0b : f32\n}",
        ),
        expect![[r#"
            ```mlir
            %b : f32
            ```"#]],
    );
}

#[test]
fn symbols_are_nested() {
    let mut client = Client::start(None);
    client.open("file:///w/a.mlir", "mlir", MLIR);
    let list = client.result("textDocument/documentSymbol", document("file:///w/a.mlir"));
    fn show(list: &Value, depth: usize, out: &mut String) {
        for one in list.as_array().into_iter().flatten() {
            let detail = one["detail"].as_str().unwrap_or("");
            out.push_str(&format!(
                "{}{} {} {detail}\n",
                "  ".repeat(depth),
                range(&one["range"]),
                one["name"].as_str().unwrap_or("")
            ));
            show(&one["children"], depth + 1, out);
        }
    }
    let mut out = String::new();
    show(&list, 0, &mut out);
    check(
        out,
        expect![[r#"
        0:0-0:2 !t 
        1:0-13:1 @f (i32, i1) -> i32
        14:0-16:1 @m 
          15:2-15:41 @g (i32) -> (i32, i32)
        17:0-17:39 @g (i32) -> (i32, i32)
        18:0-21:13 @h () -> ()
        22:0-22:52 @f2 () -> ()
    "#]],
    );
    let folds = client.result("textDocument/foldingRange", document("file:///w/a.mlir"));
    let folds: Vec<String> = folds
        .as_array()
        .expect("a list")
        .iter()
        .map(|fold| format!("{}-{}", fold["startLine"], fold["endLine"]))
        .collect();
    check(folds.join(" "), expect!["1-13 7-11 14-16 18-21"]);
    client.finish();
}

#[test]
fn hints_show_inferred_types() {
    let uri = "file:///w/a.ks";
    let mut client = Client::start(None);
    client.open(
        uri,
        "",
        "(def f Float ((x : Float))\n  (let ((n (size (Vec_init x x))) (g (lam (i : Integer) x)))\n    x))",
    );
    let end = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let list =
        client.result("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": end }));
    let hints: Vec<String> = list
        .as_array()
        .expect("a list")
        .iter()
        .map(|hint| {
            format!("{}:{} {}", hint["position"]["line"], hint["position"]["character"], hint["label"])
        })
        .collect();
    check(hints.join("\n"), expect![[r#"1:10 ": Integer""#]]);
    client.finish();
}

/// The text after the first code action.
#[test]
fn ir_at_each_stage() {
    let uri = "file:///w/a.ks";
    let mut client = Client::start(None);
    client.open(uri, "knossos", "(def g Float () 1.0)\n(def f Float ((x : Float)) (mul x x))");
    let mut params = at(uri, &json!({ "line": 1, "character": 30 }));
    let mut out = String::new();
    for stage in ["source", "shared", "buffers"] {
        params["stage"] = json!(stage);
        let result = client.result("minoan/showIr", params.clone());
        out.push_str(&format!(
            "// {stage} of {}\n{}",
            result["function"],
            result["text"].as_str().unwrap_or("")
        ));
    }
    check(
        out,
        expect![[r#"
        // source of "f"
        module attributes {knossos.check_bounds} {
          knossos.func @f(%arg0: f32) -> f32 attributes {knossos.args = "Float", knossos.name = "f", knossos.results = "Float"} {
            %0 = prelude "mul"(%arg0, %arg0) : (f32, f32) -> f32
            return %0 : f32
          }
        }
        // shared of "f"
        module {
          func.func @f(%arg0: f32) -> f32 attributes {abi = "sip", abiv = 1 : i32, f = "I4!S1!R4!S1!", fv = "1", knossos.args = "Float", knossos.name = "f", knossos.results = "Float", sip = "I8!S5!k0_0R3!_0"} {
            %0 = arith.mulf %arg0, %arg0 : f32
            return %0 : f32
          }
        }
        // buffers of "f"
        module {
          func.func @f(%arg0: f32) -> f32 attributes {abi = "sip", abiv = 1 : i32, f = "I4!S1!R4!S1!", fv = "1", knossos.args = "Float", knossos.name = "f", knossos.results = "Float", sip = "I8!S5!k0_0R3!_0"} {
            %0 = arith.mulf %arg0, %arg0 : f32
            return %0 : f32
          }
        }
    "#]],
    );
    params["stage"] = json!("asm");
    let error = client.request("minoan/showIr", params.clone()).expect_err("it needs LLVM");
    check(
        error.message,
        expect![
            "the stage 'asm' needs LLVM, which is not part of the language server; run 'kc build --emit=asm'"
        ],
    );
    params["stage"] = json!("shard");
    let error = client.request("minoan/showIr", params).expect_err("there is no such stage");
    check(
        error.message,
        expect![
            "the stages are source, shared, schedule, buffers, llvm-dialect, llvm-ir, asm, obj, so, exe, header; did you mean 'shared'?"
        ],
    );
    let command = json!({ "command": "minoan.showIr", "arguments": [{ "uri": uri, "function": "g" }] });
    let result = client.result("workspace/executeCommand", command);
    assert!(result["text"].as_str().is_some_and(|text| text.contains("func.func @g")), "{result}");
    client.finish();
}

#[test]
fn malformed_requests_are_errors_and_the_server_goes_on() {
    let uri = "file:///w/a.ks";
    let mut client = Client::start(None);
    client.open(uri, "", "(def f Float () 1.0)");
    let far = json!({ "line": 4_000_000_000_u32, "character": 4_000_000_000_u32 });
    assert_eq!(client.request("textDocument/hover", json!({})).expect_err("an error").code, -32602);
    assert_eq!(client.request("textDocument/hover", document(uri)).expect_err("an error").code, -32602);
    assert_eq!(client.request("textDocument/dream", document(uri)).expect_err("an error").code, -32601);
    assert!(client.request("textDocument/hover", at(uri, &far)).is_ok());
    client.notify("textDocument/didChange", json!({ "nonsense": 1 }));
    client.notify("$/cancelRequest", json!({ "id": 77 }));
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(client.request("textDocument/hover", at(uri, &far)).expect_err("an error").code, -32602);
    client.finish();
}

/// Versions that are superseded before their analysis publish nothing, and the last one always does.
#[test]
fn newer_changes_cancel_older_analyses() {
    let uri = "file:///w/a.ks";
    let mut client = Client::start(None);
    let body: String = (0..500).map(|i| format!("(def f{i} Float ((x : Float)) (mul x x))\n")).collect();
    client.open(uri, "", &body);
    for version in 2..=100 {
        client.change(uri, version, Some([0, 0, 0, 0]), "; \u{1F600}\n");
    }
    let list = client.diagnostics(uri, 100);
    assert_eq!(list, json!([]));
    let published = client.notifications.len();
    assert!(published < 98, "{published} superseded versions were analyzed");
    client.finish();
}
