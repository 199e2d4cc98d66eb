//! Input files and their parts.

use crate::Session;
use minoan_diag::{Diagnostic, Diagnostics, FileId, Span};
use minoan_generate::{Choices, Limits};
use minoan_ir::text::{PrintFlags, print_module};

/// The marker between the parts of a file.
pub(super) const MARKER: &str = "// -----";

/// The number of characters at the end of a marker that a near miss may lack.
const CHECKED: usize = 2;

/// The text of the random module with a seed.
pub(super) fn generated(session: &Session, seed: u64) -> Result<FileId, Diagnostic> {
    let module = minoan_generate::module(session.context(), &mut Choices::seeded(seed), Limits::default());
    let module = module.ok_or_else(|| {
        Diagnostic::error("no loaded dialect generates operations, or none has functions").help(
            "--show-dialects lists the dialects that implement Generate and FunctionMaterializer".to_owned(),
        )
    })?;
    let text = print_module(&module, &PrintFlags::default());
    Ok(session.sources().add(format!("generated-{seed}.mlir"), text))
}

/// The parts of a file in order, with warnings about near misses of the marker. Lines of a part are numbered as in the
/// file. A file without markers is one part.
pub(super) fn parts(session: &Session, file: FileId, marker: Option<&str>) -> (Vec<FileId>, Diagnostics) {
    let sources = session.sources();
    let mut warnings = Diagnostics::new();
    let Some(marker) = marker.filter(|marker| !marker.is_empty()) else { return (vec![file], warnings) };
    let source = sources.file(file);
    let (name, text) = (source.name(), source.text().as_str());
    let (cuts, near_misses) = cut(text, marker);
    for at in near_misses {
        let span = Span::new(file, at as u32, at as u32);
        warnings.push(Diagnostic::warning("near miss with file split marker").at(span));
    }
    let starts = std::iter::once(0).chain(cuts.iter().map(|cut| cut + marker.len()));
    let ends = cuts.iter().copied().chain([text.len()]);
    let parts = starts.zip(ends).filter(|(start, end)| start < end).map(|(start, end)| {
        if start == 0 {
            return sources.add(name.clone(), &text[..end]);
        }
        sources.add_part(name.clone(), &text[start..end], source.line_col(start as u32))
    });
    (parts.collect(), warnings)
}

/// The positions of markers, and the ends of near misses.
fn cut(text: &str, marker: &str) -> (Vec<usize>, Vec<usize>) {
    let checked = marker.char_indices().rev().nth(CHECKED - 1).map_or(0, |(at, _)| at);
    let beginning = if checked == 0 { marker } else { &marker[..checked] };
    let last = marker.chars().next_back();
    let (mut cuts, mut near_misses) = (Vec::new(), Vec::new());
    let mut from = 0;
    while let Some(found) = text[from..].find(beginning) {
        let at = from + found;
        let after = text[at..].strip_prefix(marker);
        // A longer row of dashes is not a marker.
        let is_marker = after.is_some_and(|after| last != Some('-') || !after.starts_with('-'));
        if is_marker {
            cuts.push(at);
            from = at + marker.len();
        } else {
            near_misses.push(at + beginning.len());
            from = at + beginning.len();
            // The rest of the row is not another near miss.
            from += text[from..].len() - text[from..].trim_start_matches('-').len();
        }
    }
    (cuts, near_misses)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_cut_and_near_misses_do_not() {
        assert_eq!(cut("a\n// -----\nb", MARKER), (vec![2], vec![]));
        assert_eq!(cut("a\n// ----\nb\n// -----", MARKER), (vec![12], vec![8]));
        assert_eq!(cut("// ------\n", MARKER), (vec![], vec![6]));
        assert_eq!(cut("x == y", "=="), (vec![2], vec![]));
        assert_eq!(cut("x é y", "é"), (vec![2], vec![]));
    }
}
