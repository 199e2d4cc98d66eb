//! Regions, blocks and values.

use super::data::{Type, to_type};
use super::op::Operation;
use super::{Place, stale};
use minoan::ir::{Body, Def, Loc};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// A region of an operation.
#[pyclass(frozen, module = "minoan")]
pub(crate) struct Region {
    pub(super) place: Place,
    pub(super) region: minoan::ir::Region,
}

#[pymethods]
impl Region {
    /// The blocks in order.
    #[getter]
    fn blocks(&self, py: Python<'_>) -> PyResult<Vec<Block>> {
        self.place.read(py, |body| {
            if !body.contains_region(self.region) {
                return Err(stale(py));
            }
            let blocks = body.region(self.region).blocks();
            Ok(blocks.map(|block| Block { place: self.place.clone(), block }).collect())
        })
    }

    /// Appends a block with arguments of these types.
    #[pyo3(signature = (*types))]
    fn add_block(&self, py: Python<'_>, types: Vec<Bound<'_, PyAny>>) -> PyResult<Block> {
        let ctx = self.place.shared.session.context();
        let types = types.iter().map(|ty| to_type(ctx, ty)).collect::<PyResult<Vec<_>>>()?;
        self.place.edit(py, |body| {
            if !body.contains_region(self.region) {
                return Err(stale(py));
            }
            Ok(Block { place: self.place.clone(), block: body.add_block(self.region, &types) })
        })
    }

    /// The operation that it belongs to.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        let parent = self.place.read(py, |body| {
            if !body.contains_region(self.region) {
                return Err(stale(py));
            }
            Ok(body.region(self.region).parent())
        })?;
        Ok(match parent {
            Some(op) => Some(Operation { place: self.place.clone(), op }),
            None => self.place.outside().map(|(place, op)| Operation { place, op }),
        })
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.blocks(py) {
            Ok(blocks) => format!("<Region of {} blocks>", blocks.len()),
            Err(_) => "<Region, erased>".to_owned(),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Region>().is_ok_and(|other| {
            let other = other.get();
            self.region == other.region && self.place.is_same(&other.place)
        })
    }

    fn __hash__(&self) -> u64 {
        hash(&self.region)
    }
}

/// A block of a region.
#[pyclass(frozen, module = "minoan")]
pub(crate) struct Block {
    pub(super) place: Place,
    pub(super) block: minoan::ir::Block,
}

impl Block {
    fn read<R>(&self, py: Python<'_>, read: impl FnOnce(&Body) -> PyResult<R>) -> PyResult<R> {
        self.place.read(py, |body| {
            if !body.contains_block(self.block) {
                return Err(stale(py));
            }
            read(body)
        })
    }
}

#[pymethods]
impl Block {
    /// The arguments.
    #[getter]
    fn arguments(&self, py: Python<'_>) -> PyResult<Vec<Value>> {
        self.read(py, |body| Ok(values(&self.place, body.block(self.block).args())))
    }

    /// The operations in order.
    #[getter]
    fn operations(&self, py: Python<'_>) -> PyResult<Vec<Operation>> {
        self.read(py, |body| {
            let ops = body.block(self.block).ops();
            Ok(ops.map(|op| Operation { place: self.place.clone(), op }).collect())
        })
    }

    /// The last operation; None if there is none.
    #[getter]
    fn terminator(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        self.read(py, |body| {
            Ok(body.block(self.block).last().map(|op| Operation { place: self.place.clone(), op }))
        })
    }

    /// Appends an argument.
    fn add_argument(&self, py: Python<'_>, ty: &Bound<'_, PyAny>) -> PyResult<Value> {
        let ty = to_type(self.place.shared.session.context(), ty)?;
        self.place.edit(py, |body| {
            if !body.contains_block(self.block) {
                return Err(stale(py));
            }
            Ok(Value { place: self.place.clone(), value: body.add_arg(self.block, ty, Loc::UNKNOWN) })
        })
    }

    /// Erases the block with its operations, whose results are not used outside.
    fn erase(&self, py: Python<'_>) -> PyResult<()> {
        if self.place.path.is_empty() {
            return Err(PyValueError::new_err("the block around the outermost operation cannot be erased"));
        }
        self.place.edit(py, |body| {
            if !body.contains_block(self.block) {
                return Err(stale(py));
            }
            body.try_erase_block(self.block).map_err(|error| PyValueError::new_err(error.to_string()))
        })
    }

    /// The operation that contains it.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        let parent = self.read(py, |body| Ok(body.block(self.block).parent()))?;
        Ok(match parent {
            Some(op) => Some(Operation { place: self.place.clone(), op }),
            None => self.place.outside().map(|(place, op)| Operation { place, op }),
        })
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let ops = pyo3::types::PyList::new(py, self.operations(py)?)?;
        Ok(ops.try_iter()?.into_any())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, |body| Ok(body.block(self.block).len()))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.__len__(py) {
            Ok(count) => format!("<Block of {count} operations>"),
            Err(_) => "<Block, erased>".to_owned(),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Block>().is_ok_and(|other| {
            let other = other.get();
            self.block == other.block && self.place.is_same(&other.place)
        })
    }

    fn __hash__(&self) -> u64 {
        hash(&self.block)
    }
}

/// A value: a result of an operation or an argument of a block.
#[pyclass(frozen, module = "minoan")]
pub(crate) struct Value {
    pub(super) place: Place,
    pub(super) value: minoan::ir::Value,
}

impl Value {
    fn read<R>(&self, py: Python<'_>, read: impl FnOnce(&Body) -> PyResult<R>) -> PyResult<R> {
        self.place.read(py, |body| {
            if !body.contains_value(self.value) {
                return Err(stale(py));
            }
            read(body)
        })
    }

    /// Checks that the value belongs to a body.
    pub(super) fn check_place(&self, place: &Place) -> PyResult<()> {
        if self.place.is_same(place) {
            return Ok(());
        }
        Err(PyValueError::new_err("the value belongs to another function or module"))
    }
}

#[pymethods]
impl Value {
    /// The type.
    #[getter]
    fn r#type(&self, py: Python<'_>) -> PyResult<Type> {
        let ctx = self.place.shared.session.context().clone();
        self.read(py, |body| Ok(Type { ctx, ty: body.ty(self.value) }))
    }

    /// The operation that defines it; None for an argument of a block.
    #[getter]
    fn owner(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        self.read(py, |body| {
            Ok(body.defining_op(self.value).map(|op| Operation { place: self.place.clone(), op }))
        })
    }

    /// The block that contains its definition.
    #[getter]
    fn block(&self, py: Python<'_>) -> PyResult<Option<Block>> {
        self.read(py, |body| {
            Ok(body.block_of(self.value).map(|block| Block { place: self.place.clone(), block }))
        })
    }

    /// The index among the results or arguments that it is one of.
    #[getter]
    fn index(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, |body| match body.def(self.value) {
            Def::Result(_, index) | Def::Arg(_, index) => Ok(index),
        })
    }

    /// The uses: pairs of an operation and the index of its operand.
    #[getter]
    fn uses(&self, py: Python<'_>) -> PyResult<Vec<(Operation, usize)>> {
        self.read(py, |body| {
            let uses = body.uses(self.value);
            let handle = |op| Operation { place: self.place.clone(), op };
            Ok(uses.map(|one| (handle(one.op), one.index)).collect())
        })
    }

    /// Replaces all uses by another value of the same type.
    fn replace_all_uses(&self, py: Python<'_>, with: &Value) -> PyResult<()> {
        with.check_place(&self.place)?;
        self.place.edit(py, |body| {
            if !body.contains_value(self.value) || !body.contains_value(with.value) {
                return Err(stale(py));
            }
            if body.ty(self.value) != body.ty(with.value) {
                return Err(PyValueError::new_err("the values are of different types"));
            }
            body.replace_all_uses(self.value, with.value);
            Ok(())
        })
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let text = self.r#type(py).map(|Type { ctx, ty }| minoan::ir::text::print_type(&ctx, ty));
        let what = self.read(py, |body| {
            Ok(match body.def(self.value) {
                Def::Result(op, index) => format!("result {index} of '{}'", body.op(op).name()),
                Def::Arg(_, index) => format!("argument {index}"),
            })
        });
        match (what, text) {
            (Ok(what), Ok(text)) => format!("<Value, {what}: {text}>"),
            _ => "<Value, erased>".to_owned(),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Value>().is_ok_and(|other| {
            let other = other.get();
            self.value == other.value && self.place.is_same(&other.place)
        })
    }

    fn __hash__(&self) -> u64 {
        hash(&self.value)
    }
}

fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Handles of values of a body.
pub(super) fn values(place: &Place, values: impl Iterator<Item = minoan::ir::Value>) -> Vec<Value> {
    values.map(|value| Value { place: place.clone(), value }).collect()
}

/// Values of a body, from handles of values and of operations, which stand for their results.
pub(super) fn to_values(
    py: Python<'_>,
    place: &Place,
    given: &[Bound<'_, PyAny>],
) -> PyResult<Vec<minoan::ir::Value>> {
    let mut all = Vec::new();
    for one in given {
        if let Ok(value) = one.cast::<Value>() {
            value.get().check_place(place)?;
            all.push(value.get().value);
        } else if let Ok(op) = one.cast::<Operation>() {
            let op = op.get();
            if !op.place.is_same(place) {
                return Err(PyValueError::new_err("the operation belongs to another function or module"));
            }
            all.extend(place.read(py, |body| match body.try_op(op.op) {
                Ok(op) => Ok(op.results().collect::<Vec<_>>()),
                Err(_) => Err(stale(py)),
            })?);
        } else {
            let class = one.get_type().name()?.to_string();
            return Err(PyTypeError::new_err(format!("expected a value or an operation, found {class}")));
        }
    }
    Ok(all)
}
