//! Attributes of operators, functions and parameters.

use super::Writer;
use crate::ast::{Literal, Suffix};
use crate::literal;
use crate::metadata::{CONSTANT, MetaNode, Metadata, OPERATOR_ATTRS};
use minoan_frontend::with_stack;
use minoan_ir::{Attr, AttrData, Body, Context, Name, OpRef, Value};
use minoan_relay_dialect as relay;
use minoan_relay_dialect::attrs::{AttrValue, Attrs};
use minoan_relay_dialect::operators::{Field, FieldKind, Operator};

impl Writer<'_> {
    /// The attributes that the text of an operator call writes after the arguments: those with other values than the defaults,
    /// or one object of the metadata section.
    pub(super) fn call_attrs(&mut self, body: &Body, op: OpRef<'_>, operator: &Operator) -> Vec<String> {
        let attrs = relay::attrs_of(op, operator).unwrap_or_default();
        if let Some(key) = operator.object_type {
            let key = format!("{OPERATOR_ATTRS}{key}");
            let index = self.attrs_object(&key, operator, &attrs);
            return vec![format!("meta[{key}][{index}]")];
        }
        let mut parts = Vec::new();
        let mut operands = op.operands();
        for field in operator.fields.iter().filter(|field| op.attr_named(field.name).is_some()) {
            let Some(value) = attrs.get(field.name) else { continue };
            // Attributes that are expressions repeat the arguments, in order.
            let repeated = match value {
                AttrValue::Object(text) if text.starts_with(&format!("meta[{CONSTANT}]")) => {
                    operands.next().and_then(|operand| self.repeated_constant(body, operand))
                }
                _ => None,
            };
            parts.push(format!("{}={}", field.name, repeated.unwrap_or_else(|| attr_text(value))));
        }
        parts
    }

    /// The tensor of a constant, in the metadata section.
    fn repeated_constant(&mut self, body: &Body, value: Value) -> Option<String> {
        let op = body.op(body.defining_op(value)?);
        self.tensor(op.attr_named("value").filter(|_| op.is::<relay::Constant>())?)
    }

    /// Adds attributes as an object, which has all fields; returns its index among those of its kind.
    fn attrs_object(&mut self, key: &str, operator: &Operator, attrs: &Attrs) -> u32 {
        let mut node = MetaNode::new(key);
        for field in operator.fields {
            let value = attrs.get(field.name).unwrap_or(&AttrValue::None);
            node.set(field.name, field_text(&mut self.metadata, field, value));
        }
        self.metadata.add(node)
    }
}

/// The text of a field of an object: its value, or the index of the object that it refers to.
fn field_text(metadata: &mut Metadata, field: &Field, value: &AttrValue) -> String {
    match value {
        AttrValue::None if field.kind == FieldKind::DType => String::new(),
        AttrValue::Bool(value) if !field.boxed => u8::from(*value).to_string(),
        AttrValue::Int(value) if !field.boxed => value.to_string(),
        AttrValue::Float(value) if !field.boxed => format!("{value:?}").to_lowercase(),
        AttrValue::Str(text) if !field.boxed => text.clone(),
        value => object(metadata, value).to_string(),
    }
}

/// Adds an attribute value as an object; returns its index in the graph. Index 0 is null.
fn object(metadata: &mut Metadata, value: &AttrValue) -> u32 {
    let mut number = |key: &str, dtype: &str, value: String| {
        let mut node = MetaNode::new(key);
        node.set("dtype", dtype);
        node.set("span", 0);
        node.set("value", value);
        metadata.push(node)
    };
    match value {
        AttrValue::Bool(value) => number("IntImm", "bool", u8::from(*value).to_string()),
        AttrValue::Int(value) if i32::try_from(*value).is_ok() => {
            number("IntImm", "int32", value.to_string())
        }
        AttrValue::Int(value) => number("IntImm", "int64", value.to_string()),
        AttrValue::Float(value) => number("FloatImm", "float32", format!("{value:?}").to_lowercase()),
        AttrValue::Str(text) => {
            metadata.push(MetaNode { repr: Some(text.clone()), ..MetaNode::new("runtime.String") })
        }
        AttrValue::List(items) => {
            let data = items.iter().map(|item| with_stack(|| object(metadata, item))).collect();
            metadata.push(MetaNode { data, ..MetaNode::new("Array") })
        }
        AttrValue::None | AttrValue::Object(_) => 0,
    }
}

/// The attributes that the text of a function writes after the parameters: `Composite="dense_relu"`.
pub(super) fn function_attrs(function: OpRef<'_>) -> Vec<String> {
    let ctx = function.context();
    let entries = function.attrs().as_dictionary(ctx).unwrap_or(&[]);
    entries_text(ctx, entries.iter().filter(|(name, _)| !name.as_str(ctx).contains('.')))
}

/// The attributes of each parameter, without captured values.
pub(super) fn param_attrs(function: OpRef<'_>) -> Vec<String> {
    let ctx = function.context();
    let params =
        function.attr_named("relay.param_attrs").and_then(|params| params.as_array(ctx)).unwrap_or(&[]);
    let text = |entries: &[(Name, Attr)]| match entries {
        [] => String::new(),
        _ => format!(" {{{}}}", entries_text(ctx, entries.iter()).join(", ")),
    };
    params.iter().map(|attrs| text(attrs.as_dictionary(ctx).unwrap_or(&[]))).collect()
}

fn entries_text<'a>(ctx: &Context, entries: impl Iterator<Item = &'a (Name, Attr)>) -> Vec<String> {
    entries
        .filter_map(|&(name, value)| Some(format!("{}={}", name.as_str(ctx), value_text(ctx, value)?)))
        .collect()
}

/// The text of an attribute of a function; the emission of functions lists the kinds.
fn value_text(ctx: &Context, attr: Attr) -> Option<String> {
    if let Some(entries) = attr.as_dictionary(ctx) {
        let entry = |name: &str| entries.iter().find(|(key, _)| key.as_str(ctx) == name).map(|entry| entry.1);
        let (key, index) = (entry("meta")?.as_str(ctx)?, entry("index")?.as_i64(ctx)?);
        return Some(format!("meta[{key}][{index}]"));
    }
    if let Some(items) = attr.as_array(ctx) {
        let items: Option<Vec<String>> =
            items.iter().map(|&item| with_stack(|| value_text(ctx, item))).collect();
        return Some(format!("[{}]", items?.join(", ")));
    }
    let value = match attr.data(ctx) {
        _ if attr == Attr::UNIT => AttrValue::None,
        _ if attr.as_bool(ctx).is_some() => AttrValue::Bool(attr.as_bool(ctx)?),
        AttrData::Integer { .. } => AttrValue::Int(attr.as_i64(ctx)?),
        AttrData::Float { .. } => AttrValue::Float(attr.as_f64(ctx)?),
        _ => AttrValue::Str(attr.as_str(ctx)?.to_owned()),
    };
    Some(attr_text(&value))
}

/// The text of the value of an attribute.
fn attr_text(value: &AttrValue) -> String {
    match value {
        // Numbers need a suffix for their width.
        AttrValue::Float(value) if f64::from(*value as f32) == *value => {
            literal::text(Literal::Float(*value, Some(Suffix::Float(32))))
        }
        AttrValue::Float(value) => literal::text(Literal::Float(*value, Some(Suffix::Float(64)))),
        AttrValue::List(items) => {
            let items: Vec<String> = items.iter().map(|item| with_stack(|| attr_text(item))).collect();
            format!("[{}]", items.join(", "))
        }
        AttrValue::Str(text) => format!("\"{text}\""),
        AttrValue::Int(_) | AttrValue::Bool(_) | AttrValue::None | AttrValue::Object(_) => value.to_string(),
    }
}
