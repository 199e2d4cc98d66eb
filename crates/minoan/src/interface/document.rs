//! JSON text whose values know their position.

use minoan_diag::{Diagnostic, LineCol, Place};
use serde_json::value::RawValue;
use std::sync::Arc;

/// A JSON text: syntactically valid, not yet read. Nesting of any depth takes no stack, and reading all of it takes time that
/// is linear in its length.
#[derive(Debug)]
pub struct Document {
    /// The name of the file; `None` for text of the command line or of the program that embeds this library.
    name: Option<Arc<str>>,
    text: String,
    /// For each array and object, in text order: the position of its `[` or `{`, and the position after its closing bracket.
    spans: Vec<(usize, usize)>,
}

impl Document {
    /// Checks the syntax of a text. A byte order mark at the start is ignored, as RFC 8259 permits.
    ///
    /// # Errors
    /// The text is not valid JSON.
    pub fn new(name: Option<&str>, text: impl Into<String>) -> Result<Self, Diagnostic> {
        let mut text: String = text.into();
        if let Some(rest) = text.strip_prefix('\u{feff}') {
            text = rest.to_owned();
        }
        let mut document = Self { name: name.map(Arc::from), text, spans: Vec::new() };
        if let Err(error) = serde_json::from_str::<&RawValue>(&document.text) {
            return Err(document.invalid(&error));
        }
        document.spans = spans(document.text.as_bytes());
        Ok(document)
    }

    fn invalid(&self, error: &serde_json::Error) -> Diagnostic {
        let at = LineCol { line: error.line() as u32, column: error.column().max(1) as u32 };
        let message = error.to_string();
        let reason = message.split(" at line ").next().unwrap_or_default();
        let (place, message) = match &self.name {
            Some(name) => (Place::Point(name.clone(), at), format!("'{name}' is not valid JSON: {reason}")),
            None => (Place::Unknown, format!("not valid JSON: {message}")),
        };
        let error = Diagnostic::error(message).at(place);
        let line = self.text.lines().nth(at.line.saturating_sub(1) as usize).unwrap_or_default();
        let (before, after) = line.split_at_checked(at.column.saturating_sub(1) as usize).unwrap_or_default();
        let letters = |c: &char| c.is_ascii_alphabetic();
        let start: Vec<char> = before.chars().rev().take_while(letters).collect();
        let word: String = start.into_iter().rev().chain(after.chars().take_while(letters)).collect();
        if ["nan", "inf", "infinity"].contains(&word.to_ascii_lowercase().as_str()) {
            return error.help("NaN and the infinities are the strings \"nan\", \"inf\" and \"-inf\"");
        }
        error
    }

    /// The value of the document.
    pub(crate) fn root(&self) -> Node<'_> {
        self.value(skip_space(self.text.as_bytes(), 0))
    }

    /// The value that starts at a position.
    fn value(&self, start: usize) -> Node<'_> {
        let text = self.text.as_bytes();
        let end = match text[start] {
            b'[' | b'{' => {
                let span = self.spans.binary_search_by_key(&start, |span| span.0);
                self.spans[span.expect("spans has each array and object")].1
            }
            b'"' => end_of_string(text, start),
            _ => {
                let is_end = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\n' | b'\t' | b'\r');
                start + text[start..].iter().position(is_end).unwrap_or(text.len() - start)
            }
        };
        Node { document: self, start, end }
    }
}

/// The arrays and objects of a valid text.
fn spans(text: &[u8]) -> Vec<(usize, usize)> {
    let (mut spans, mut open) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'"' => {
                at = end_of_string(text, at);
                continue;
            }
            b'[' | b'{' => {
                open.push(spans.len());
                spans.push((at, at));
            }
            b']' | b'}' => {
                let opened = open.pop().expect("the text is valid");
                spans[opened].1 = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    spans
}

/// The position after the string that starts at `start`.
fn end_of_string(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

fn skip_space(text: &[u8], start: usize) -> usize {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r');
    start + text[start..].iter().take_while(|byte| is_space(byte)).count()
}

/// A value of a [`Document`]: a part of its text.
#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    document: &'a Document,
    start: usize,
    end: usize,
}

impl<'a> Node<'a> {
    fn text(self) -> &'a str {
        &self.document.text[self.start..self.end]
    }

    /// An error at this value.
    pub fn error(self, message: impl Into<String>) -> Diagnostic {
        let error = Diagnostic::error(message);
        let Some(name) = &self.document.name else { return error };
        let before = &self.document.text[..self.start];
        let line = before.matches('\n').count() as u32 + 1;
        let column = (before.len() - before.rfind('\n').map_or(0, |at| at + 1)) as u32 + 1;
        error.at(Place::Point(name.clone(), LineCol { line, column }))
    }

    /// The elements of an array.
    pub fn array(self) -> Option<Vec<Node<'a>>> {
        let is_array = self.text().starts_with('[');
        is_array.then(|| self.items(|start| ((), start)).into_iter().map(|((), item)| item).collect())
    }

    /// The values of an array or object. `value` skips what precedes the value at a position.
    fn items<K>(self, value: impl Fn(usize) -> (K, usize)) -> Vec<(K, Node<'a>)> {
        let text = self.document.text.as_bytes();
        let mut items = Vec::new();
        let mut at = skip_space(text, self.start + 1);
        while !matches!(text[at], b']' | b'}') {
            let (key, start) = value(at);
            let item = self.document.value(start);
            at = skip_space(text, item.end);
            if text[at] == b',' {
                at = skip_space(text, at + 1);
            }
            items.push((key, item));
        }
        items
    }

    /// The entries of an object, in the order of the text.
    ///
    /// # Errors
    /// A key occurs twice.
    pub fn object(self) -> Option<Result<Vec<(String, Node<'a>)>, Diagnostic>> {
        if !self.text().starts_with('{') {
            return None;
        }
        let text = self.document.text.as_bytes();
        let entries = self.items(|start| {
            let end = end_of_string(text, start);
            // The key is followed by a colon.
            let value = skip_space(text, skip_space(text, end) + 1);
            (serde_json::from_str::<String>(&self.document.text[start..end]), value)
        });
        let mut read = Vec::with_capacity(entries.len());
        let mut seen = rustc_hash::FxHashSet::default();
        for (key, value) in entries {
            let key = match key {
                Ok(key) => key,
                Err(error) => return Some(Err(self.error(format!("a key cannot be read: {error}")))),
            };
            if !seen.insert(key.clone()) {
                return Some(Err(value.error(format!("the key {key:?} occurs twice"))));
            }
            read.push((key, value));
        }
        Some(Ok(read))
    }

    /// The contents of a string.
    pub fn string(self) -> Option<String> {
        if self.text().starts_with('"') { serde_json::from_str(self.text()).ok() } else { None }
    }

    /// The text of a number.
    pub fn number(self) -> Option<&'a str> {
        Some(self.text()).filter(|text| text.starts_with(|c: char| c == '-' || c.is_ascii_digit()))
    }

    /// The value of `true` or `false`.
    pub fn bool(self) -> Option<bool> {
        self.text().parse().ok()
    }

    /// Whether this is `null`.
    pub fn is_null(self) -> bool {
        self.text() == "null"
    }

    /// A noun phrase for messages: `an array of 3 values`.
    pub fn describe(self) -> String {
        let text = self.text();
        let shown = shortened(text);
        match text.as_bytes().first() {
            Some(b'[') => match self.array().map_or(0, |values| values.len()) {
                1 => "an array of one value".to_owned(),
                count => format!("an array of {count} values"),
            },
            Some(b'{') => "an object".to_owned(),
            Some(b'"') => format!("the string {shown}"),
            Some(b'n' | b't' | b'f') => shown,
            _ => format!("the number {shown}"),
        }
    }
}

/// The text of a number or string in messages, which is cut off if it is long.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        Document::new(None, text).expect_err("it is no JSON").message
    }

    #[test]
    fn a_key_that_occurs_twice_is_an_error_at_its_second_value() {
        let document = Document::new(Some("a.json"), "{\"x\": 1,\n \"x\": 2}").expect("the syntax is right");
        let error = document.root().object().expect("an object").map(|_| ()).expect_err("twice");
        assert_eq!(error.message, "the key \"x\" occurs twice");
        assert_eq!(error.place, Place::Point("a.json".into(), LineCol { line: 2, column: 7 }));
    }

    #[test]
    fn nesting_takes_no_stack() {
        let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        assert_eq!(Document::new(None, deep).expect("it is JSON").root().describe(), "an array of one value");
        assert!(refused(&"[".repeat(1_000_000)).starts_with("not valid JSON: EOF"));
    }

    #[test]
    fn parts_are_found_between_spaces_and_in_strings() {
        let text = r#" { "a]\\" : [ 1 ,"[\"," , [ ] ] , "b\u0063" :{} , "d":null } "#;
        let document = Document::new(None, text).expect("it is JSON");
        let entries = document.root().object().expect("an object").expect("the keys differ");
        let keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["a]\\", "bc", "d"]);
        let items = entries[0].1.array().expect("an array");
        let shown: Vec<String> = items.iter().map(|item| item.describe()).collect();
        assert_eq!(shown, ["the number 1", r#"the string "[\",""#, "an array of 0 values"]);
        assert!(entries[1].1.object().is_some_and(|entries| entries.is_ok_and(|entries| entries.is_empty())));
        assert!(entries[2].1.is_null());
    }

    #[test]
    fn the_levels_of_a_deep_text_are_read_in_linear_time() {
        let depth = 200_000;
        let text = "[".repeat(depth) + &"]".repeat(depth);
        let document = Document::new(None, text).expect("it is JSON");
        let (mut node, mut levels) = (document.root(), 1);
        while let Some(&[inner]) = node.array().as_deref() {
            (node, levels) = (inner, levels + 1);
        }
        assert_eq!(levels, depth);
    }

    #[test]
    fn numbers_keep_their_text() {
        let text = "123456789012345678901234567890.5";
        assert_eq!(Document::new(None, format!(" {text} ")).expect("it is JSON").root().number(), Some(text));
        let helps = |text: &str| Document::new(None, text).is_err_and(|error| !error.help.is_empty());
        assert!(helps("nan") && helps("[[1, -Infinity]]") && helps("[inf]") && !helps("[1, none]"));
        let error = Document::new(None, "[1, NaN]").expect_err("it is no JSON");
        assert_eq!(
            error.help.first().map(String::as_str),
            Some("NaN and the infinities are the strings \"nan\", \"inf\" and \"-inf\"")
        );
    }
}
