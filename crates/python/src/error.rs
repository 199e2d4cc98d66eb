//! Diagnostics as Python exceptions.
//!
//! The classes are those of `minoan._errors`. A message is the diagnostics as tools print them, with the source line and
//! carets; the attribute `diagnostics` holds their parts.

use minoan::diag::{Diagnostic, Diagnostics, SourceMap, render_plain};
use minoan::{Failure, FailureKind};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The exception for diagnostics: `RunError` if the program failed while it ran, otherwise `CompileError`.
pub(crate) fn raise(py: Python<'_>, sources: &SourceMap, failure: &Failure) -> PyErr {
    let class = match failure.kind {
        FailureKind::Fault => "RunError",
        FailureKind::Input | FailureKind::ClosedPipe => "CompileError",
    };
    exception(py, sources, &failure.diagnostics, class)
}

/// The exception of a class of `minoan._errors` for diagnostics.
pub(crate) fn exception(
    py: Python<'_>,
    sources: &SourceMap,
    diagnostics: &Diagnostics,
    class: &str,
) -> PyErr {
    let make = || -> PyResult<PyErr> {
        let all = diagnostics.iter().map(|one| as_dict(py, sources, one)).collect::<PyResult<Vec<_>>>()?;
        let text: Vec<String> =
            diagnostics.iter().map(|one| rendered(one, sources).trim_end().to_owned()).collect();
        let class = py.import("minoan._errors")?.getattr(class)?;
        Ok(PyErr::from_value(class.call1((text.join("\n"), PyList::new(py, all)?))?))
    };
    make().unwrap_or_else(|error| error)
}

/// An exception of a class of `minoan._errors` with a message.
pub(crate) fn named(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let make = || -> PyResult<PyErr> {
        let class = py.import("minoan._errors")?.getattr(class)?;
        Ok(PyErr::from_value(class.call1((message,))?))
    };
    make().unwrap_or_else(|_| PyRuntimeError::new_err(message.to_owned()))
}

/// Runs a function without the interpreter's lock; a panic is an exception.
pub(crate) fn detached<R: Send>(py: Python<'_>, run: impl FnOnce() -> R + Send) -> PyResult<R> {
    let result = py.detach(|| catch_unwind(AssertUnwindSafe(run)).map_err(|panic| panic_text(&*panic)));
    result.map_err(|text| named(py, "Error", &format!("internal error: {text}")))
}

/// Runs a function; a panic is an exception.
pub(crate) fn caught<R>(py: Python<'_>, run: impl FnOnce() -> PyResult<R>) -> PyResult<R> {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|panic| Err(named(py, "Error", &format!("internal error: {}", panic_text(&*panic)))))
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

/// A diagnostic as text, with the source line and carets.
pub(crate) fn rendered(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    minoan::diag::render(diagnostic, sources)
}

fn as_dict<'py>(
    py: Python<'py>,
    sources: &SourceMap,
    diagnostic: &Diagnostic,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("severity", diagnostic.severity.as_str())?;
    dict.set_item("message", &diagnostic.message)?;
    let position = diagnostic.position(sources);
    dict.set_item("file", position.as_ref().map(|(file, _)| file.to_string()))?;
    dict.set_item("line", position.as_ref().map(|(_, at)| at.line))?;
    dict.set_item("column", position.as_ref().map(|(_, at)| at.column))?;
    let notes = diagnostic.notes.iter().map(|note| render_plain(note, sources).trim_end().to_owned());
    dict.set_item("notes", notes.collect::<Vec<_>>())?;
    dict.set_item("help", diagnostic.help.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    Ok(dict)
}
