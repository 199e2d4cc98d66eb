//! The files of the workspace, for names that one file declares and another defines.

use crate::analysis::{Analyzed, Analyzer};
use crate::document::{Snapshot, Text};
use lsp_types::{Location, Uri};
use minoan::xref::{EntityKind, Role};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::SystemTime;

/// Limits of the search, so that a large directory does not stop the server.
const MAX_FILES: usize = 2000;
const MAX_BYTES: u64 = 1 << 20;
const MAX_DEPTH: usize = 12;

/// Directories without sources of a project.
const SKIPPED: [&str; 4] = ["target", "node_modules", "build", "__pycache__"];

/// The path of a `file` URI, decoded; the URI itself if it is of another scheme.
pub(crate) fn path_of(uri: &Uri) -> String {
    let text = uri.as_str();
    let Some(path) = text.strip_prefix("file://") else { return text.to_owned() };
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = path.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code.filter(|_| bytes[at] == b'%') {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The `file` URI of a path.
pub(crate) fn uri_of(path: &Path) -> Option<Uri> {
    let mut text = "file://".to_owned();
    for &byte in path.to_str()?.as_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => text.push(byte as char),
            _ if byte.is_ascii_alphanumeric() => text.push(byte as char),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri::from_str(&text).ok()
}

/// A name in a file of the workspace.
struct Found {
    name: Box<str>,
    role: Role,
    location: Location,
}

/// The functions that a file defines, declares and uses.
struct File {
    modified: Option<SystemTime>,
    length: u64,
    names: Vec<Found>,
}

/// The name of a function without its sigil.
pub(crate) fn bare(name: &str) -> &str {
    name.trim_start_matches(['@', '%', '^', '#', '!']).trim_matches('"')
}

/// The occurrences of functions in an analyzed text.
fn names(uri: &Uri, text: &Text, analyzed: &Analyzed) -> Vec<Found> {
    let functions = analyzed.xref.occurrences().iter().filter_map(|it| {
        let entity = analyzed.xref.entity(it.entity);
        matches!(entity.kind, EntityKind::Function | EntityKind::External).then_some((it, entity))
    });
    functions
        .map(|(it, entity)| Found {
            name: bare(&entity.name).into(),
            role: it.role,
            location: Location::new(uri.clone(), text.range(it.span.start, it.span.end)),
        })
        .collect()
}

/// The directories of the workspace, with the known facts about their files.
pub(crate) struct Workspace {
    pub(crate) roots: Vec<PathBuf>,
    files: FxHashMap<PathBuf, File>,
}

impl Workspace {
    /// The workspace of some directories.
    pub(crate) fn new(roots: Vec<PathBuf>) -> Self {
        Self { roots, files: FxHashMap::default() }
    }

    /// The occurrences of a function in the files of the workspace other than `except`. Open documents take precedence
    /// over their files.
    pub(crate) fn occurrences(
        &mut self,
        analyzer: &Analyzer,
        open: &[Arc<Snapshot>],
        except: &Uri,
        name: &str,
    ) -> Vec<(Role, Location)> {
        let mut found = Vec::new();
        let mut seen: Vec<String> = vec![path_of(except)];
        for snapshot in open.iter().filter(|snapshot| snapshot.uri != *except) {
            seen.push(path_of(&snapshot.uri));
            if snapshot.text.as_str().contains(name)
                && let Some(analyzed) = analyzer.analyze(snapshot)
            {
                let names = names(&snapshot.uri, &snapshot.text, &analyzed).into_iter();
                let named = names.filter(|found| &*found.name == name);
                found.extend(named.map(|found| (found.role, found.location)));
            }
        }
        for path in self.sources(analyzer) {
            let Some(shown) = path.to_str().filter(|shown| !seen.iter().any(|seen| seen == shown)) else {
                continue;
            };
            let shown = shown.to_owned();
            if let Some(file) = self.file(analyzer, &path, &shown, name) {
                let named = file.names.iter().filter(|found| &*found.name == name);
                found.extend(named.map(|found| (found.role, found.location.clone())));
            }
        }
        found
    }

    /// The names in a file that mentions `name`, from the cache unless the file changed.
    fn file(&mut self, analyzer: &Analyzer, path: &Path, shown: &str, name: &str) -> Option<&File> {
        let metadata = std::fs::metadata(path).ok()?;
        let (modified, length) = (metadata.modified().ok(), metadata.len());
        let fresh = |file: &File| file.modified == modified && file.length == length && modified.is_some();
        if !self.files.get(path).is_some_and(fresh) {
            let text = std::fs::read_to_string(path).ok().filter(|text| text.contains(name))?;
            let analyzed = analyzer.analyze_text("", shown, &text, &|| false)?;
            let names = names(&uri_of(path)?, &Text::new(text), &analyzed);
            self.files.insert(path.to_owned(), File { modified, length, names });
        }
        self.files.get(path)
    }

    /// The source files below the roots, sorted.
    fn sources(&self, analyzer: &Analyzer) -> Vec<PathBuf> {
        let mut pending: Vec<(PathBuf, usize)> = self.roots.iter().map(|root| (root.clone(), 0)).collect();
        let mut found = Vec::new();
        while let Some((directory, depth)) = pending.pop() {
            let Ok(entries) = std::fs::read_dir(&directory) else { continue };
            for entry in entries.flatten() {
                let path = entry.path();
                let name = entry.file_name();
                let name = name.to_string_lossy();
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() {
                    if depth < MAX_DEPTH && !name.starts_with('.') && !SKIPPED.contains(&&*name) {
                        pending.push((path, depth + 1));
                    }
                    continue;
                }
                let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
                let small = || entry.metadata().is_ok_and(|metadata| metadata.len() <= MAX_BYTES);
                if kind.is_file() && analyzer.is_source(extension) && small() {
                    found.push(path);
                    if found.len() >= MAX_FILES {
                        pending.clear();
                        break;
                    }
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }
}
