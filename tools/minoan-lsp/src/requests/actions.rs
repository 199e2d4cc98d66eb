//! Code actions: the edits that diagnostics suggest.

use super::Query;
use crate::convert;
use lsp_types::{CodeAction, CodeActionKind, CodeActionParams, Range, TextEdit, WorkspaceEdit};
use minoan::diag::{Diagnostic, Suggestion};

/// An action for each suggestion of each diagnostic in the range.
pub(super) fn actions(query: &Query<'_>, params: CodeActionParams) -> Vec<CodeAction> {
    let (text, analyzed) = (&query.snapshot.text, &*query.analyzed);
    let touches = |range: Range| range.start <= params.range.end && params.range.start <= range.end;
    let mut actions = Vec::new();
    for diagnostic in analyzed.diagnostics.iter().filter(|one| !one.suggestions.is_empty()) {
        if !touches(convert::place(text, analyzed, &diagnostic.place)) {
            continue;
        }
        for suggestion in &diagnostic.suggestions {
            let range = match suggestion.span {
                Some(span) => convert::range(text, analyzed, span),
                None => misspelled(query, diagnostic, suggestion),
            };
            let Some(range) = range else { continue };
            let edit = TextEdit::new(range, suggestion.replacement.clone());
            let title = match suggestion.span {
                Some(_) => suggestion.help.clone(),
                None => format!("replace by '{}'", suggestion.replacement),
            };
            actions.push(CodeAction {
                title,
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![convert::diagnostic(query.snapshot, analyzed, diagnostic)]),
                edit: Some(WorkspaceEdit::new([(query.snapshot.uri.clone(), vec![edit])].into())),
                is_preferred: Some(diagnostic.suggestions.len() == 1),
                ..CodeAction::default()
            });
        }
    }
    actions
}

/// The range of the misspelled word: the primary location, or the word in it that the message quotes.
fn misspelled(query: &Query<'_>, diagnostic: &Diagnostic, suggestion: &Suggestion) -> Option<Range> {
    let text = &query.snapshot.text;
    let range = convert::place(text, &query.analyzed, &diagnostic.place);
    let (start, end) = (text.offset(range.start), text.offset(range.end));
    let found = text.as_str().get(start as usize..end as usize)?;
    let lexicon = query.analyzed.language.lexicon();
    let is_name = lexicon.continues_name;
    for word in diagnostic.message.split(['\'', '`']).skip(1).step_by(2).filter(|word| !word.is_empty()) {
        let whole = |&(at, _): &(usize, &str)| {
            let before = found[..at].chars().next_back();
            let after = found[at + word.len()..].chars().next();
            !before.is_some_and(is_name) && !after.is_some_and(is_name)
        };
        if let Some((at, _)) = found.match_indices(word).find(whole) {
            let from = start + at as u32;
            return Some(text.range(from, from + word.len() as u32));
        }
    }
    let single = !found.is_empty() && !found.contains(|c: char| c.is_whitespace() || "()[]{}".contains(c));
    // A word without its sigil in the message, such as the name of a symbol.
    let same_sigil = found.chars().next().map(|c| lexicon.is_sigil(c))
        == suggestion.replacement.chars().next().map(|c| lexicon.is_sigil(c));
    (single && (same_sigil || !found.starts_with(['%', '@', '^', '!', '#']))).then_some(range)
}
