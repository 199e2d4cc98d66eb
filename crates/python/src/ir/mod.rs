//! The IR as Python objects: modules, operations, regions, blocks and values.
//!
//! A module is behind a lock. A handle is an id together with the isolated operations around it; each use looks the entity
//! up, and raises `StaleHandle` if a pass or an edit has erased it. Ids are never reused, so a handle never denotes
//! another entity.

mod build;
mod data;
mod module;
mod op;
mod region;

pub(crate) use data::{Attribute, Type};
pub(crate) use module::Module;

use crate::error::{caught, named};
use minoan::ir::{Body, Op};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Adds the classes to the extension module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Module>()?;
    module.add_class::<op::Operation>()?;
    module.add_class::<region::Region>()?;
    module.add_class::<region::Block>()?;
    module.add_class::<region::Value>()?;
    module.add_class::<build::Builder>()?;
    module.add_class::<Type>()?;
    module.add_class::<Attribute>()
}

/// A module that handles share.
pub(crate) struct Shared {
    pub(crate) session: Arc<minoan::Session>,
    module: Mutex<minoan::ir::Module>,
}

impl Shared {
    /// Locks the module. A holder of the lock must not wait for the lock of the interpreter.
    pub(crate) fn lock(&self) -> MutexGuard<'_, minoan::ir::Module> {
        self.module.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A body of a module: that of the innermost of some nested isolated operations.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) shared: Arc<Shared>,
    /// The isolated operations from the outermost one on.
    pub(crate) path: Arc<[Op]>,
}

impl Place {
    /// The body inside an isolated operation of this body.
    pub(crate) fn inside(&self, op: Op) -> Place {
        let path = self.path.iter().copied().chain([op]).collect();
        Place { shared: self.shared.clone(), path }
    }

    /// The body that contains the isolated operation, and that operation; `None` for the outermost body.
    pub(crate) fn outside(&self) -> Option<(Place, Op)> {
        let (&op, rest) = self.path.split_last()?;
        Some((Place { shared: self.shared.clone(), path: rest.into() }, op))
    }

    pub(crate) fn is_same(&self, other: &Place) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared) && self.path == other.path
    }

    /// Reads the body.
    pub(crate) fn read<R>(&self, py: Python<'_>, read: impl FnOnce(&Body) -> PyResult<R>) -> PyResult<R> {
        let module = self.shared.lock();
        let mut body = module.holder();
        for &op in &*self.path {
            body = body.try_op(op).ok().and_then(|op| op.nested()).ok_or_else(|| stale(py))?;
        }
        caught(py, || read(body))
    }

    /// Edits the body.
    pub(crate) fn edit<R>(&self, py: Python<'_>, edit: impl FnOnce(&mut Body) -> PyResult<R>) -> PyResult<R> {
        let mut module = self.shared.lock();
        let mut body = module.holder_mut();
        for &op in &*self.path {
            if !body.contains(op) {
                return Err(stale(py));
            }
            body = body.nested_mut(op).ok_or_else(|| stale(py))?;
        }
        caught(py, || edit(body))
    }
}

/// The exception for a handle whose entity was erased.
pub(crate) fn stale(py: Python<'_>) -> PyErr {
    named(py, "StaleHandle", "the handle is stale: a pass or an edit has erased what it refers to")
}
