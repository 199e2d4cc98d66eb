//! JSON text whose values know their position.

use minoan_diag::{Diagnostic, LineCol, Place};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;
use std::sync::Arc;

/// A JSON text: syntactically valid, not yet read. Nesting of any depth takes no stack.
#[derive(Debug)]
pub struct Document {
    /// The name of the file; `None` for text of the command line or of the program that embeds this library.
    name: Option<Arc<str>>,
    text: String,
}

impl Document {
    /// Checks the syntax of a text.
    ///
    /// # Errors
    /// The text is not valid JSON.
    pub fn new(name: Option<&str>, text: impl Into<String>) -> Result<Self, Diagnostic> {
        let document = Self { name: name.map(Arc::from), text: text.into() };
        match serde_json::from_str::<&RawValue>(&document.text) {
            Ok(_) => Ok(document),
            Err(error) => Err(document.invalid(&error)),
        }
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
        let raw = serde_json::from_str(&self.text).expect("the syntax was checked");
        Node { document: self, raw }
    }
}

/// A value of a [`Document`].
#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    document: &'a Document,
    raw: &'a RawValue,
}

impl<'a> Node<'a> {
    fn child(self, raw: &'a RawValue) -> Self {
        Node { document: self.document, raw }
    }

    /// An error at this value.
    pub fn error(self, message: impl Into<String>) -> Diagnostic {
        let error = Diagnostic::error(message);
        let Some(name) = &self.document.name else { return error };
        // The value is a part of the document's text.
        let offset = (self.raw.get().as_ptr() as usize).saturating_sub(self.document.text.as_ptr() as usize);
        let before = self.document.text.get(..offset).unwrap_or_default();
        let line = before.matches('\n').count() as u32 + 1;
        let column = (before.len() - before.rfind('\n').map_or(0, |at| at + 1)) as u32 + 1;
        error.at(Place::Point(name.clone(), LineCol { line, column }))
    }

    /// The elements of an array.
    pub fn array(self) -> Option<Vec<Node<'a>>> {
        if !self.raw.get().starts_with('[') {
            return None;
        }
        let elements: Vec<&RawValue> = serde_json::from_str(self.raw.get()).ok()?;
        Some(elements.into_iter().map(|raw| self.child(raw)).collect())
    }

    /// The entries of an object, in the order of the text.
    ///
    /// # Errors
    /// A key occurs twice.
    pub fn object(self) -> Option<Result<Vec<(String, Node<'a>)>, Diagnostic>> {
        if !self.raw.get().starts_with('{') {
            return None;
        }
        let Entries(entries) = match serde_json::from_str(self.raw.get()) {
            Ok(entries) => entries,
            Err(error) => return Some(Err(self.error(format!("a key cannot be read: {error}")))),
        };
        let mut seen = rustc_hash::FxHashSet::default();
        for (key, raw) in &entries {
            if !seen.insert(key.as_str()) {
                return Some(Err(self.child(raw).error(format!("the key {key:?} occurs twice"))));
            }
        }
        Some(Ok(entries.into_iter().map(|(key, raw)| (key, self.child(raw))).collect()))
    }

    /// The contents of a string.
    pub fn string(self) -> Option<String> {
        if self.raw.get().starts_with('"') { serde_json::from_str(self.raw.get()).ok() } else { None }
    }

    /// The text of a number.
    pub fn number(self) -> Option<&'a str> {
        Some(self.raw.get()).filter(|text| text.starts_with(|c: char| c == '-' || c.is_ascii_digit()))
    }

    /// The value of `true` or `false`.
    pub fn bool(self) -> Option<bool> {
        self.raw.get().parse().ok()
    }

    /// Whether this is `null`.
    pub fn is_null(self) -> bool {
        self.raw.get() == "null"
    }

    /// A noun phrase for messages: `an array of 3 values`.
    pub fn describe(self) -> String {
        let text = self.raw.get();
        let shown = shortened(text);
        match text.as_bytes().first() {
            Some(b'[') => format!("an array of {} values", self.array().map_or(0, |values| values.len())),
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

/// The entries of an object, equal keys included.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Collect)
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
        assert_eq!(Document::new(None, deep).expect("it is JSON").root().describe(), "an array of 1 values");
        assert!(refused(&"[".repeat(1_000_000)).starts_with("not valid JSON: EOF"));
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
