//! Completion, code actions and formatting.

use crate::client::Client;
use crate::request::{ask, check, document};
use expect_test::expect;
use serde_json::{Value, json};

fn labels(extension: &str, text: &str, wanted: &[&str]) -> String {
    let list = ask(extension, text, "textDocument/completion", Value::Null);
    let items = list.as_array().or_else(|| list["items"].as_array()).expect("a list");
    let mut out = String::new();
    for &label in wanted {
        let found = items.iter().find(|item| item["label"] == label);
        let detail = found.map(|item| item["detail"].as_str().unwrap_or("").to_owned());
        out.push_str(&format!("{label}: {}\n", detail.unwrap_or_else(|| "absent".to_owned())));
    }
    out
}

/// A list that is cut off is marked, so that the client asks again when more of the word is typed.
#[test]
fn a_long_list_of_completions_is_incomplete() {
    let values: String = (0..600).map(|at| format!("  %value{at} = arith.constant {at} : i64\n")).collect();
    let text = |typed: &str| format!("func.func @f() {{\n{values}  \"test.use\"({typed}$0\n}}");
    let list = ask("mlir", &text("%"), "textDocument/completion", Value::Null);
    assert_eq!(list["isIncomplete"], true);
    assert_eq!(list["items"].as_array().map(Vec::len), Some(500));
    let list = ask("mlir", &text("%value59"), "textDocument/completion", Value::Null);
    let items = list.as_array().expect("a complete list");
    assert!(items.iter().any(|item| item["label"] == "%value599"), "{items:?}");
}

#[test]
fn completion_of_names_and_builtins() {
    check(
        labels("ks", "(def f Float ((xs : Vec Float)) (let (n (size xs)) (add $0", &["add", "f", "xs", "n"]),
        expect![[r#"
            add: 
            f: (Vec Float) -> Float
            xs: (Vec Float)
            n: Integer
        "#]],
    );
    check(
        labels(
            "ks",
            "(def f Float ((xs : Vec Float)) (let (n (size xs)) (index $0 xs)))",
            &["add", "f", "xs", "n", "let"],
        ),
        expect![[r#"
            add: 
            f: (Vec Float) -> Float
            xs: (Vec Float)
            n: Integer
            let: 
        "#]],
    );
    check(
        labels(
            "relay",
            "def @main(%x: int32) { let %y = %x; nn.conv2d(%x, %x, pad$0=1) }",
            &["padding", "%y"],
        ),
        expect![[r#"
            padding: 
            %y: absent
        "#]],
    );
    check(
        labels("relay", "def @main(%x: int32) { let %y = %x; %$0 }", &["%x", "%y", "add"]),
        expect![[r#"
            %x: int32
            %y: 
            add: absent
        "#]],
    );
    check(
        labels("iexpr", "s = i(\"$0", &["+", "&&", "i"]),
        expect![[r#"
        +: add
        &&: and
        i: absent
    "#]],
    );
    check(
        labels(
            "mlir",
            "func.func @f(%a: i32) {\n  %b = arith.addi %a, %a : i32\n  ar$0\n  return\n}\n",
            &["arith.addi", "func.func", "%b"],
        ),
        expect![[r#"
            arith.addi: 
            func.func: absent
            %b: absent
        "#]],
    );
    check(
        labels(
            "mlir",
            "func.func @f(%a: i32) {\n  %b = arith.addi %a, %$0 : i32\n  return\n}\n",
            &["%a", "%b", "arith.addi"],
        ),
        expect![[r#"
            %a: i32
            %b: 
            arith.addi: absent
        "#]],
    );
}

fn fixed(extension: &str, text: &str) -> String {
    let uri = format!("file:///w/a.{extension}");
    let mut client = Client::start(None);
    client.open(&uri, "", text);
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let params = json!({ "textDocument": { "uri": uri }, "range": whole, "context": { "diagnostics": [] } });
    let list = client.result("textDocument/codeAction", params);
    client.finish();
    let Some(edit) = list[0]["edit"]["changes"][&uri].get(0) else { return "no action".to_owned() };
    let text = minoan_lsp::Text::new(text.to_owned());
    let change = json!({ "range": edit["range"], "text": edit["newText"] });
    let change = serde_json::from_value(change).expect("a change");
    format!("{}: {}", list[0]["title"].as_str().unwrap_or(""), text.changed(&change).as_str())
}

#[test]
fn code_actions_apply_suggestions() {
    check(
        fixed("ks", "(def f Float ((xs : Float)) (sqrtt xs))"),
        expect!["replace by 'sqrt': (def f Float ((xs : Float)) (sqrt xs))"],
    );
    check(
        fixed("ks", "(def f Float ((x : Float)) (add x 1.))"),
        expect![
            "digits are needed on both sides of the point: '1.0': (def f Float ((x : Float)) (add x 1.0))"
        ],
    );
    check(
        fixed("ks", "(def f Float ((x : Float)) x)\n(def g Float ((x : Float)) ([rev [f Float]] x 1.0))"),
        expect![[r#"
            add '(gdef rev [f Float])': (def f Float ((x : Float)) x)
            (def g Float ((x : Float)) ([rev [f Float]] x 1.0))

            (gdef rev [f Float])"#]],
    );
    check(
        fixed("relay", "def @main(%x: int32) { nn.sofmax(%x) }"),
        expect!["replace by 'nn.softmax': def @main(%x: int32) { nn.softmax(%x) }"],
    );
    check(
        fixed("iexpr", "a = i(\"+ij~i\")\nb = a > a"),
        expect![[r#"
        components are wired by `>>`: a = i("+ij~i")
        b = a >> a"#]],
    );
    check(
        fixed("mlir", "func.func @f(%a: i32) {\n  %b = arith.adi %a, %a : i32\n  return\n}"),
        expect![[r#"
            replace by 'arith.addi': func.func @f(%a: i32) {
              %b = arith.addi %a, %a : i32
              return
            }"#]],
    );
}

#[test]
fn formatting_refuses_to_lose_comments() {
    let format = |extension: &str, text: &str| {
        let uri = format!("file:///w/a.{extension}");
        let mut client = Client::start(None);
        client.open(&uri, "", text);
        let mut params = document(&uri);
        params["options"] = json!({ "tabSize": 2, "insertSpaces": true });
        let response = client.request("textDocument/formatting", params);
        client.finish();
        match response {
            Ok(edits) => {
                let mut text = minoan_lsp::Text::new(text.to_owned());
                for edit in edits.as_array().expect("a list") {
                    let change = json!({ "range": edit["range"], "text": edit["newText"] });
                    text = text.changed(&serde_json::from_value(change).expect("a change"));
                }
                text.as_str().to_owned()
            }
            Err(error) => error.message,
        }
    };
    check(
        format("ks", "(def   f Float\n((x : Float))\n x)\n"),
        expect![[r#"
        (def f Float (x : Float)
          x)
    "#]],
    );
    check(
        format("ks", "; why\n(def f Float ((x : Float)) x)\n"),
        expect!["the file is left as it is: comments would be lost, the first one in line 1"],
    );
    check(
        format("relay", "def @f(%x : int32){%x+1}"),
        expect![[r##"
        #[version = "0.0.5"]
        def @f(%x: int32) {
          %x + 1
        }
    "##]],
    );
    check(
        format("iexpr", "a=i(\"+ij~i\")\nb=a>>i(\"+i~.\")"),
        expect![[r#"
        a = i("+ij~i")
        b = a >> i("+i~.")
    "#]],
    );
    check(
        format("mlir", "func.func @f(%arg0: i32) {\n    %0 = arith.addi %arg0,%arg0:i32\nreturn\n}\n"),
        expect![[r#"
            func.func @f(%arg0: i32) {
              %0 = arith.addi %arg0, %arg0 : i32
              return
            }
        "#]],
    );
    check(
        format("mlir", "func.func @f(%a: i32) {\n    %0 = arith.addi %a, %a : i32\nreturn\n}\n"),
        expect!["the file is left as it is: the name '%a' would be lost, since the printer numbers values"],
    );
}
