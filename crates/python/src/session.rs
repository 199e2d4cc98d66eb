//! Sessions: a context, options of compilation, and the sources that diagnostics point into.

use crate::error::{detached, named, raise};
use crate::ir::{Attribute, Module, Type};
use crate::program::Program;
use minoan::frontend;
use minoan::ir::text::{ParseOptions, parse_attr, parse_module, parse_type};
use minoan::ir::verify::verify;
use minoan::services::FloatPolicy;
use minoan::{Failure, Float, Options};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// A compiler session: a context with all dialects, options of compilation, and the sources read so far.
///
/// The functions of the package, such as `minoan.load`, use a common session; another one has other options.
///
/// Args:
///     cpu: the target CPU by LLVM's name; the host if None.
///     fp: the floating-point policy, 'strict', 'default' or 'fast'.
///     check_bounds: whether indices of Knossos programs, and indices and extents in MLIR programs, are checked while they run.
///     schedule: whether kernels are formed and scheduled.
#[pyclass(frozen, module = "minoan")]
pub(crate) struct Session {
    pub(crate) inner: Arc<minoan::Session>,
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (*, cpu=None, fp="default", check_bounds=true, schedule=true))]
    fn new(
        py: Python<'_>,
        cpu: Option<String>,
        fp: &str,
        check_bounds: bool,
        schedule: bool,
    ) -> PyResult<Self> {
        let mut session = minoan::Session::new();
        if let Some(name) = &cpu {
            minoan::llvm::check_cpu(name)
                .map_err(|error| raise(py, session.sources(), &Failure::from(error)))?;
        }
        let float_policy = FloatPolicy::of_keyword(fp).ok_or_else(|| {
            PyValueError::new_err(format!(
                "the floating-point policies are strict, default and fast, not {fp:?}"
            ))
        })?;
        session.options = Options { cpu, check_bounds, float_policy, schedule, ..session.options };
        Ok(Self { inner: Arc::new(session) })
    }

    /// Parses and checks a program. The extension of `name` selects the language unless `language` is given, and `link` are
    /// programs that define functions that this one declares.
    #[pyo3(signature = (text, name="<string>", language=None, float="f32", link=Vec::new()))]
    fn loads(
        &self,
        py: Python<'_>,
        text: Vec<u8>,
        name: &str,
        language: Option<&str>,
        float: &str,
        link: Vec<(Vec<u8>, String, Option<String>)>,
    ) -> PyResult<Program> {
        let float = match float {
            "f32" | "float32" => Float::F32,
            "f64" | "float64" => Float::F64,
            other => {
                return Err(PyValueError::new_err(format!("expected float 'f32' or 'f64', found {other:?}")));
            }
        };
        let session = &*self.inner;
        let read = |name: &str, text: Vec<u8>, language: Option<&str>| -> Result<minoan::Program, Failure> {
            let file = frontend::load(session.sources(), name, text)?;
            match language {
                Some(language) => session.read_loaded_as(language, file, &ParseOptions::of_program()),
                None => session.read_loaded(file, &ParseOptions::of_program()),
            }
        };
        let loaded = detached(py, || {
            let program = read(name, text, language)?;
            let linked =
                link.into_iter().map(|(text, name, language)| read(&name, text, language.as_deref()));
            Ok((program, linked.collect::<Result<Vec<_>, Failure>>()?))
        })?;
        let (program, linked) = loaded.map_err(|failure| raise(py, session.sources(), &failure))?;
        Ok(Program::new(self.inner.clone(), program, linked, float))
    }

    /// Parses and verifies a module in MLIR's text.
    #[pyo3(signature = (text, name="<string>"))]
    fn parse(&self, py: Python<'_>, text: &str, name: &str) -> PyResult<Module> {
        let session = &*self.inner;
        let parsed = detached(py, || {
            let file = session.sources().add(name, text);
            let module =
                parse_module(session.context(), session.sources(), file, &ParseOptions::of_program())?;
            verify(&module).map(|()| module)
        })?;
        match parsed {
            Ok(module) => Ok(Module::new(self.inner.clone(), module)),
            Err(diagnostics) => Err(raise(py, session.sources(), &Failure::from(diagnostics))),
        }
    }

    /// The type of a text, such as 'tensor<2x?xf32>'.
    fn type_(&self, py: Python<'_>, text: &str) -> PyResult<Type> {
        let ctx = self.inner.context();
        match parse_type(ctx, text) {
            Ok(ty) => Ok(Type { ctx: ctx.clone(), ty }),
            Err(message) => {
                Err(named(py, "CompileError", &format!("{text:?} is not a type: {}", message.trim_end())))
            }
        }
    }

    /// The attribute of a text, such as '42 : i32'.
    fn attr(&self, py: Python<'_>, text: &str) -> PyResult<Attribute> {
        let ctx = self.inner.context();
        match parse_attr(ctx, text) {
            Ok(attr) => Ok(Attribute { ctx: ctx.clone(), attr }),
            Err(message) => Err(named(
                py,
                "CompileError",
                &format!("{text:?} is not an attribute: {}", message.trim_end()),
            )),
        }
    }

    /// The names of the registered passes.
    #[getter]
    fn passes(&self) -> Vec<&'static str> {
        minoan::pass_registry().names()
    }

    /// The names of the loaded dialects.
    #[getter]
    fn dialects(&self) -> Vec<String> {
        self.inner.context().dialects().iter().map(|dialect| dialect.name().to_owned()).collect()
    }

    fn __repr__(&self) -> String {
        let Options { cpu, check_bounds, float_policy, schedule, .. } = &self.inner.options;
        let word = |yes: bool| if yes { "True" } else { "False" };
        format!(
            "Session(cpu={}, fp='{}', check_bounds={}, schedule={})",
            cpu.as_ref().map_or("None".to_owned(), |cpu| format!("'{cpu}'")),
            float_policy.keyword(),
            word(*check_bounds),
            word(*schedule)
        )
    }
}
