//! Requests to a server that is started for one text, and the text form of their results.

use crate::client::{Client, cursor, range};
use expect_test::Expect;
use serde_json::{Value, json};

pub fn document(uri: &str) -> Value {
    json!({ "textDocument": { "uri": uri } })
}

pub fn at(uri: &str, position: &Value) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": position })
}

/// Opens a text with a cursor and makes a request there.
pub fn ask(extension: &str, text: &str, method: &str, more: Value) -> Value {
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

pub fn diagnostics_of(extension: &str, text: &str) -> String {
    let uri = format!("file:///w/a.{extension}");
    let mut client = Client::start(None);
    client.open(&uri, "", text);
    let list = client.diagnostics(&uri, 1);
    client.finish();
    shown(&list)
}

pub fn shown(list: &Value) -> String {
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

pub fn check(found: String, expected: Expect) {
    expected.assert_eq(&found);
}

pub fn hover(extension: &str, text: &str) -> String {
    let result = ask(extension, text, "textDocument/hover", Value::Null);
    result["contents"]["value"].as_str().unwrap_or("nothing").to_owned()
}

pub fn places(list: &Value) -> String {
    let list: Vec<String> = list.as_array().expect("a list").iter().map(|one| range(&one["range"])).collect();
    list.join(" ")
}
