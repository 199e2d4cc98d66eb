//! Values as JSON and as text.

use super::ValueType;
use minoan_services::{Datum, Tensor};
use serde_json::{Value as Json, json};

/// A value as JSON, from the data of its scalars and tensors in order.
pub(crate) fn to_json<'a>(ty: &ValueType, leaves: &mut impl Iterator<Item = &'a Datum>) -> Json {
    match ty {
        ValueType::Tuple(parts) => {
            let parts: Vec<Json> = parts.iter().map(|part| to_json(part, leaves)).collect();
            json!({ "tuple": parts })
        }
        ValueType::Scalar(element) => leaves.next().map_or(Json::Null, |leaf| element.json(leaf)),
        ValueType::String => {
            leaves.next().and_then(tensor_of).map_or(Json::Null, |tensor| json!(text_of(&tensor)))
        }
        ValueType::Tensor { element, .. } => match leaves.next().and_then(tensor_of) {
            Some(tensor) => nest(&tensor, 0, 0, &mut |at| element.json(&tensor.data.get(at)), &Json::Array),
            None => Json::Null,
        },
    }
}

/// A value as text: a tuple in parentheses, `(1, (2,), ())`, a tensor in brackets.
pub(crate) fn to_text<'a>(ty: &ValueType, leaves: &mut impl Iterator<Item = &'a Datum>) -> String {
    let missing = || "?".to_owned();
    match ty {
        ValueType::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| to_text(part, leaves)).collect();
            tuple_text(&parts)
        }
        ValueType::Scalar(element) => leaves.next().map_or_else(missing, |leaf| element.text(leaf)),
        ValueType::String => {
            leaves.next().and_then(tensor_of).map_or_else(missing, |tensor| text_of(&tensor))
        }
        ValueType::Tensor { element, .. } => match leaves.next().and_then(tensor_of) {
            Some(tensor) => {
                let join = |parts: Vec<String>| format!("[{}]", parts.join(", "));
                nest(&tensor, 0, 0, &mut |at| element.text(&tensor.data.get(at)), &join)
            }
            None => missing(),
        },
    }
}

/// Components in parentheses; a comma tells a tuple of one from its component.
pub(super) fn tuple_text(parts: &[String]) -> String {
    match parts {
        [single] => format!("({single},)"),
        parts => format!("({})", parts.join(", ")),
    }
}

/// The contents of a leaf that is a tensor or a buffer.
fn tensor_of(leaf: &Datum) -> Option<Tensor> {
    match leaf {
        Datum::Tensor(tensor) => Some(Tensor::clone(tensor)),
        Datum::Buffer(buffer) => buffer.read(|tensor| Ok(tensor.clone())).ok(),
        _ => None,
    }
}

fn text_of(tensor: &Tensor) -> String {
    let bytes: Vec<u8> =
        (0..tensor.data.len()).map(|at| tensor.data.get(at).int().unwrap_or(0) as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The nested form of a tensor from position `start` on, in dimension `dim`.
fn nest<T>(
    tensor: &Tensor,
    dim: usize,
    start: usize,
    leaf: &mut impl FnMut(usize) -> T,
    join: &dyn Fn(Vec<T>) -> T,
) -> T {
    let Some(&extent) = tensor.shape.get(dim) else { return leaf(start) };
    let stride: usize = tensor.shape[dim + 1..].iter().product();
    join((0..extent).map(|at| nest(tensor, dim + 1, start + at * stride, leaf, join)).collect())
}
