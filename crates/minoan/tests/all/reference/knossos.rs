//! The built-in functions of Knossos.

use minoan::Session;
use minoan::knossos::Builtin;
use serde_json::json;
use std::fmt::Write;

#[test]
fn examples_of_knossos_have_the_stated_values() {
    let session = Session::new();
    let mut wrong = String::new();
    for builtin in Builtin::all() {
        for example in builtin.examples {
            let text = format!("(def main {} () {})", example.ty, example.text);
            let value = super::run(&session, "example.ks", &text, "main", &json!([]));
            if value.as_deref() != Ok(example.value) {
                _ = writeln!(wrong, "{}\n  expected {}, found {value:?}", example.text, example.value);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_reference_of_knossos_is_current() {
    let mut out = String::new();
    for (title, primitive) in [("Primitives", true), ("Prelude", false)] {
        _ = writeln!(out, "## {title}\n");
        for builtin in Builtin::all().filter(|builtin| builtin.is_primitive() == primitive) {
            _ = writeln!(out, "### `{}`\n\n```text", builtin.name);
            builtin.signatures().iter().for_each(|signature| _ = writeln!(out, "{signature}"));
            _ = writeln!(out, "```\n\n{}\n", builtin.meaning);
            if !builtin.examples.is_empty() {
                _ = writeln!(out, "```lisp");
                builtin
                    .examples
                    .iter()
                    .for_each(|example| _ = writeln!(out, "{}  ; {}", example.text, example.value));
                _ = writeln!(out, "```\n");
            }
        }
    }
    super::page("knossos.md", &out);
}
