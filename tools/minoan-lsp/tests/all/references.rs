//! Definitions, references and renames.

use crate::client::{Client, cursor, range};
use crate::request::{ask, at, check, places};
use expect_test::expect;
use serde_json::{Value, json};

pub const MLIR: &str = "!t = i32
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
