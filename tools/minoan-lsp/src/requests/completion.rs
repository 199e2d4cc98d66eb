//! Completion: names in scope, and the operations, operators, builtins and types of the language.

use super::Query;
use crate::docs;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, CompletionResponse,
    CompletionTextEdit, Documentation, MarkupContent, MarkupKind, Range, TextEdit,
};
use minoan::dialects::iexpr::Operator;
use minoan::dialects::relay::operators;
use minoan::knossos::{PRELUDE, Prim};
use minoan::language::Lexicon;
use minoan::xref::EntityKind;
use rustc_hash::FxHashSet;

/// The maximum number of items; the client asks again for the rest of a longer list when more of the word is typed.
const MAX_ITEMS: usize = 500;

/// The types of MLIR that need no dialect prefix.
const MLIR_TYPES: [&str; 16] = [
    "i1", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64", "tensor", "memref", "vector",
    "tuple", "complex", "none",
];

struct Items<'a, 'q> {
    query: &'a Query<'q>,
    language: &'static str,
    lexicon: Lexicon,
    /// The word before the cursor.
    word: String,
    range: Range,
    seen: FxHashSet<String>,
    list: Vec<CompletionItem>,
}

pub(super) fn completion(query: &Query<'_>, params: CompletionParams) -> CompletionResponse {
    let text = &query.snapshot.text;
    let offset = text.offset(params.text_document_position.position);
    let language = query.analyzed.language.name();
    let before = &text.as_str()[..offset as usize];
    let lexicon = query.analyzed.language.lexicon();
    let mut start = before.trim_end_matches(lexicon.continues_name).len();
    let sigil = before[..start].chars().next_back().filter(|&c| lexicon.is_sigil(c));
    start -= sigil.map_or(0, char::len_utf8);
    let word = before[start..].to_owned();
    let range = text.range(start as u32, offset);
    // There is no completion in comments.
    let comments = (lexicon.comments)(text.as_str());
    if comments.iter().any(|&(start, end)| start < offset && offset <= end) {
        return CompletionResponse::Array(Vec::new());
    }
    let mut items =
        Items { query, language, lexicon, word, range, seen: FxHashSet::default(), list: Vec::new() };
    // An unfinished form ends with its last token, and the cursor after the space that follows that token is still inside.
    let typed = before.trim_end();
    let at_end = text.as_str()[offset as usize..].trim().is_empty() && !typed.ends_with([')', '}', ']']);
    items.names(if at_end { typed.len() as u32 } else { offset }, sigil);
    match (language, sigil) {
        ("knossos", _) => items.knossos(),
        ("relay", None) => items.relay(&before[..start]),
        ("iexpr", _) => items.iexpr(&before[..start]),
        ("mlir", None) => items.mlir(&before[..start]),
        (_, Some(sigil)) => items.spelled(sigil, start),
        _ => {}
    }
    let mut items = items.list;
    if items.len() <= MAX_ITEMS {
        return CompletionResponse::Array(items);
    }
    items.truncate(MAX_ITEMS);
    CompletionResponse::List(CompletionList { is_incomplete: true, items })
}

impl Items<'_, '_> {
    fn add(&mut self, label: &str, kind: CompletionItemKind, detail: Option<String>, doc: Option<String>) {
        if !is_subsequence(&self.word, label) || !self.seen.insert(label.to_owned()) {
            return;
        }
        let markup =
            |value| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value });
        self.list.push(CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            detail,
            documentation: doc.map(markup),
            sort_text: Some(format!("{:05}", self.list.len())),
            filter_text: Some(label.to_owned()),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(self.range, label.to_owned()))),
            ..CompletionItem::default()
        });
    }

    /// The names of the program that are visible here, innermost first.
    fn names(&mut self, offset: u32, sigil: Option<char>) {
        let xref = &self.query.analyzed.xref;
        for id in xref.visible(offset) {
            let entity = xref.entity(id);
            let has = entity.name.chars().next().filter(|&c| self.lexicon.is_sigil(c));
            if sigil.is_some() && has != sigil {
                continue;
            }
            let kind = match entity.kind {
                EntityKind::Function | EntityKind::External => CompletionItemKind::FUNCTION,
                EntityKind::Variable | EntityKind::Parameter => CompletionItemKind::VARIABLE,
                EntityKind::Type | EntityKind::Alias => CompletionItemKind::STRUCT,
                EntityKind::Constructor => CompletionItemKind::ENUM_MEMBER,
                EntityKind::Block => CompletionItemKind::REFERENCE,
                EntityKind::Symbol => CompletionItemKind::MODULE,
                _ => continue,
            };
            let detail = entity.ty.map(|ty| xref.text(ty).to_owned());
            self.add(&entity.name, kind, detail, None);
        }
    }

    /// The other names with this sigil in the text. They are found without the parser, which may fail in the function around
    /// the cursor.
    fn spelled(&mut self, sigil: char, cursor: usize) {
        let text = self.query.snapshot.text.as_str();
        for (at, _) in text.match_indices(sigil).filter(|&(at, _)| at != cursor) {
            let rest = &text[at + sigil.len_utf8()..];
            let length = rest.find(|c| !(self.lexicon.continues_name)(c)).unwrap_or(rest.len());
            if length > 0 && self.list.len() < MAX_ITEMS {
                let name = format!("{sigil}{}", &rest[..length]);
                self.add(&name, CompletionItemKind::TEXT, None, None);
            }
        }
    }

    fn keywords(&mut self) {
        for word in self.lexicon.keywords.clone() {
            self.add(word, CompletionItemKind::KEYWORD, None, None);
        }
    }

    fn documented(&mut self, name: &str, kind: EntityKind, shown: CompletionItemKind) {
        let ctx = self.query.shared.analyzer.context();
        let doc = docs::documentation(&ctx, self.language, kind, name);
        let label = name.rsplit(':').next().unwrap_or(name).to_owned();
        self.add(&label, shown, None, doc);
    }

    fn knossos(&mut self) {
        for overload in PRELUDE {
            self.documented(overload.name, EntityKind::Builtin, CompletionItemKind::FUNCTION);
        }
        for (name, _) in Prim::NAMED {
            self.documented(name, EntityKind::Builtin, CompletionItemKind::FUNCTION);
        }
        self.keywords();
    }

    /// Operators, and inside of the arguments of an operator its attributes.
    fn relay(&mut self, before: &str) {
        let callee = enclosing_call(before, &self.lexicon);
        if let Some(operator) = callee.and_then(operators::find) {
            for field in operator.fields {
                let name = format!("{}:{}", operator.name, field.name);
                self.documented(&name, EntityKind::Attribute, CompletionItemKind::PROPERTY);
            }
        }
        let word = self.word.clone();
        for operator in operators::all().filter(|operator| is_subsequence(&word, operator.name)) {
            self.documented(operator.name, EntityKind::Builtin, CompletionItemKind::FUNCTION);
        }
        self.keywords();
    }

    /// The operators of i-expressions inside of one, combinators elsewhere.
    fn iexpr(&mut self, before: &str) {
        let line = before.rsplit('\n').next().unwrap_or("");
        if line.matches('"').count() % 2 == 1 {
            self.list.clear();
            if line.ends_with('"') {
                for operator in Operator::ALL {
                    let doc = operator.documentation().to_owned();
                    self.add(
                        operator.symbol(),
                        CompletionItemKind::OPERATOR,
                        Some(operator.name().to_owned()),
                        Some(doc),
                    );
                }
            }
            return;
        }
        self.documented("I", EntityKind::Builtin, CompletionItemKind::FUNCTION);
        for combinator in [">>", "<<", "&", "|"] {
            self.documented(combinator, EntityKind::Builtin, CompletionItemKind::OPERATOR);
        }
        self.add("i", CompletionItemKind::KEYWORD, Some("i-expression".to_owned()), None);
    }

    /// Operations where one can begin, the attributes of the operation of this line in a dictionary, types elsewhere.
    fn mlir(&mut self, before: &str) {
        let line = before.rsplit('\n').next().unwrap_or("");
        let code = line.rsplit('=').next().unwrap_or("");
        let begins = line.trim().is_empty() || line.trim_end().ends_with(['=', '{', '}']);
        let ctx = self.query.shared.analyzer.context();
        let word = self.word.clone();
        let in_dictionary = code.rfind('{').is_some_and(|open| !code[open..].contains('}'));
        let operation = line
            .trim_start()
            .split(['=', ' ', '('])
            .map(str::trim)
            .find(|word| ctx.registered_kind(word).is_some());
        if let (true, Some(name)) = (in_dictionary, operation)
            && let Some(spec) = ctx.registered_kind(name).and_then(|kind| ctx.info(kind)?.spec)
        {
            for attr in spec.attrs {
                let detail = attr.constraint.description.to_owned();
                self.add(attr.name, CompletionItemKind::PROPERTY, Some(detail), None);
            }
        }
        if begins || word.contains('.') {
            for kind in ctx.registered_kinds() {
                let name = ctx.kind_name(kind);
                if !is_subsequence(&word, name) {
                    continue;
                }
                let summary = ctx.info(kind).and_then(|info| info.spec).map(|spec| spec.summary.to_owned());
                self.add(name, CompletionItemKind::KEYWORD, None, summary);
            }
        }
        for ty in MLIR_TYPES {
            self.add(ty, CompletionItemKind::STRUCT, None, None);
        }
    }
}

/// Whether the letters of `word` occur in `label` in this order, regardless of case.
fn is_subsequence(word: &str, label: &str) -> bool {
    let mut letters = label.chars().flat_map(char::to_lowercase);
    word.chars().flat_map(char::to_lowercase).all(|c| letters.any(|letter| letter == c))
}

/// The name before the innermost parenthesis that is open at the end of a text.
fn enclosing_call<'t>(before: &'t str, lexicon: &Lexicon) -> Option<&'t str> {
    const MAX_DISTANCE: usize = 4096;
    let mut depth = 0;
    for (at, c) in before.char_indices().rev().take(MAX_DISTANCE) {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' if depth == 0 => {
                let head = &before[..at];
                let start = head.trim_end_matches(lexicon.continues_name).len();
                return Some(&head[start..]);
            }
            '(' | '[' | '{' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    None
}
