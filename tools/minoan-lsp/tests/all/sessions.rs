//! Replayed sessions with the real binary.

use crate::client::{Client, cursor, range};
use expect_test::{Expect, expect};
use serde_json::{Value, json};

fn document(uri: &str) -> Value {
    json!({ "textDocument": { "uri": uri } })
}

fn at(uri: &str, position: &Value) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": position })
}

/// Opens a text with a cursor and makes a request there.
fn ask(extension: &str, text: &str, method: &str, more: Value) -> Value {
    let (text, position) = cursor(text);
    let uri = format!("file:///w/a.{extension}");
    let mut client = Client::start(None);
    client.open(&uri, "", &text);
    let mut params = at(&uri, &position);
    for (key, value) in more.as_object().into_iter().flatten() {
        params[key] = value.clone();
    }
    let result = client.result(method, params);
    client.finish();
    result
}

fn diagnostics_of(extension: &str, text: &str) -> String {
    let uri = format!("file:///w/a.{extension}");
    let mut client = Client::start(None);
    client.open(&uri, "", text);
    let list = client.diagnostics(&uri, 1);
    client.finish();
    shown(&list)
}

fn shown(list: &Value) -> String {
    let mut out = String::new();
    for one in list.as_array().expect("a list") {
        out.push_str(&format!("{} {}\n", range(&one["range"]), one["message"].as_str().unwrap_or("")));
        for related in one["relatedInformation"].as_array().into_iter().flatten() {
            let place = range(&related["location"]["range"]);
            out.push_str(&format!("  {place} {}\n", related["message"].as_str().unwrap_or("")));
        }
    }
    out
}

fn check(found: String, expected: Expect) {
    expected.assert_eq(&found);
}

fn hover(extension: &str, text: &str) -> String {
    let result = ask(extension, text, "textDocument/hover", Value::Null);
    result["contents"]["value"].as_str().unwrap_or("nothing").to_owned()
}

fn places(list: &Value) -> String {
    let list: Vec<String> = list.as_array().expect("a list").iter().map(|one| range(&one["range"])).collect();
    list.join(" ")
}

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

const MLIR: &str = "!t = i32
func.func @f(%a: !t, %c: i1) -> i32 {
  cf.cond_br %c, ^bb1(%a : i32), ^bb2
^bb1(%x: i32):
  %y:2 = call @g(%x) : (i32) -> (i32, i32)
  return %y#1 : i32
^bb2:
  %z = scf.if %c -> i32 {
    scf.yield %a : i32
  } else {
    scf.yield %a : i32
  }
  return %z : i32
}
module @m {
  func.func private @g(i32) -> (i32, i32)
}
func.func private @g(i32) -> (i32, i32)
\"func.func\"() <{sym_name = \"h\", function_type = () -> ()}> ({
  func.call @f2() : () -> ()
  func.return
}) : () -> ()
func.func @f2() { func.call @h() : () -> () return }
";

/// The places of the definition and the references of each name marked by its first occurrence.
fn references(extension: &str, text: &str, mark: &str) -> String {
    let marked = text.replacen(mark, &format!("{}$0{}", &mark[..1], &mark[1..]), 1);
    let context = json!({ "context": { "includeDeclaration": true } });
    let list = ask(extension, &marked, "textDocument/references", context);
    let definition = ask(extension, &marked, "textDocument/definition", Value::Null);
    format!("{mark}: {} <- {}\n", range(&definition["range"]), places(&list))
}

#[test]
fn references_of_values_blocks_symbols_and_aliases() {
    let marks = ["%a", "%c", "^bb1", "^bb2", "%x", "%y#1", "@g", "%z", "!t", "\"h\"", "@f2"];
    let found: String = marks.iter().map(|mark| references("mlir", MLIR, mark)).collect();
    check(
        found,
        expect![[r#"
        %a: 1:13-1:15 <- 1:13-1:15 2:22-2:24 8:14-8:16 10:14-10:16
        %c: 1:21-1:23 <- 1:21-1:23 2:13-2:15 7:14-7:16
        ^bb1: 3:0-3:4 <- 2:17-2:21 3:0-3:4
        ^bb2: 6:0-6:4 <- 2:33-2:37 6:0-6:4
        %x: 3:5-3:7 <- 3:5-3:7 4:17-4:19
        %y#1: 4:2-4:4 <- 4:2-4:4 5:9-5:11
        @g: 17:18-17:20 <- 4:14-4:16 17:18-17:20
        %z: 7:2-7:4 <- 7:2-7:4 12:9-12:11
        !t: 0:0-0:2 <- 0:0-0:2 1:17-1:19
        "h": 18:28-18:29 <- 18:28-18:29 22:28-22:30
        @f2: 22:10-22:13 <- 19:12-19:15 22:10-22:13
    "#]],
    );
}

#[test]
fn references_in_knossos() {
    let text = "(edef ext Float (Float))
(def f Float ((x : Float)) (let ((y (mul x x)) (x (ext y))) (add x y)))
(gdef rev [f Float])
(def g Float ((x : Float) (dx : Float)) ([rev [f Float]] x dx))
(def main Float () (f 1.0))
";
    let marks = ["ext", "f Float ((x", "x :", "y (", "x (ext", "f Float])"];
    let found: String = marks.iter().map(|mark| references("ks", text, mark)).collect();
    check(
        found,
        expect![[r#"
        ext: 0:6-0:9 <- 0:6-0:9 1:51-1:54
        f Float ((x: 1:5-1:6 <- 1:5-1:6 2:11-2:12 3:47-3:48 4:20-4:21
        x :: 1:15-1:16 <- 1:15-1:16 1:41-1:42 1:43-1:44
        y (: 1:34-1:35 <- 1:34-1:35 1:55-1:56 1:67-1:68
        x (ext: 1:48-1:49 <- 1:48-1:49 1:65-1:66
        f Float]): 1:5-1:6 <- 1:5-1:6 2:11-2:12 3:47-3:48 4:20-4:21
    "#]],
    );
}

#[test]
fn references_in_relay() {
    let text = "type Opt[A] { Some(A), None }
def @f[T](%x: T, %o: Opt[T]) -> T {
  match (%o) { Some(%v) => %v, None => %x }
}
def @main(%x: int32) {
  let %y = add(%x, 1);
  %0 = multiply(%y, %y);
  @f(%0, Some(%x))
}
";
    let marks = ["Opt", "Some", "T]", "%x", "%v", "@f", "%y", "%0"];
    let found: String = marks.iter().map(|mark| references("relay", text, mark)).collect();
    check(
        found,
        expect![[r#"
        Opt: 0:5-0:8 <- 0:5-0:8 1:21-1:24
        Some: 0:14-0:18 <- 0:14-0:18 2:15-2:19 7:9-7:13
        T]: 1:7-1:8 <- 1:7-1:8 1:14-1:15 1:25-1:26 1:32-1:33
        %x: 1:10-1:12 <- 1:10-1:12 2:39-2:41
        %v: 2:20-2:22 <- 2:20-2:22 2:27-2:29
        @f: 1:4-1:6 <- 1:4-1:6 7:2-7:4
        %y: 5:6-5:8 <- 5:6-5:8 6:16-6:18 6:20-6:22
        %0: 6:2-6:4 <- 6:2-6:4 7:5-7:7
    "#]],
    );
}

#[test]
fn edef_leads_to_the_relay_function_of_the_workspace() {
    let directory = tempfile::tempdir().expect("a directory");
    let relay = directory.path().join("model.relay");
    std::fs::write(&relay, "def @classify(%x: Tensor[(?), float32]) { nn.softmax(%x) }\n").expect("written");
    let text =
        "(edef classify (Vec Float) (Vec Float))\n(def main Float () (sum (classify (Vec_init 1.0 2.0))))\n";
    let uri = format!("file://{}/main.ks", directory.path().display());
    std::fs::write(directory.path().join("main.ks"), text).expect("written");
    let mut client = Client::start(Some(directory.path()));
    client.open(&uri, "knossos", text);
    let position = json!({ "line": 1, "character": 27 });
    let found = client.result("textDocument/definition", at(&uri, &position));
    assert_eq!(found[0]["uri"], format!("file://{}", relay.display()));
    assert_eq!(range(&found[0]["range"]), "0:4-0:13");
    let mut params = at(&uri, &position);
    params["newName"] = json!("rank");
    let edit = client.result("textDocument/rename", params);
    let other = &edit["changes"][format!("file://{}", relay.display())];
    assert_eq!(other[0]["newText"], "@rank");
    assert_eq!(edit["changes"][&uri].as_array().map(Vec::len), Some(2));
    // From a declaration in MLIR.
    let mlir = format!("file://{}/call.mlir", directory.path().display());
    client.open(&mlir, "mlir", "func.func private @classify(tensor<?xf32>) -> tensor<?xf32>\n");
    let found = client.result("textDocument/definition", at(&mlir, &json!({ "line": 0, "character": 22 })));
    assert_eq!(found[0]["uri"], format!("file://{}", relay.display()));
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": mlir } }));
    // From the definition back to the declaration.
    let text = std::fs::read_to_string(&relay).expect("it was written");
    let relay = format!("file://{}", relay.display());
    client.open(&relay, "relay", &text);
    let mut params = at(&relay, &json!({ "line": 0, "character": 6 }));
    params["context"] = json!({ "includeDeclaration": true });
    let list = client.result("textDocument/references", params);
    assert_eq!(places(&list), "0:4-0:13 0:6-0:14 1:25-1:33");
    client.finish();
}

#[test]
fn rename_keeps_sigils_and_rejects_clashes() {
    let text =
        "func.func @f(%$0a: i32, %b: i32) -> i32 {\n  %c = arith.addi %a, %b : i32\n  return %c : i32\n}\n";
    let edit = ask("mlir", text, "textDocument/rename", json!({ "newName": "lhs" }));
    let edits = edit["changes"]["file:///w/a.mlir"].as_array().expect("edits").clone();
    let shown: Vec<String> =
        edits.iter().map(|edit| format!("{} {}", range(&edit["range"]), edit["newText"])).collect();
    check(
        shown.join("\n"),
        expect![[r#"
        0:13-0:15 "%lhs"
        1:18-1:20 "%lhs""#]],
    );
    let mut client = Client::start(None);
    let (text, position) = cursor(text);
    client.open("file:///w/a.mlir", "mlir", &text);
    for (name, message) in [
        ("b", "the name 'b' is taken: %b is in scope"),
        ("x y", "'x y' is not a name: it contains ' '"),
        ("", "a name has at least one character"),
    ] {
        let mut params = at("file:///w/a.mlir", &position);
        params["newName"] = json!(name);
        let response = client.request("textDocument/rename", params);
        assert_eq!(response.expect_err("an error").message, message);
    }
    client.finish();
}

fn labels(extension: &str, text: &str, wanted: &[&str]) -> String {
    let list = ask(extension, text, "textDocument/completion", Value::Null);
    let items = list.as_array().expect("a list");
    let mut out = String::new();
    for &label in wanted {
        let found = items.iter().find(|item| item["label"] == label);
        let detail = found.map(|item| item["detail"].as_str().unwrap_or("").to_owned());
        out.push_str(&format!("{label}: {}\n", detail.unwrap_or_else(|| "absent".to_owned())));
    }
    out
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
