//! Encoding of operator attributes as IR attributes.

use crate::attrs::{AttrError, AttrValue, Attrs, complete};
use crate::operators::{FieldKind, Operator};
use minoan_ir::{Attr, AttrData, Context, OpRef, Type};

/// Encodes attributes; those with their default values are omitted.
///
/// | Relay | IR |
/// |---|---|
/// | an integer, a number, a boolean | `i64`, `f64`, `bool` |
/// | a string, an element type | a string |
/// | a list of integers | `array<i64: ..>` |
/// | another list | `[..]` |
/// | an explicit `None` | `unit` |
pub fn encode(ctx: &Context, op: &Operator, attrs: &Attrs) -> Vec<(&'static str, Attr)> {
    let written = op.fields.iter().filter_map(|field| {
        let value = attrs.get(field.name)?;
        let is_default = field.default.is_some_and(|default| default.value() == *value);
        (!is_default).then(|| (field.name, to_attr(ctx, value)))
    });
    written.collect()
}

fn to_attr(ctx: &Context, value: &AttrValue) -> Attr {
    match value {
        AttrValue::Int(value) => Attr::i64(ctx, *value),
        AttrValue::Float(value) => Attr::float(ctx, *value, Type::F64),
        AttrValue::Bool(value) => Attr::bool(*value),
        AttrValue::Str(text) | AttrValue::Object(text) => Attr::string(ctx, text),
        AttrValue::None => Attr::UNIT,
        AttrValue::List(items) => match value.as_ints() {
            Some(ints) => Attr::dense_i64(ctx, &ints),
            None => Attr::array(ctx, &items.iter().map(|item| to_attr(ctx, item)).collect::<Vec<_>>()),
        },
    }
}

fn to_value(ctx: &Context, attr: Attr, kind: FieldKind) -> AttrValue {
    if attr == Attr::UNIT {
        return AttrValue::None;
    }
    if let Some(value) = attr.as_bool(ctx) {
        return AttrValue::Bool(value);
    }
    if let Some(ints) = attr.as_dense_i64(ctx) {
        return AttrValue::ints(&ints);
    }
    match attr.data(ctx) {
        AttrData::Integer { .. } => attr.as_i64(ctx).map_or(AttrValue::None, AttrValue::Int),
        AttrData::Float { .. } => attr.as_f64(ctx).map_or(AttrValue::None, AttrValue::Float),
        AttrData::String { bytes, .. } => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let object = matches!(kind, FieldKind::Object | FieldKind::Scalar);
            if object { AttrValue::Object(text) } else { AttrValue::Str(text) }
        }
        AttrData::Array(items) => {
            let inner = if kind == FieldKind::IntLists { FieldKind::Ints } else { kind };
            AttrValue::List(items.iter().map(|&item| to_value(ctx, item, inner)).collect())
        }
        _ => AttrValue::Object("an attribute of another kind".to_owned()),
    }
}

/// The complete attributes of an operator call, including defaults.
///
/// # Errors
/// The attributes that are missing or of another kind.
pub fn attrs_of(op: OpRef<'_>, operator: &Operator) -> Result<Attrs, Vec<AttrError>> {
    let ctx = op.context();
    let written = operator.fields.iter().filter_map(|field| {
        let attr = op.attr_named(field.name)?;
        Some((field.name, to_value(ctx, attr, field.kind)))
    });
    complete(operator, &written.collect())
}
