//! Values as JSON and as text.

use super::nested::{self, Form, arrays, tensor_of};
use super::{DataType, ElementType, ValueType};
use minoan_services::{Datum, Tensor};
use serde_json::{Value as Json, json};
use std::cell::Cell;

/// Trees of JSON.
#[derive(Default)]
struct AsJson {
    /// Whether a value is nested too deeply for a tree.
    is_too_deep: Cell<bool>,
}

impl Form for AsJson {
    type Out = Json;

    fn scalar(&self, element: ElementType, datum: &Datum) -> Json {
        element.json(datum)
    }

    fn string(&self, text: String) -> Json {
        json!(text)
    }

    fn tuple(&self, parts: Vec<Json>) -> Json {
        json!({ "tuple": parts })
    }

    fn array(&self, elements: Vec<Json>) -> Json {
        Json::Array(elements)
    }

    fn data(&self, ty: &DataType, datum: &Datum) -> Json {
        ty.json(datum).unwrap_or_else(|| {
            self.is_too_deep.set(true);
            Json::Null
        })
    }

    fn missing(&self) -> Json {
        Json::Null
    }
}

/// The text of JSON.
struct AsJsonText;

impl Form for AsJsonText {
    type Out = String;

    fn scalar(&self, element: ElementType, datum: &Datum) -> String {
        element.json(datum).to_string()
    }

    fn string(&self, text: String) -> String {
        json!(text).to_string()
    }

    fn tuple(&self, parts: Vec<String>) -> String {
        format!("{{\"tuple\":[{}]}}", parts.join(","))
    }

    fn array(&self, elements: Vec<String>) -> String {
        format!("[{}]", elements.join(","))
    }

    fn data(&self, ty: &DataType, datum: &Datum) -> String {
        ty.json_text(datum)
    }

    fn missing(&self) -> String {
        Json::Null.to_string()
    }
}

struct AsText;

impl Form for AsText {
    type Out = String;

    fn scalar(&self, element: ElementType, datum: &Datum) -> String {
        element.text(datum)
    }

    fn string(&self, text: String) -> String {
        text
    }

    fn tuple(&self, parts: Vec<String>) -> String {
        tuple_text(&parts)
    }

    fn array(&self, elements: Vec<String>) -> String {
        format!("[{}]", elements.join(", "))
    }

    fn data(&self, ty: &DataType, datum: &Datum) -> String {
        ty.text(datum)
    }

    fn missing(&self) -> String {
        "?".to_owned()
    }
}

/// A value as JSON, from the data of its scalars and tensors in order; `None` if it is nested too deeply for a tree.
pub(crate) fn to_json<'a>(ty: &ValueType, leaves: &mut impl Iterator<Item = &'a Datum>) -> Option<Json> {
    let form = AsJson::default();
    let json = show(&form, ty, leaves);
    (!form.is_too_deep.get()).then_some(json)
}

/// A value as the text of JSON.
pub(crate) fn to_json_text<'a>(ty: &ValueType, leaves: &mut impl Iterator<Item = &'a Datum>) -> String {
    show(&AsJsonText, ty, leaves)
}

/// A value as text: a tuple in parentheses, `(1, (2,), ())`, a tensor in brackets.
pub(crate) fn to_text<'a>(ty: &ValueType, leaves: &mut impl Iterator<Item = &'a Datum>) -> String {
    show(&AsText, ty, leaves)
}

fn show<'a, F: Form>(form: &F, ty: &ValueType, leaves: &mut impl Iterator<Item = &'a Datum>) -> F::Out {
    match ty {
        ValueType::Tuple(parts) => {
            let mut shown = Vec::new();
            for part in parts {
                shown.push(show(form, part, leaves));
            }
            form.tuple(shown)
        }
        ValueType::Nested { rank, element } => {
            // Only its own leaves: it looks ahead.
            let own: Vec<&Datum> = leaves.take(ty.leaves().len()).collect();
            nested::show(form, *rank, element, &mut own.into_iter())
        }
        ValueType::Scalar(element) => {
            leaves.next().map_or_else(|| form.missing(), |leaf| form.scalar(*element, leaf))
        }
        ValueType::Data(ty) => leaves.next().map_or_else(|| form.missing(), |leaf| form.data(ty, leaf)),
        ValueType::String => match leaves.next().and_then(tensor_of) {
            Some(tensor) => form.string(text_of(&tensor)),
            None => form.missing(),
        },
        ValueType::Tensor { element, .. } => match leaves.next().and_then(tensor_of) {
            Some(Tensor { shape, data }) => {
                arrays(form, &shape, 0, &mut |at| form.scalar(*element, &data.get(at)))
            }
            None => form.missing(),
        },
    }
}

/// Components in parentheses; a comma distinguishes a tuple with one component from the component.
pub(super) fn tuple_text(parts: &[String]) -> String {
    match parts {
        [single] => format!("({single},)"),
        parts => format!("({})", parts.join(", ")),
    }
}

fn text_of(tensor: &Tensor) -> String {
    let bytes: Vec<u8> =
        (0..tensor.data.len()).map(|at| tensor.data.get(at).int().unwrap_or(0) as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
