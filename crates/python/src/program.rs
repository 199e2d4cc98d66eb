//! Checked programs.

use crate::error::{detached, raise, rendered};
use crate::function::Function;
use crate::ir::Module;
use minoan::diag::nearest;
use minoan::{Failure, Float};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A checked program and the programs that it is linked with.
pub(crate) struct Source {
    pub(crate) program: minoan::Program,
    linked: Vec<minoan::Program>,
    pub(crate) float: Float,
}

/// A program. Its items are its functions: `program['main']`.
#[pyclass(frozen, mapping, module = "minoan")]
pub(crate) struct Program {
    session: Arc<minoan::Session>,
    source: Arc<Source>,
    /// The functions taken from it, so that each is compiled once.
    taken: Mutex<HashMap<String, Py<Function>>>,
}

impl Program {
    pub(crate) fn new(
        session: Arc<minoan::Session>,
        program: minoan::Program,
        linked: Vec<minoan::Program>,
        float: Float,
    ) -> Self {
        Self { session, source: Arc::new(Source { program, linked, float }), taken: Mutex::default() }
    }

    fn known(&self, name: &str) -> Option<Py<Function>> {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        Python::attach(|py| taken.get(name).map(|function| function.clone_ref(py)))
    }
}

#[pymethods]
impl Program {
    /// The file name.
    #[getter]
    fn name(&self) -> &str {
        self.source.program.name()
    }

    /// The source language.
    #[getter]
    fn language(&self) -> &'static str {
        self.source.program.language().name()
    }

    /// The names of the functions.
    #[getter]
    fn functions(&self) -> Vec<String> {
        self.source.program.functions()
    }

    /// The name of the function that runs by default.
    #[getter]
    fn default_entry(&self) -> &str {
        self.source.program.default_entry()
    }

    /// The warnings of the front end, as text.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let sources = self.session.sources();
        self.source
            .program
            .warnings()
            .iter()
            .map(|one| rendered(one, sources).trim_end().to_owned())
            .collect()
    }

    /// The functions in the dialect of the language, as a module.
    #[pyo3(signature = (*functions))]
    fn module(&self, py: Python<'_>, functions: Vec<String>) -> PyResult<Module> {
        let Source { program, float, .. } = &*self.source;
        let roots: Vec<&str> = functions.iter().map(String::as_str).collect();
        match detached(py, || self.session.module(program, &roots, *float))? {
            Ok(module) => Ok(Module::new(self.session.clone(), module)),
            Err(failure) => Err(raise(py, self.session.sources(), &failure)),
        }
    }

    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Py<Function>> {
        if let Some(function) = self.known(name) {
            return Ok(function);
        }
        let Source { program, linked, float } = &*self.source;
        let lowered = detached(py, || -> Result<minoan::Entry, Failure> {
            let mut entry = self.session.entry(program, name, *float)?;
            self.session.link(&mut entry.module, linked, *float)?;
            Ok(entry)
        })?;
        let entry = match lowered {
            Ok(entry) => entry,
            Err(failure) => {
                let names = program.functions();
                // A function that exists but cannot be compiled is reported at its location.
                let sources = self.session.sources();
                let is_located = failure.diagnostics.iter().any(|one| one.position(sources).is_some());
                if is_located || names.iter().any(|known| known == name) {
                    return Err(raise(py, self.session.sources(), &failure));
                }
                let near = nearest(name, names.iter().map(String::as_str));
                let near = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
                return Err(PyKeyError::new_err(format!(
                    "'{}' has no function '{name}'{near}",
                    program.name()
                )));
            }
        };
        let function =
            Py::new(py, Function::new(self.session.clone(), entry, name, Some(self.source.clone())))?;
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(taken.entry(name.to_owned()).or_insert(function).clone_ref(py))
    }

    fn __contains__(&self, name: &str) -> bool {
        self.source.program.functions().iter().any(|known| known == name)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.functions())?.try_iter()?.into_any())
    }

    fn __len__(&self) -> usize {
        self.source.program.functions().len()
    }

    fn keys(&self) -> Vec<String> {
        self.functions()
    }

    fn __repr__(&self) -> String {
        format!("<Program '{}' in {}: {}>", self.name(), self.language(), self.functions().join(", "))
    }
}
