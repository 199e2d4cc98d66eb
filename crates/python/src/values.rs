//! Conversion of arguments and results, by the types that the source declares.
//!
//! | source | argument | result |
//! |---|---|---|
//! | integer, float, complex number, truth value | a number of Python or NumPy | `int`, `float`, `complex`, `bool` |
//! | string | `str` | `str` |
//! | tensor | an array (array interface, DLPack, buffer protocol), nested lists | `numpy.ndarray` |
//! | tuple | a tuple or list | `tuple` |
//! | tensor of tuples, of strings or of tensors | nested lists | nested lists |
//!
//! Values of data types are those of [`data`](crate::data).

use crate::arrays::{Foreign, to_numpy};
use minoan::Argument;
use minoan::Datum;
use minoan::call::{from_leaf, from_value, scalar_of};
use minoan::interface::{ElementType, Interface, ValueType};
use minoan::ir::Int;
use minoan::llvm::{Scalar, Value};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map, Number, Value as Json};

/// The arguments of a call.
pub(crate) struct Arguments {
    /// One for each scalar, string and tensor that the parameters consist of.
    pub(crate) values: Vec<Argument<'static>>,
    /// The owners of the memory of arrays.
    pub(crate) owners: Vec<Py<PyAny>>,
    /// For each of `values`, whether the function updates it in place.
    updated: Vec<bool>,
}

impl Arguments {
    pub(crate) fn new(updated: Vec<bool>) -> Self {
        Self { values: Vec::new(), owners: Vec::new(), updated }
    }

    /// Adds the argument for a parameter; `name` is its name in messages.
    pub(crate) fn push(&mut self, ty: &ValueType, value: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
        match ty {
            ValueType::Scalar(element) => {
                self.values.push(Argument::Data(scalar(*element, value, name)?));
                Ok(())
            }
            ValueType::Tensor { shape, element } => self.push_array(ty, shape, *element, value, name),
            ValueType::Tuple(parts) => {
                let items = items(value).filter(|items| items.len() == parts.len());
                let Some(items) = items.or_else(|| (parts.is_empty() && value.is_none()).then(Vec::new))
                else {
                    let found = describe(value);
                    return Err(PyTypeError::new_err(format!(
                        "{name}: expected a tuple of {} values, found {found}",
                        parts.len()
                    )));
                };
                let mut parts = parts.iter().zip(&items).enumerate();
                parts.try_for_each(|(at, (ty, item))| self.push(ty, item, &format!("{name}[{at}]")))
            }
            ValueType::String | ValueType::Nested { .. } | ValueType::Data(_) => {
                let json = Json::Array(vec![to_json(value, name, 0)?]);
                let single = Interface::new(vec![ty.clone()], ValueType::Tuple(Vec::new()), Vec::new());
                let data = single.parse_args(&json).map_err(|failure| {
                    let message = failure.to_string();
                    let message = message.strip_prefix("argument 1").unwrap_or(&message);
                    PyTypeError::new_err(format!(
                        "{name}{}{message}",
                        if message.starts_with([':', '[']) { "" } else { ": " }
                    ))
                })?;
                self.values.extend(data.into_iter().map(Argument::Data));
                Ok(())
            }
        }
    }

    fn push_array(
        &mut self,
        ty: &ValueType,
        shape: &[Option<usize>],
        element: ElementType,
        value: &Bound<'_, PyAny>,
        name: &str,
    ) -> PyResult<()> {
        let named = |error: PyErr| {
            let message = format!("{name}: {}", error.value(value.py()));
            let exact = error.get_type(value.py());
            exact.call1((message,)).map_or(error, PyErr::from_value)
        };
        let foreign = match Foreign::of(value).map_err(named)? {
            Some(foreign) => foreign,
            None => from_elements(element, value).map_err(named)?,
        };
        let found = || {
            let expected = ty.describe();
            format!(
                "{name}: expected {expected}, found an array of shape {:?} of {}",
                foreign.shape, foreign.element
            )
        };
        if foreign.element != element {
            return Err(PyTypeError::new_err(found()));
        }
        let fits = |(wanted, found): (&Option<usize>, &usize)| wanted.is_none_or(|wanted| wanted == *found);
        if shape.len() != foreign.shape.len() || !shape.iter().zip(&foreign.shape).all(fits) {
            return Err(PyValueError::new_err(found()));
        }
        if self.updated.get(self.values.len()) == Some(&true) && !foreign.is_writable {
            return Err(PyValueError::new_err(format!(
                "{name}: the function updates the array in place, and it is not a writable array of NumPy"
            )));
        }
        // SAFETY: the owner is kept with the argument; that other threads leave the array alone is the contract of calls.
        let (view, owner) = unsafe { foreign.into_view(scalar_of(element)) }?;
        self.values.push(Argument::Array(element, view));
        self.owners.push(owner);
        Ok(())
    }
}

/// The elements of a tuple or list.
fn items<'py>(value: &Bound<'py, PyAny>) -> Option<Vec<Bound<'py, PyAny>>> {
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return Some(tuple.iter().collect());
    }
    value.cast::<PyList>().ok().map(|list| list.iter().collect())
}

/// The class of a value, and the length of a sequence, for messages.
pub(crate) fn describe(value: &Bound<'_, PyAny>) -> String {
    let class = value.get_type();
    let class = class.name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
    match value.len() {
        Ok(count) if items(value).is_some() => format!("a {class} of {count}"),
        _ => format!("a value of type {class}"),
    }
}

/// A number or truth value.
fn scalar(element: ElementType, value: &Bound<'_, PyAny>, name: &str) -> PyResult<Datum> {
    let mismatch = || {
        PyTypeError::new_err(format!("{name}: expected {}, found {}", element.describe(), describe(value)))
    };
    // Scalars of NumPy, and arrays without dimensions.
    let unwrapped = match value.getattr_opt("item")? {
        Some(item)
            if value.getattr_opt("shape")?.is_some_and(|shape| shape.len().is_ok_and(|rank| rank == 0)) =>
        {
            Some(item.call0()?)
        }
        _ => None,
    };
    let value = unwrapped.as_ref().unwrap_or(value);
    let overflow = |message: String| PyOverflowError::new_err(format!("{name}: {message}"));
    match element {
        ElementType::Bool => match value.cast::<PyBool>() {
            Ok(value) => Ok(value.is_true().into()),
            Err(_) => Err(mismatch()),
        },
        ElementType::Signed(_) | ElementType::Unsigned(_) => {
            if value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyString>() {
                return Err(mismatch());
            }
            let Ok(number) = value.call_method0("__index__") else { return Err(mismatch()) };
            let text = number.str()?.to_string();
            let digits = text.trim_start_matches('-').len();
            let number = text.parse::<Int>().ok().filter(|_| digits <= element.width() as usize);
            let number = number.ok_or_else(|| {
                overflow(format!("an integer of {digits} digits is out of the range of {element}"))
            })?;
            element.integer(number).map_err(|error| overflow(error.to_string()))
        }
        ElementType::ComplexF32 | ElementType::ComplexF64 => {
            if value.is_instance_of::<PyBool>() || value.is_instance_of::<PyString>() {
                return Err(mismatch());
            }
            let class = value.py().get_type::<PyComplex>();
            let Ok(number) = class.call1((value,)) else { return Err(mismatch()) };
            let number = number.cast::<PyComplex>()?;
            let part = element.part().ok_or_else(mismatch)?;
            let parts = [number.real(), number.imag()].map(|part_value| part.float(part_value));
            let [re, im] = parts.map(|part| part.map_err(|error| overflow(error.to_string())));
            element.complex([&re?, &im?]).map_err(|error| overflow(error.to_string()))
        }
        _ => {
            let is_number = value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>();
            if !is_number && !value.hasattr("__float__")? || value.is_instance_of::<PyBool>() {
                return Err(mismatch());
            }
            let number: f64 = value.extract().map_err(|error: PyErr| {
                if error.is_instance_of::<PyOverflowError>(value.py()) { error } else { mismatch() }
            })?;
            element.float(number).map_err(|error| overflow(error.to_string()))
        }
    }
}

/// Nested lists, numbers or a buffer as an array.
fn from_elements(element: ElementType, value: &Bound<'_, PyAny>) -> PyResult<Foreign> {
    let helper = value.py().import("minoan._convert")?;
    let array = helper.call_method1("elements", (value, element.to_string()))?;
    Foreign::of(&array)?.ok_or_else(|| PyTypeError::new_err("not an array"))
}

/// Structures nested deeper than this are refused.
const MAX_DEPTH: usize = 64;

/// A value of Python as JSON.
pub(crate) fn to_json(value: &Bound<'_, PyAny>, name: &str, depth: usize) -> PyResult<Json> {
    let refuse = || PyTypeError::new_err(format!("{name}: {} cannot be passed", describe(value)));
    if depth > MAX_DEPTH {
        return Err(PyValueError::new_err(format!("{name}: the value is nested too deeply")));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Json::String(text.to_cow().map_err(|_| refuse())?.into_owned()));
    }
    if let Ok(value) = value.cast::<PyBool>() {
        return Ok(Json::Bool(value.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        return value.str()?.to_string().parse::<Number>().map(Json::Number).map_err(|_| refuse());
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        return Ok(float_json(number.value()));
    }
    if let Ok(number) = value.cast::<PyComplex>() {
        return Ok(Json::Array([number.real(), number.imag()].map(float_json).to_vec()));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let mut object = Map::new();
        for (key, value) in dict.iter() {
            let key: String = key.extract().map_err(|_| refuse())?;
            let inner = format!("{name}[{key:?}]");
            object.insert(key, to_json(&value, &inner, depth + 1)?);
        }
        return Ok(Json::Object(object));
    }
    if let Some(items) = items(value) {
        let items = items.iter().enumerate();
        let items = items.map(|(at, item)| to_json(item, &format!("{name}[{at}]"), depth + 1));
        return Ok(Json::Array(items.collect::<PyResult<_>>()?));
    }
    match value.getattr_opt("tolist")? {
        Some(to_list) => to_json(&to_list.call0()?, name, depth + 1),
        None => Err(refuse()),
    }
}

/// A float as JSON.
fn float_json(number: f64) -> Json {
    match Number::from_f64(number) {
        Some(_) => format!("{number:?}").parse().map_or(Json::Null, Json::Number),
        None if number.is_nan() => Json::String("nan".to_owned()),
        None => Json::String(if number > 0.0 { "inf" } else { "-inf" }.to_owned()),
    }
}

/// The result of a call, from the scalars and tensors that it consists of.
pub(crate) fn result<'py>(
    py: Python<'py>,
    ty: &ValueType,
    leaves: &mut std::vec::IntoIter<Value>,
) -> PyResult<Bound<'py, PyAny>> {
    match ty {
        ValueType::Tuple(parts) => {
            let parts = parts.iter().map(|part| result(py, part, leaves)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyTuple::new(py, parts)?.into_any())
        }
        ValueType::Tensor { element, .. } => match leaves.next() {
            // NumPy has no such integers: lists of Python's.
            Some(Value::MemRef(array)) if matches!(array.element(), Scalar::Int(_)) => {
                let single = Interface::new(Vec::new(), ty.clone(), Vec::new());
                let data = from_value(&Value::MemRef(array));
                from_json(py, Some(ty), &result_json(&single, &[data])?)
            }
            Some(Value::MemRef(array)) => to_numpy(py, array, *element),
            other => Err(PyTypeError::new_err(format!("expected an array as a result, found {other:?}"))),
        },
        ValueType::Scalar(element) => match leaves.next().map(|value| from_value(&value)) {
            // A narrow float is widened, which its shortest decimal is not.
            Some(Datum::F32(value)) => Ok(PyFloat::new(py, f64::from(value)).into_any()),
            Some(Datum::Complex32([re, im])) => {
                Ok(PyComplex::from_doubles(py, re.into(), im.into()).into_any())
            }
            Some(Datum::Complex64([re, im])) => Ok(PyComplex::from_doubles(py, re, im).into_any()),
            Some(data) => {
                let single = Interface::new(Vec::new(), ty.clone(), Vec::new());
                from_json(py, Some(&ValueType::Scalar(*element)), &result_json(&single, &[data])?)
            }
            None => Err(PyTypeError::new_err("a result is missing")),
        },
        ty => {
            let types = ty.leaves();
            let data = types.iter().zip(leaves).map(|(ty, value)| from_leaf(ty, &value));
            let data: Vec<Datum> =
                data.collect::<Result<_, _>>().map_err(|error| PyTypeError::new_err(error.to_string()))?;
            let single = Interface::new(Vec::new(), ty.clone(), Vec::new());
            from_json(py, Some(ty), &result_json(&single, &data)?)
        }
    }
}

/// The result of a call as JSON.
pub(crate) fn result_json(interface: &Interface, leaves: &[Datum]) -> PyResult<Json> {
    interface.result_json(leaves).map_err(|error| PyValueError::new_err(error.message))
}

/// JSON as a value of Python; the type tells NaN and the infinities from strings.
pub(crate) fn from_json<'py>(
    py: Python<'py>,
    ty: Option<&ValueType>,
    json: &Json,
) -> PyResult<Bound<'py, PyAny>> {
    let array = |values: &[Json], ty: &dyn Fn(usize) -> Option<ValueType>| {
        let values = values.iter().enumerate();
        let values = values.map(|(at, value)| from_json(py, ty(at).as_ref(), value));
        values.collect::<PyResult<Vec<_>>>()
    };
    Ok(match (ty, json) {
        (_, Json::Null) => py.None().into_bound(py),
        (_, Json::Bool(value)) => PyBool::new(py, *value).to_owned().into_any(),
        (Some(ValueType::Scalar(element)), Json::String(text)) if element.float_kind().is_some() => {
            PyFloat::new(py, text.parse().unwrap_or(f64::NAN)).into_any()
        }
        (_, Json::String(text)) => PyString::new(py, text).into_any(),
        (
            Some(ValueType::Scalar(ElementType::F16 | ElementType::BF16 | ElementType::F32)),
            Json::Number(number),
        ) => {
            // The shortest decimal of a narrow float, parsed as a double, is a different number.
            PyFloat::new(py, f64::from(number.to_string().parse::<f32>().unwrap_or(f32::NAN))).into_any()
        }
        (_, Json::Number(number)) => {
            let text = number.to_string();
            let is_float = text.contains(['.', 'e', 'E']);
            let class = if is_float { py.get_type::<PyFloat>() } else { py.get_type::<PyInt>() };
            class.call1((text,))?
        }
        (Some(ValueType::Nested { rank, element }), Json::Array(values)) => {
            let inner = match rank {
                0 | 1 => (**element).clone(),
                rank => ValueType::Nested { rank: rank - 1, element: element.clone() },
            };
            PyList::new(py, array(values, &|_| Some(inner.clone()))?)?.into_any()
        }
        (Some(ValueType::Tensor { shape, element }), Json::Array(values)) => {
            let inner = match shape.len() {
                0 | 1 => ValueType::Scalar(*element),
                _ => ValueType::Tensor { shape: shape[1..].to_vec(), element: *element },
            };
            PyList::new(py, array(values, &|_| Some(inner.clone()))?)?.into_any()
        }
        (Some(ValueType::Scalar(element)), Json::Array(values)) if element.part().is_some() => {
            let part = element.part().map(ValueType::Scalar);
            let parts = array(values, &|_| part.clone())?;
            let number = |at: usize| parts.get(at).map_or(Ok(f64::NAN), |part| part.extract());
            PyComplex::from_doubles(py, number(0)?, number(1)?).into_any()
        }
        (_, Json::Array(values)) => PyList::new(py, array(values, &|_| None)?)?.into_any(),
        (ty, Json::Object(object)) => match (object.get("tuple"), object.len()) {
            (Some(Json::Array(values)), 1) => {
                let parts = match ty {
                    Some(ValueType::Tuple(parts)) => parts.clone(),
                    _ => Vec::new(),
                };
                PyTuple::new(py, array(values, &|at| parts.get(at).cloned())?)?.into_any()
            }
            _ => {
                let dict = PyDict::new(py);
                for (key, value) in object {
                    dict.set_item(key, from_json(py, None, value)?)?;
                }
                dict.into_any()
            }
        },
    })
}

/// A type as text: `float32[?, 3]`.
pub(crate) fn type_text(ty: &ValueType) -> String {
    match ty {
        ValueType::Scalar(element) => element.to_string(),
        ValueType::String => "str".to_owned(),
        ValueType::Tensor { shape, element } => {
            let extents =
                shape.iter().map(|extent| extent.map_or("?".to_owned(), |extent| extent.to_string()));
            format!("{element}[{}]", extents.collect::<Vec<_>>().join(", "))
        }
        ValueType::Nested { rank, element } => {
            let inner = type_text(element);
            (0..*rank).fold(inner, |inner, _| format!("list[{inner}]"))
        }
        ValueType::Data(ty) => ty.name.to_string(),
        ValueType::Tuple(parts) if parts.is_empty() => "tuple[()]".to_owned(),
        ValueType::Tuple(parts) => {
            format!("tuple[{}]", parts.iter().map(type_text).collect::<Vec<_>>().join(", "))
        }
    }
}
