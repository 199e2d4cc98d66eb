//! Source files and positions in them.

use std::sync::{Arc, OnceLock};

/// The id of a file in a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// The byte range `start..end` of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset one past the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the span of the bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end: end.max(start) }
    }

    /// The smallest span that covers `self` and `other`, which must be in the same file.
    pub fn to(self, other: Span) -> Self {
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A 1-based line and column; columns count bytes, as in MLIR.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LineCol {
    /// The 1-based line.
    pub line: u32,
    /// The 1-based column in bytes.
    pub column: u32,
}

/// A source file: its name as given by the user, and its text.
#[derive(Debug)]
pub struct SourceFile {
    name: Arc<str>,
    text: Arc<String>,
    /// The position of the text within its file, if it is a part of one.
    part: Option<LineCol>,
    line_starts: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// The name as given by the user.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &Arc<String> {
        &self.text
    }

    /// The number of the first line: 1, or more if the text is a part of a file.
    pub fn first_line(&self) -> u32 {
        self.part.map_or(1, |start| start.line)
    }

    /// The position at which a part of a file begins; `None` for a whole file.
    pub fn part_of_file(&self) -> Option<LineCol> {
        self.part
    }

    /// The line and column of a byte offset; offsets past the end map to the end.
    pub fn line_col(&self, offset: u32) -> LineCol {
        let offset = offset.min(self.text.len() as u32);
        let starts = self.line_starts();
        let line = starts.partition_point(|&start| start <= offset) - 1;
        LineCol { line: line as u32 + self.first_line(), column: offset - starts[line] + 1 }
    }

    /// The byte range of a line (1-based) without its line terminator; `None` if the line does not exist.
    pub fn line_range(&self, line: u32) -> Option<std::ops::Range<usize>> {
        let starts = self.line_starts();
        let index = line.checked_sub(self.first_line())? as usize;
        let start = *starts.get(index)? as usize;
        let end = starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        let line = self.text[start..end].trim_end_matches(['\n', '\r']);
        Some(start..start + line.len())
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let newlines = self.text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
            std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect()
        })
    }
}

/// The set of source files. Clones are cheap and share the files.
#[derive(Clone, Default, Debug)]
pub struct SourceMap {
    files: Arc<boxcar::Vec<SourceFile>>,
}

impl SourceMap {
    /// Creates an empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. The text must be smaller than 4 GiB, since spans have 32-bit offsets.
    pub fn add(&self, name: impl Into<Arc<str>>, text: impl Into<String>) -> FileId {
        self.push(name.into(), text.into(), None)
    }

    /// Adds a part of a file that begins at `start`: locations in the part are reported as locations in the file.
    ///
    /// ```
    /// use minoan_diag::{LineCol, SourceMap};
    /// let sources = SourceMap::new();
    /// let part = sources.add_part("a.mlir", "\nmodule {}", LineCol { line: 7, column: 9 });
    /// assert_eq!(sources.file(part).line_col(1), LineCol { line: 8, column: 1 });
    /// assert_eq!(sources.file(part).line_range(8), Some(1..10));
    /// ```
    pub fn add_part(&self, name: impl Into<Arc<str>>, text: impl Into<String>, start: LineCol) -> FileId {
        self.push(name.into(), text.into(), Some(start))
    }

    fn push(&self, name: Arc<str>, text: String, part: Option<LineCol>) -> FileId {
        let file = SourceFile { name, text: Arc::new(text), part, line_starts: OnceLock::new() };
        FileId(self.files.push(file) as u32)
    }

    /// The file with this id.
    ///
    /// # Panics
    /// Panics if the id belongs to another map.
    pub fn file(&self, file: FileId) -> &SourceFile {
        &self.files[file.0 as usize]
    }

    /// The most recently added file with this name.
    pub fn find(&self, name: &str) -> Option<FileId> {
        let files = self.files.iter().filter(|(_, file)| &*file.name == name);
        files.map(|(index, _)| FileId(index as u32)).last()
    }

    /// The most recently added file that has this name and this line, and the byte range of the line without its
    /// terminator.
    pub fn find_line(&self, name: &str, line: u32) -> Option<(&SourceFile, std::ops::Range<usize>)> {
        let (file, line) = self.find_line_in(name, line)?;
        Some((self.file(file), line))
    }

    /// Like [`Self::find_line`], but returns the id of the file.
    pub fn find_line_in(&self, name: &str, line: u32) -> Option<(FileId, std::ops::Range<usize>)> {
        let files = self.files.iter().filter(|(_, file)| &*file.name == name);
        files.filter_map(|(index, file)| Some((FileId(index as u32), file.line_range(line)?))).last()
    }

    /// The line and column at which a span starts.
    pub fn line_col(&self, span: Span) -> LineCol {
        self.file(span.file).line_col(span.start)
    }

    /// The text of a span, clipped to character boundaries.
    pub fn text(&self, span: Span) -> &str {
        let text = &*self.file(span.file).text;
        text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}
