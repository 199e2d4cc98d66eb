//! The measured programs, their arguments and variants. Tests of other crates include this file, too.
#![allow(dead_code, reason = "each test file uses a part")]

use minoan_services::{Datum, Scalar, Tensor, TensorData, wrap};
use serde_json::Value;

/// A program with a result that was measured.
pub struct Vector {
    pub name: String,
    pub text: String,
    pub inputs: Vec<Datum>,
    /// The measured result: a tensor, or a tuple.
    pub output: Value,
}

/// The reference programs, including those without a result.
pub fn all() -> Vec<Value> {
    serde_json::from_str(include_str!("../../data/relay-op-vectors.json")).expect("valid JSON")
}

/// The programs with a measured result.
pub fn vectors() -> Vec<Vector> {
    with_results(&all())
}

/// Programs of one operator each, with the results that `test/numerics/relay_operators.py` computed.
pub fn operators() -> Vec<Vector> {
    let values: Vec<Value> =
        serde_json::from_str(include_str!("../../data/operators.json")).expect("valid JSON");
    with_results(&values)
}

fn with_results(values: &[Value]) -> Vec<Vector> {
    let measured = values.iter().filter(|value| value["output"].is_object());
    measured
        .map(|value| Vector {
            name: value["name"].as_str().unwrap_or_default().to_owned(),
            text: value["text"].as_str().unwrap_or_default().to_owned(),
            inputs: inputs(value),
            output: value["output"].clone(),
        })
        .collect()
}

/// The arguments of a program.
pub fn inputs(program: &Value) -> Vec<Datum> {
    program["inputs"].as_array().into_iter().flatten().map(datum).collect()
}

/// A number of the data, which spells the values that JSON lacks.
pub fn number(value: &Value) -> f64 {
    match value {
        Value::Bool(value) => f64::from(u8::from(*value)),
        Value::String(text) => match text.as_str() {
            "inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            _ => f64::NAN,
        },
        value => value.as_f64().unwrap_or(f64::NAN),
    }
}

fn width(dtype: &str) -> u32 {
    let digits: String = dtype.chars().filter(char::is_ascii_digit).collect();
    if dtype == "bool" { 1 } else { digits.parse().unwrap_or(32) }
}

/// An integer in the interpreter's representation.
pub fn integer(value: &Value, dtype: &str) -> i64 {
    let whole = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
    let value = whole.unwrap_or_else(|| number(value) as i128);
    wrap(value, width(dtype))
}

/// A tensor of the data.
fn datum(input: &Value) -> Datum {
    let items = input["data"].as_array().cloned().unwrap_or_default();
    let shape = input["shape"].as_array().into_iter().flatten().filter_map(Value::as_u64);
    let dtype = input["dtype"].as_str().unwrap_or_default();
    let data = match dtype {
        "float64" => TensorData::F64(items.iter().map(number).collect()),
        "float32" => TensorData::F32(items.iter().map(|item| number(item) as f32).collect()),
        "float16" => {
            TensorData::F32(items.iter().map(|item| Scalar::F16.round(number(item) as f32)).collect())
        }
        _ => TensorData::Int(items.iter().map(|item| integer(item, dtype)).collect()),
    };
    Tensor { shape: shape.map(|extent| extent as usize).collect(), data }.into()
}

/// The program with `?` for each extent of the parameters of `@main` that `dynamic` selects; `None` if that changes
/// nothing.
pub fn with_dynamic_params(text: &str, dynamic: impl Fn(usize) -> bool) -> Option<String> {
    let start = text.find("def @main(")?;
    let end = start + text[start..].find(") ")?;
    let mut changed = text[..start].to_owned();
    for (index, param) in text[start..end].split('%').enumerate() {
        if index > 0 {
            changed.push('%');
        }
        match (param.find("Tensor[("), param.find("), ")) {
            (Some(from), Some(to)) if index > 0 && dynamic(index - 1) => {
                let extents = param[from + 8..to].split(',').filter(|dim| !dim.trim().is_empty());
                let dims = vec!["?"; extents.count()];
                let comma = if dims.len() == 1 { "," } else { "" };
                changed += &format!("{}{}{comma}{}", &param[..from + 8], dims.join(", "), &param[to..]);
            }
            _ => changed += param,
        }
    }
    changed += &text[end..];
    (changed != text).then_some(changed)
}

/// A tensor like `tensor` whose extent along `axis` is another one; the elements are repeated.
pub fn resized(tensor: &Tensor, axis: usize, extent: usize) -> Tensor {
    let mut shape = tensor.shape.clone();
    shape[axis] = extent;
    let count: usize = shape.iter().product();
    let mut resized = Tensor::splat(&shape, &tensor.data.zero()).expect("a small tensor");
    for at in 0..count {
        if let Some(from) = at.checked_rem(tensor.data.len()) {
            resized.data.set(at, &tensor.data.get(from)).expect("of the same type");
        }
    }
    resized
}
