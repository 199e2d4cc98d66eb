//! Semantic tokens and inlay hints.

use super::Query;
use lsp_types::{
    InlayHint, InlayHintKind, InlayHintLabel, InlayHintParams, SemanticToken, SemanticTokenModifier,
    SemanticTokenType, SemanticTokens, SemanticTokensParams, SemanticTokensRangeParams,
};
use minoan::xref::{EntityKind, Role};

/// The types of tokens, in the order of their numbers.
pub(crate) const TOKENS: [SemanticTokenType; 11] = [
    SemanticTokenType::FUNCTION,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::TYPE,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::KEYWORD,
    SemanticTokenType::MACRO,
    SemanticTokenType::NAMESPACE,
    SemanticTokenType::EVENT,
    SemanticTokenType::COMMENT,
];

/// The modifiers of tokens, in the order of their bits.
pub(crate) const MODIFIERS: [SemanticTokenModifier; 3] = [
    SemanticTokenModifier::DEFINITION,
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::DEFAULT_LIBRARY,
];

fn type_and_library(kind: EntityKind) -> (SemanticTokenType, bool) {
    match kind {
        EntityKind::Function | EntityKind::External => (SemanticTokenType::FUNCTION, false),
        EntityKind::Builtin => (SemanticTokenType::FUNCTION, true),
        EntityKind::Variable => (SemanticTokenType::VARIABLE, false),
        EntityKind::Parameter => (SemanticTokenType::PARAMETER, false),
        EntityKind::Type => (SemanticTokenType::TYPE, false),
        EntityKind::Constructor => (SemanticTokenType::ENUM_MEMBER, false),
        EntityKind::Attribute => (SemanticTokenType::PROPERTY, true),
        EntityKind::Operation => (SemanticTokenType::KEYWORD, true),
        EntityKind::Alias => (SemanticTokenType::MACRO, false),
        EntityKind::Symbol | EntityKind::Block => (SemanticTokenType::NAMESPACE, false),
        EntityKind::Rule => (SemanticTokenType::EVENT, false),
    }
}

fn tokens(query: &Query<'_>, start: u32, end: u32) -> SemanticTokens {
    let (xref, text) = (&query.analyzed.xref, &query.snapshot.text);
    let comments = (query.analyzed.language.lexicon().comments)(text.as_str()).into_iter();
    let mut all: Vec<(u32, u32, SemanticTokenType, u32)> =
        comments.map(|(start, end)| (start, end, SemanticTokenType::COMMENT, 0)).collect();
    for it in xref.occurrences() {
        let (ty, library) = type_and_library(xref.entity(it.entity).kind);
        let role = match it.role {
            Role::Definition => 1,
            Role::Declaration => 2,
            Role::Reference => 0,
        };
        all.push((it.span.start, it.span.end, ty, role | u32::from(library) << 2));
    }
    all.retain(|&(from, to, ..)| to > start && from < end);
    all.sort_by_key(|token| token.0);
    let mut data = Vec::new();
    let (mut line, mut column) = (0, 0);
    for (from, to, ty, modifiers) in all {
        let token_type = TOKENS.iter().position(|known| *known == ty).unwrap_or(0) as u32;
        // A token may not span lines.
        let range = text.range(from, to);
        for at in range.start.line..=range.end.line {
            let first = if at == range.start.line { range.start.character } else { 0 };
            let (base, content) = text.line(at);
            let last = if at == range.end.line {
                range.end.character
            } else {
                text.position(base + content.len() as u32).character
            };
            if last <= first {
                continue;
            }
            let delta_line = at - line;
            let delta_start = if delta_line == 0 { first - column } else { first };
            let length = last - first;
            data.push(SemanticToken {
                delta_line,
                delta_start,
                length,
                token_type,
                token_modifiers_bitset: modifiers,
            });
            (line, column) = (at, first);
        }
    }
    SemanticTokens { result_id: None, data }
}

pub(super) fn full(query: &Query<'_>, _: SemanticTokensParams) -> SemanticTokens {
    tokens(query, 0, u32::MAX)
}

pub(super) fn range(query: &Query<'_>, params: SemanticTokensRangeParams) -> SemanticTokens {
    let text = &query.snapshot.text;
    tokens(query, text.offset(params.range.start), text.offset(params.range.end))
}

/// The inferred types of the definitions in a range.
pub(super) fn hints(query: &Query<'_>, params: InlayHintParams) -> Vec<InlayHint> {
    const MAX_LENGTH: usize = 60;
    let (xref, text) = (&query.analyzed.xref, &query.snapshot.text);
    let (start, end) = (text.offset(params.range.start), text.offset(params.range.end));
    let mut hints: Vec<InlayHint> = Vec::new();
    for (_, entity) in xref.entities().filter(|(_, entity)| entity.inferred) {
        let (Some(span), Some(ty)) = (entity.definition, entity.ty) else { continue };
        if span.end < start || span.start > end {
            continue;
        }
        let ty = xref.text(ty);
        let mut shown: String = ty.chars().take(MAX_LENGTH).collect();
        if shown.len() < ty.len() {
            shown.push('…');
        }
        hints.push(InlayHint {
            position: text.position(span.end),
            label: InlayHintLabel::String(format!(": {shown}")),
            kind: Some(InlayHintKind::TYPE),
            text_edits: None,
            tooltip: None,
            padding_left: Some(false),
            padding_right: Some(true),
            data: None,
        });
    }
    hints.sort_by_key(|hint| hint.position);
    hints
}
