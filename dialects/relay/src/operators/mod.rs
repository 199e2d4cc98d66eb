//! The operator table.
//!
//! ```
//! use minoan_relay_dialect::operators::{Pattern, all, find};
//! let conv2d = find("nn.conv2d").unwrap();
//! assert_eq!(conv2d.args, ["data", "weight"]);
//! assert_eq!(conv2d.pattern, Pattern::OutEwiseFusable);
//! assert_eq!(conv2d.attrs_type, Some("Conv2DAttrs"));
//! assert_eq!(all().count(), 305);
//! ```

mod attributes;
mod meanings;
mod table;

use crate::attrs::AttrValue;
use crate::relation::Relation;
use minoan_diag::nearest;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// An operator.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// The name, such as `nn.conv2d`.
    pub name: &'static str,
    /// The argument names.
    pub args: &'static [&'static str],
    /// Whether the operator is variadic; [`args`](Self::args) is empty then.
    pub variadic: bool,
    /// The fusion pattern.
    pub pattern: Pattern,
    /// The type relation.
    pub relation: Relation,
    /// The name of the attribute type, such as `Conv2DAttrs`. An operator without one may nevertheless have
    /// attributes.
    pub attrs_type: Option<&'static str>,
    /// The name of the attribute type of an operator that TVM registers without one, such as `ScanopAttrs`: TVM's text has its
    /// attributes as an object of the metadata section.
    pub object_type: Option<&'static str>,
    /// The attributes.
    pub fields: &'static [Field],
    /// Further properties.
    pub facts: Facts,
}

/// Properties of an operator for passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Whether the operator has a side effect or is nondeterministic.
    pub stateful: bool,
    /// Whether there is a kernel to execute.
    pub kernel: bool,
    /// Whether the result has the elements of the first argument in the same order.
    pub view: bool,
    /// Whether the result is the argument, a value of any type.
    pub identity: bool,
}

/// A fusion pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Elementwise, preserving the order of the elements.
    Elemwise,
    /// Each axis of the result is an axis of an argument or a new one.
    Broadcast,
    /// Each element of the result depends on one element of an argument.
    Injective,
    /// A commutative reduction.
    CommReduce,
    /// Elementwise operators on the result can be fused into the operator.
    OutEwiseFusable,
    /// Not fusible.
    Opaque,
    /// Unspecified.
    Unknown,
}

/// A list of attributes shared by operators.
#[derive(Debug)]
struct AttrsType {
    name: &'static str,
    /// Whether the operators are registered with the type.
    registered: bool,
    fields: &'static [Field],
}

/// The declaration of an attribute.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name.
    pub name: &'static str,
    /// The accepted values.
    pub kind: FieldKind,
    /// The default value; `None` if the attribute is mandatory.
    pub default: Option<Preset>,
    /// Whether `None` is accepted, unless kind or default imply it.
    none: bool,
    /// Whether a number or a string is an object of its own in the attributes of an [`Operator::object_type`], such as `IntImm`.
    pub boxed: bool,
    /// The minimum value.
    pub at_least: Option<i64>,
}

impl Field {
    /// Whether `None` is accepted.
    pub fn accepts_none(&self) -> bool {
        let scalar =
            matches!(self.kind, FieldKind::Int | FieldKind::Float | FieldKind::Bool | FieldKind::Str);
        self.none || !scalar || matches!(self.default, Some(Preset::None))
    }
}

/// The kind of an attribute's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldKind {
    /// An integer.
    Int,
    /// A number.
    Float,
    /// `True` or `False`.
    Bool,
    /// A string.
    Str,
    /// A string that names an element type.
    DType,
    /// A list of integers.
    Ints,
    /// A list of numbers.
    Floats,
    /// A list of lists of integers.
    IntLists,
    /// An integer, or a list of integers.
    IntOrInts,
    /// A number of any type.
    Scalar,
    /// An object that only the metadata section can express.
    Object,
}

/// The default value of an attribute.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Preset {
    /// No value.
    None,
    /// An integer.
    Int(i64),
    /// A number.
    Float(f64),
    /// A boolean.
    Bool(bool),
    /// A string.
    Str(&'static str),
    /// Integers.
    Ints(&'static [i64]),
    /// Numbers.
    Floats(&'static [f64]),
}

impl Preset {
    /// The value.
    pub fn value(self) -> AttrValue {
        match self {
            Preset::None => AttrValue::None,
            Preset::Int(value) => AttrValue::Int(value),
            Preset::Float(value) => AttrValue::Float(value),
            Preset::Bool(value) => AttrValue::Bool(value),
            Preset::Str(value) => AttrValue::Str(value.to_owned()),
            Preset::Ints(values) => AttrValue::List(values.iter().map(|&one| AttrValue::Int(one)).collect()),
            Preset::Floats(values) => {
                AttrValue::List(values.iter().map(|&one| AttrValue::Float(one)).collect())
            }
        }
    }
}

impl Operator {
    /// The meaning, in one or two sentences.
    pub fn meaning(&self) -> &'static str {
        let found = meanings::MEANINGS.binary_search_by_key(&self.name, |&(name, _)| name);
        found.map_or("", |index| meanings::MEANINGS[index].1)
    }

    /// The attribute with this name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Operator>> =
    LazyLock::new(|| all().map(|op| (op.name, op)).collect());

/// The operator with this name.
pub fn find(name: &str) -> Option<&'static Operator> {
    BY_NAME.get(name).copied()
}

/// The operator with the most similar name.
pub fn near(name: &str) -> Option<&'static str> {
    nearest(name, all().map(|op| op.name))
}

/// All operators.
pub fn all() -> impl Iterator<Item = &'static Operator> {
    table::TABLES.iter().copied().flatten()
}
