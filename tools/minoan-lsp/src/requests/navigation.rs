//! Go to definition, references and highlights.

use super::Query;
use crate::server::lock;
use crate::workspace::bare;
use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, GotoDefinitionParams,
    GotoDefinitionResponse, Location, Position, ReferenceParams,
};
use minoan::diag::Span;
use minoan::xref::{EntityKind, Occurrence, Role};

impl Query<'_> {
    /// The occurrence of a name at a position.
    pub(super) fn occurrence(&self, position: Position) -> Option<Occurrence> {
        self.analyzed.xref.at(self.snapshot.text.offset(position))
    }

    /// The location of a span of this document.
    pub(super) fn location(&self, span: Span) -> Location {
        Location::new(self.snapshot.uri.clone(), self.snapshot.text.range(span.start, span.end))
    }

    /// The occurrences of a function in other files of the workspace.
    fn elsewhere(&self, name: &str) -> Vec<(Role, Location)> {
        let shared = self.shared;
        let (open, uri) = (shared.open(), &self.snapshot.uri);
        lock(&shared.workspace).occurrences(&shared.analyzer, &open, uri, bare(name))
    }
}

/// The definition; for a declared function, the one in this file or in another file of the workspace.
pub(super) fn definition(query: &Query<'_>, params: GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
    let xref = &query.analyzed.xref;
    let found = query.occurrence(params.text_document_position_params.position)?;
    let entity = xref.entity(found.entity);
    let own = xref.definition(found.entity);
    if entity.kind == EntityKind::External && own == entity.definition {
        let elsewhere = query.elsewhere(&entity.name).into_iter();
        let defined: Vec<Location> =
            elsewhere.filter(|(role, _)| *role == Role::Definition).map(|(_, location)| location).collect();
        if !defined.is_empty() {
            return Some(GotoDefinitionResponse::Array(defined));
        }
    }
    own.map(|span| GotoDefinitionResponse::Scalar(query.location(span)))
}

/// The occurrences in this file, and those of functions in other files.
pub(super) fn references(query: &Query<'_>, params: ReferenceParams) -> Option<Vec<Location>> {
    let xref = &query.analyzed.xref;
    let found = query.occurrence(params.text_document_position.position)?;
    let entity = xref.entity(found.entity);
    let with_definition = params.context.include_declaration;
    let wanted = |role: Role| with_definition || role == Role::Reference;
    let here = xref.references(found.entity).filter(|it| wanted(it.role));
    let mut list: Vec<Location> = here.map(|it| query.location(it.span)).collect();
    if matches!(entity.kind, EntityKind::Function | EntityKind::External) {
        // Unrelated functions of other files may have the same name, unless one side is a declaration.
        let external = entity.kind == EntityKind::External;
        let others = query.elsewhere(&entity.name);
        let declared = |uri: &lsp_types::Uri| {
            others.iter().any(|(role, location)| *role == Role::Declaration && location.uri == *uri)
        };
        let linked =
            others.iter().filter(|(role, location)| wanted(*role) && (external || declared(&location.uri)));
        list.extend(linked.map(|(_, location)| location.clone()));
    }
    Some(list)
}

/// The occurrences in this file.
pub(super) fn highlight(
    query: &Query<'_>,
    params: DocumentHighlightParams,
) -> Option<Vec<DocumentHighlight>> {
    let found = query.occurrence(params.text_document_position_params.position)?;
    let all = query.analyzed.xref.references(found.entity);
    let highlights = all.map(|it| DocumentHighlight {
        range: query.snapshot.text.range(it.span.start, it.span.end),
        kind: Some(match it.role {
            Role::Reference => DocumentHighlightKind::READ,
            Role::Definition | Role::Declaration => DocumentHighlightKind::WRITE,
        }),
    });
    Some(highlights.collect())
}
