//! Aliases: affine maps, integer sets, `distinct` attributes, locations and dialects' attributes are defined once.

use super::Writer;
use super::locations::loc_children;
use crate::with_stack;
use crate::{Attr, AttrData, Body, Context, Declared, Loc, OpRef, Piece, Type, TypeData, TypeOrAttr};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Symbol {
    Type(Type),
    Attr(Attr),
    Loc(Loc),
}

struct Entry {
    symbol: Symbol,
    prefix: &'static str,
    /// The nesting depth of aliases in it.
    depth: usize,
    /// Whether it may be defined after the operation.
    deferrable: bool,
}

/// The aliases encountered so far, in text order.
#[derive(Default)]
pub(super) struct Collector {
    entries: Vec<Entry>,
    at: FxHashMap<Symbol, usize>,
    /// The depth of attributes without an alias, and whether their parts may be deferred; cached, since parts may be
    /// shared.
    attrs: FxHashMap<(Attr, bool), usize>,
    types: FxHashMap<Type, usize>,
}

/// The assigned aliases.
#[derive(Default)]
pub(super) struct Aliases {
    names: FxHashMap<Symbol, (&'static str, usize)>,
    /// In order of definition, with whether the definition follows the operation.
    order: Vec<(Symbol, bool)>,
}

impl Collector {
    fn visit(&mut self, ctx: &Context, symbol: Symbol, deferrable: bool) -> usize {
        if let Some(&at) = self.at.get(&symbol) {
            if !deferrable && self.entries[at].deferrable {
                self.entries[at].deferrable = false;
                with_stack(|| self.children(ctx, symbol, false));
            }
            return self.entries[at].depth + 1;
        }
        let prefix = match symbol {
            Symbol::Loc(_) => "loc",
            Symbol::Type(ty) => type_prefix(ty.data(ctx)).unwrap_or("tuple"),
            Symbol::Attr(attr) => match attr.data(ctx) {
                AttrData::AffineMap(_) => "map",
                AttrData::IntegerSet(_) => "set",
                data => dialect_prefix(ctx, data).unwrap_or("distinct"),
            },
        };
        let at = self.entries.len();
        self.at.insert(symbol, at);
        self.entries.push(Entry { symbol, prefix, depth: 0, deferrable });
        let depth = with_stack(|| self.children(ctx, symbol, deferrable));
        self.entries[at].depth = depth;
        depth + 1
    }

    fn children(&mut self, ctx: &Context, symbol: Symbol, deferrable: bool) -> usize {
        match symbol {
            Symbol::Loc(loc) => {
                let (locs, metadata) = loc_children(ctx, loc);
                let metadata = metadata.map_or(0, |attr| self.inside(ctx, attr, deferrable));
                let deepest = locs.into_iter().map(|loc| self.visit(ctx, Symbol::Loc(loc), deferrable)).max();
                deepest.unwrap_or(0).max(metadata)
            }
            Symbol::Type(ty) => self.inside_type(ctx, ty),
            Symbol::Attr(attr) => match attr.data(ctx) {
                AttrData::Distinct { referenced, .. } => self.inside(ctx, *referenced, deferrable),
                AttrData::Structured { pieces, .. } => self.inside_pieces(ctx, pieces, deferrable),
                AttrData::Declared(declared) => self.inside_declared(ctx, declared, deferrable),
                _ => 0,
            },
        }
    }

    /// Visits a type and the aliases in it.
    fn inside_type(&mut self, ctx: &Context, ty: Type) -> usize {
        if let Some(&known) = self.types.get(&ty) {
            return known;
        }
        let mut deepest = 0;
        for_aliasable_parts(ctx, ty, &mut |part| {
            deepest = with_stack(|| self.part(ctx, part, false)).max(deepest);
        });
        self.types.insert(ty, deepest);
        deepest
    }

    /// Visits a part of a type or attribute.
    fn part(&mut self, ctx: &Context, part: TypeOrAttr, deferrable: bool) -> usize {
        match part {
            TypeOrAttr::Type(ty) if is_aliased(ctx, ty) => self.visit(ctx, Symbol::Type(ty), false),
            TypeOrAttr::Type(ty) => self.inside_type(ctx, ty),
            TypeOrAttr::Attr(attr) => self.inside(ctx, attr, deferrable),
        }
    }

    /// Visits the aliases in a declared attribute.
    fn inside_declared(&mut self, ctx: &Context, declared: &Declared, deferrable: bool) -> usize {
        let mut deepest = 0;
        declared.for_each_aliasable(&mut |part| {
            deepest = with_stack(|| self.part(ctx, part, deferrable)).max(deepest);
        });
        deepest
    }

    /// Visits the aliases in an attribute of a dialect that is not loaded.
    fn inside_pieces(&mut self, ctx: &Context, pieces: &[Piece], deferrable: bool) -> usize {
        let inside = aliasable(pieces).map(|attr| with_stack(|| self.inside(ctx, attr, deferrable)));
        inside.max().unwrap_or(0)
    }

    /// Visits the aliases in an attribute that has no alias itself.
    fn inside(&mut self, ctx: &Context, attr: Attr, deferrable: bool) -> usize {
        if let Some(symbol) = symbol_of(ctx, attr) {
            return self.visit(ctx, symbol, deferrable);
        }
        if let Some(&known) = self.attrs.get(&(attr, deferrable)) {
            return known;
        }
        let depth = self.inside_parts(ctx, attr, deferrable);
        self.attrs.insert((attr, deferrable), depth);
        depth
    }

    fn inside_parts(&mut self, ctx: &Context, attr: Attr, deferrable: bool) -> usize {
        match attr.data(ctx) {
            AttrData::Array(elements) => elements
                .iter()
                .map(|&attr| with_stack(|| self.inside(ctx, attr, deferrable)))
                .max()
                .unwrap_or(0),
            AttrData::Dictionary(entries) => {
                let inside =
                    entries.iter().map(|&(_, attr)| with_stack(|| self.inside(ctx, attr, deferrable)));
                inside.max().unwrap_or(0)
            }
            AttrData::Structured { pieces, .. } => self.inside_pieces(ctx, pieces, deferrable),
            AttrData::Declared(declared) => self.inside_declared(ctx, declared, deferrable),
            data => {
                let ty = match data {
                    AttrData::Type(ty) => Some(*ty),
                    _ => attr.value_type(ctx),
                };
                match ty {
                    Some(ty) if is_aliased(ctx, ty) => self.visit(ctx, Symbol::Type(ty), false),
                    Some(ty) => self.inside_type(ctx, ty),
                    None => 0,
                }
            }
        }
    }
}

/// Whether an attribute has an alias by its kind; if none was ever created, the printer need not search.
pub(crate) fn may_have_alias(ctx: &Context, data: &AttrData) -> bool {
    match data {
        AttrData::Location(_)
        | AttrData::Distinct { .. }
        | AttrData::AffineMap(_)
        | AttrData::IntegerSet(_) => true,
        AttrData::Declared(_) | AttrData::Opaque { .. } | AttrData::Structured { .. } => {
            dialect_prefix(ctx, data).is_some()
        }
        _ => false,
    }
}

/// The alias prefix of a dialect's attribute; `None` if it is printed in place.
fn dialect_prefix(ctx: &Context, data: &AttrData) -> Option<&'static str> {
    let (dialect, text) = match data {
        AttrData::Declared(declared) => return declared.spec().alias,
        AttrData::Opaque { dialect, text, .. } => (dialect, text),
        AttrData::Structured { dialect, pieces } => match pieces.first() {
            Some(Piece::Text(text)) => (dialect, text),
            _ => return None,
        },
        _ => return None,
    };
    ctx.foreign(dialect.as_str(ctx))?.alias(text.as_str(ctx))
}

/// The nested attributes of a dialect's attribute that may be printed as aliases.
fn aliasable(pieces: &[Piece]) -> impl Iterator<Item = Attr> {
    pieces.iter().filter_map(|piece| match *piece {
        Piece::Attr(attr) => Some(attr),
        Piece::Text(_) | Piece::Unaliased(_) => None,
    })
}

/// The alias prefix of a type: a tuple with more than 16 elements, or a type whose dialect has one.
pub(crate) fn type_prefix(data: &TypeData) -> Option<&'static str> {
    match data {
        TypeData::Tuple(elements) if elements.len() > 16 => Some("tuple"),
        TypeData::Declared(declared) => declared.spec().alias,
        _ => None,
    }
}

fn is_aliased(ctx: &Context, ty: Type) -> bool {
    type_prefix(ty.data(ctx)).is_some()
}

/// Calls `each` for the types and attributes in a type that may be printed by aliases.
fn for_aliasable_parts(ctx: &Context, ty: Type, each: &mut dyn FnMut(TypeOrAttr)) {
    match ty.declared(ctx) {
        Some(declared) => declared.for_each_aliasable(each),
        None => ty.for_each_sub_element(ctx, each),
    }
}

/// The alias symbol of an attribute; `None` if it is printed in place.
fn symbol_of(ctx: &Context, attr: Attr) -> Option<Symbol> {
    match attr.data(ctx) {
        AttrData::Location(loc) => Some(Symbol::Loc(*loc)),
        AttrData::Distinct { referenced, .. } if *referenced == Attr::UNIT => None,
        AttrData::AffineMap(_) | AttrData::IntegerSet(_) | AttrData::Distinct { .. } => {
            Some(Symbol::Attr(attr))
        }
        data => dialect_prefix(ctx, data).map(|_| Symbol::Attr(attr)),
    }
}

impl From<Collector> for Aliases {
    fn from(collector: Collector) -> Self {
        let mut entries = collector.entries;
        // Types precede attributes of equal depth.
        let is_attr = |entry: &Entry| !matches!(entry.symbol, Symbol::Type(_));
        entries.sort_by_key(|entry| (entry.depth, is_attr(entry), entry.prefix));
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        let mut aliases = Aliases::default();
        for Entry { symbol, prefix, deferrable, .. } in entries {
            let count = counts.entry(prefix).or_default();
            aliases.names.insert(symbol, (prefix, *count));
            aliases.order.push((symbol, deferrable));
            *count += 1;
        }
        aliases
    }
}

impl Writer<'_> {
    fn alias(&mut self, symbol: Symbol, deferrable: bool) -> bool {
        if let Some(mut collector) = self.collector.take() {
            collector.visit(self.ctx, symbol, deferrable);
            self.collector = Some(collector);
            return true;
        }
        let Some(&(prefix, number)) = self.aliases.names.get(&symbol) else { return false };
        self.alias_name(symbol, prefix, number);
        true
    }

    fn alias_name(&mut self, symbol: Symbol, prefix: &str, number: usize) {
        self.text(if matches!(symbol, Symbol::Type(_)) { "!" } else { "#" });
        self.text(prefix);
        if number > 0 {
            if prefix.ends_with(|last: char| last.is_ascii_digit()) {
                self.text("_");
            }
            super::write_int(&mut self.out, number as i64);
        }
    }

    /// Prints an attribute as its alias, if it has one.
    pub(crate) fn attr_alias(&mut self, attr: Attr) -> bool {
        if self.collector.is_none() && self.aliases.order.is_empty() {
            return false;
        }
        symbol_of(self.ctx, attr).is_some_and(|symbol| self.alias(symbol, false))
    }

    /// Prints a type as its alias, if it has one.
    pub(crate) fn type_alias(&mut self, ty: Type) -> bool {
        if self.collector.is_none() && self.aliases.order.is_empty() {
            return false;
        }
        is_aliased(self.ctx, ty) && self.alias(Symbol::Type(ty), false)
    }

    /// Prints without aliases.
    pub(crate) fn without_aliases(&mut self, write: impl FnOnce(&mut Self)) {
        let (collector, aliases) = (self.collector.take(), std::mem::take(&mut self.aliases));
        write(self);
        self.collector = collector;
        self.aliases = aliases;
    }

    pub(super) fn loc_alias(&mut self, loc: Loc) -> bool {
        self.alias(Symbol::Loc(loc), true)
    }

    /// Ensures that a location has an alias defined before the operation, although it is printed in place.
    pub(super) fn note_loc(&mut self, loc: Loc) {
        if self.collector.is_some() {
            self.alias(Symbol::Loc(loc), false);
        }
    }

    pub(super) fn alias_definitions(&mut self, deferred: bool) {
        let order = std::mem::take(&mut self.aliases.order);
        // The names are needed while the definitions are printed.
        self.aliases.order = order.clone();
        for (symbol, deferrable) in order {
            if deferrable != deferred {
                continue;
            }
            let Some((prefix, number)) = self.aliases.names.remove(&symbol) else { continue };
            self.parts = 0;
            self.alias_name(symbol, prefix, number);
            self.text(" = ");
            match symbol {
                Symbol::Type(ty) => self.ty(ty),
                Symbol::Attr(attr) => self.attr(attr),
                Symbol::Loc(loc) => self.loc_with_keyword(loc, false),
            }
            self.text("\n");
            self.aliases.names.insert(symbol, (prefix, number));
        }
    }
}

/// Whether anything in an operation has an alias if locations are not printed.
pub(super) fn are_needed(op: OpRef<'_>) -> bool {
    if !op.context().has_aliases() {
        return false;
    }
    let mut search = Search { ctx: op.context(), attrs: FxHashMap::default(), types: FxHashMap::default() };
    if search.op(op) {
        return true;
    }
    let mut bodies: Vec<&Body> = Vec::new();
    let (body, regions) = op.inside();
    if std::ptr::eq(body, op.body()) {
        // Not isolated: the rest of the body is searched, too, which only costs time.
        if !regions.is_empty() {
            bodies.push(body);
        }
    } else {
        bodies.push(body);
    }
    while let Some(body) = bodies.pop() {
        for op in body.walk() {
            let op = body.op(op);
            if search.op(op) {
                return true;
            }
            bodies.extend(op.nested());
            let (inside, regions) = op.inside();
            if op.nested().is_none() {
                for block in regions.into_iter().flat_map(|region| inside.region(region).blocks()) {
                    if inside.block(block).args().any(|arg| search.ty(inside.ty(arg))) {
                        return true;
                    }
                }
            }
        }
        for block in body.regions().flat_map(|region| body.region(region).blocks()) {
            if body.block(block).args().any(|arg| search.ty(body.ty(arg))) {
                return true;
            }
        }
    }
    false
}

struct Search<'c> {
    ctx: &'c Context,
    attrs: FxHashMap<Attr, bool>,
    types: FxHashMap<Type, bool>,
}

impl Search<'_> {
    fn op(&mut self, op: OpRef<'_>) -> bool {
        self.attr(op.props())
            || self.attr(op.attrs())
            || op.result_types().any(|ty| self.ty(ty))
            || op.operand_types().any(|ty| self.ty(ty))
    }

    fn attr(&mut self, attr: Attr) -> bool {
        if attr == Attr::EMPTY {
            return false;
        }
        if let Some(&known) = self.attrs.get(&attr) {
            return known;
        }
        let found = symbol_of(self.ctx, attr).is_some()
            || with_stack(|| match attr.data(self.ctx) {
                AttrData::Array(elements) => elements.iter().any(|&attr| self.attr(attr)),
                AttrData::Dictionary(entries) => entries.iter().any(|&(_, attr)| self.attr(attr)),
                AttrData::Type(ty) => self.ty(*ty),
                AttrData::Structured { pieces, .. } => aliasable(pieces).any(|attr| self.attr(attr)),
                AttrData::Declared(declared) => {
                    let mut found = false;
                    declared.for_each_aliasable(&mut |part| found = found || self.part(part));
                    found
                }
                _ => attr.value_type(self.ctx).is_some_and(|ty| self.ty(ty)),
            });
        self.attrs.insert(attr, found);
        found
    }

    fn ty(&mut self, ty: Type) -> bool {
        if ty.is_float(self.ctx) || ty.integer_width(self.ctx).is_some() {
            return false;
        }
        if let Some(&known) = self.types.get(&ty) {
            return known;
        }
        let mut found = is_aliased(self.ctx, ty);
        for_aliasable_parts(self.ctx, ty, &mut |part| found = found || with_stack(|| self.part(part)));
        self.types.insert(ty, found);
        found
    }

    fn part(&mut self, part: TypeOrAttr) -> bool {
        match part {
            TypeOrAttr::Type(ty) => self.ty(ty),
            TypeOrAttr::Attr(attr) => self.attr(attr),
        }
    }
}
