//! Operations.

use super::data::{Attribute, to_attr};
use super::module::walk;
use super::region::{Block, Region, Value, values};
use super::{Place, stale};
use crate::error::raise;
use minoan::Failure;
use minoan::ir::text::{PrintFlags, print_loc, print_op};
use minoan::ir::verify::verify_op;
use minoan::ir::{InsertionPoint, Op, OpRef};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// An operation of a module.
#[pyclass(frozen, module = "minoan")]
pub(crate) struct Operation {
    pub(super) place: Place,
    pub(super) op: Op,
}

impl Operation {
    fn read<R>(&self, py: Python<'_>, read: impl FnOnce(OpRef<'_>) -> PyResult<R>) -> PyResult<R> {
        self.place.read(py, |body| match body.try_op(self.op) {
            Ok(op) => read(op),
            Err(_) => Err(stale(py)),
        })
    }

    fn move_to(&self, py: Python<'_>, other: &Operation, point: InsertionPoint) -> PyResult<()> {
        if !self.place.is_same(&other.place) {
            return Err(PyValueError::new_err("an operation moves within its function"));
        }
        self.place.edit(py, |body| {
            if !body.contains(self.op) || !body.contains(other.op) {
                return Err(stale(py));
            }
            body.try_move_op(self.op, point).map_err(|error| PyValueError::new_err(error.to_string()))
        })
    }
}

#[pymethods]
impl Operation {
    /// The full name, such as 'arith.addf'.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |op| Ok(op.name().to_owned()))
    }

    /// The operands.
    #[getter]
    fn operands(&self, py: Python<'_>) -> PyResult<Vec<Value>> {
        self.read(py, |op| Ok(values(&self.place, op.operands())))
    }

    /// The results.
    #[getter]
    fn results(&self, py: Python<'_>) -> PyResult<Vec<Value>> {
        self.read(py, |op| Ok(values(&self.place, op.results())))
    }

    /// The only result.
    #[getter]
    fn result(&self, py: Python<'_>) -> PyResult<Value> {
        self.read(py, |op| match op.n_results() {
            1 => Ok(Value { place: self.place.clone(), value: op.result(0) }),
            count => Err(PyValueError::new_err(format!("'{}' has {count} results, not one", op.name()))),
        })
    }

    /// The attributes by name, inherent and discardable.
    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let ctx = self.place.shared.session.context();
        let entries = self.read(py, |op| {
            let of = |attr: minoan::ir::Attr| attr.as_dictionary(ctx).unwrap_or_default().to_vec();
            Ok([of(op.props()), of(op.attrs())].concat())
        })?;
        let dict = PyDict::new(py);
        for (name, attr) in entries {
            dict.set_item(name.as_str(ctx), Bound::new(py, Attribute { ctx: ctx.clone(), attr })?)?;
        }
        Ok(dict)
    }

    /// Sets an attribute, or removes it if `value` is None.
    fn set_attribute(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if name.is_empty() {
            return Err(PyValueError::new_err("an attribute has a name"));
        }
        let ctx = self.place.shared.session.context();
        let attr = if value.is_none() { None } else { Some(to_attr(ctx, value, 0)?) };
        self.place.edit(py, |body| {
            if !body.contains(self.op) {
                return Err(stale(py));
            }
            body.set_attr(self.op, ctx.name(name), attr);
            Ok(())
        })
    }

    /// The name of the symbol that it defines, such as that of a function; None if it defines none.
    #[getter]
    fn symbol(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.read(py, |op| Ok(op.symbol_name().map(str::to_owned)))
    }

    /// The location, as text.
    #[getter]
    fn location(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |op| Ok(print_loc(op.context(), op.loc())))
    }

    /// The regions.
    #[getter]
    fn regions(&self, py: Python<'_>) -> PyResult<Vec<Region>> {
        self.read(py, |op| {
            let place = if op.nested().is_some() { self.place.inside(self.op) } else { self.place.clone() };
            let (_, regions) = op.inside();
            Ok(regions.into_iter().map(|region| Region { place: place.clone(), region }).collect())
        })
    }

    /// The successor blocks.
    #[getter]
    fn successors(&self, py: Python<'_>) -> PyResult<Vec<Block>> {
        self.read(py, |op| {
            Ok(op.successors().map(|block| Block { place: self.place.clone(), block }).collect())
        })
    }

    /// The operation around it; None for the outermost one.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        let parent = self.read(py, |op| Ok(op.parent()))?;
        Ok(match parent {
            Some(op) => Some(Operation { place: self.place.clone(), op }),
            None => self.place.outside().map(|(place, op)| Operation { place, op }),
        })
    }

    /// The block that contains it; None if it is detached.
    #[getter]
    fn block(&self, py: Python<'_>) -> PyResult<Option<Block>> {
        self.read(py, |op| Ok(op.block().map(|block| Block { place: self.place.clone(), block })))
    }

    /// The next operation of its block; None for the last one.
    #[getter]
    fn next(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        self.read(py, |op| Ok(op.next().map(|op| Operation { place: self.place.clone(), op })))
    }

    /// The previous operation of its block; None for the first one.
    #[getter]
    fn prev(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        self.read(py, |op| Ok(op.prev().map(|op| Operation { place: self.place.clone(), op })))
    }

    /// Whether the operation still exists.
    #[getter]
    fn is_alive(&self, py: Python<'_>) -> bool {
        self.read(py, |_| Ok(())).is_ok()
    }

    /// All operations inside, in pre-order.
    fn walk(&self, py: Python<'_>) -> PyResult<Vec<Operation>> {
        self.read(py, |_| Ok(()))?;
        Ok(walk(&self.place, Some(self.op)))
    }

    /// Verifies the operation without those inside it; raises `CompileError`.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let verified = self.read(py, |op| Ok(verify_op(op.body(), self.op)))?;
        verified.map_err(|errors| raise(py, self.place.shared.session.sources(), &Failure::from(errors)))
    }

    /// Erases the operation, whose results have no uses.
    fn erase(&self, py: Python<'_>) -> PyResult<()> {
        if self.place.path.is_empty() {
            return Err(PyValueError::new_err("the outermost operation of a module cannot be erased"));
        }
        self.place.edit(py, |body| {
            if !body.contains(self.op) {
                return Err(stale(py));
            }
            body.try_erase(self.op).map_err(|error| PyValueError::new_err(error.to_string()))
        })
    }

    /// Replaces the results by values, and erases the operation. An operation stands for its results.
    #[pyo3(signature = (*values))]
    fn replace(&self, py: Python<'_>, values: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
        if self.place.path.is_empty() {
            return Err(PyValueError::new_err("the outermost operation of a module cannot be replaced"));
        }
        let with = super::region::to_values(py, &self.place, &values)?;
        self.place.edit(py, |body| {
            let Ok(op) = body.try_op(self.op) else { return Err(stale(py)) };
            let results: Vec<minoan::ir::Value> = op.results().collect();
            if results.len() != with.len() {
                return Err(PyValueError::new_err(format!(
                    "'{}' has {} results, found {} values",
                    op.name(),
                    results.len(),
                    with.len()
                )));
            }
            for (&from, &to) in results.iter().zip(&with) {
                if !body.contains_value(to) {
                    return Err(stale(py));
                }
                let is_inside = match body.def(to) {
                    minoan::ir::Def::Result(by, _) => body.op(by).ancestors().any(|op| op.id() == self.op),
                    minoan::ir::Def::Arg(block, _) => {
                        let parent = body.block(block).parent();
                        parent.is_some_and(|by| body.op(by).ancestors().any(|op| op.id() == self.op))
                    }
                };
                if is_inside {
                    return Err(PyValueError::new_err("an operation is not replaced by values of its own"));
                }
                if body.ty(from) != body.ty(to) {
                    let text = |value| minoan::ir::text::print_type(body.context(), body.ty(value));
                    return Err(PyValueError::new_err(format!(
                        "a result of type {} is not replaced by a value of type {}",
                        text(from),
                        text(to)
                    )));
                }
            }
            body.replace(self.op, &with);
            Ok(())
        })
    }

    /// Sets an operand.
    fn set_operand(&self, py: Python<'_>, index: usize, value: &Value) -> PyResult<()> {
        value.check_place(&self.place)?;
        self.place.edit(py, |body| {
            let Ok(op) = body.try_op(self.op) else { return Err(stale(py)) };
            if index >= op.n_operands() {
                let (name, count) = (op.name(), op.n_operands());
                return Err(PyIndexError::new_err(format!(
                    "'{name}' has {count} operands, not operand {index}"
                )));
            }
            if !body.contains_value(value.value) {
                return Err(stale(py));
            }
            body.set_operand(self.op, index, value.value);
            Ok(())
        })
    }

    /// Moves the operation before another one of the same function.
    fn move_before(&self, py: Python<'_>, other: &Operation) -> PyResult<()> {
        self.move_to(py, other, InsertionPoint::Before(other.op))
    }

    /// Moves the operation after another one of the same function.
    fn move_after(&self, py: Python<'_>, other: &Operation) -> PyResult<()> {
        self.move_to(py, other, InsertionPoint::After(other.op))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |op| {
            let body = op.body();
            // The custom form of an operation is that of a valid one.
            let mut generic = verify_op(body, self.op).is_err();
            if op.n_regions() > 0 && !generic {
                let mut open = vec![op.inside()];
                while let Some((body, regions)) = open.pop() {
                    let blocks = regions.iter().flat_map(|&region| body.region(region).blocks());
                    for op in blocks.flat_map(|block| body.block(block).ops()) {
                        generic |= verify_op(body, op).is_err();
                        open.push(body.op(op).inside());
                    }
                }
            }
            let text = print_op(body, self.op, &PrintFlags { generic, ..PrintFlags::default() });
            Ok(text.trim_end().to_owned())
        })
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.name(py) {
            Ok(name) => format!("<Operation '{name}'>"),
            Err(_) => "<Operation, erased>".to_owned(),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Operation>().is_ok_and(|other| {
            let other = other.get();
            self.op == other.op && self.place.is_same(&other.place)
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.op.hash(&mut hasher);
        hasher.finish()
    }
}
