//! Attributes of operator calls: validation and defaults.

use crate::operators::{Field, FieldKind, Operator};
use crate::ty::DType;
use minoan_diag::nearest;
use std::borrow::Cow;
use std::fmt;

/// The value of an attribute.
#[derive(Clone, PartialEq, Debug)]
pub enum AttrValue {
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// `True` or `False`.
    Bool(bool),
    /// A string; also the name of an element type.
    Str(String),
    /// `None`.
    None,
    /// A list.
    List(Vec<AttrValue>),
    /// A reference into the metadata section, as written: `meta[VirtualDevice][0]`.
    Object(String),
}

impl AttrValue {
    /// Creates a list of integers.
    pub fn ints(values: &[i64]) -> AttrValue {
        AttrValue::List(values.iter().map(|&value| AttrValue::Int(value)).collect())
    }

    /// The elements of a list of integers.
    pub fn as_ints(&self) -> Option<Vec<i64>> {
        match self {
            AttrValue::List(items) => items.iter().map(AttrValue::as_int).collect(),
            _ => None,
        }
    }

    /// The number.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            AttrValue::Float(value) => Some(*value),
            AttrValue::Int(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// The integer.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            AttrValue::Int(value) => Some(*value),
            _ => None,
        }
    }
}

impl From<&str> for AttrValue {
    fn from(text: &str) -> AttrValue {
        AttrValue::Str(text.to_owned())
    }
}

impl fmt::Display for AttrValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttrValue::Int(value) => write!(f, "{value}"),
            AttrValue::Float(value) => write!(f, "{value:?}"),
            AttrValue::Bool(true) => f.write_str("True"),
            AttrValue::Bool(false) => f.write_str("False"),
            AttrValue::Str(text) => write!(f, "{text:?}"),
            AttrValue::None => f.write_str("None"),
            AttrValue::Object(text) => f.write_str(text),
            AttrValue::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
        }
    }
}

/// Attributes by name, in order.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Attrs {
    entries: Vec<(Cow<'static, str>, AttrValue)>,
}

impl Attrs {
    /// Creates an empty list.
    pub fn new() -> Attrs {
        Attrs::default()
    }

    /// Sets an attribute; returns the previous value.
    pub fn set(&mut self, name: impl Into<Cow<'static, str>>, value: AttrValue) -> Option<AttrValue> {
        let name = name.into();
        match self.entries.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => Some(std::mem::replace(old, value)),
            None => {
                self.entries.push((name, value));
                None
            }
        }
    }

    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&AttrValue> {
        self.entries.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The attributes, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &AttrValue)> {
        self.entries.iter().map(|(name, value)| (&**name, value))
    }

    /// Whether there are no attributes.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of an integer attribute.
    pub fn int(&self, name: &str) -> Option<i64> {
        self.get(name)?.as_int()
    }

    /// The value of a numeric attribute.
    pub fn float(&self, name: &str) -> Option<f64> {
        self.get(name)?.as_float()
    }

    /// The value of a boolean attribute; false if absent.
    pub fn flag(&self, name: &str) -> bool {
        self.get(name) == Some(&AttrValue::Bool(true))
    }

    /// The value of a string attribute.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            AttrValue::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The value of an attribute that is a list of integers.
    pub fn ints(&self, name: &str) -> Option<Vec<i64>> {
        self.get(name)?.as_ints()
    }

    /// The value of an element type attribute; `None` if unspecified.
    pub fn dtype(&self, name: &str) -> Option<DType> {
        self.text(name).and_then(DType::parse).filter(|&dtype| dtype != DType::Void)
    }
}

impl<N: Into<Cow<'static, str>>> FromIterator<(N, AttrValue)> for Attrs {
    fn from_iter<I: IntoIterator<Item = (N, AttrValue)>>(entries: I) -> Attrs {
        let mut attrs = Attrs::new();
        entries.into_iter().for_each(|(name, value)| _ = attrs.set(name, value));
        attrs
    }
}

/// An invalid attribute.
#[derive(Clone, PartialEq, Debug)]
pub enum AttrError {
    /// The operator has no attribute of this name.
    Unknown {
        /// The operator.
        op: &'static str,
        /// The name as written.
        name: String,
        /// A similar attribute name.
        near: Option<&'static str>,
    },
    /// A mandatory attribute is missing.
    Missing {
        /// The operator.
        op: &'static str,
        /// The attribute.
        name: &'static str,
        /// The accepted values.
        expected: String,
    },
    /// The value is not accepted.
    Wrong {
        /// The operator.
        op: &'static str,
        /// The attribute.
        name: &'static str,
        /// The accepted values.
        expected: String,
        /// The value as written.
        found: String,
    },
}

impl AttrError {
    /// The name of the attribute.
    pub fn name(&self) -> &str {
        match self {
            AttrError::Unknown { name, .. } => name,
            AttrError::Missing { name, .. } | AttrError::Wrong { name, .. } => name,
        }
    }
}

impl std::error::Error for AttrError {}

impl fmt::Display for AttrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttrError::Unknown { op, name, near } => {
                write!(f, "{op} has no attribute '{name}'")?;
                near.map_or(Ok(()), |near| write!(f, "; did you mean '{near}'?"))
            }
            AttrError::Missing { op, name, expected } => {
                write!(f, "{op} needs the attribute '{name}': {expected}")
            }
            AttrError::Wrong { op, name, expected, found } => {
                write!(f, "attribute '{name}' of {op} must be {expected}, but is {found}")
            }
        }
    }
}

/// Completes the attributes of a call: in order of declaration, with defaults, and with values converted to the
/// declared kinds.
///
/// ```
/// use minoan_relay_dialect::{attrs::{AttrValue, Attrs, complete}, operators::find};
/// let written = Attrs::from_iter([("axis", AttrValue::Int(1))]);
/// let attrs = complete(find("sum").unwrap(), &written).unwrap();
/// assert_eq!(attrs.ints("axis"), Some(vec![1]));
/// assert_eq!(attrs.get("keepdims"), Some(&AttrValue::Bool(false)));
/// let errors = complete(find("nn.dense").unwrap(), &Attrs::from_iter([("unit", AttrValue::Int(4))])).unwrap_err();
/// assert_eq!(errors[0].to_string(), "nn.dense has no attribute 'unit'; did you mean 'units'?");
/// ```
///
/// # Errors
/// The attributes that are unknown, missing, or of another kind.
pub fn complete(op: &Operator, written: &Attrs) -> Result<Attrs, Vec<AttrError>> {
    let mut errors: Vec<AttrError> = Vec::new();
    for (name, _) in written.iter().filter(|(name, _)| op.field(name).is_none()) {
        let near = nearest(name, op.fields.iter().map(|field| field.name));
        errors.push(AttrError::Unknown { op: op.name, name: name.to_owned(), near });
    }
    let mut attrs = Attrs { entries: Vec::with_capacity(op.fields.len()) };
    for field in op.fields {
        match value_of(op, field, written.get(field.name)) {
            Ok(value) => attrs.entries.push((Cow::Borrowed(field.name), value)),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(attrs) } else { Err(errors) }
}

fn value_of(op: &Operator, field: &Field, written: Option<&AttrValue>) -> Result<AttrValue, AttrError> {
    let (name, expected) = (field.name, || expected(field));
    match (written, field.default) {
        (None, None) => Err(AttrError::Missing { op: op.name, name, expected: expected() }),
        (None, Some(default)) => Ok(default.value()),
        (Some(AttrValue::None), default) if field.accepts_none() => {
            Ok(default.map_or(AttrValue::None, |default| default.value()))
        }
        (Some(written), _) => fit(field, written).ok_or_else(|| AttrError::Wrong {
            op: op.name,
            name,
            expected: expected(),
            found: written.to_string(),
        }),
    }
}

/// A description of the values that an attribute accepts.
fn expected(field: &Field) -> String {
    let kind = match field.kind {
        FieldKind::Int => "an integer",
        FieldKind::Float | FieldKind::Scalar => "a number",
        FieldKind::Bool => "True or False",
        FieldKind::Str => "a string",
        FieldKind::DType => "the name of a type of elements, as \"float32\"",
        FieldKind::Ints => "a list of integers",
        FieldKind::Floats => "a list of numbers",
        FieldKind::IntLists => "a list of lists of integers",
        FieldKind::IntOrInts => "an integer or a list of integers",
        FieldKind::Object => "a reference to metadata",
    };
    match field.at_least {
        Some(least) => format!("{kind} of at least {least}"),
        None => kind.to_owned(),
    }
}

/// Converts a value to the kind of an attribute.
fn fit(field: &Field, written: &AttrValue) -> Option<AttrValue> {
    let value = fit_kind(field.kind, written)?;
    let too_small = match (&value, field.at_least) {
        (AttrValue::Int(value), Some(least)) => *value < least,
        (AttrValue::Float(value), Some(least)) => *value < least as f64,
        _ => false,
    };
    (!too_small).then_some(value)
}

fn fit_kind(kind: FieldKind, written: &AttrValue) -> Option<AttrValue> {
    let list = |kind: FieldKind, items: &[AttrValue]| {
        items.iter().map(|item| fit_kind(kind, item)).collect::<Option<_>>().map(AttrValue::List)
    };
    match (kind, written) {
        (FieldKind::Int, AttrValue::Int(_)) | (FieldKind::Float, AttrValue::Float(_)) => {
            Some(written.clone())
        }
        (FieldKind::Float, &AttrValue::Int(value)) => Some(AttrValue::Float(value as f64)),
        (FieldKind::Int, &AttrValue::Bool(value)) => Some(AttrValue::Int(value.into())),
        (FieldKind::Bool, AttrValue::Bool(_)) => Some(written.clone()),
        (FieldKind::Bool, &AttrValue::Int(value @ 0..=1)) => Some(AttrValue::Bool(value == 1)),
        (FieldKind::Str, AttrValue::Str(_)) => Some(written.clone()),
        (FieldKind::DType, AttrValue::Str(name)) => DType::parse(name).map(|_| written.clone()),
        (FieldKind::Ints, AttrValue::List(items)) => list(FieldKind::Int, items),
        (FieldKind::Floats, AttrValue::List(items)) => list(FieldKind::Float, items),
        (FieldKind::IntLists, AttrValue::List(items)) => list(FieldKind::Ints, items),
        (FieldKind::IntOrInts, AttrValue::Int(_)) => Some(written.clone()),
        (FieldKind::IntOrInts, AttrValue::List(items)) => list(FieldKind::Int, items),
        // A single number denotes a list with one element.
        (FieldKind::Ints, AttrValue::Int(_)) => Some(AttrValue::List(vec![written.clone()])),
        (FieldKind::Scalar, AttrValue::Int(_) | AttrValue::Float(_) | AttrValue::Bool(_)) => {
            Some(written.clone())
        }
        (FieldKind::Scalar | FieldKind::Object, AttrValue::Object(_)) => Some(written.clone()),
        _ => None,
    }
}
