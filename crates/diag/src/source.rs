//! Files that were read, and positions in them.

use std::sync::{Arc, OnceLock};

/// A file of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// A range of bytes `start..end` in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end: end.max(start) }
    }

    /// The smallest span that covers `self` and `other`, which must be of the same file.
    pub fn to(self, other: Span) -> Self {
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A line and a column, both counted from 1; columns count bytes, as in MLIR.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LineCol {
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
}

/// A file that was read: its name as the user wrote it, and its text.
#[derive(Debug)]
pub struct SourceFile {
    name: Arc<str>,
    text: Arc<String>,
    /// Where it begins in the file that it is a part of.
    part: Option<LineCol>,
    line_starts: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// The name, as the user wrote it.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &Arc<String> {
        &self.text
    }

    /// The number of the first line: 1, or more for a part of a file.
    pub fn first_line(&self) -> u32 {
        self.part.map_or(1, |start| start.line)
    }

    /// Where a part of a file begins in it; `None` for a whole file.
    pub fn part_of_file(&self) -> Option<LineCol> {
        self.part
    }

    /// Line and column of a byte offset; an offset past the end gives the end.
    pub fn line_col(&self, offset: u32) -> LineCol {
        let offset = offset.min(self.text.len() as u32);
        let starts = self.line_starts();
        let line = starts.partition_point(|&start| start <= offset) - 1;
        LineCol { line: line as u32 + self.first_line(), column: offset - starts[line] + 1 }
    }

    /// The byte range of a line (from 1) without its line end, or `None` when there is no such line.
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

/// All files that were read. Cheap to clone: clones share the same files.
#[derive(Clone, Default, Debug)]
pub struct SourceMap {
    files: Arc<boxcar::Vec<SourceFile>>,
}

impl SourceMap {
    /// A map without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. The text should be below 4 GiB: spans are 32 bits.
    pub fn add(&self, name: impl Into<Arc<str>>, text: impl Into<String>) -> FileId {
        self.push(name.into(), text.into(), None)
    }

    /// Adds a part of a file, which begins at the end of a line of it: what is said of the part points into the file.
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

    /// The file of an id of this map.
    ///
    /// # Panics
    /// If `file` comes from another map.
    pub fn file(&self, file: FileId) -> &SourceFile {
        &self.files[file.0 as usize]
    }

    /// The newest file with this name.
    pub fn find(&self, name: &str) -> Option<FileId> {
        let files = self.files.iter().filter(|(_, file)| &*file.name == name);
        files.map(|(index, _)| FileId(index as u32)).last()
    }

    /// The newest file with this name that has this line, and the line's bytes without its end.
    pub fn find_line(&self, name: &str, line: u32) -> Option<(&SourceFile, std::ops::Range<usize>)> {
        let (file, line) = self.find_line_in(name, line)?;
        Some((self.file(file), line))
    }

    /// As [`Self::find_line`], with the file's id.
    pub fn find_line_in(&self, name: &str, line: u32) -> Option<(FileId, std::ops::Range<usize>)> {
        let files = self.files.iter().filter(|(_, file)| &*file.name == name);
        files.filter_map(|(index, file)| Some((FileId(index as u32), file.line_range(line)?))).last()
    }

    /// Line and column where a span starts.
    pub fn line_col(&self, span: Span) -> LineCol {
        self.file(span.file).line_col(span.start)
    }

    /// The text that a span covers, cut to whole characters.
    pub fn text(&self, span: Span) -> &str {
        let text = &*self.file(span.file).text;
        text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}
