//! The operators: one row of a static table for each.
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
mod table;

use crate::attrs::AttrValue;
use crate::relation::Relation;
use minoan_diag::nearest;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// An operator.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// Its name: `nn.conv2d`.
    pub name: &'static str,
    /// The names of its arguments.
    pub args: &'static [&'static str],
    /// Whether it takes any number of arguments; [`args`](Self::args) is empty then.
    pub variadic: bool,
    /// How it can be fused with others.
    pub pattern: Pattern,
    /// How the type of its result follows from those of its arguments.
    pub relation: Relation,
    /// The name of the type of its attributes: `Conv2DAttrs`. Without one it may have attributes all the same.
    pub attrs_type: Option<&'static str>,
    /// Its attributes.
    pub fields: &'static [Field],
    /// What else is known of it.
    pub facts: Facts,
}

/// What passes ask of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Whether it has an effect, or gives another value each time.
    pub stateful: bool,
    /// Whether there is something to compute.
    pub kernel: bool,
    /// Whether the result has the elements of the first argument in the same order.
    pub view: bool,
}

/// How an operator can be fused with others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Element by element, in the order of the elements.
    Elemwise,
    /// Each axis of the result is one of an argument, or a new one.
    Broadcast,
    /// Each element of the result is one of an argument, or computed of one.
    Injective,
    /// A reduction in any order.
    CommReduce,
    /// Elementwise operators on its result can be fused into it.
    OutEwiseFusable,
    /// It cannot be fused.
    Opaque,
    /// Nobody said.
    Unknown,
}

/// The attributes that operators have in common.
#[derive(Debug)]
struct AttrsType {
    name: Option<&'static str>,
    fields: &'static [Field],
}

/// An attribute.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What values it takes.
    pub kind: FieldKind,
    /// Its value when none is written; `None` where one must be.
    pub default: Option<Preset>,
    /// Whether `None` may be written, where neither the kind nor the default says so.
    none: bool,
    /// The smallest value.
    pub at_least: Option<i64>,
}

impl Field {
    /// Whether `None` may be written.
    pub fn takes_none(&self) -> bool {
        let scalar =
            matches!(self.kind, FieldKind::Int | FieldKind::Float | FieldKind::Bool | FieldKind::Str);
        self.none || !scalar || matches!(self.default, Some(Preset::None))
    }
}

/// What values an attribute takes.
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
    /// A string that is the name of a type of elements.
    DType,
    /// A list of integers.
    Ints,
    /// A list of numbers.
    Floats,
    /// A list of lists of integers.
    IntLists,
    /// An integer, or a list of such.
    IntOrInts,
    /// A number of any type.
    Scalar,
    /// Something that only the section of metadata can say.
    Object,
}

/// The value of an attribute that is not written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Preset {
    /// No value.
    None,
    /// An integer.
    Int(i64),
    /// A number.
    Float(f64),
    /// A truth value.
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
    /// The attribute of that name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Operator>> =
    LazyLock::new(|| all().map(|op| (op.name, op)).collect());

/// The operator of that name.
pub fn find(name: &str) -> Option<&'static Operator> {
    BY_NAME.get(name).copied()
}

/// The operator whose name is near that one.
pub fn near(name: &str) -> Option<&'static str> {
    nearest(name, all().map(|op| op.name))
}

/// All operators.
pub fn all() -> impl Iterator<Item = &'static Operator> {
    table::TABLES.iter().copied().flatten()
}
