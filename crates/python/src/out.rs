//! Calls with `out`, whose results go to arrays of the caller.
//!
//! The compiled function writes to the arrays where that is possible: they overlap neither with each other nor with an argument, and
//! the function makes its results itself. Other results are copied to them after the call.

use crate::arrays::Foreign;
use crate::derive::Picked;
use crate::detach::detached_with;
use crate::function::Function;
use crate::values::{Arguments, describe};
use minoan::call::{are_apart, scalar_of};
use minoan::interface::{ElementType, ValueType};
use minoan::llvm::{ArrayView, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// An array of the caller for a result.
struct Destination {
    element: ElementType,
    shape: Vec<usize>,
    view: ArrayView<'static>,
    /// Keeps the memory of the view alive.
    owner: Py<PyAny>,
}

impl Function {
    /// Calls the function, writes the results to `out` and returns it.
    pub(crate) fn call_into<'py>(
        &self,
        py: Python<'py>,
        arguments: Arguments,
        out: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Arguments { values, owners, .. } = arguments;
        let mut destinations = self.destinations(&out)?;
        let views = destinations.iter().map(|it| &it.view);
        let leaves: Vec<Option<Value>> = if are_apart(views, &values) {
            let loaded = self.loaded_into(py)?;
            let mut views = Vec::with_capacity(destinations.len());
            let (shapes, owners_of_results): (Vec<_>, Vec<_>) = destinations
                .into_iter()
                .map(|Destination { element, shape, view, owner }| {
                    views.push(view);
                    ((element, shape), owner)
                })
                .unzip();
            let (called, views) = detached_with(py, (values, views), |(values, mut views)| {
                (loaded.call_into(values, &mut views), views)
            })?;
            let parts = shapes.into_iter().zip(views).zip(owners_of_results);
            destinations = parts
                .map(|(((element, shape), view), owner)| Destination { element, shape, view, owner })
                .collect();
            called.map_err(|failure| self.failed(py, &failure))?
        } else {
            let loaded = self.loaded(py)?;
            let called = detached_with(py, values, |values| loaded.call_arrays(&self.entry.symbol, values))?;
            called.map_err(|failure| self.failed(py, &failure))?.into_iter().map(Some).collect()
        };
        drop(owners);
        for (leaf, destination) in leaves.iter().zip(&mut destinations) {
            let Some(Value::MemRef(array)) = leaf else { continue };
            if destination.shape != array.shape() {
                let expected = format!("an array of shape {:?} of {}", array.shape(), destination.element);
                return Err(PyValueError::new_err(destination.mismatch(&expected)));
            }
            let copied = destination.view.copy_from(array);
            copied.map_err(|error| PyValueError::new_err(error.message))?;
        }
        Ok(out)
    }

    /// The arrays in `out`, one for each result.
    fn destinations(&self, out: &Bound<'_, PyAny>) -> PyResult<Vec<Destination>> {
        let all = self.entry.interface.result_leaves();
        let targets = match out.cast::<PyTuple>() {
            Ok(tuple) => tuple.iter().collect(),
            Err(_) => vec![out.clone()],
        };
        let is_single = matches!(self.picked, Picked::All) && self.entry.interface.structure.is_none();
        if !is_single || targets.len() != all.len() {
            return Err(PyTypeError::new_err(format!(
                "out: expected an array for each of the {} results, found {}",
                all.len(),
                describe(out)
            )));
        }
        let pairs = all.iter().zip(&targets);
        pairs.map(|((name, ty), target)| destination(name, ty, target)).collect()
    }
}

impl Destination {
    fn mismatch(&self, expected: &str) -> String {
        format!("out: expected {expected}, found an array of shape {:?} of {}", self.shape, self.element)
    }
}

/// The array for a result of a type; `name` is the name of the result in messages.
fn destination(name: &str, ty: &ValueType, target: &Bound<'_, PyAny>) -> PyResult<Destination> {
    let ValueType::Tensor { shape, element } = ty else {
        return Err(PyTypeError::new_err(format!("out: {name} is {}, not an array", ty.describe())));
    };
    let Some(foreign) = Foreign::of(target)? else {
        let found = describe(target);
        return Err(PyTypeError::new_err(format!("out: expected an array, found {found}")));
    };
    let storage = scalar_of(foreign.element);
    let (found, extents, is_writable) = (foreign.element, foreign.shape.clone(), foreign.is_writable);
    // SAFETY: the owner is held by the destination. The memory belongs to the call, as that of arguments does; it overlaps with
    // none of them, or is written to after the call, with the interpreter's lock.
    let (view, owner) = unsafe { foreign.into_view(storage) }?;
    let destination = Destination { element: found, shape: extents, view, owner };
    if found != *element {
        return Err(PyTypeError::new_err(destination.mismatch(&ty.describe())));
    }
    let extents = &destination.shape;
    let agrees = |(wanted, found): (&Option<_>, &usize)| wanted.is_none_or(|wanted| wanted == *found);
    if extents.len() != shape.len() || !shape.iter().zip(extents).all(agrees) {
        return Err(PyValueError::new_err(destination.mismatch(&ty.describe())));
    }
    if !is_writable {
        return Err(PyValueError::new_err("out: expected a writable array of NumPy, found one that is not"));
    }
    Ok(destination)
}
