//! Rename and formatting.

use super::{Answer, Query, error, to_value};
use crate::document::Snapshot;
use crate::server::Shared;
use crate::workspace::{bare, path_of};
use lsp_server::{ErrorCode, ResponseError};
use lsp_types::{
    PrepareRenameResponse, ReferenceContext, ReferenceParams, RenameParams, TextDocumentPositionParams,
    TextEdit, Uri, WorkspaceEdit,
};
use minoan::diag::{SourceMap, Span};
use minoan::xref::{Entity, EntityKind};

/// The name under the cursor without its sigil, if the program defines it.
fn renamed<'a>(query: &'a Query<'_>, position: lsp_types::Position) -> Option<(Span, &'a Entity)> {
    let found = query.occurrence(position)?;
    let entity = query.analyzed.xref.entity(found.entity);
    entity.definition?;
    let text = query.snapshot.text.as_str().get(found.span.start as usize..found.span.end as usize)?;
    let skipped = (text.len() - text.trim_start_matches(['@', '%', '^', '#', '!']).len()) as u32;
    // Only languages with sigils have them at the start of a name.
    let lexicon = query.analyzed.language.lexicon();
    let sigil = text.chars().next().is_some_and(|c| lexicon.is_sigil(c));
    let start = found.span.start + if sigil { skipped } else { 0 };
    Some((Span { start, ..found.span }, entity))
}

pub(super) fn prepare_rename(
    query: &Query<'_>,
    params: TextDocumentPositionParams,
) -> Option<PrepareRenameResponse> {
    let (span, _) = renamed(query, params.position)?;
    Some(PrepareRenameResponse::Range(query.snapshot.text.range(span.start, span.end)))
}

/// Renames all occurrences in this file, and in linked files if the name is that of a function.
pub(super) fn rename(query: &Query<'_>, params: RenameParams) -> Result<WorkspaceEdit, ResponseError> {
    let fail = |message: String| error(ErrorCode::RequestFailed, message);
    let at = params.text_document_position;
    let lexicon = query.analyzed.language.lexicon();
    let (_, entity) =
        renamed(query, at.position).ok_or_else(|| fail("there is no name of the program here".to_owned()))?;
    let has_sigil = entity.name.chars().next().is_some_and(|c| lexicon.is_sigil(c));
    let new = if has_sigil { bare(&params.new_name) } else { &params.new_name };
    lexicon.check_name(new).map_err(fail)?;
    if let Some(other) = taken(query, entity, new) {
        return Err(fail(format!("the name '{new}' is taken: {} is in scope", other.name)));
    }
    let references = ReferenceParams {
        text_document_position: at,
        work_done_progress_params: Default::default(),
        partial_result_params: Default::default(),
        context: ReferenceContext { include_declaration: true },
    };
    let mut changes: Vec<(Uri, Vec<TextEdit>)> = Vec::new();
    for location in super::navigation::references(query, references).unwrap_or_default() {
        let old = read(query, &location.uri).and_then(|text| {
            let (start, end) = (text.offset(location.range.start), text.offset(location.range.end));
            text.as_str().get(start as usize..end as usize).map(str::to_owned)
        });
        let old = old.ok_or_else(|| fail(format!("cannot read '{}'", path_of(&location.uri))))?;
        // The part of the name that stays: the sigil of the other language, or the one here.
        let sigil = old.chars().next().filter(|&c| bare(&old).len() < old.len() && "@%^#!".contains(c));
        let sigil = sigil.filter(|_| has_sigil || location.uri != query.snapshot.uri);
        let text = sigil.into_iter().chain(new.chars()).collect();
        let edit = TextEdit::new(location.range, text);
        match changes.iter_mut().find(|(uri, _)| *uri == location.uri) {
            Some((_, edits)) => edits.push(edit),
            None => changes.push((location.uri, vec![edit])),
        }
    }
    Ok(WorkspaceEdit::new(changes.into_iter().collect()))
}

fn read(query: &Query<'_>, uri: &Uri) -> Option<crate::document::Text> {
    if *uri == query.snapshot.uri {
        return Some(query.snapshot.text.clone());
    }
    let open = query.shared.open();
    match open.iter().find(|snapshot| snapshot.uri == *uri) {
        Some(snapshot) => Some(snapshot.text.clone()),
        None => std::fs::read_to_string(path_of(uri)).ok().map(crate::document::Text::new),
    }
}

/// Another entity with this name and the same sigil in an overlapping scope, unless the language lets the two overload
/// each other.
fn taken<'a>(query: &'a Query<'_>, entity: &Entity, new: &str) -> Option<&'a Entity> {
    let sigil = |name: &str| name.len() - bare(name).len();
    let overlaps = |other: &Entity| match (entity.scope, other.scope) {
        (Some(one), Some(two)) => one.start < two.end && two.start < one.end,
        _ => true,
    };
    let is_function = |kind| matches!(kind, EntityKind::Function | EntityKind::External);
    let has_overloads = query.analyzed.language.lexicon().has_overloads;
    let entities = query.analyzed.xref.entities().map(|(_, other)| other);
    let mut clashes = entities.filter(|other| {
        other.definition.is_some()
            && other.group != entity.group
            && bare(&other.name) == new
            && sigil(&other.name) == sigil(&entity.name)
            && overlaps(other)
            && !(has_overloads
                && is_function(entity.kind) == is_function(other.kind)
                && is_function(other.kind))
    });
    clashes.next()
}

/// Prints the document in the canonical form of its language, as one edit of the lines that differ. Refuses where the
/// printer would lose comments or names.
pub(super) fn formatting(shared: &Shared, snapshot: &Snapshot) -> Answer {
    let (text, name) = (&snapshot.text, path_of(&snapshot.uri));
    let language = shared.analyzer.language(&snapshot.language, &name, text.as_str());
    let sources = SourceMap::new();
    let file = sources.add(&*name, text.as_str());
    let printed = language
        .format(&shared.analyzer.context(), &sources, file)
        .map_err(|reason| error(ErrorCode::RequestFailed, format!("the file is left as it is: {reason}")))?;
    to_value(difference(text, &printed).into_iter().collect::<Vec<_>>())
}

/// The edit of the lines between the common first and last lines; `None` if the texts are equal.
fn difference(text: &crate::document::Text, new: &str) -> Option<TextEdit> {
    let old = text.as_str();
    if old == new {
        return None;
    }
    let prefix: usize = old
        .split_inclusive('\n')
        .zip(new.split_inclusive('\n'))
        .take_while(|(one, two)| one == two)
        .map(|(one, _)| one.len())
        .sum();
    let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
    let suffix: usize = old_rest
        .split_inclusive('\n')
        .rev()
        .zip(new_rest.split_inclusive('\n').rev())
        .take_while(|(one, two)| one == two)
        .map(|(one, _)| one.len())
        .sum();
    let range = text.range(prefix as u32, (old.len() - suffix) as u32);
    Some(TextEdit::new(range, new_rest[..new_rest.len() - suffix].to_owned()))
}
