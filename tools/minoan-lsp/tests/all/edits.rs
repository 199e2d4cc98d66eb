//! Random edits: after any sequence of changes, the server answers as for a fresh document with the same text.

use crate::client::Client;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A document as a client keeps it: lines of UTF-16 units, independent of the server's.
struct Mirror(Vec<Vec<u16>>);

impl Mirror {
    fn new(text: &str) -> Self {
        Self(text.split('\n').map(|line| line.encode_utf16().collect()).collect())
    }

    fn text(&self) -> String {
        let lines: Vec<String> = self.0.iter().map(|line| String::from_utf16_lossy(line)).collect();
        lines.join("\n")
    }

    /// A column that is not inside a character.
    fn column(&self, line: usize, at: usize) -> usize {
        let at = at.min(self.0[line].len());
        let inside = self.0[line].get(at).is_some_and(|unit| (0xdc00..0xe000).contains(unit));
        if inside { at - 1 } else { at }
    }

    fn replace(&mut self, [l1, c1, l2, c2]: [usize; 4], text: &str) {
        let tail = self.0[l2][c2..].to_vec();
        let mut new: Vec<Vec<u16>> = text.split('\n').map(|line| line.encode_utf16().collect()).collect();
        let mut first = self.0[l1][..c1].to_vec();
        first.append(&mut new[0]);
        new[0] = first;
        let last = new.len() - 1;
        new[last].extend(tail);
        self.0.splice(l1..=l2, new);
    }
}

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// A language with a text, and fragments that typing leaves behind.
const SEEDS: [(&str, &str, &[&str]); 4] = [
    (
        "ks",
        "(def f Float ((x : Float) (v : Vec Float))\n  (let ((y (mul x x)) (n (size v)))\n    (if (lt x y) (index 0 v) (sum v))))\n(edef g Float (Float))\n(gdef rev [f (Tuple Float (Vec Float))])\n(rule \"r\" (x : Float) (add x 0.0) x)\n; é \u{1F600}\n(def main Float () (g (f 1.0 (Vec_init 2.0))))\n",
        &[
            "(",
            ")",
            "[",
            "]",
            "(let (",
            "x",
            " : ",
            "\"",
            "#|",
            "|#",
            ";",
            "\u{1F600}",
            "1.",
            "(lam (i : Integer) ",
            "[rev [f ",
            "\n(def ",
        ],
    ),
    (
        "relay",
        "#[version = \"0.0.5\"]\ntype L[A] { C(A, L[A]), N }\ndef @f[A](%x: A, %l: L[A]) -> A { match (%l) { C(%h, _) => %h, N => %x } }\ndef @main(%x: Tensor[(2, 3), float32]) {\n  let %y = nn.softmax(%x, axis=1);\n  %0 = add(%y, %x); /* é \u{1F600} */\n  if (True) { %0 } else { %x }\n}\n",
        &[
            "(",
            ")",
            "{",
            "}",
            "%",
            "@",
            "let %z = ",
            ";",
            "\"",
            "/*",
            "*/",
            "\u{1F600}",
            "1f",
            "fn (",
            "match (",
            "[",
            "#[meta",
        ],
    ),
    (
        "iexpr",
        "# é \u{1F600}\nrow = i(\"+ij~i\")\nall = (row & I) >> i(\"ij/i~ij\")\nlast = ~(all | row)\n",
        &["(", ")", "i(\"", "\")", "\"", ">>", "<<", "&", "|", "~", "=", "\n", "\u{1F600}", "row", "#"],
    ),
    (
        "mlir",
        "!t = i32\n#map = affine_map<(d0) -> (d0)>\nmodule @m {\n  func.func @f(%a: !t, %c: i1) -> i32 { // é \u{1F600}\n    cf.cond_br %c, ^bb1(%a : i32), ^bb2\n  ^bb1(%x: i32):\n    %y:2 = call @g(%x) : (i32) -> (i32, i32)\n    return %y#1 : i32\n  ^bb2:\n    %z = scf.if %c -> i32 { scf.yield %a : i32 } else { scf.yield %a : i32 }\n    return %z : i32\n  }\n  func.func private @g(i32) -> (i32, i32)\n}\n// -----\n\"func.func\"() <{sym_name = \"h\", function_type = () -> ()}> ({ func.return }) : () -> ()\n",
        &[
            "(",
            ")",
            "{",
            "}",
            "%",
            "@",
            "^",
            "!",
            "#",
            "%q = ",
            " : i32",
            "\"",
            "<",
            ">",
            "-> (",
            "\u{1F600}",
            "\n// -----\n",
            "^bb1:",
            "%a#1",
            "@m::@f",
        ],
    ),
];

fn answers(client: &mut Client, uri: &str, version: i32) -> Vec<Value> {
    let document = json!({ "textDocument": { "uri": uri } });
    let mut found = vec![client.diagnostics(uri, version)];
    for method in ["documentSymbol", "foldingRange", "semanticTokens/full"] {
        found.push(client.result(&format!("textDocument/{method}"), document.clone()));
    }
    let text = serde_json::to_string(&found).expect("JSON").replace(uri, "URI");
    vec![serde_json::from_str(&text).expect("JSON")]
}

/// Requests at every kind of position, in the middle of editing: any answer, but no failure of the server.
fn poke(client: &mut Client, uri: &str, line: usize, column: usize) {
    let position = json!({ "line": line, "character": column });
    let mut params = json!({ "textDocument": { "uri": uri }, "position": position });
    params["context"] = json!({ "includeDeclaration": true, "diagnostics": [], "triggerKind": 1 });
    params["newName"] = json!("fresh");
    params["range"] = json!({ "start": position, "end": position });
    for method in ["hover", "definition", "references", "completion", "documentHighlight", "prepareRename"] {
        client.result(&format!("textDocument/{method}"), params.clone());
    }
    client.result("textDocument/codeAction", params.clone());
    if let Err(error) = client.request("textDocument/rename", params) {
        assert!(error.code != -32603, "{error:?}");
    }
}

#[test]
fn random_edits_keep_the_server_in_sync() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let rounds = number("MINOAN_RANDOM_CASES").map_or(4 * SEEDS.len(), |rounds| rounds as usize);
    let until = Instant::now() + Duration::from_secs(number("MINOAN_RANDOM_SECONDS").unwrap_or(0));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut client = Client::start(None);
    let mut round = 0;
    while round < rounds || Instant::now() < until {
        let (extension, seed, fragments) = SEEDS[round % SEEDS.len()];
        round += 1;
        let uri = format!("file:///w/edited{round}.{extension}");
        let mut mirror = Mirror::new(seed);
        client.open(&uri, "", seed);
        for version in 2..=12 {
            let l1 = random.below(mirror.0.len());
            let l2 = (l1 + random.below(3) / 2).min(mirror.0.len() - 1);
            let (c1, c2) = (random.below(mirror.0[l1].len() + 1), random.below(mirror.0[l2].len() + 1));
            let c1 = mirror.column(l1, c1);
            let c2 = if l1 == l2 { (c1 + c2 % 6).min(mirror.0[l2].len()) } else { c2 };
            let c2 = mirror.column(l2, c2).max(if l1 == l2 { c1 } else { 0 });
            let text = if random.below(4) == 0 { "" } else { fragments[random.below(fragments.len())] };
            mirror.replace([l1, c1, l2, c2], text);
            let range = [l1, c1, l2, c2].map(|number| number as u32);
            client.change(&uri, version, Some(range), text);
            if version % 4 == 0 {
                poke(&mut client, &uri, l1, c1);
            }
        }
        let edited = answers(&mut client, &uri, 12);
        let fresh = format!("file:///w/fresh{round}.{extension}");
        client.open(&fresh, "", &mirror.text());
        let expected = answers(&mut client, &fresh, 1);
        assert_eq!(edited, expected, "round {round}:\n{}", mirror.text());
        for uri in [&uri, &fresh] {
            client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
        }
    }
    client.finish();
}

/// Every prefix of a program, as when it is typed.
#[test]
fn every_prefix_is_answered() {
    let mut client = Client::start(None);
    for (extension, seed, _) in SEEDS {
        let uri = format!("file:///w/typed.{extension}");
        client.open(&uri, "", "");
        let mut version = 1;
        for (at, _) in seed.char_indices().step_by(3) {
            version += 1;
            client.change(&uri, version, None, &seed[..at]);
            let end = Mirror::new(&seed[..at]);
            let line = end.0.len() - 1;
            let position = json!({ "line": line, "character": end.0[line].len() });
            let params = json!({ "textDocument": { "uri": uri }, "position": position });
            client.result("textDocument/completion", params.clone());
            client.result("textDocument/hover", params);
        }
    }
    client.finish();
}
