//! A client that speaks the protocol with the real binary over pipes.
#![allow(dead_code, reason = "each test uses a part")]

use lsp_server::{Message, Notification, Request, RequestId, ResponseError};
use serde_json::{Value, json};
use std::io::{BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub struct Client {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: i32,
    /// Notifications of the server that nothing has waited for.
    pub notifications: Vec<Notification>,
}

impl Client {
    /// Starts the server with a directory as its workspace.
    pub fn start(root: Option<&Path>) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_minoan-lsp"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let output = BufReader::new(output.expect("it is piped"));
        let mut client = Self { process, input, output, next: 0, notifications: Vec::new() };
        let folders = root.map(|root| json!([{ "uri": format!("file://{}", root.display()), "name": "w" }]));
        let response = client.request(
            "initialize",
            json!({ "capabilities": {}, "processId": null, "rootUri": null, "workspaceFolders": folders }),
        );
        assert!(response.is_ok(), "{response:?}");
        client.notify("initialized", json!({}));
        client
    }

    fn send(&mut self, message: Message) {
        let input = self.input.as_mut().expect("the server runs");
        message.write(input).expect("the server reads");
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the server runs");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server reads");
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params }.into());
    }

    /// Sends a request without waiting.
    pub fn ask(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Request { id: id.clone(), method: method.to_owned(), params }.into());
        id
    }

    pub fn wait(&mut self, id: &RequestId) -> Result<Value, ResponseError> {
        loop {
            match Message::read(&mut self.output).expect("a message").expect("the server runs") {
                Message::Response(response) if response.id == *id => return response.response_result,
                Message::Notification(notification) => self.notifications.push(notification),
                other => panic!("unexpected {other:?}"),
            }
        }
    }

    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, ResponseError> {
        let id = self.ask(method, params);
        self.wait(&id)
    }

    /// The result of a request that succeeds.
    pub fn result(&mut self, method: &str, params: Value) -> Value {
        self.request(method, params).unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    pub fn open(&mut self, uri: &str, language: &str, text: &str) {
        let item = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    /// Changes a part of the document: a range as `[line, column, line, column]`.
    pub fn change(&mut self, uri: &str, version: i32, range: Option<[u32; 4]>, text: &str) {
        let mut change = json!({ "text": text });
        if let Some([l1, c1, l2, c2]) = range {
            change["range"] =
                json!({ "start": { "line": l1, "character": c1 }, "end": { "line": l2, "character": c2 } });
        }
        let document = json!({ "uri": uri, "version": version });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [change] }),
        );
    }

    /// The diagnostics of a version, when they arrive.
    pub fn diagnostics(&mut self, uri: &str, version: i32) -> Value {
        let is_it = |it: &Notification| {
            it.method == "textDocument/publishDiagnostics"
                && it.params["uri"] == uri
                && it.params["version"] == version
        };
        loop {
            if let Some(at) = self.notifications.iter().position(is_it) {
                return self.notifications.remove(at).params["diagnostics"].take();
            }
            match Message::read(&mut self.output).expect("a message").expect("the server runs") {
                Message::Notification(notification) => self.notifications.push(notification),
                other => panic!("unexpected {other:?}"),
            }
        }
    }

    /// Ends the server properly.
    pub fn finish(mut self) {
        let response = self.request("shutdown", Value::Null);
        assert!(response.is_ok(), "{response:?}");
        self.notify("exit", Value::Null);
        self.input = None;
        let status = self.process.wait().expect("the server ends");
        assert!(status.success(), "{status}");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.input = None;
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

/// The text without `$0`, and the line and UTF-16 column of that mark.
pub fn cursor(text: &str) -> (String, Value) {
    let at = text.find("$0").expect("a cursor");
    let before = &text[..at];
    let line = before.matches('\n').count();
    let column: usize = before.rsplit('\n').next().unwrap_or("").chars().map(char::len_utf16).sum();
    (text.replacen("$0", "", 1), json!({ "line": line, "character": column }))
}

/// `line:column-line:column` of a range.
pub fn range(value: &Value) -> String {
    let at = |end: &str| format!("{}:{}", value[end]["line"], value[end]["character"]);
    format!("{}-{}", at("start"), at("end"))
}
