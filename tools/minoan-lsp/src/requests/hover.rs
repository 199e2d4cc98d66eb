//! Hover: types, signatures and documentation.

use super::Query;
use crate::docs;
use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

/// The entity under the cursor with its type and documentation, or the type of the expression there.
pub(super) fn hover(query: &Query<'_>, params: HoverParams) -> Option<Hover> {
    let (xref, text) = (&query.analyzed.xref, &query.snapshot.text);
    let position = params.text_document_position_params.position;
    let language = query.analyzed.language.name();
    let offset = text.offset(position);
    let mut parts = Vec::new();
    let mut span = None;
    if let Some(found) = query.occurrence(position) {
        let entity = xref.entity(found.entity);
        span = Some(found.span);
        if let Some(ty) = entity.ty {
            parts.push(format!("```{language}\n{} : {}\n```", entity.name, xref.text(ty)));
        }
        let context = query.shared.analyzer.context();
        if let Some(documentation) = docs::documentation(&context, language, entity.kind, &entity.name) {
            parts.push(documentation);
        }
        if parts.is_empty() {
            parts.push(format!("```{language}\n{}\n```", entity.name));
        }
        // The type of this call, which may be one of many overloads.
        if entity.definition.is_none()
            && let Some((of, ty)) = xref.type_at(offset)
            && of.start <= found.span.end + 1
        {
            parts.push(format!("type here: `{ty}`"));
        }
    } else if let Some((of, ty)) = xref.type_at(offset) {
        span = Some(of);
        parts.push(format!("```{language}\n{ty}\n```"));
    }
    let span = span?;
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: parts.join("\n\n"),
        }),
        range: Some(text.range(span.start, span.end)),
    })
}
