//! Values of algebraic data types at the boundary of a program.
//!
//! | form | value |
//! |---|---|
//! | JSON | `{"ctor": "Cons", "fields": [1, {"ctor": "Nil", "fields": []}]}`; `"Nil"` and missing fields in arguments |
//! | text | `Cons(1, Nil)` |
//!
//! The object of a constructor has a slot for each scalar and tensor that its fields consist of: a tensor of rank 0 is a
//! scalar, any other tensor a box.

use super::document::Node;
use super::{ValueType, read, write};
use minoan_data::{BoxType, Cell, Ctor, Declaration};
use minoan_diag::{Diagnostic, nearest};
use minoan_frontend::with_stack;
use minoan_ir::{Body, Name, Type};
use minoan_services::{Datum, Object, ObjectKind, Tensor};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// Upper bound on the nesting of trees of JSON: their users recurse, and so do their destructors.
pub(super) const MAX_JSON_DEPTH: usize = 2000;

/// The constructors of a data type, in order, each with the types of its fields.
pub type Constructors = Vec<(String, Vec<ValueType>)>;

/// An algebraic data type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataType {
    /// The name, with type arguments.
    pub name: Arc<str>,
    /// The constructors of this type and of those that it contains, by name. Empty within a field type of such a table.
    pub table: Arc<BTreeMap<Arc<str>, Constructors>>,
}

impl DataType {
    /// The data type of a cell, from the declarations of a module; `None` for another type, and if a field has no form
    /// outside.
    pub(crate) fn of_cell(module: &Body, ty: Type) -> Option<DataType> {
        let ctx = module.context();
        let mut declared: BTreeMap<Name, Vec<Ctor>> = BTreeMap::new();
        let name_of = |ty: Type| Some(Cell::cast(ctx, ty)?.name(ctx).root(ctx));
        let root = name_of(ty)?;
        for block in module.regions().flat_map(|region| module.region(region).blocks()) {
            let ops = module.block(block).ops().map(|op| module.op(op));
            declared
                .extend(ops.filter_map(|op| Some((ctx.name(op.symbol_name()?), Declaration::ctors_of(op)?))));
        }
        let (mut table, mut pending) = (BTreeMap::new(), vec![root]);
        while let Some(name) = pending.pop() {
            if table.contains_key(name.as_str(ctx)) {
                continue;
            }
            let mut field_type = |&ty: &Type| match (name_of(ty), BoxType::cast(ctx, ty)) {
                (Some(cell), _) => {
                    pending.push(cell);
                    let name = Arc::from(cell.as_str(ctx));
                    Some(ValueType::Data(DataType { name, table: Arc::default() }))
                }
                (None, Some(boxed)) => ValueType::of_type(ctx, boxed.contents(ctx), None),
                (None, None) => ValueType::of_type(ctx, ty, None),
            };
            let constructors = declared.get(&name)?.iter().map(|ctor| {
                let fields: Option<Vec<ValueType>> = ctor.fields.iter().map(&mut field_type).collect();
                Some((ctor.name.clone(), fields?))
            });
            let constructors: Constructors = constructors.collect::<Option<_>>()?;
            table.insert(Arc::from(name.as_str(ctx)), constructors);
        }
        Some(DataType { name: Arc::from(root.as_str(ctx)), table: Arc::new(table) })
    }

    /// Whether a field of a value of this type, or of a data type in it, has a type for which `holds` is true.
    pub(crate) fn contains(&self, holds: &dyn Fn(&ValueType) -> bool) -> bool {
        fn part(ty: &ValueType, holds: &dyn Fn(&ValueType) -> bool) -> bool {
            match ty {
                ValueType::Tuple(parts) => parts.iter().any(|ty| part(ty, holds)),
                // The table has the constructors of the data types in fields, too.
                ValueType::Data(_) => false,
                ty => holds(ty),
            }
        }
        let ctors = self.table.values().flatten();
        ctors.flat_map(|(_, fields)| fields).any(|ty| part(ty, holds))
    }

    /// The name for messages.
    pub fn title(&self) -> &str {
        Self::title_of(&self.name)
    }

    /// The name of a data type as in the source: without an empty list of type arguments.
    pub fn title_of(name: &str) -> &str {
        name.strip_suffix("[]").unwrap_or(name)
    }

    fn constructors<'t>(
        &self,
        table: &'t BTreeMap<Arc<str>, Constructors>,
    ) -> &'t [(String, Vec<ValueType>)] {
        table.get(&self.name).map_or(&[], |constructors| constructors)
    }

    /// A noun phrase for messages.
    pub(super) fn describe(&self) -> String {
        let names: Vec<String> =
            self.constructors(&self.table).iter().map(|(name, _)| format!("'{name}'")).collect();
        format!(
            "a value of type '{}', {{\"ctor\": .., \"fields\": [..]}} with {}",
            self.title(),
            names.join(" or ")
        )
    }

    /// Whether a datum is a value of this type, by its constructor alone.
    ///
    /// # Errors
    /// A message with the expected and the actual value if they do not match.
    pub(super) fn check(&self, datum: &Datum) -> Result<(), String> {
        let count = self.constructors(&self.table).len();
        match datum.object().and_then(Object::tag) {
            Ok(tag) if usize::try_from(tag).is_ok_and(|tag| tag < count) => Ok(()),
            _ => Err(format!("expected {}, found {datum:?}", self.describe())),
        }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// An unknown constructor, a wrong number of fields, or a field of another type, with its place in the value.
    pub(super) fn read(&self, node: Node<'_>, name: &str) -> Result<Datum, Diagnostic> {
        self.read_in(&self.table, node, name)
    }

    fn read_in(
        &self,
        table: &BTreeMap<Arc<str>, Constructors>,
        node: Node<'_>,
        name: &str,
    ) -> Result<Datum, Diagnostic> {
        let all = self.constructors(table);
        let mismatch = |found: &str| {
            let names: Vec<String> = all.iter().map(|(name, _)| format!("'{name}'")).collect();
            let (ty, names) = (self.title(), names.join(" or "));
            let with = if names.is_empty() { String::new() } else { format!(" with {names}") };
            node.error(format!(
                "{name}: expected {{\"ctor\": .., \"fields\": [..]}} of type '{ty}'{with}, found {found}"
            ))
        };
        let (ctor, given) = match (node.object().transpose()?, node.string()) {
            (Some(entries), _) => {
                let entry = |key: &str| entries.iter().find(|(name, _)| name == key).map(|(_, node)| *node);
                let other = entries.iter().find(|(key, _)| key != "ctor" && key != "fields");
                if let Some((key, node)) = other {
                    return Err(node
                        .error(format!("{name}: unexpected key {key:?}, expected \"ctor\" or \"fields\"")));
                }
                let ctor = entry("ctor").and_then(Node::string).ok_or_else(|| mismatch(&node.describe()))?;
                let fields = entry("fields").map_or(Some(Vec::new()), Node::array);
                let fields = fields.ok_or_else(|| mismatch(&node.describe()))?;
                (ctor, fields)
            }
            (None, Some(ctor)) => (ctor, Vec::new()),
            (None, None) => return Err(mismatch(&node.describe())),
        };
        let Some(tag) = all.iter().position(|(name, _)| *name == ctor) else {
            let near = nearest(&ctor, all.iter().map(|(name, _)| name.as_str()));
            return Err(mismatch(&format!("constructor '{ctor}'")).did_you_mean(near));
        };
        let fields = &all[tag].1;
        if fields.len() != given.len() {
            let (expected, found) = (fields.len(), given.len());
            let noun = if expected == 1 { "field" } else { "fields" };
            return Err(node.error(format!("{name}: '{ctor}' has {expected} {noun}, found {found}")));
        }
        let mut slots = Vec::new();
        for (at, (field, node)) in fields.iter().zip(given).enumerate() {
            let name = if name.len() < 200 {
                format!("{name}, field {} of '{ctor}'", at + 1)
            } else {
                name.to_owned()
            };
            with_stack(|| read_slots(table, field, node, &name, &mut slots))?;
        }
        Ok(Datum::Object(Object::new(ObjectKind::Cell(tag as i64), slots)))
    }

    /// The value as text.
    pub(super) fn text(&self, value: &Datum) -> String {
        self.written(value, Notation::Text)
    }

    /// The value as the text of JSON, nested as deeply as it may be.
    pub(super) fn json_text(&self, value: &Datum) -> String {
        self.written(value, Notation::Json)
    }

    fn written(&self, value: &Datum, notation: Notation) -> String {
        let root = ValueType::Data(self.clone());
        let mut writer = Writer { table: &self.table, notation, pending: Vec::new(), out: String::new() };
        writer.push(&root, std::slice::from_ref(value));
        while let Some(item) = writer.pending.pop() {
            match item {
                Item::Text(text, times) => (0..times).for_each(|_| writer.out.push_str(text)),
                Item::Value(ValueType::Data(ty), slot) => writer.data(ty, &slot),
                Item::Value(ty, slot) => writer.leaves(ty, &[slot]),
                Item::Leaves(ty, slots) => writer.leaves(ty, &slots),
            }
        }
        writer.out
    }

    /// The value as JSON; `None` if it is nested deeper than [`MAX_JSON_DEPTH`].
    pub(super) fn json(&self, value: &Datum) -> Option<Json> {
        json_of(&self.table, &ValueType::Data(self.clone()), std::slice::from_ref(value), 0)
    }
}

/// A notation of values.
#[derive(Clone, Copy)]
enum Notation {
    Text,
    Json,
}

impl Notation {
    /// Writes the text before the fields of a constructor; returns the one after them.
    fn constructor(self, name: &str, fields: usize, out: &mut String) -> &'static str {
        match self {
            Notation::Text => {
                out.push_str(name);
                out.push_str(if fields == 0 { "" } else { "(" });
                if fields == 0 { "" } else { ")" }
            }
            Notation::Json => {
                _ = write!(out, "{{\"ctor\":{},\"fields\":[", json!(name));
                "]}"
            }
        }
    }

    /// The text before and after the components of a tuple.
    fn tuple(self, components: usize) -> (&'static str, &'static str) {
        match self {
            Notation::Text if components == 1 => ("(", ",)"),
            Notation::Text => ("(", ")"),
            Notation::Json => ("{\"tuple\":[", "]}"),
        }
    }

    fn separator(self) -> &'static str {
        match self {
            Notation::Text => ", ",
            Notation::Json => ",",
        }
    }

    fn missing(self) -> &'static str {
        match self {
            Notation::Text => "?",
            Notation::Json => "null",
        }
    }
}

/// A pending part of the text.
enum Item<'t> {
    /// Text that occurs this many times.
    Text(&'static str, usize),
    /// A value in one slot.
    Value(&'t ValueType, Datum),
    /// A value in any number of slots that is not a tuple.
    Leaves(&'t ValueType, Vec<Datum>),
}

/// Writes values without recursion over their depth, and without memory for the ends of nested constructors.
struct Writer<'t> {
    table: &'t BTreeMap<Arc<str>, Constructors>,
    notation: Notation,
    /// The parts that are not written, the next one last.
    pending: Vec<Item<'t>>,
    out: String,
}

impl<'t> Writer<'t> {
    fn text(&mut self, text: &'static str) {
        match self.pending.last_mut() {
            Some(Item::Text(same, times)) if *same == text => *times += 1,
            _ => self.pending.push(Item::Text(text, 1)),
        }
    }

    fn push(&mut self, ty: &'t ValueType, slots: &[Datum]) {
        match (ty, slots) {
            (ValueType::Tuple(types), _) => {
                let (open, close) = self.notation.tuple(types.len());
                self.text(close);
                self.list(types, slots);
                self.text(open);
            }
            (_, [slot]) => self.pending.push(Item::Value(ty, slot.clone())),
            _ => self.pending.push(Item::Leaves(ty, slots.to_vec())),
        }
    }

    fn list(&mut self, types: &'t [ValueType], mut slots: &[Datum]) {
        for (at, ty) in types.iter().enumerate().rev() {
            let (before, own) = slots.split_at(slots.len().saturating_sub(slots_of(ty)));
            slots = before;
            self.push(ty, own);
            if at > 0 {
                self.text(self.notation.separator());
            }
        }
    }

    fn data(&mut self, ty: &'t DataType, value: &Datum) {
        let Some((name, types, slots)) = parts(ty, self.table, value) else {
            return self.out.push_str(self.notation.missing());
        };
        let close = self.notation.constructor(name, types.len(), &mut self.out);
        self.text(close);
        self.list(types, &slots);
    }

    fn leaves(&mut self, ty: &ValueType, slots: &[Datum]) {
        let text = match (ty, slots, self.notation) {
            (ValueType::Scalar(element), [scalar], Notation::Text) => element.text(scalar),
            // A tensor of rank 0 is a scalar in a slot.
            (
                ValueType::Tensor { shape, element },
                [scalar @ (Datum::Int(_) | Datum::F32(_) | Datum::F64(_))],
                _,
            ) if shape.is_empty() => match self.notation {
                Notation::Text => element.text(scalar),
                Notation::Json => element.json(scalar).to_string(),
            },
            (_, _, Notation::Text) => write::to_text(ty, &mut leaves(ty, slots).iter()),
            (_, _, Notation::Json) => write::to_json_text(ty, &mut leaves(ty, slots).iter()),
        };
        self.out.push_str(&text);
    }
}

/// The number of slots of a value of this type.
fn slots_of(ty: &ValueType) -> usize {
    match ty {
        ValueType::Tuple(types) => types.iter().map(slots_of).sum(),
        ValueType::Nested { .. } => ty.leaves().len(),
        _ => 1,
    }
}

/// The constructor of a value, the types of its fields and their slots.
fn parts<'t>(
    ty: &DataType,
    table: &'t BTreeMap<Arc<str>, Constructors>,
    value: &Datum,
) -> Option<(&'t str, &'t [ValueType], Vec<Datum>)> {
    let object = value.object().ok()?;
    let (name, fields) = ty.constructors(table).get(usize::try_from(object.tag().ok()?).ok()?)?;
    Some((name, fields, object.slots().ok()?))
}

/// The slots of each field.
fn split<'t, 's>(
    types: &'t [ValueType],
    mut slots: &'s [Datum],
) -> impl Iterator<Item = (&'t ValueType, &'s [Datum])> {
    types.iter().map(move |ty| {
        let (own, rest) = slots.split_at(slots_of(ty).min(slots.len()));
        slots = rest;
        (ty, own)
    })
}

fn json_of(
    table: &BTreeMap<Arc<str>, Constructors>,
    ty: &ValueType,
    slots: &[Datum],
    depth: usize,
) -> Option<Json> {
    if depth > MAX_JSON_DEPTH {
        return None;
    }
    let all = |types: &[ValueType], slots: &[Datum]| -> Option<Vec<Json>> {
        split(types, slots).map(|(ty, slots)| with_stack(|| json_of(table, ty, slots, depth + 1))).collect()
    };
    match (ty, slots) {
        (ValueType::Data(ty), [value, ..]) => match parts(ty, table, value) {
            Some((name, types, slots)) => Some(json!({ "ctor": name, "fields": all(types, &slots)? })),
            None => Some(Json::Null),
        },
        (ValueType::Data(_), []) => Some(Json::Null),
        (ValueType::Tuple(types), slots) => Some(json!({ "tuple": all(types, slots)? })),
        (ty, slots) => write::to_json(ty, &mut leaves(ty, slots).iter()),
    }
}

/// The leaves of a value that is not a tuple, from its slots.
fn leaves(ty: &ValueType, slots: &[Datum]) -> Vec<Datum> {
    let leaf = |slot: &Datum| match (ty, slot) {
        (ValueType::Tensor { shape, .. }, scalar) if shape.is_empty() => {
            Tensor::splat(&[], scalar).map_or_else(|_| scalar.clone(), Datum::from)
        }
        (_, Datum::Object(object)) if *object.kind() == ObjectKind::Box => {
            object.slot(0).unwrap_or(Datum::Poison)
        }
        (_, other) => other.clone(),
    };
    slots.iter().map(leaf).collect()
}

/// Reads a field.
fn read_slots(
    table: &BTreeMap<Arc<str>, Constructors>,
    ty: &ValueType,
    node: Node<'_>,
    name: &str,
    slots: &mut Vec<Datum>,
) -> Result<(), Diagnostic> {
    match ty {
        ValueType::Data(ty) => slots.push(ty.read_in(table, node, name)?),
        ValueType::Tuple(types) => {
            for (part, node) in types.iter().zip(read::tuple(ty, types.len(), node, name)?) {
                with_stack(|| read_slots(table, part, node, name, slots))?;
            }
        }
        ty => {
            let mut leaves = Vec::new();
            read::read(ty, node, name, &mut leaves)?;
            for leaf in leaves {
                slots.push(match leaf {
                    Datum::Tensor(tensor) if tensor.shape.is_empty() => tensor.data.get(0),
                    tensor @ Datum::Tensor(_) => Datum::Object(Object::new(ObjectKind::Box, vec![tensor])),
                    scalar => scalar,
                });
            }
        }
    }
    Ok(())
}
