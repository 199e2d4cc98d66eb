//! Values of algebraic data types: objects of the class `minoan.Data`.
//!
//! A value that is nested in the last field of its constructor, as lists are, is converted in a loop, and so may be of any
//! length.

use crate::values::{Arguments, describe, from_json, result, result_json};
use minoan::Argument;
use minoan::Datum;
use minoan::call::{from_value, scalar_of, to_value};
use minoan::frontend::with_stack;
use minoan::interface::{Constructors, DataType, Interface, ValueType};
use minoan::llvm::{AbiType, Value};
use minoan::services::{Object, ObjectKind};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use std::collections::BTreeMap;
use std::sync::Arc;

type Table = BTreeMap<Arc<str>, Constructors>;

/// Values that are nested deeper than this, other than in last fields, are refused.
const MAX_DEPTH: usize = 4000;

/// Whether values of a type are, or contain, values of data types.
pub(crate) fn has_data(ty: &ValueType) -> bool {
    match ty {
        ValueType::Data(_) => true,
        ValueType::Tuple(parts) => parts.iter().any(has_data),
        _ => false,
    }
}

/// The scalars, tensors and objects that an argument consists of.
pub(crate) fn read(ty: &ValueType, value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Datum>> {
    match ty {
        ValueType::Data(data) => Ok(vec![Reader { table: &data.table }.value(&data.name, value, name, 0)?]),
        ValueType::Tuple(parts) if has_data(ty) => {
            let found = || {
                let message = format!("{name}: expected a tuple of {} values", parts.len());
                PyTypeError::new_err(format!("{message}, found {}", describe(value)))
            };
            let items: Vec<Bound<'_, PyAny>> = match value.cast::<PyTuple>() {
                Ok(tuple) if tuple.len() == parts.len() => tuple.iter().collect(),
                _ => return Err(found()),
            };
            let all = parts.iter().zip(&items).enumerate();
            let all = all.map(|(at, (part, item))| read(part, item, &format!("{name}[{at}]")));
            Ok(all.collect::<PyResult<Vec<_>>>()?.concat())
        }
        ty => plain(ty, value, name),
    }
}

/// The scalars and tensors of a value without objects.
fn plain(ty: &ValueType, value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Datum>> {
    let mut arguments = Arguments::new(Vec::new());
    arguments.push(ty, value, name)?;
    as_data(arguments.values)
}

/// Arguments as the interpreter represents them; arrays are copied.
pub(crate) fn as_data(values: Vec<Argument<'static>>) -> PyResult<Vec<Datum>> {
    let data = values.into_iter().map(|value| match value {
        Argument::Data(data) => Ok(data),
        Argument::Array(_, view) => view.to_memref().map(|array| from_value(&Value::MemRef(array))),
    });
    data.collect::<Result<_, _>>().map_err(|error| PyValueError::new_err(error.message))
}

struct Reader<'t> {
    table: &'t Table,
}

impl Reader<'_> {
    fn constructors(&self, ty: &str) -> &[(String, Vec<ValueType>)] {
        self.table.get(ty).map_or(&[], |constructors| constructors)
    }

    fn value(&self, ty: &Arc<str>, value: &Bound<'_, PyAny>, name: &str, depth: usize) -> PyResult<Datum> {
        if depth > MAX_DEPTH {
            return Err(PyValueError::new_err(format!("{name}: the value is nested too deeply")));
        }
        // Values whose last field is not read yet, from the outside in.
        let mut outer: Vec<(usize, Vec<Datum>)> = Vec::new();
        let (mut ty, mut value) = (ty.clone(), value.clone());
        let mut innermost = loop {
            if let Ok(list) = value.cast::<PyList>() {
                break self.list(&ty, list, name, depth)?;
            }
            let (tag, given) = self.constructor(&ty, &value, name)?;
            let (constructor, fields) = &self.constructors(&ty)[tag];
            let mut slots = Vec::new();
            let mut last = None;
            for (at, (field, item)) in fields.iter().zip(&given).enumerate() {
                match field {
                    ValueType::Data(data) if at + 1 == fields.len() => last = Some((data.name.clone(), item)),
                    field => {
                        let name = format!("{name}, field {} of '{constructor}'", at + 1);
                        slots.extend(with_stack(|| self.field(field, item, &name, depth))?);
                    }
                }
            }
            let Some((inner, item)) = last else { break cell(tag, slots) };
            outer.push((tag, slots));
            (ty, value) = (inner, item.clone());
        };
        for (tag, mut slots) in outer.into_iter().rev() {
            slots.push(innermost);
            innermost = cell(tag, slots);
        }
        Ok(innermost)
    }

    /// A list of Python, for types with an empty constructor and one of an element and a rest.
    fn list(&self, ty: &Arc<str>, list: &Bound<'_, PyList>, name: &str, depth: usize) -> PyResult<Datum> {
        let all = self.constructors(ty);
        let empty = all.iter().position(|(_, fields)| fields.is_empty());
        let is_rest = |field: &ValueType| matches!(field, ValueType::Data(data) if data.name == *ty);
        let pair = all.iter().position(|(_, fields)| fields.len() == 2 && is_rest(&fields[1]));
        let (Some(empty), Some(pair), 2) = (empty, pair, all.len()) else {
            let ty = DataType::title_of(ty);
            let message = format!("{name}: expected a value of type '{ty}', found a list");
            return Err(PyTypeError::new_err(message));
        };
        let mut rest = cell(empty, Vec::new());
        for (at, item) in list.iter().enumerate().rev() {
            let mut slots =
                with_stack(|| self.field(&all[pair].1[0], &item, &format!("{name}[{at}]"), depth))?;
            slots.push(rest);
            rest = cell(pair, slots);
        }
        Ok(rest)
    }

    /// The constructor of a value, and its fields.
    fn constructor<'py>(
        &self,
        ty: &str,
        value: &Bound<'py, PyAny>,
        name: &str,
    ) -> PyResult<(usize, Vec<Bound<'py, PyAny>>)> {
        let all = self.constructors(ty);
        let expected = || {
            let names: Vec<String> = all.iter().map(|(name, _)| format!("'{name}'")).collect();
            let ty = DataType::title_of(ty);
            format!("{name}: expected a value of type '{ty}' with {}", names.join(" or "))
        };
        let (constructor, fields) = if let Ok(text) = value.cast::<PyString>() {
            (text.to_cow()?.into_owned(), Vec::new())
        } else if let Ok(dict) = value.cast::<PyDict>() {
            let Some(constructor) = dict.get_item("ctor")? else {
                return Err(PyTypeError::new_err(format!("{}, found a dict without 'ctor'", expected())));
            };
            let fields = dict.get_item("fields")?.map_or(Ok(Vec::new()), |fields| fields.extract())?;
            (constructor.extract()?, fields)
        } else if value.is_instance(&class(value.py())?)? {
            (value.getattr("ctor")?.extract()?, value.getattr("fields")?.extract()?)
        } else {
            return Err(PyTypeError::new_err(format!("{}, found {}", expected(), describe(value))));
        };
        let Some(tag) = all.iter().position(|(known, _)| *known == constructor) else {
            return Err(PyTypeError::new_err(format!("{}, found '{constructor}'", expected())));
        };
        let count = all[tag].1.len();
        if count != fields.len() {
            let found = fields.len();
            return Err(PyTypeError::new_err(format!(
                "{name}: '{constructor}' has {count} field{}, found {found}",
                if count == 1 { "" } else { "s" }
            )));
        }
        Ok((tag, fields))
    }

    /// The slots of a field.
    fn field(
        &self,
        ty: &ValueType,
        value: &Bound<'_, PyAny>,
        name: &str,
        depth: usize,
    ) -> PyResult<Vec<Datum>> {
        match ty {
            ValueType::Data(data) => Ok(vec![self.value(&data.name, value, name, depth + 1)?]),
            ValueType::Tuple(parts) => {
                let items: Option<Vec<Bound<'_, PyAny>>> =
                    value.cast::<PyTuple>().ok().map(|it| it.iter().collect());
                let Some(items) = items.filter(|items| items.len() == parts.len()) else {
                    let message = format!("{name}: expected a tuple of {} values", parts.len());
                    return Err(PyTypeError::new_err(format!("{message}, found {}", describe(value))));
                };
                let parts = parts.iter().zip(&items);
                let parts = parts.map(|(part, item)| with_stack(|| self.field(part, item, name, depth + 1)));
                Ok(parts.collect::<PyResult<Vec<_>>>()?.concat())
            }
            ty => {
                let slots = plain(ty, value, name)?.into_iter().map(|leaf| match leaf {
                    Datum::Tensor(tensor) if tensor.shape.is_empty() => tensor.data.get(0),
                    tensor @ Datum::Tensor(_) => Datum::Object(Object::new(ObjectKind::Box, vec![tensor])),
                    scalar => scalar,
                });
                Ok(slots.collect())
            }
        }
    }
}

fn cell(tag: usize, slots: Vec<Datum>) -> Datum {
    Datum::Object(Object::new(ObjectKind::Cell(tag as i64), slots))
}

fn class(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("minoan._data")?.getattr("Data")
}

/// A result as a value of Python, from the scalars, tensors and objects that it consists of.
pub(crate) fn write<'py>(
    py: Python<'py>,
    ty: &ValueType,
    leaves: &mut std::vec::IntoIter<Datum>,
) -> PyResult<Bound<'py, PyAny>> {
    match ty {
        ValueType::Data(data) => {
            let leaf = leaves.next().ok_or_else(|| PyTypeError::new_err("a result is missing"))?;
            value(py, data, &data.table, &leaf, 0)
        }
        ValueType::Tuple(parts) => {
            let parts = parts.iter().map(|part| write(py, part, leaves)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyTuple::new(py, parts)?.into_any())
        }
        ty => write_plain(py, ty, leaves.take(ty.leaves().len()).collect()),
    }
}

/// A value without objects.
fn write_plain<'py>(py: Python<'py>, ty: &ValueType, data: Vec<Datum>) -> PyResult<Bound<'py, PyAny>> {
    let abi = match ty {
        ValueType::Scalar(element) => Some(AbiType::Scalar(scalar_of(*element))),
        ValueType::Tensor { element, shape } => Some(AbiType::memref(scalar_of(*element), shape.len())),
        _ => None,
    };
    let Some(abi) = abi else {
        let single = Interface::new(Vec::new(), ty.clone(), Vec::new());
        return from_json(py, Some(ty), &result_json(&single, &data)?);
    };
    let values = data.iter().map(|leaf| to_value(&abi, leaf)).collect::<Result<Vec<_>, _>>();
    let values = values.map_err(|error| PyTypeError::new_err(error.message))?;
    result(py, ty, &mut values.into_iter())
}

fn value<'py>(
    py: Python<'py>,
    ty: &DataType,
    table: &Table,
    leaf: &Datum,
    depth: usize,
) -> PyResult<Bound<'py, PyAny>> {
    if depth > MAX_DEPTH {
        return Err(PyValueError::new_err("the result is nested too deeply"));
    }
    let trap = |trap: minoan::services::Trap| PyTypeError::new_err(trap.to_string());
    let mut outer: Vec<(Arc<str>, String, Vec<Bound<'py, PyAny>>)> = Vec::new();
    let (mut ty, mut leaf) = (ty.name.clone(), leaf.clone());
    let class = class(py)?;
    let make = |ty: &Arc<str>, constructor: &str, fields: Vec<Bound<'py, PyAny>>| {
        class.call_method1("_of", (&**ty, constructor, PyTuple::new(py, fields)?))
    };
    let mut innermost = loop {
        let object = leaf.object().map_err(trap)?;
        let tag = usize::try_from(object.tag().map_err(trap)?).unwrap_or(usize::MAX);
        let found = table.get(&ty).and_then(|all| all.get(tag));
        let (constructor, types) =
            found.ok_or_else(|| PyTypeError::new_err(format!("'{ty}' has no constructor {tag}")))?;
        let mut slots = object.slots().map_err(trap)?.into_iter();
        let (mut fields, mut last) = (Vec::with_capacity(types.len()), None);
        for (at, field) in types.iter().enumerate() {
            match field {
                ValueType::Data(data) if at + 1 == types.len() => last = Some(data.name.clone()),
                field => fields.push(with_stack(|| written(py, field, table, &mut slots, depth))?),
            }
        }
        match (last, slots.next()) {
            (Some(inner), Some(slot)) => {
                outer.push((ty, constructor.clone(), fields));
                (ty, leaf) = (inner, slot);
            }
            _ => break make(&ty, constructor, fields)?,
        }
    };
    for (ty, constructor, mut fields) in outer.into_iter().rev() {
        fields.push(innermost);
        innermost = make(&ty, &constructor, fields)?;
    }
    Ok(innermost)
}

/// A field, from its slots.
fn written<'py>(
    py: Python<'py>,
    ty: &ValueType,
    table: &Table,
    slots: &mut std::vec::IntoIter<Datum>,
    depth: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let missing = || PyTypeError::new_err("a field is missing");
    match ty {
        ValueType::Data(data) => value(py, data, table, &slots.next().ok_or_else(missing)?, depth + 1),
        ValueType::Tuple(parts) => {
            let parts = parts.iter().map(|part| with_stack(|| written(py, part, table, slots, depth + 1)));
            Ok(PyTuple::new(py, parts.collect::<PyResult<Vec<_>>>()?)?.into_any())
        }
        // A tensor without dimensions is a number in a field.
        ValueType::Tensor { shape, element } if shape.is_empty() => {
            write_plain(py, &ValueType::Scalar(*element), vec![slots.next().ok_or_else(missing)?])
        }
        ty => {
            let leaves = slots.take(ty.leaves().len()).map(|slot| match &slot {
                Datum::Object(object) if *object.kind() == ObjectKind::Box => object.slot(0),
                _ => Ok(slot),
            });
            let leaves = leaves.collect::<Result<Vec<_>, _>>();
            write_plain(py, ty, leaves.map_err(|trap| PyTypeError::new_err(trap.to_string()))?)
        }
    }
}
