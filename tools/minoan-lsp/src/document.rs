//! The text of a document: lines, UTF-16 columns, and incremental changes.

use crate::analysis::Analyzed;
use lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// A text with an index of its lines.
///
/// ```
/// use lsp_types::Position;
/// use minoan_lsp::Text;
/// let text = Text::new("a\u{1F600}b\r\nc".to_owned());
/// assert_eq!(text.offset(Position::new(0, 3)), 5);
/// assert_eq!(text.position(5), Position::new(0, 3));
/// assert_eq!(text.position(8), Position::new(1, 0));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    text: Arc<str>,
    starts: Vec<u32>,
}

impl Text {
    /// Indexes a text.
    pub fn new(text: String) -> Self {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|&(at, &byte)| match byte {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect();
        Self { text: text.into(), starts }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The number of lines; an empty text has one.
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// A line without its terminator, and the offset of its start; empty past the end.
    pub fn line(&self, line: u32) -> (u32, &str) {
        let end = self.text.len() as u32;
        let start = self.starts.get(line as usize).copied().unwrap_or(end);
        let next = self.starts.get(line as usize + 1).copied().unwrap_or(end);
        (start, self.text[start as usize..next as usize].trim_end_matches(['\n', '\r']))
    }

    /// The byte offset of a position. A column past the end of the line, or inside a character, is clipped.
    pub fn offset(&self, position: Position) -> u32 {
        let (start, line) = self.line(position.line);
        let mut column = 0;
        for (at, c) in line.char_indices() {
            column += c.len_utf16() as u32;
            if column > position.character {
                return start + at as u32;
            }
        }
        start + line.len() as u32
    }

    /// The position of a byte offset, which is clipped to the text and to a character boundary.
    pub fn position(&self, offset: u32) -> Position {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&start| start as usize <= offset) - 1;
        let before = &self.text[self.starts[line] as usize..offset];
        Position::new(line as u32, before.chars().map(|c| c.len_utf16() as u32).sum())
    }

    /// The range of a pair of byte offsets.
    pub fn range(&self, start: u32, end: u32) -> Range {
        Range::new(self.position(start), self.position(end.max(start)))
    }

    /// The text after a change by the client.
    #[must_use]
    pub fn changed(&self, change: &TextDocumentContentChangeEvent) -> Self {
        let Some(range) = change.range else { return Self::new(change.text.clone()) };
        let start = self.offset(range.start) as usize;
        let end = (self.offset(range.end) as usize).max(start);
        let mut text = String::with_capacity(self.text.len() + change.text.len());
        text.push_str(&self.text[..start]);
        text.push_str(&change.text);
        text.push_str(&self.text[end..]);
        Self::new(text)
    }
}

/// A version of a document with its analysis, which is computed at most once.
pub struct Snapshot {
    /// The document.
    pub uri: Uri,
    /// The version that the client gave.
    pub version: i32,
    /// The name of the language, or the identifier that the client gave.
    pub language: String,
    /// The text.
    pub text: Text,
    pub(crate) analyzed: OnceLock<Arc<Analyzed>>,
    stale: AtomicBool,
}

impl Snapshot {
    /// Creates a version of a document.
    pub fn new(uri: Uri, version: i32, language: String, text: Text) -> Self {
        Self { uri, version, language, text, analyzed: OnceLock::new(), stale: AtomicBool::new(false) }
    }

    /// Marks the version as superseded: results that have not been computed yet are not needed.
    pub fn supersede(&self) {
        self.stale.store(true, Ordering::Relaxed);
    }

    /// Whether a newer version has arrived, or the document was closed.
    pub fn is_stale(&self) -> bool {
        self.stale.load(Ordering::Relaxed)
    }
}
