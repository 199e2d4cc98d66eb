//! Creation of operations.

use super::data::{to_attr, to_type};
use super::op::Operation;
use super::region::{Block, to_values};
use super::{Place, stale};
use minoan::diag::nearest;
use minoan::ir::{InsertionPoint, Loc, OpState};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};

/// Creates operations at an insertion point, each after the previous one.
#[pyclass(frozen, module = "minoan")]
pub(crate) struct Builder {
    place: Place,
    point: Mutex<InsertionPoint>,
}

impl Builder {
    fn new(place: &Place, point: InsertionPoint) -> Self {
        Self { place: place.clone(), point: Mutex::new(point) }
    }
}

/// The most operands, results, regions or successors of an operation.
const MAX_COUNT: usize = 65_535;

#[pymethods]
impl Builder {
    /// A builder before an operation.
    #[staticmethod]
    fn before(op: &Operation) -> Self {
        Self::new(&op.place, InsertionPoint::Before(op.op))
    }

    /// A builder after an operation.
    #[staticmethod]
    fn after(op: &Operation) -> Self {
        Self::new(&op.place, InsertionPoint::After(op.op))
    }

    /// A builder at the start of a block.
    #[staticmethod]
    fn at_start(block: &Block) -> Self {
        Self::new(&block.place, InsertionPoint::Start(block.block))
    }

    /// A builder at the end of a block.
    #[staticmethod]
    fn at_end(block: &Block) -> Self {
        Self::new(&block.place, InsertionPoint::End(block.block))
    }

    /// Creates an operation.
    ///
    /// Args:
    ///     name: the full name, such as 'arith.addf'.
    ///     operands: values, or operations, which stand for their results.
    ///     results: the types of the results, or their texts.
    ///     attributes: attributes, or values of Python: an int is an i64, a float an f64, a str a string.
    ///     regions: the number of regions, which have no blocks.
    ///     successors: blocks.
    #[pyo3(signature = (name, operands=Vec::new(), results=Vec::new(), attributes=None, regions=0, successors=Vec::new()))]
    #[allow(clippy::too_many_arguments, reason = "the parts of an operation")]
    fn create(
        &self,
        py: Python<'_>,
        name: &str,
        operands: Vec<Bound<'_, PyAny>>,
        results: Vec<Bound<'_, PyAny>>,
        attributes: Option<&Bound<'_, PyDict>>,
        regions: usize,
        successors: Vec<PyRef<'_, Block>>,
    ) -> PyResult<Operation> {
        let ctx = self.place.shared.session.context();
        let Some(kind) = ctx.registered_kind(name) else {
            let kinds: Vec<_> = ctx.registered_kinds().collect();
            let near = nearest(name, kinds.iter().map(|&kind| ctx.kind_name(kind)));
            let near = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
            return Err(PyValueError::new_err(format!("there is no operation '{name}'{near}")));
        };
        if self.place.path.is_empty() {
            return Err(PyValueError::new_err(
                "an operation is created inside the outermost one of its module",
            ));
        }
        let operands = to_values(py, &self.place, &operands)?;
        let results = results.iter().map(|ty| to_type(ctx, ty)).collect::<PyResult<Vec<_>>>()?;
        let mut attrs = Vec::new();
        for (key, value) in attributes.into_iter().flat_map(|attributes| attributes.iter()) {
            let key: String = key.extract()?;
            if key.is_empty() {
                return Err(PyValueError::new_err("an attribute has a name"));
            }
            attrs.push((ctx.name(&key), to_attr(ctx, &value, 0)?));
        }
        let mut blocks = Vec::new();
        for block in &successors {
            if !block.place.is_same(&self.place) {
                return Err(PyValueError::new_err("a successor belongs to another function or module"));
            }
            blocks.push(block.block);
        }
        if [operands.len(), results.len(), regions, blocks.len()].into_iter().any(|count| count > MAX_COUNT) {
            return Err(PyValueError::new_err(format!("'{name}' has more than {MAX_COUNT} parts of a kind")));
        }
        let mut point = self.point.lock().unwrap_or_else(PoisonError::into_inner);
        self.place.edit(py, |body| {
            let is_alive = match *point {
                InsertionPoint::Before(op) | InsertionPoint::After(op) => {
                    body.try_op(op).is_ok_and(|op| op.block().is_some())
                }
                InsertionPoint::Start(block) | InsertionPoint::End(block) => body.contains_block(block),
                InsertionPoint::Detached => false,
            };
            let all_alive = operands.iter().all(|&value| body.contains_value(value))
                && blocks.iter().all(|&block| body.contains_block(block));
            if !is_alive || !all_alive {
                return Err(stale(py));
            }
            let loc = match *point {
                InsertionPoint::Before(op) | InsertionPoint::After(op) => body.op(op).loc(),
                _ => Loc::UNKNOWN,
            };
            let state = OpState::new(kind).loc(loc).operands(&operands).results(&results);
            let state = state.successors(&blocks).regions(regions);
            let op = body.create(&state, *point);
            for &(name, attr) in &attrs {
                body.set_attr(op, name, Some(attr));
            }
            if let InsertionPoint::Start(_) | InsertionPoint::After(_) = *point {
                *point = InsertionPoint::After(op);
            }
            Ok(Operation { place: self.place.clone(), op })
        })
    }

    fn __repr__(&self) -> String {
        let point = self.point.lock().unwrap_or_else(PoisonError::into_inner);
        let what = match *point {
            InsertionPoint::Before(_) => "before an operation",
            InsertionPoint::After(_) => "after an operation",
            InsertionPoint::Start(_) => "at the start of a block",
            _ => "at the end of a block",
        };
        format!("<Builder {what}>")
    }
}
