//! Cross references of a source file: its [entities](Entity), their [occurrences](Occurrence), the types of its
//! expressions, and the ranges that can be folded, all by span.
//!
//! The front ends and the parser of MLIR's text fill an [`Xref`] with what they resolved, so editors need no parser
//! of their own. A file with errors has the cross references of what could be resolved.
//!
//! Guarantees after [`Xref::finish`]:
//! * Occurrences are sorted by position and do not overlap; at most one begins at each position.
//! * Types are sorted by position, outer ranges first.
//! * Lookups by position take logarithmic time, plus the nesting depth for types.
//!
//! ```
//! use minoan_diag::{FileId, Span};
//! use minoan_xref::{EntityKind, Role, Xref};
//! let span = |start, end| Span::new(FileId(0), start, end);
//! let mut xref = Xref::default();
//! let x = xref.add("x", EntityKind::Variable);
//! xref.define(x, span(5, 6));
//! xref.refer(x, span(9, 10), Role::Reference);
//! xref.finish();
//! assert_eq!(xref.at(9).map(|found| found.entity), Some(x));
//! assert_eq!(xref.references(x).count(), 2);
//! ```
#![forbid(unsafe_code)]

use minoan_diag::Span;
use rustc_hash::FxHashMap;

/// The id of an entity in an [`Xref`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EntityId(pub u32);

/// The id of an interned text, such as that of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TextId(u32);

/// The kind of an entity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EntityKind {
    /// A function, or another symbol of MLIR that is callable.
    Function,
    /// A declared function that another file defines.
    External,
    /// A symbol of MLIR that is not a function.
    Symbol,
    /// A local variable or an SSA value.
    Variable,
    /// A parameter of a function or lambda, or a block argument.
    Parameter,
    /// A block.
    Block,
    /// A data type or type alias.
    Type,
    /// A constructor of a data type.
    Constructor,
    /// An attribute alias.
    Alias,
    /// A rewrite rule.
    Rule,
    /// A function, operator or primitive of the language.
    Builtin,
    /// An operation of a dialect.
    Operation,
    /// A named attribute of an operator; the entity's name is `operator:attribute`.
    Attribute,
}

/// The relation between an occurrence of a name and its entity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Defines the entity.
    Definition,
    /// Declares an entity that is defined elsewhere.
    Declaration,
    /// Uses the entity.
    Reference,
}

/// A named thing.
#[derive(Clone, PartialEq, Debug)]
pub struct Entity {
    /// The name as written, including its sigil.
    pub name: Box<str>,
    /// The kind.
    pub kind: EntityKind,
    /// The location of the name in its definition or declaration; `None` for what the language provides.
    pub definition: Option<Span>,
    /// The location of the whole definition.
    pub extent: Option<Span>,
    /// The range in which the name is visible; `None` if that is the whole file.
    pub scope: Option<Span>,
    /// The type or signature.
    pub ty: Option<TextId>,
    /// Whether the type is inferred at the definition, where an editor may show it.
    pub inferred: bool,
    /// Entities with equal groups are renamed together, such as a declaration and its definition.
    pub group: EntityId,
}

/// An occurrence of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// The location of the name.
    pub span: Span,
    /// The entity.
    pub entity: EntityId,
    /// The relation to the entity.
    pub role: Role,
}

/// The cross references of a file.
#[derive(Clone, Default, Debug)]
pub struct Xref {
    entities: Vec<Entity>,
    occurrences: Vec<Occurrence>,
    types: Vec<(Span, TextId)>,
    folds: Vec<Span>,
    texts: Vec<Box<str>>,
    text_ids: FxHashMap<Box<str>, TextId>,
    provided: FxHashMap<(EntityKind, Box<str>), EntityId>,
}

impl Xref {
    /// Adds an entity without a definition.
    pub fn add(&mut self, name: &str, kind: EntityKind) -> EntityId {
        let id = EntityId(self.entities.len() as u32);
        self.entities.push(Entity {
            name: name.into(),
            kind,
            definition: None,
            extent: None,
            scope: None,
            ty: None,
            inferred: false,
            group: id,
        });
        id
    }

    /// The entity of a function, operator or operation that the language provides; one per kind and name.
    pub fn provided(&mut self, name: &str, kind: EntityKind) -> EntityId {
        if let Some(&id) = self.provided.get(&(kind, name.into())) {
            return id;
        }
        let id = self.add(name, kind);
        self.provided.insert((kind, name.into()), id);
        id
    }

    /// Sets the location of the definition and records the occurrence there.
    pub fn define(&mut self, id: EntityId, span: Span) {
        self.entity_mut(id).definition = Some(span);
        let external = self.entity(id).kind == EntityKind::External;
        self.refer(id, span, if external { Role::Declaration } else { Role::Definition });
    }

    /// Records an occurrence.
    pub fn refer(&mut self, id: EntityId, span: Span, role: Role) {
        self.occurrences.push(Occurrence { span, entity: id, role });
    }

    /// Records the type of an expression.
    pub fn ty(&mut self, span: Span, text: &str) {
        let text = self.text_id(text);
        self.types.push((span, text));
    }

    /// Records the type of an expression by an interned text.
    pub fn ty_of(&mut self, span: Span, text: TextId) {
        self.types.push((span, text));
    }

    /// Records a range that can be folded.
    pub fn fold(&mut self, span: Span) {
        self.folds.push(span);
    }

    /// Interns a text.
    pub fn text_id(&mut self, text: &str) -> TextId {
        if let Some(&id) = self.text_ids.get(text) {
            return id;
        }
        let id = TextId(self.texts.len() as u32);
        self.texts.push(text.into());
        self.text_ids.insert(text.into(), id);
        id
    }

    /// An interned text.
    pub fn text(&self, id: TextId) -> &str {
        self.texts.get(id.0 as usize).map_or("", |text| text)
    }

    /// The entity with this id.
    pub fn entity(&self, id: EntityId) -> &Entity {
        &self.entities[id.0 as usize]
    }

    /// The entity with this id, for completing it.
    pub fn entity_mut(&mut self, id: EntityId) -> &mut Entity {
        &mut self.entities[id.0 as usize]
    }

    /// All entities, in order of addition.
    pub fn entities(&self) -> impl Iterator<Item = (EntityId, &Entity)> {
        self.entities.iter().enumerate().map(|(index, entity)| (EntityId(index as u32), entity))
    }

    /// The occurrences, by position.
    pub fn occurrences(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// The ranges that can be folded.
    pub fn folds(&self) -> &[Span] {
        &self.folds
    }

    /// Adds the contents of another file's part, whose spans begin at `base` of this file.
    pub fn append(&mut self, other: &Xref, base: u32, file: minoan_diag::FileId) {
        // A scope may extend to the end of the file, whatever its length.
        let moved = |offset: u32| offset.saturating_add(base);
        let move_span = |span: Span| Span::new(file, moved(span.start), moved(span.end));
        let first = self.entities.len() as u32;
        let move_id = |id: EntityId| EntityId(id.0 + first);
        for entity in &other.entities {
            let ty = entity.ty.map(|ty| self.text_id(other.text(ty)));
            self.entities.push(Entity {
                definition: entity.definition.map(move_span),
                extent: entity.extent.map(move_span),
                scope: entity.scope.map(move_span),
                ty,
                group: move_id(entity.group),
                ..entity.clone()
            });
        }
        self.occurrences.extend(other.occurrences.iter().map(|it| Occurrence {
            span: move_span(it.span),
            entity: move_id(it.entity),
            ..*it
        }));
        for &(span, text) in &other.types {
            let text = self.text_id(other.text(text));
            self.types.push((move_span(span), text));
        }
        self.folds.extend(other.folds.iter().map(|&span| move_span(span)));
    }

    /// Sorts the tables and removes duplicates; a definition takes precedence over a reference at the same position,
    /// a later record over an earlier one. Must be called before lookups.
    pub fn finish(&mut self) {
        let rank = |role: Role| match role {
            Role::Reference => 1,
            Role::Definition | Role::Declaration => 0,
        };
        for it in &mut self.occurrences {
            let external = self.entities[it.entity.0 as usize].kind == EntityKind::External;
            if it.role == Role::Definition && external {
                it.role = Role::Declaration;
            }
        }
        // Stable and from the back, so that later records come first among equals.
        self.occurrences.reverse();
        self.occurrences.sort_by_key(|it| (it.span.start, rank(it.role)));
        let mut end = 0;
        self.occurrences.retain(|it| {
            let keep = it.span.end > it.span.start && it.span.start >= end;
            end = if keep { it.span.end } else { end };
            keep
        });
        self.types.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
        self.folds.sort_by_key(|span| (span.start, span.end));
        self.folds.dedup();
    }

    /// The occurrence at a byte offset; also the one that ends there.
    pub fn at(&self, offset: u32) -> Option<Occurrence> {
        let after = self.occurrences.partition_point(|it| it.span.start <= offset);
        let found = *self.occurrences.get(after.checked_sub(1)?)?;
        (offset <= found.span.end).then_some(found)
    }

    /// The innermost expression that covers a byte offset, with its type.
    pub fn type_at(&self, offset: u32) -> Option<(Span, &str)> {
        let after = self.types.partition_point(|(span, _)| span.start <= offset);
        let covering = self.types[..after].iter().rev().find(|(span, _)| offset <= span.end);
        covering.map(|&(span, text)| (span, self.text(text)))
    }

    /// The occurrences of an entity and of those that are renamed together with it.
    pub fn references(&self, id: EntityId) -> impl Iterator<Item = Occurrence> {
        let group = self.entity(id).group;
        self.occurrences.iter().copied().filter(move |it| self.entity(it.entity).group == group)
    }

    /// The location that defines an entity: its own, or that of an entity which it declares.
    pub fn definition(&self, id: EntityId) -> Option<Span> {
        let entity = self.entity(id);
        if entity.kind == EntityKind::External {
            let defined = self.references(id).find(|it| it.role == Role::Definition);
            return defined.map(|it| it.span).or(entity.definition);
        }
        entity.definition
    }

    /// The entities visible at a byte offset, innermost scope first.
    pub fn visible(&self, offset: u32) -> Vec<EntityId> {
        let sees = |entity: &Entity| {
            let inside = |scope: Span| scope.start <= offset && offset <= scope.end;
            entity.definition.is_some() && entity.scope.is_none_or(inside)
        };
        let mut found: Vec<(u32, EntityId)> = self
            .entities()
            .filter(|(_, entity)| sees(entity))
            .map(|(id, entity)| (entity.scope.map_or(u32::MAX, |scope| scope.end - scope.start), id))
            .collect();
        found.sort_by_key(|&(size, id)| (size, std::cmp::Reverse(id)));
        found.into_iter().map(|(_, id)| id).collect()
    }
}

/// The comments of a text: the text between its tokens, which are given in order by byte range.
pub fn comments(text: &str, tokens: impl Iterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
    let mut at = 0usize;
    let mut found = Vec::new();
    for (start, end) in tokens.chain([(text.len() as u32, text.len() as u32)]) {
        let gap = text.get(at..start as usize).unwrap_or("");
        let trimmed = gap.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let from = at + gap.len() - trimmed.len();
        let to = from + trimmed.trim_end().len();
        if to > from {
            found.push((from as u32, to as u32));
        }
        at = at.max(end as usize);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use minoan_diag::FileId;

    fn span(start: u32, end: u32) -> Span {
        Span::new(FileId(0), start, end)
    }

    #[test]
    fn declarations_lead_to_the_definition_of_their_group() {
        let mut xref = Xref::default();
        let declared = xref.add("f", EntityKind::External);
        let defined = xref.add("f", EntityKind::Function);
        xref.entity_mut(defined).group = declared;
        xref.define(declared, span(1, 2));
        xref.define(defined, span(10, 11));
        xref.refer(declared, span(20, 21), Role::Reference);
        xref.finish();
        assert_eq!(xref.definition(declared), Some(span(10, 11)));
        let roles: Vec<Role> = xref.references(defined).map(|it| it.role).collect();
        assert_eq!(roles, [Role::Declaration, Role::Definition, Role::Reference]);
    }

    #[test]
    fn occurrences_do_not_overlap_and_definitions_win() {
        let mut xref = Xref::default();
        let (x, y) = (xref.add("x", EntityKind::Variable), xref.add("y", EntityKind::Variable));
        xref.refer(y, span(3, 4), Role::Reference);
        xref.define(x, span(3, 4));
        xref.refer(y, span(6, 9), Role::Reference);
        xref.refer(x, span(8, 9), Role::Reference);
        xref.finish();
        let found: Vec<_> = xref.occurrences().iter().map(|it| (it.span.start, it.entity)).collect();
        assert_eq!(found, [(3, x), (6, y)]);
        assert_eq!((xref.at(4).map(|it| it.entity), xref.at(5)), (Some(x), None));
    }

    #[test]
    fn inner_scopes_come_first() {
        let mut xref = Xref::default();
        let names = ["global", "outer", "inner", "later"].map(|name| xref.add(name, EntityKind::Variable));
        for (index, (&id, scope)) in
            names.iter().zip([None, Some(span(0, 100)), Some(span(10, 50)), Some(span(60, 70))]).enumerate()
        {
            xref.define(id, span(200 + index as u32, 201 + index as u32));
            xref.entity_mut(id).scope = scope;
        }
        xref.finish();
        assert_eq!(xref.visible(20), [names[2], names[1], names[0]]);
    }

    #[test]
    fn parts_keep_their_entities_apart() {
        let mut part = Xref::default();
        let f = part.add("f", EntityKind::Function);
        part.define(f, span(2, 3));
        part.ty(span(2, 3), "Float");
        part.entity_mut(f).scope = Some(span(3, u32::MAX));
        let mut whole = Xref::default();
        whole.append(&part, 0, FileId(7));
        whole.append(&part, 100, FileId(7));
        whole.finish();
        let starts: Vec<u32> = whole.occurrences().iter().map(|it| it.span.start).collect();
        assert_eq!(starts, [2, 102]);
        assert_eq!(whole.references(EntityId(1)).count(), 1);
        assert_eq!(whole.type_at(102).map(|(_, ty)| ty), Some("Float"));
    }

    #[test]
    fn comments_stand_between_tokens() {
        assert_eq!(comments("a ; b\n c", [(0, 1), (7, 8)].into_iter()), [(2, 5)]);
        assert_eq!(comments("\u{feff}a  ", [(3, 4)].into_iter()), []);
    }
}
