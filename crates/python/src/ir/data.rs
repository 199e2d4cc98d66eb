//! Types and attributes.

use minoan::ir::text::{parse_type, print_attr, print_type};
use minoan::ir::{Attr, AttrData, Context, DYNAMIC, Name};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// A type. Types are equal if they are the same type of the same session.
#[pyclass(frozen, module = "minoan")]
pub(crate) struct Type {
    pub(crate) ctx: Context,
    pub(crate) ty: minoan::ir::Type,
}

#[pymethods]
impl Type {
    /// The extents of a shaped type, with None for a dynamic one; None for another type.
    #[getter]
    fn shape(&self) -> Option<Vec<Option<i64>>> {
        let extent = |&extent: &i64| (extent != DYNAMIC).then_some(extent);
        Some(self.ty.shape(&self.ctx)?.iter().map(extent).collect())
    }

    /// The element type of a shaped type; None for another type.
    #[getter]
    fn element(&self) -> Option<Type> {
        Some(Type { ctx: self.ctx.clone(), ty: self.ty.element(&self.ctx)? })
    }

    /// The bits of an integer or floating-point type; None for another type.
    #[getter]
    fn width(&self) -> Option<u32> {
        let float = || self.ty.float_kind(&self.ctx).map(|kind| kind.width());
        self.ty.integer_width(&self.ctx).or_else(float)
    }

    fn __str__(&self) -> String {
        print_type(&self.ctx, self.ty)
    }

    fn __repr__(&self) -> String {
        format!("Type({:?})", self.__str__())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        match (other.cast::<Type>(), other.cast::<PyString>()) {
            (Ok(other), _) => self.ctx == other.get().ctx && self.ty == other.get().ty,
            (_, Ok(text)) => text.to_cow().is_ok_and(|text| *text == self.__str__()),
            _ => false,
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.__str__().hash(&mut hasher);
        hasher.finish()
    }
}

/// The type that a `Type` or a text stands for.
pub(crate) fn to_type(ctx: &Context, value: &Bound<'_, PyAny>) -> PyResult<minoan::ir::Type> {
    if let Ok(ty) = value.cast::<Type>() {
        let Type { ctx: other, ty } = ty.get();
        return if other == ctx { Ok(*ty) } else { Err(other_session("type")) };
    }
    let text: String =
        value.extract().map_err(|_| PyTypeError::new_err("expected a Type or the text of one"))?;
    parse_type(ctx, &text)
        .map_err(|message| PyValueError::new_err(format!("{text:?} is not a type: {}", message.trim_end())))
}

fn other_session(what: &str) -> PyErr {
    PyValueError::new_err(format!("the {what} belongs to another session than the module"))
}

/// An attribute. Attributes are equal if they are the same attribute of the same session.
#[pyclass(frozen, module = "minoan")]
pub(crate) struct Attribute {
    pub(crate) ctx: Context,
    pub(crate) attr: Attr,
}

#[pymethods]
impl Attribute {
    /// The attribute as a value of Python: a number, a string, a list, a dictionary, a type; its text if it is none.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_attr(py, &self.ctx, self.attr, 0)
    }

    /// The type of a typed attribute; None for another attribute.
    #[getter]
    fn r#type(&self) -> Option<Type> {
        Some(Type { ctx: self.ctx.clone(), ty: self.attr.value_type(&self.ctx)? })
    }

    fn __str__(&self) -> String {
        print_attr(&self.ctx, self.attr)
    }

    fn __repr__(&self) -> String {
        format!("Attribute({:?})", self.__str__())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Attribute>().is_ok_and(|other| {
            let other = other.get();
            self.ctx == other.ctx && self.attr == other.attr
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.__str__().hash(&mut hasher);
        hasher.finish()
    }
}

/// Attributes nested deeper than this stay text.
const MAX_DEPTH: usize = 64;

fn from_attr<'py>(py: Python<'py>, ctx: &Context, attr: Attr, depth: usize) -> PyResult<Bound<'py, PyAny>> {
    let text = || PyString::new(py, &print_attr(ctx, attr)).into_any();
    if depth > MAX_DEPTH {
        return Ok(text());
    }
    if let Some(value) = attr.as_bool(ctx) {
        return Ok(PyBool::new(py, value).to_owned().into_any());
    }
    Ok(match attr.data(ctx) {
        AttrData::Unit => PyBool::new(py, true).to_owned().into_any(),
        AttrData::Integer { value, .. } => py.get_type::<PyInt>().call1((value.to_string(),))?,
        AttrData::Float { .. } => match attr.as_f64(ctx) {
            Some(value) => PyFloat::new(py, value).into_any(),
            None => text(),
        },
        AttrData::String { bytes, .. } => PyString::new(py, &String::from_utf8_lossy(bytes)).into_any(),
        AttrData::Type(ty) => Bound::new(py, Type { ctx: ctx.clone(), ty: *ty })?.into_any(),
        AttrData::Array(elements) => {
            let elements = elements.iter().map(|&element| from_attr(py, ctx, element, depth + 1));
            PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        AttrData::Dictionary(entries) => {
            let dict = PyDict::new(py);
            for &(name, value) in entries {
                dict.set_item(name.as_str(ctx), from_attr(py, ctx, value, depth + 1)?)?;
            }
            dict.into_any()
        }
        AttrData::SymbolRef { nested, .. } if nested.is_empty() => match attr.as_flat_symbol(ctx) {
            Some(name) => PyString::new(py, name.as_str(ctx)).into_any(),
            None => text(),
        },
        AttrData::DenseArray { .. } => {
            let wide = || attr.as_dense_i32(ctx).map(|all| all.into_iter().map(i64::from).collect());
            match attr.as_dense_i64(ctx).or_else(wide) {
                Some(values) => PyList::new(py, values)?.into_any(),
                None => text(),
            }
        }
        _ => text(),
    })
}

/// The attribute for a value of Python: an integer is an `i64`, a float an `f64`, a string is not parsed.
pub(crate) fn to_attr(ctx: &Context, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Attr> {
    if depth > MAX_DEPTH {
        return Err(PyValueError::new_err("the value is nested too deeply for an attribute"));
    }
    if let Ok(attr) = value.cast::<Attribute>() {
        let Attribute { ctx: other, attr } = attr.get();
        return if other == ctx { Ok(*attr) } else { Err(other_session("attribute")) };
    }
    if let Ok(ty) = value.cast::<Type>() {
        let Type { ctx: other, ty } = ty.get();
        return if other == ctx { Ok(Attr::ty(ctx, *ty)) } else { Err(other_session("type")) };
    }
    if let Ok(value) = value.cast::<PyBool>() {
        return Ok(Attr::bool(value.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        let number: i64 = value.extract().map_err(|_| {
            PyOverflowError::new_err(
                "the integer exceeds 64 bits; write the attribute as text, with 'Session.attr'",
            )
        })?;
        return Ok(Attr::i64(ctx, number));
    }
    if let Ok(value) = value.cast::<PyFloat>() {
        return Ok(Attr::float(ctx, value.value(), minoan::ir::Type::F64));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Attr::string(ctx, text.to_cow()?.as_bytes()));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let mut entries: Vec<(Name, Attr)> = Vec::new();
        for (key, value) in dict.iter() {
            let key: String = key.extract()?;
            entries.push((ctx.name(&key), to_attr(ctx, &value, depth + 1)?));
        }
        return Ok(Attr::dictionary(ctx, &entries));
    }
    let is_sequence = value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>();
    if !is_sequence {
        let class = value.get_type().name()?.to_string();
        return Err(PyTypeError::new_err(format!("a value of type {class} is not an attribute")));
    }
    let elements = value.try_iter()?.map(|element| to_attr(ctx, &element?, depth + 1));
    Ok(Attr::array(ctx, &elements.collect::<PyResult<Vec<_>>>()?))
}
