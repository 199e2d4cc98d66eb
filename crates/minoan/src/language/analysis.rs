//! Analysis of programs for editors: diagnostics and cross references of texts that may have errors.

use minoan_diag::{Diagnostics, SourceMap};
use minoan_xref::Xref;

/// The diagnostics and cross references of a file.
#[derive(Clone, Default, Debug)]
pub struct Analysis {
    /// All errors and warnings of the parser, the checker and the verifier.
    pub diagnostics: Diagnostics,
    /// The names and types that could be resolved.
    pub xref: Xref,
}

/// Rejects a text that cannot be formatted: with syntax errors, or with comments, which no printer keeps.
pub(super) fn check_formattable(
    sources: &SourceMap,
    file: minoan_diag::FileId,
    diagnostics: &Diagnostics,
    comments: &[(u32, u32)],
) -> Result<(), String> {
    if let Some(error) = diagnostics.iter().find(|one| one.severity == minoan_diag::Severity::Error) {
        return Err(format!("the file has a syntax error: {}", error.message));
    }
    match comments.first() {
        Some(&(start, _)) => {
            let line = sources.file(file).line_col(start).line;
            Err(format!("comments would be lost, the first one in line {line}"))
        }
        None => Ok(()),
    }
}
