//! Document symbols and folding ranges.

use super::Query;
use lsp_types::{
    DocumentSymbol, DocumentSymbolParams, FoldingRange, FoldingRangeKind, FoldingRangeParams, SymbolKind,
};
use minoan::xref::EntityKind;

/// The definitions with an extent or in the scope of the whole file, nested by extent.
#[expect(deprecated, reason = "the structure has a deprecated field")]
pub(super) fn symbols(query: &Query<'_>, _: DocumentSymbolParams) -> Vec<DocumentSymbol> {
    let (xref, text) = (&query.analyzed.xref, &query.snapshot.text);
    let mut flat: Vec<(u32, u32, DocumentSymbol)> = Vec::new();
    for (_, entity) in xref.entities() {
        let kind = match entity.kind {
            EntityKind::Function | EntityKind::External => SymbolKind::FUNCTION,
            EntityKind::Symbol => SymbolKind::MODULE,
            EntityKind::Type => SymbolKind::STRUCT,
            EntityKind::Constructor => SymbolKind::ENUM_MEMBER,
            EntityKind::Alias => SymbolKind::CONSTANT,
            EntityKind::Rule => SymbolKind::EVENT,
            _ => continue,
        };
        // Type parameters are local.
        let local = entity.kind == EntityKind::Type && entity.scope.is_some();
        let Some(extent) = entity.extent.or(entity.definition).filter(|_| !local) else { continue };
        let name = entity.definition.filter(|name| extent.start <= name.start && name.end <= extent.end);
        let name = name.unwrap_or(extent);
        let symbol = DocumentSymbol {
            name: entity.name.to_string(),
            detail: entity.ty.map(|ty| xref.text(ty).to_owned()),
            kind,
            tags: None,
            deprecated: None,
            range: text.range(extent.start, extent.end),
            selection_range: text.range(name.start, name.end),
            children: None,
        };
        flat.push((extent.start, extent.end, symbol));
    }
    flat.sort_by_key(|&(start, end, _)| (start, std::cmp::Reverse(end)));
    nest(flat)
}

/// Makes each symbol a child of the innermost one that contains it.
fn nest(flat: Vec<(u32, u32, DocumentSymbol)>) -> Vec<DocumentSymbol> {
    let mut open: Vec<(u32, DocumentSymbol)> = Vec::new();
    let mut top = Vec::new();
    let close = |open: &mut Vec<(u32, DocumentSymbol)>, top: &mut Vec<DocumentSymbol>| {
        let Some((_, symbol)) = open.pop() else { return };
        match open.last_mut() {
            Some((_, parent)) => parent.children.get_or_insert_default().push(symbol),
            None => top.push(symbol),
        }
    };
    for (start, end, symbol) in flat {
        while open.last().is_some_and(|&(last, _)| last <= start) {
            close(&mut open, &mut top);
        }
        open.push((end, symbol));
    }
    while !open.is_empty() {
        close(&mut open, &mut top);
    }
    top
}

/// The definitions and other ranges that span several lines, and runs of comment lines; of those that start on the same line,
/// the longest.
pub(super) fn folding(query: &Query<'_>, _: FoldingRangeParams) -> Vec<FoldingRange> {
    let text = &query.snapshot.text;
    let mut ranges: Vec<(u32, u32, Option<FoldingRangeKind>)> = Vec::new();
    for fold in query.analyzed.xref.folds() {
        let range = text.range(fold.start, fold.end);
        ranges.push((range.start.line, range.end.line, None));
    }
    for (start, end) in (query.analyzed.language.lexicon().comments)(text.as_str()) {
        let range = text.range(start, end);
        ranges.push((range.start.line, range.end.line, Some(FoldingRangeKind::Comment)));
    }
    ranges.retain(|(start, end, _)| end > start);
    ranges.sort_by_key(|&(start, end, _)| (start, std::cmp::Reverse(end)));
    ranges.dedup_by_key(|range| range.0);
    let fold =
        |(start_line, end_line, kind)| FoldingRange { start_line, end_line, kind, ..Default::default() };
    ranges.into_iter().map(fold).collect()
}
