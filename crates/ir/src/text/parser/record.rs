//! Records cross references while a text is parsed: names of values, blocks, symbols, aliases and operations.
//!
//! A recording parser parses every line by itself: neither cached lines nor pieces in parallel, which skip the names.

use super::{ParseOptions, Parser};
use crate::text::op_parser::Unresolved;
use crate::text::print_type;
use crate::{Context, Module, OpKind, Traits, Type, Value};
use minoan_diag::{Diagnostics, FileId, SourceMap, Span};
use minoan_xref::{EntityId, EntityKind, Role, TextId, Xref};
use rustc_hash::FxHashMap;

/// Like [`parse_module`](super::parse_module); also returns the cross references, of a text with errors too.
pub fn parse_module_with_xref(
    ctx: &Context,
    sources: &SourceMap,
    file: FileId,
    options: &ParseOptions,
) -> (Result<Module, Diagnostics>, Xref) {
    let recorder = Some(Box::new(Recorder::new()));
    let (result, recorder) = super::parse_file(ctx, sources, file, options, recorder);
    let xref = recorder.map_or_else(Xref::default, |recorder| recorder.finish(ctx, sources, file));
    (result, xref)
}

/// The byte ranges of the comments of a text.
pub fn comments(text: &str) -> Vec<(u32, u32)> {
    let mut lexer = crate::text::lexer::Lexer::new(text);
    let tokens = std::iter::from_fn(|| Some(lexer.next()));
    let real = tokens.take_while(|token| token.kind != super::Tok::Eof);
    minoan_xref::comments(text, real.map(|token| (token.start, token.end)))
}

/// A symbol table: an operation with symbols, or the top level.
struct Table {
    parent: Option<usize>,
    symbols: FxHashMap<Box<str>, EntityId>,
}

/// A reference `@a::@b`: the parts with their locations, and the table where the search begins.
struct SymbolRef {
    parts: Vec<(Span, Box<str>)>,
    table: usize,
}

/// The state of a recording parser.
pub(super) struct Recorder {
    xref: Xref,
    /// Values by the start of their definition, or of their first use before that.
    values: FxHashMap<u32, EntityId>,
    types: FxHashMap<EntityId, Vec<Type>>,
    /// The definitions of values that were used before them.
    moved: FxHashMap<u32, u32>,
    uses: Vec<(Span, u32)>,
    /// Blocks by the start of their region and their name.
    blocks: FxHashMap<(u32, Box<str>), EntityId>,
    successors: Vec<(Span, u32, Box<str>)>,
    aliases: FxHashMap<Box<str>, EntityId>,
    alias_uses: Vec<(Span, Box<str>)>,
    tables: Vec<Table>,
    /// The open table.
    table: usize,
    /// The table of an operation, by the start of its name, and the symbol it defines.
    tables_of: FxHashMap<u32, usize>,
    symbols_of: FxHashMap<u32, EntityId>,
    table_of_symbol: FxHashMap<EntityId, usize>,
    refs: Vec<SymbolRef>,
    /// Strings in place of symbol names, in generic forms.
    names: Vec<(Span, Box<str>)>,
    /// The starts of the open regions, and for each definition there: scopes end with the region.
    regions: Vec<Vec<EntityId>>,
}

impl Recorder {
    pub(super) fn new() -> Self {
        Self {
            xref: Xref::default(),
            values: FxHashMap::default(),
            types: FxHashMap::default(),
            moved: FxHashMap::default(),
            uses: Vec::new(),
            blocks: FxHashMap::default(),
            successors: Vec::new(),
            aliases: FxHashMap::default(),
            alias_uses: Vec::new(),
            tables: vec![Table { parent: None, symbols: FxHashMap::default() }],
            table: 0,
            tables_of: FxHashMap::default(),
            symbols_of: FxHashMap::default(),
            table_of_symbol: FxHashMap::default(),
            refs: Vec::new(),
            names: Vec::new(),
            regions: Vec::new(),
        }
    }

    fn finish(mut self, ctx: &Context, sources: &SourceMap, file: FileId) -> Xref {
        let text = sources.file(file).text();
        let mut texts: FxHashMap<Type, TextId> = FxHashMap::default();
        for (&id, types) in &self.types {
            let mut text_of = |ty: Type| match texts.get(&ty) {
                Some(&text) => text,
                None => {
                    let text = self.xref.text_id(&print_type(ctx, ty));
                    texts.insert(ty, text);
                    text
                }
            };
            let ty = match types[..] {
                [ty] => text_of(ty),
                _ => {
                    let list: Vec<String> = types.iter().map(|&ty| print_type(ctx, ty)).collect();
                    self.xref.text_id(&format!("({})", list.join(", ")))
                }
            };
            self.xref.entity_mut(id).ty = Some(ty);
        }
        for (span, key) in self.uses {
            let key = self.moved.get(&key).copied().unwrap_or(key);
            if let Some(&id) = self.values.get(&key) {
                self.xref.refer(id, span, Role::Reference);
            }
        }
        for (span, open, name) in self.successors {
            if let Some(&id) = self.blocks.get(&(open, name)) {
                self.xref.refer(id, span, Role::Reference);
            }
        }
        for (span, name) in self.alias_uses {
            if let Some(&id) = self.aliases.get(&name) {
                self.xref.refer(id, span, Role::Reference);
            }
        }
        for SymbolRef { parts, table } in self.refs {
            let mut tables = vec![table];
            while let Some(parent) = tables.last().and_then(|&table| self.tables[table].parent) {
                tables.push(parent);
            }
            for (span, name) in parts {
                let find = |&table: &usize| self.tables[table].symbols.get(&name).copied();
                let Some(id) = tables.iter().find_map(find) else { break };
                if text.get(span.start as usize..span.end as usize).is_some() {
                    self.xref.refer(id, span, Role::Reference);
                }
                // The next part is in the table of this symbol.
                tables = self.table_of_symbol.get(&id).copied().into_iter().collect();
            }
        }
        self.xref.finish();
        self.xref
    }

    /// Adds an entity whose scope ends with the innermost open region.
    fn add_local(&mut self, name: &str, kind: EntityKind, span: Span, from: u32) -> EntityId {
        let id = self.xref.add(name, kind);
        self.xref.entity_mut(id).scope = Some(Span::new(span.file, from, u32::MAX));
        self.xref.define(id, span);
        if let Some(region) = self.regions.last_mut() {
            region.push(id);
        }
        id
    }
}

/// Hooks of the parser; without a recorder they do nothing.
impl Parser<'_> {
    fn name_span(name: &Unresolved) -> Span {
        Span { end: name.name_end, ..name.span }
    }

    #[inline]
    pub(super) fn is_recording(&self) -> bool {
        self.recorder.is_some()
    }

    pub(super) fn record_use(&mut self, name: &Unresolved) {
        if self.recorder.is_none() {
            return;
        }
        let key = self.key(name);
        let known = self.scopes.last().and_then(|scope| scope.get(key).or_else(|| scope.first(key)));
        let target = known.map_or(name.span.start, |known| known.span.start);
        if let Some(recorder) = &mut self.recorder {
            recorder.uses.push((Self::name_span(name), target));
        }
    }

    /// Records the definition of a value; `before` is the location of its first use, if that precedes it.
    #[cold]
    pub(super) fn record_value(&mut self, name: &Unresolved, value: Option<Value>, before: Option<Span>) {
        let span = Self::name_span(name);
        let text = self.text_of(span);
        let body = self.bodies.last();
        let ty = value.zip(body).map(|(value, body)| body.ty(value));
        let is_arg = value.zip(body).is_some_and(|(value, body)| body.defining_op(value).is_none());
        let Some(recorder) = &mut self.recorder else { return };
        let id = match recorder.values.get(&span.start) {
            Some(&id) => id,
            None => {
                let kind = if is_arg { EntityKind::Parameter } else { EntityKind::Variable };
                let id = recorder.add_local(text, kind, span, span.start);
                recorder.values.insert(span.start, id);
                id
            }
        };
        if let Some(ty) = ty {
            let types = recorder.types.entry(id).or_default();
            // Each result of `%a:2` is defined once, in order.
            if types.len() == name.number as usize {
                types.push(ty);
            }
        }
        if let Some(before) = before {
            recorder.moved.insert(before.start, span.start);
        }
    }

    pub(super) fn record_successor(&mut self, name: &str, span: Span) {
        let open = self.blocks.last().map_or(0, |scope| scope.open);
        if let Some(recorder) = &mut self.recorder {
            recorder.successors.push((span, open, name.into()));
        }
    }

    pub(super) fn record_block(&mut self, name: &str, span: Span) {
        let open = self.blocks.last().map_or(0, |scope| scope.open);
        let Some(recorder) = &mut self.recorder else { return };
        let id = recorder.add_local(name, EntityKind::Block, span, open);
        recorder.blocks.entry((open, name.into())).or_insert(id);
    }

    pub(super) fn record_region_start(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.regions.push(Vec::new());
        }
    }

    pub(super) fn record_region_end(&mut self) {
        let end = self.tok.start;
        let Some(recorder) = &mut self.recorder else { return };
        for id in recorder.regions.pop().unwrap_or_default() {
            if let Some(scope) = &mut recorder.xref.entity_mut(id).scope {
                scope.end = end.max(scope.start);
            }
        }
    }

    pub(super) fn record_op(&mut self, kind: OpKind, span: Span) {
        if self.recorder.is_some() {
            let name = self.ctx.kind_name(kind);
            if let Some(recorder) = &mut self.recorder {
                let id = recorder.xref.provided(name, EntityKind::Operation);
                recorder.xref.refer(id, span, Role::Reference);
            }
        }
    }

    /// Opens the symbol table of an operation, whose name starts at `op`; returns the table to be restored.
    pub(super) fn record_table(&mut self, kind: OpKind, op: u32) -> Option<usize> {
        let is_table = self.ctx.info(kind).is_some_and(|info| info.traits.has(Traits::SYMBOL_TABLE));
        let recorder = self.recorder.as_mut().filter(|_| is_table)?;
        let outer = recorder.table;
        recorder.table = match recorder.tables_of.get(&op) {
            Some(&table) => table,
            None => {
                recorder.tables.push(Table { parent: Some(outer), symbols: FxHashMap::default() });
                let table = recorder.tables.len() - 1;
                recorder.tables_of.insert(op, table);
                table
            }
        };
        Some(outer)
    }

    pub(super) fn restore_table(&mut self, outer: Option<usize>) {
        if let (Some(recorder), Some(outer)) = (&mut self.recorder, outer) {
            recorder.table = outer;
        }
    }

    /// Records that the `@name` at `span` is the symbol of the operation whose name starts at `op`.
    pub(crate) fn record_symbol(&mut self, name: &str, span: Span, kind: OpKind, op: u32) {
        let is_function = self.ctx.info(kind).is_some_and(|info| info.traits.has(Traits::FUNCTION_LIKE));
        let Some(recorder) = &mut self.recorder else { return };
        let kind = if is_function { EntityKind::Function } else { EntityKind::Symbol };
        let id = recorder.xref.add(&format!("@{name}"), kind);
        recorder.xref.define(id, span);
        recorder.tables[recorder.table].symbols.entry(name.into()).or_insert(id);
        recorder.symbols_of.insert(op, id);
    }

    /// Records a string that may be the symbol name of an operation in generic form.
    pub(super) fn record_symbol_string(&mut self) {
        let (span, text) = (self.span(), self.spelling());
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("").into();
        if let Some(recorder) = &mut self.recorder {
            recorder.names.push((Span { start: span.start + 1, end: span.end - 1, ..span }, inner));
        }
    }

    /// Adds the current token to the parts of a symbol reference.
    #[inline]
    pub(super) fn record_part(&self, parts: &mut Vec<(Span, Box<str>)>) {
        if self.recorder.is_some() {
            parts.push((self.span(), self.spelling().trim_matches(['@', '"']).into()));
        }
    }

    pub(super) fn record_symbol_ref(&mut self, parts: Vec<(Span, Box<str>)>) {
        if let Some(recorder) = self.recorder.as_mut().filter(|_| !parts.is_empty()) {
            recorder.refs.push(SymbolRef { parts, table: recorder.table });
        }
    }

    /// Records the extent of an operation that has been parsed, and the type of the function that it defines.
    #[cold]
    pub(super) fn record_finished(&mut self, kind: OpKind, name: Span, has_blocks: bool, ty: Option<Type>) {
        let ctx = self.ctx;
        let is_symbol = ctx.info(kind).is_some_and(|info| info.traits.has(Traits::SYMBOL));
        let extent = self.span_from(name.start);
        let Some(recorder) = &mut self.recorder else { return };
        if has_blocks {
            recorder.xref.fold(extent);
        }
        let mut string = None;
        while let Some(last) = recorder.names.pop_if(|(span, _)| span.start > name.start) {
            string = Some(last);
        }
        if let (true, Some((span, text)), None) = (is_symbol, string, recorder.symbols_of.get(&name.start)) {
            self.record_symbol(&text, span, kind, name.start);
        }
        let Some(recorder) = &mut self.recorder else { return };
        if let Some(&id) = recorder.symbols_of.get(&name.start) {
            if let Some(&table) = recorder.tables_of.get(&name.start) {
                recorder.table_of_symbol.insert(id, table);
            }
            let ty = ty.map(|ty| recorder.xref.text_id(&print_type(ctx, ty)));
            let entity = recorder.xref.entity_mut(id);
            (entity.extent, entity.ty) = (Some(extent), ty);
            if entity.kind == EntityKind::Function && !has_blocks {
                entity.kind = EntityKind::External;
            }
        }
    }

    pub(super) fn record_alias_use(&mut self, name: &str, span: Span) {
        if let Some(recorder) = &mut self.recorder {
            recorder.alias_uses.push((span, name.into()));
        }
    }

    pub(super) fn record_alias_definition(&mut self, name: &str, span: Span) {
        let Some(recorder) = &mut self.recorder else { return };
        let kind = if name.starts_with('!') { EntityKind::Type } else { EntityKind::Alias };
        let id = recorder.xref.add(name, kind);
        recorder.xref.define(id, span);
        recorder.aliases.entry(name.into()).or_insert(id);
    }
}
