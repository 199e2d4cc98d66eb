//! What a function takes and gives, as its source says it, and values of that as JSON.
//!
//! A tensor is nested arrays, a tensor of rank 0 and a number are numbers, NaN and the infinities are the strings
//! `"nan"`, `"inf"`, `"-inf"`, a tuple is `{"tuple": [..]}`, a truth value is `true` or `false`, text is a string.
//! Compiled functions know no tuples: an [`Interface`] takes values apart into scalars and tensors, and puts results
//! together again.

use crate::{Failure, Float, structured};
use minoan_diag::Diagnostic;
use minoan_ir::{Context, FloatKind, Type, TypeData};
use minoan_knossos::{TypeId, Types};
use minoan_services::{Datum, Tensor, TensorData};
use minoan_sip::SipSignature;
use serde_json::{Number, Value as Json, json};

/// A value as the interpreter has it: a scalar or a tensor.
pub use minoan_services::Datum as Data;

/// A type of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// An integer of so many bits, or an index.
    Integer(u32),
    /// A truth value.
    Bool,
    /// A float.
    F32,
    /// A float of double width.
    F64,
    /// Text.
    Text,
    /// A tensor of a rank and an element type that is not a tensor.
    Tensor(usize, Box<Shape>),
    /// A tuple.
    Tuple(Vec<Shape>),
}

/// What a function takes and gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interface {
    /// One for each parameter.
    pub params: Vec<Shape>,
    /// The result.
    pub result: Shape,
    /// The names of the parameters, where the source gives them names.
    pub names: Vec<String>,
    /// Where each value stands, when that is not simply their order; values have no tuples inside then.
    pub structure: Option<SipSignature>,
}

impl Shape {
    fn of_knossos(types: &Types, ty: TypeId, float: Float) -> Shape {
        use minoan_knossos::Type as Ks;
        match types.get(ty) {
            Ks::Float if float == Float::F32 => Shape::F32,
            Ks::Float => Shape::F64,
            Ks::Bool => Shape::Bool,
            Ks::String => Shape::Text,
            Ks::Tensor(rank, element) => {
                Shape::Tensor(*rank as usize, Box::new(Shape::of_knossos(types, *element, float)))
            }
            Ks::Tuple(parts) => {
                Shape::Tuple(parts.iter().map(|&part| Shape::of_knossos(types, part, float)).collect())
            }
            _ => Shape::Integer(64),
        }
    }

    fn of_type(ctx: &Context, ty: Type) -> Option<Shape> {
        match *ty.data(ctx) {
            TypeData::Integer { width: 1, .. } => Some(Shape::Bool),
            TypeData::Integer { width, .. } => Some(Shape::Integer(width)),
            TypeData::Index => Some(Shape::Integer(64)),
            TypeData::Float(FloatKind::F32) => Some(Shape::F32),
            TypeData::Float(FloatKind::F64) => Some(Shape::F64),
            TypeData::RankedTensor { ref shape, element, .. }
            | TypeData::MemRef { ref shape, element, .. } => {
                Some(Shape::Tensor(shape.len(), Box::new(Shape::of_type(ctx, element)?)))
            }
            _ => None,
        }
    }

    pub(crate) fn describe(&self) -> String {
        match self {
            Shape::Integer(_) => "an integer".into(),
            Shape::Bool => "true or false".into(),
            Shape::F32 | Shape::F64 => "a number".into(),
            Shape::Text => "a string".into(),
            Shape::Tensor(rank, element) => format!("a tensor of rank {rank} of {}", element.plural()),
            Shape::Tuple(parts) => format!("{{\"tuple\": [..]}} of {} values", parts.len()),
        }
    }

    fn plural(&self) -> String {
        match self {
            Shape::Integer(_) => "integers".into(),
            Shape::Bool => "truth values".into(),
            Shape::F32 | Shape::F64 => "numbers".into(),
            other => other.describe(),
        }
    }

    fn zero(&self) -> Datum {
        match self {
            Shape::F32 => Datum::F32(0.0),
            Shape::F64 => Datum::F64(0.0),
            _ => Datum::Int(0),
        }
    }
}

impl Interface {
    pub(crate) fn of_knossos(
        types: &Types,
        arg: TypeId,
        params: usize,
        result: TypeId,
        float: Float,
    ) -> Self {
        let params = match types.parts(arg) {
            Some(parts) if params != 1 => {
                parts.iter().map(|&part| Shape::of_knossos(types, part, float)).collect()
            }
            _ => vec![Shape::of_knossos(types, arg, float)],
        };
        Self { params, result: Shape::of_knossos(types, result, float), names: Vec::new(), structure: None }
    }

    pub(crate) fn of_types(ctx: &Context, inputs: &[Type], results: &[Type]) -> Result<Self, Failure> {
        let shape = |&ty: &Type| {
            Shape::of_type(ctx, ty).ok_or_else(|| {
                let text = minoan_ir::text::print_type(ctx, ty);
                Failure::from(Diagnostic::error(format!(
                    "values of type '{text}' cannot be given from outside"
                )))
            })
        };
        let params = inputs.iter().map(shape).collect::<Result<_, _>>()?;
        let mut results: Vec<Shape> = results.iter().map(shape).collect::<Result<_, _>>()?;
        let result = if results.len() == 1 { results.remove(0) } else { Shape::Tuple(results) };
        Ok(Self { params, result, names: Vec::new(), structure: None })
    }

    /// The same values in the structure that a function's signature says.
    ///
    /// # Errors
    /// The structure cannot be said in JSON.
    pub(crate) fn structured(mut self, sip: SipSignature) -> Result<Self, Failure> {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let results = self.result_shapes().len();
        if sip != SipSignature::positional(count(self.params.len()), count(results)) {
            structured::check(&sip)?;
            self.structure = Some(sip);
        }
        Ok(self)
    }

    /// The names of all parameters; `arr_0`, `arr_1` and so on, as in an archive of arrays without names, where the source
    /// gives none.
    pub fn param_names(&self) -> Vec<String> {
        match self.names.len() == self.params.len() {
            true => self.names.clone(),
            false => (0..self.params.len()).map(|index| format!("arr_{index}")).collect(),
        }
    }

    /// The values that the result is made of, in order, with names that say where each stands: `result`, or `result_0`
    /// for the first of several, `result_0_1` for the second one in that.
    pub fn result_leaves(&self) -> Vec<(String, &Shape)> {
        let mut leaves = Vec::new();
        let mut pending = vec![("result".to_owned(), &self.result)];
        while let Some((name, shape)) = pending.pop() {
            match shape {
                Shape::Tuple(parts) => {
                    let parts = parts.iter().enumerate().rev();
                    pending.extend(parts.map(|(index, part)| (format!("{name}_{index}"), part)));
                }
                leaf => leaves.push((name, leaf)),
            }
        }
        leaves
    }

    /// The results of a function that was declared by its types.
    fn result_shapes(&self) -> &[Shape] {
        match &self.result {
            Shape::Tuple(parts) => parts,
            single => std::slice::from_ref(single),
        }
    }

    /// The arguments of a call from JSON: an array with one value for each parameter; a single parameter may also
    /// stand alone. With a [`structure`](Self::structure), nested arrays and objects as it says.
    ///
    /// # Errors
    /// A value of another type, a ragged array, too many or too few values: where, what was expected and what was
    /// found.
    pub fn parse_args(&self, json: &Json) -> Result<Vec<Datum>, Failure> {
        if let Some(sip) = &self.structure {
            return Ok(structured::pack(&sip.inputs, &self.params, json)?);
        }
        let mut leaves = Vec::new();
        let as_list = match json {
            Json::Array(values) if values.len() == self.params.len() => Some(values.as_slice()),
            Json::Null if self.params.is_empty() => Some(&[][..]),
            _ => None,
        };
        let alone = |leaves: &mut Vec<Datum>| match &self.params[..] {
            [only] => parse(only, json, "the argument", leaves),
            params => {
                let found =
                    json.as_array().map_or_else(|| describe(json), |list| format!("{} values", list.len()));
                Err(format!("expected an array of {} arguments, found {found}", params.len()))
            }
        };
        let parsed = match as_list {
            Some(values) => {
                let mut pairs = self.params.iter().zip(values).enumerate();
                let in_order = pairs.try_for_each(|(at, (shape, value))| {
                    parse(shape, value, &format!("argument {}", at + 1), &mut leaves)
                });
                // A tensor of one element looks like a list of one argument.
                in_order.or_else(|error| {
                    leaves.clear();
                    if self.params.len() == 1 { alone(&mut leaves).map_err(|_| error) } else { Err(error) }
                })
            }
            None => alone(&mut leaves),
        };
        parsed.map_err(Diagnostic::error)?;
        Ok(leaves)
    }

    /// The result of a call as JSON.
    pub fn result_json(&self, leaves: &[Datum]) -> Json {
        match &self.structure {
            Some(sip) => structured::to_json(&sip.results, &|at| {
                to_json(&self.result_shapes()[at], &mut leaves[at..].iter())
            }),
            None => to_json(&self.result, &mut leaves.iter()),
        }
    }

    /// The result of a call for people: tuples in parentheses, tensors in brackets.
    pub fn result_text(&self, leaves: &[Datum]) -> String {
        match &self.structure {
            Some(sip) => structured::to_text(&sip.results, &|at| {
                to_text(&self.result_shapes()[at], &mut leaves[at..].iter())
            }),
            None => to_text(&self.result, &mut leaves.iter()),
        }
    }
}

pub(crate) fn describe(json: &Json) -> String {
    match json {
        Json::Null => "null".into(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => format!("the number {number}"),
        Json::String(text) => format!("the string {text:?}"),
        Json::Array(list) => format!("an array of {} values", list.len()),
        Json::Object(_) => "an object".into(),
    }
}

pub(crate) fn parse(shape: &Shape, json: &Json, path: &str, leaves: &mut Vec<Datum>) -> Result<(), String> {
    match (shape, json) {
        (Shape::Tuple(parts), _) => {
            let values = match json {
                Json::Object(fields) if fields.len() == 1 => fields.get("tuple").and_then(Json::as_array),
                Json::Array(values) => Some(values),
                _ => None,
            };
            match values {
                Some(values) if values.len() == parts.len() => {
                    for (at, (part, value)) in parts.iter().zip(values).enumerate() {
                        parse(part, value, &format!("{path}, component {}", at + 1), leaves)?;
                    }
                    Ok(())
                }
                _ => Err(mismatch(shape, json, path)),
            }
        }
        (Shape::Text, Json::String(text)) => {
            let bytes: Vec<i64> = text.bytes().map(|byte| i64::from(byte as i8)).collect();
            leaves.push(Tensor { shape: vec![bytes.len()], data: TensorData::Int(bytes) }.into());
            Ok(())
        }
        (Shape::Tensor(rank, element), _) => {
            let mut extents = vec![None; *rank];
            let mut flat = Vec::new();
            flatten(element, json, path, 0, &mut extents, &mut flat)?;
            let extents: Vec<usize> = extents.into_iter().map(|extent| extent.unwrap_or(0)).collect();
            let mut data = TensorData::splat(&element.zero(), flat.len()).map_err(|trap| trap.message)?;
            for (at, value) in flat.iter().enumerate() {
                data.set(at, value).map_err(|trap| trap.message)?;
            }
            leaves.push(Tensor { shape: extents, data }.into());
            Ok(())
        }
        _ => {
            leaves.push(scalar(shape, json).ok_or_else(|| mismatch(shape, json, path))?);
            Ok(())
        }
    }
}

fn mismatch(shape: &Shape, json: &Json, path: &str) -> String {
    format!("{path}: expected {}, found {}", shape.describe(), describe(json))
}

fn scalar(shape: &Shape, json: &Json) -> Option<Datum> {
    let float = || match json {
        Json::Number(number) => number.as_f64(),
        Json::String(text) => match text.as_str() {
            "nan" => Some(f64::NAN),
            "inf" => Some(f64::INFINITY),
            "-inf" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    };
    match shape {
        Shape::Integer(64) => json.as_i64().map(Datum::Int),
        Shape::Integer(width) => {
            let fits = |&value: &i64| *width > 63 || (-(1i64 << (width - 1))..1i64 << width).contains(&value);
            json.as_i64().filter(fits).map(Datum::Int)
        }
        Shape::Bool => json.as_bool().map(Datum::from),
        Shape::F32 => match json {
            // Rounded once, from the text.
            Json::Number(number) => number.to_string().parse().ok().map(Datum::F32),
            _ => float().map(|value| Datum::F32(value as f32)),
        },
        Shape::F64 => match json {
            Json::Number(number) => number.to_string().parse().ok().map(Datum::F64),
            _ => float().map(Datum::F64),
        },
        _ => None,
    }
}

fn flatten(
    element: &Shape,
    json: &Json,
    path: &str,
    depth: usize,
    extents: &mut [Option<usize>],
    flat: &mut Vec<Datum>,
) -> Result<(), String> {
    let Some(extent) = extents.get_mut(depth) else {
        flat.push(scalar(element, json).ok_or_else(|| mismatch(element, json, path))?);
        return Ok(());
    };
    let Json::Array(values) = json else {
        return Err(format!("{path}: expected an array, found {}", describe(json)));
    };
    match extent.replace(values.len()) {
        Some(other) if other != values.len() => {
            return Err(format!(
                "{path}: expected an array of {other} values as before, found {}",
                values.len()
            ));
        }
        _ => {}
    }
    for (at, value) in values.iter().enumerate() {
        flatten(element, value, &format!("{path}[{at}]"), depth + 1, extents, flat)?;
    }
    Ok(())
}

fn float_json(text: String, value: f64) -> Json {
    if value.is_nan() {
        json!("nan")
    } else if value.is_infinite() {
        json!(if value > 0.0 { "inf" } else { "-inf" })
    } else {
        // The shortest text that reads back as the same value.
        text.parse::<Number>().map_or(Json::Null, Json::Number)
    }
}

fn leaf_json(shape: &Shape, leaf: &Datum) -> Json {
    match leaf {
        Datum::Int(value) if *shape == Shape::Bool => json!(*value != 0),
        Datum::Int(value) => json!(value),
        Datum::F32(value) => float_json(format!("{value:?}"), f64::from(*value)),
        Datum::F64(value) => float_json(format!("{value:?}"), *value),
        _ => Json::Null,
    }
}

/// Contents of a leaf that is a tensor, wherever it is kept.
fn tensor_of(leaf: &Datum) -> Option<Tensor> {
    match leaf {
        Datum::Tensor(tensor) => Some(Tensor::clone(tensor)),
        Datum::Buffer(buffer) => buffer.read(|tensor| Ok(tensor.clone())).ok(),
        _ => None,
    }
}

fn to_json<'a>(shape: &Shape, leaves: &mut impl Iterator<Item = &'a Datum>) -> Json {
    match shape {
        Shape::Tuple(parts) => {
            let parts: Vec<Json> = parts.iter().map(|part| to_json(part, leaves)).collect();
            json!({ "tuple": parts })
        }
        Shape::Text => leaves.next().and_then(tensor_of).map_or(Json::Null, |tensor| json!(text_of(&tensor))),
        Shape::Tensor(_, element) => match leaves.next().and_then(tensor_of) {
            Some(tensor) => {
                nest(&tensor, 0, 0, &mut |at| leaf_json(element, &tensor.data.get(at)), &Json::Array)
            }
            None => Json::Null,
        },
        scalar => leaves.next().map_or(Json::Null, |leaf| leaf_json(scalar, leaf)),
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

fn leaf_text(shape: &Shape, leaf: &Datum) -> String {
    match leaf {
        Datum::Int(value) if *shape == Shape::Bool => (*value != 0).to_string(),
        Datum::Int(value) => value.to_string(),
        Datum::F32(value) => value.to_string(),
        Datum::F64(value) => value.to_string(),
        _ => "?".into(),
    }
}

fn to_text<'a>(shape: &Shape, leaves: &mut impl Iterator<Item = &'a Datum>) -> String {
    match shape {
        Shape::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| to_text(part, leaves)).collect();
            format!("({})", parts.join(", "))
        }
        Shape::Text => {
            leaves.next().and_then(tensor_of).map_or_else(|| "?".into(), |tensor| text_of(&tensor))
        }
        Shape::Tensor(_, element) => match leaves.next().and_then(tensor_of) {
            Some(tensor) => {
                nest(&tensor, 0, 0, &mut |at| leaf_text(element, &tensor.data.get(at)), &|parts| {
                    format!("[{}]", parts.join(", "))
                })
            }
            None => "?".into(),
        },
        scalar => leaves.next().map_or_else(|| "?".into(), |leaf| leaf_text(scalar, leaf)),
    }
}
