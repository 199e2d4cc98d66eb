//! Runs the front ends on documents.

use crate::document::Snapshot;
use crate::workspace::path_of;
use minoan::diag::{Diagnostics, FileId, LineCol, SourceMap};
use minoan::ir::Context;
use minoan::ir::text::ParseOptions;
use minoan::language::{Analysis, Language, Languages};
use minoan::xref::Xref;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of analyses after which the context is replaced, to free the types and attributes that it has interned.
const MAX_USES: usize = 500;

/// The line that separates the modules of a test file, as in `mlir-opt --split-input-file`.
const MARKER: &str = "// -----";

/// The analysis of a version of a document.
pub(crate) struct Analyzed {
    pub(crate) sources: SourceMap,
    pub(crate) diagnostics: Diagnostics,
    /// The cross references, with spans in the whole document.
    pub(crate) xref: Xref,
    pub(crate) language: Arc<dyn Language>,
    /// The parts of the document, with the offset at which each begins.
    parts: Vec<(FileId, u32)>,
}

impl Analyzed {
    /// The offset in the document at which the text of a file begins; `None` for another document.
    pub(crate) fn base(&self, file: FileId) -> Option<u32> {
        self.parts.iter().find(|(part, _)| *part == file).map(|&(_, base)| base)
    }
}

/// Analyzes texts in a shared context.
pub(crate) struct Analyzer {
    languages: Languages,
    context: Mutex<(Context, usize)>,
}

impl Analyzer {
    pub(crate) fn new() -> Self {
        Self { languages: Languages::default(), context: Mutex::new((minoan::context(), 0)) }
    }

    /// The context, for listing its dialects.
    pub(crate) fn context(&self) -> Context {
        let mut kept = self.context.lock().unwrap_or_else(PoisonError::into_inner);
        kept.1 += 1;
        if kept.1 > MAX_USES {
            *kept = (minoan::context(), 0);
        }
        kept.0.clone()
    }

    /// The language of a document: by the identifier that the client gave, or else by its extension.
    pub(crate) fn language(&self, id: &str, name: &str, text: &str) -> Arc<dyn Language> {
        self.languages.named(id).unwrap_or_else(|_| self.languages.of(name, text))
    }

    /// Whether a file name has the extension of a language.
    pub(crate) fn is_source(&self, extension: &str) -> bool {
        self.languages.all().any(|language| language.extensions().contains(&extension))
    }

    /// The analysis of a snapshot; `None` if it became stale before it was analyzed.
    pub(crate) fn analyze(&self, snapshot: &Snapshot) -> Option<Arc<Analyzed>> {
        if let Some(known) = snapshot.analyzed.get() {
            return Some(Arc::clone(known));
        }
        let name = path_of(&snapshot.uri);
        let stale = || snapshot.is_stale();
        let made = self.analyze_text(&snapshot.language, &name, snapshot.text.as_str(), &stale)?;
        Some(Arc::clone(snapshot.analyzed.get_or_init(|| Arc::new(made))))
    }

    /// The analysis of a text; `None` if it is canceled.
    pub(crate) fn analyze_text(
        &self,
        id: &str,
        name: &str,
        text: &str,
        canceled: &dyn Fn() -> bool,
    ) -> Option<Analyzed> {
        let language = self.language(id, name, text);
        let (ctx, sources) = (self.context(), SourceMap::new());
        // As editors for MLIR do: other tools have dialects that are not loaded here.
        let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
        let whole = sources.add(name, text);
        let mut out = Analyzed {
            diagnostics: Diagnostics::new(),
            xref: Xref::default(),
            language: Arc::clone(&language),
            parts: vec![(whole, 0)],
            sources,
        };
        if canceled() {
            return None;
        }
        let cuts = if language.name() == "mlir" { cuts(text) } else { Vec::new() };
        if cuts.is_empty() {
            let Analysis { diagnostics, xref } = language.analyze(&ctx, &out.sources, whole, &options);
            (out.diagnostics, out.xref) = (diagnostics, xref);
            return Some(out);
        }
        let starts = std::iter::once(0).chain(cuts.iter().map(|cut| cut + MARKER.len()));
        for (start, end) in starts.zip(cuts.iter().copied().chain([text.len()])) {
            if canceled() {
                return None;
            }
            let at = out.sources.file(whole).line_col(start as u32);
            let at = if start == 0 { LineCol { line: 1, column: 1 } } else { at };
            let part = out.sources.add_part(name, &text[start..end], at);
            let Analysis { diagnostics, xref } = language.analyze(&ctx, &out.sources, part, &options);
            out.parts.push((part, start as u32));
            out.diagnostics.append(diagnostics);
            out.xref.append(&xref, start as u32, whole);
        }
        out.xref.finish();
        Some(out)
    }
}

/// The offsets of the lines that separate parts.
fn cuts(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == MARKER {
            found.push(at);
        }
        at += line.len();
    }
    found
}
