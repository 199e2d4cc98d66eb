//! Compiled functions and their derivatives.

use crate::data;
use crate::derive::{Picked, pick, picked_type};
use crate::detach::detached_with;
use crate::error::{detached, exception, raise};
use crate::ir::Module;
use crate::program::Source;
use crate::values::{Arguments, describe, from_json, result, result_json, to_json, type_text};
use minoan::call::from_value;
use minoan::diag::nearest;
use minoan::interface::{Interface, ValueType};
use minoan::ir::{SymbolTable, TypeData};
use minoan::llvm::{Output, Value};
use minoan::mlir::Entries;
use minoan::services::function_types;
use minoan::{Argument, Backend, Datum, Entry, Failure, FailureKind, Loaded, Stage};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde_json::{Map, Value as Json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

// A function, compiled at its first call.
//
// No documentation comment: it would be that of every function in Python, whose own is its declaration.
#[pyclass(frozen, module = "minoan")]
pub(crate) struct Function {
    pub(crate) session: Arc<minoan::Session>,
    pub(crate) entry: Entry,
    pub(crate) name: String,
    /// The program that it is from, unless it is a derivative or a function of a module.
    source: Option<Arc<Source>>,
    pub(crate) picked: Picked,
    /// For each argument of the compiled function, whether it is a buffer that the function may write to.
    updated: Vec<bool>,
    loaded: OnceLock<Loaded>,
    /// The compiled function that writes its results to arrays of the caller, for calls with `out`.
    loaded_into: OnceLock<Loaded>,
    /// Whether values of data types are parameters or results.
    has_data: bool,
    /// Whether the function has such values and cannot be compiled, and so is interpreted.
    is_interpreted: AtomicBool,
    /// Held during compilation, so that several threads compile once.
    compiling: Mutex<()>,
}

impl Function {
    pub(crate) fn new(
        session: Arc<minoan::Session>,
        mut entry: Entry,
        name: &str,
        source: Option<Arc<Source>>,
    ) -> Self {
        let params = entry.interface.params.len();
        if entry.interface.names.len() != params {
            entry.interface.names = (0..params).map(|at| format!("arg{at}")).collect();
        }
        let updated = buffers(&entry);
        let Interface { params, result, .. } = &entry.interface;
        let has_data = params.iter().chain([result]).any(data::has_data);
        Self {
            session,
            entry,
            name: name.to_owned(),
            source,
            picked: Picked::All,
            updated,
            loaded: OnceLock::new(),
            loaded_into: OnceLock::new(),
            has_data,
            is_interpreted: AtomicBool::new(false),
            compiling: Mutex::new(()),
        }
    }

    /// The compiled function.
    pub(crate) fn loaded(&self, py: Python<'_>) -> PyResult<&Loaded> {
        self.try_loaded(py)?.map_err(|failure| raise(py, self.session.sources(), &failure))
    }

    /// The compiled function that writes its results to arrays of the caller.
    pub(crate) fn loaded_into(&self, py: Python<'_>) -> PyResult<&Loaded> {
        let compiled = self.compiled(py, &self.loaded_into, |session, entry| session.load_into(entry))?;
        compiled.map_err(|failure| raise(py, self.session.sources(), &failure))
    }

    /// The compiled function, or why it cannot be compiled; a panic is an exception.
    fn try_loaded(&self, py: Python<'_>) -> PyResult<Result<&Loaded, Failure>> {
        self.compiled(py, &self.loaded, |session, entry| session.load(entry))
    }

    fn compiled<'a>(
        &'a self,
        py: Python<'_>,
        cell: &'a OnceLock<Loaded>,
        load: impl Fn(&minoan::Session, &Entry) -> Result<Loaded, Failure> + Send + Sync,
    ) -> PyResult<Result<&'a Loaded, Failure>> {
        if let Some(loaded) = cell.get() {
            return Ok(Ok(loaded));
        }
        detached(py, || {
            let _turn = self.compiling.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(loaded) = cell.get() {
                return Ok(loaded);
            }
            let loaded = load(&self.session, &self.entry)?;
            Ok(cell.get_or_init(|| loaded))
        })
    }

    /// One value per parameter, by position or keyword.
    fn bind<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (name, names) = (&self.name, &self.entry.interface.names);
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        if args.len() > names.len() {
            let (count, found) = (names.len(), args.len());
            let message = format!("{name}() takes {count} argument{}, found {found}", plural(count));
            return Err(PyTypeError::new_err(message));
        }
        let mut bound: Vec<Option<Bound<'py, PyAny>>> = args.iter().map(Some).collect();
        bound.resize(names.len(), None);
        for (key, value) in kwargs.into_iter().flat_map(|kwargs| kwargs.iter()) {
            let key: String = key.extract()?;
            let Some(at) = names.iter().position(|known| *known == key) else {
                let near = nearest(&key, names.iter().map(String::as_str));
                let near = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
                return Err(PyTypeError::new_err(format!("{name}() has no parameter '{key}'{near}")));
            };
            if bound[at].replace(value).is_some() {
                return Err(PyTypeError::new_err(format!("{name}() got two values for parameter '{key}'")));
            }
        }
        let missing: Vec<String> = names
            .iter()
            .zip(&bound)
            .filter(|(_, value)| value.is_none())
            .map(|(name, _)| format!("'{name}'"))
            .collect();
        if !missing.is_empty() {
            let (count, missing) = (missing.len(), missing.join(", "));
            return Err(PyTypeError::new_err(format!(
                "{name}() is called without argument{} {missing}",
                plural(count)
            )));
        }
        Ok(bound.into_iter().flatten().collect())
    }

    fn arguments<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Arguments> {
        let interface = &self.entry.interface;
        let mut arguments = Arguments::new(self.updated.clone());
        if interface.structure.is_some() {
            let data = self.structured(args, kwargs)?;
            arguments.values.extend(data.into_iter().map(Argument::Data));
            return Ok(arguments);
        }
        let bound = self.bind(args, kwargs)?;
        for ((ty, value), name) in interface.params.iter().zip(&bound).zip(&interface.names) {
            arguments.push(ty, value, &format!("parameter '{name}'"))?;
        }
        Ok(arguments)
    }

    /// The arguments of a function whose signature places them in sequences and dictionaries: positional arguments are the
    /// elements of a sequence, keywords the entries of a dictionary.
    fn structured<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Datum>> {
        let json = match kwargs {
            Some(kwargs) if !kwargs.is_empty() && args.is_empty() => {
                let mut object = Map::new();
                for (key, value) in kwargs.iter() {
                    let key: String = key.extract()?;
                    let name = format!("parameter '{key}'");
                    object.insert(key, to_json(&value, &name, 0)?);
                }
                Json::Object(object)
            }
            Some(kwargs) if !kwargs.is_empty() => {
                return Err(PyTypeError::new_err(format!(
                    "{}() takes positional arguments or keywords, found both",
                    self.name
                )));
            }
            _ => {
                let args = args.iter().enumerate();
                let args = args.map(|(at, value)| to_json(&value, &format!("argument {}", at + 1), 0));
                Json::Array(args.collect::<PyResult<_>>()?)
            }
        };
        let parsed = self.entry.interface.parse_args(&json);
        parsed.map_err(|failure| PyTypeError::new_err(format!("{}(): {failure}", self.name)))
    }

    /// The exception for a call that failed.
    pub(crate) fn failed(&self, py: Python<'_>, failure: &Failure) -> PyErr {
        match failure.kind {
            FailureKind::Input => {
                exception(py, self.session.sources(), &failure.diagnostics, "ArgumentError")
            }
            FailureKind::Fault | FailureKind::ClosedPipe => raise(py, self.session.sources(), failure),
        }
    }

    fn results<'py>(&self, py: Python<'py>, leaves: Vec<Value>) -> PyResult<Bound<'py, PyAny>> {
        let interface = &self.entry.interface;
        if interface.structure.is_some() {
            let data: Vec<Datum> = leaves.iter().map(from_value).collect();
            return from_json(py, None, &result_json(interface, &data)?);
        }
        let whole = result(py, &interface.result, &mut leaves.into_iter())?;
        self.returned(&whole)
    }

    /// Converts a result to the return value of a call: the requested derivatives, or `None` for the empty tuple.
    fn returned<'py>(&self, whole: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if matches!(&self.entry.interface.result, ValueType::Tuple(parts) if parts.is_empty()) {
            return Ok(whole.py().None().into_bound(whole.py()));
        }
        pick(&self.picked, whole)
    }

    /// The arguments as the interpreter represents them.
    fn data<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Datum>> {
        let interface = &self.entry.interface;
        if !self.has_data || interface.structure.is_some() {
            let Arguments { values, owners, .. } = self.arguments(args, kwargs)?;
            let data = data::as_data(values);
            drop(owners);
            return data;
        }
        let bound = self.bind(args, kwargs)?;
        let bound = interface.params.iter().zip(&bound).zip(&interface.names);
        let read = bound.map(|((ty, value), name)| data::read(ty, value, &format!("parameter '{name}'")));
        Ok(read.collect::<PyResult<Vec<_>>>()?.concat())
    }

    /// Calls the function with values of data types: compiled if that is possible, else interpreted.
    fn call_data<'py>(
        &self,
        py: Python<'py>,
        data: Vec<Datum>,
        interpret: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut loaded = None;
        if !interpret && !self.is_interpreted.load(Ordering::Relaxed) {
            match self.try_loaded(py)? {
                Ok(found) => loaded = Some(found),
                Err(failure) if self.has_data && failure.kind == FailureKind::Input => {
                    self.is_interpreted.store(true, Ordering::Relaxed);
                }
                Err(failure) => return Err(raise(py, self.session.sources(), &failure)),
            }
        }
        let called = detached_with(py, data, |data| match loaded {
            Some(loaded) => loaded.call(&data),
            None => self.session.run(&self.entry, &data, Backend::Interpret),
        })?;
        let leaves = called.map_err(|failure| self.failed(py, &failure))?;
        let interface = &self.entry.interface;
        if interface.structure.is_some() {
            return from_json(py, None, &result_json(interface, &leaves)?);
        }
        let whole = data::write(py, &interface.result, &mut leaves.into_iter())?;
        self.returned(&whole)
    }

    /// The module of the function at a stage.
    fn at_stage(&self, py: Python<'_>, stage: Stage) -> PyResult<minoan::ir::Module> {
        let lowered = match (stage, &self.source) {
            (Stage::FrontEnd, Some(source)) => {
                detached(py, || self.session.module(&source.program, &[&self.name], source.float))?
            }
            (Stage::FrontEnd, None) => {
                return Err(PyValueError::new_err(format!(
                    "{} has no source: the first stage is 'shared'",
                    self.name
                )));
            }
            (Stage::Shared, _) => Ok(self.entry.module.clone()),
            _ => detached(py, || {
                let mut module = self.entry.module.clone();
                self.session.advance(&mut module, stage.min(Stage::Buffers))?;
                Ok(module)
            })?,
        };
        lowered.map_err(|failure| raise(py, self.session.sources(), &failure))
    }
}

#[pymethods]
impl Function {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut out = None;
        if let Some(kwargs) = kwargs
            && !self.entry.interface.names.iter().any(|name| name == "out")
        {
            out = kwargs.get_item("out")?.filter(|out| !out.is_none());
            if kwargs.contains("out")? {
                kwargs.del_item("out")?;
            }
        }
        if self.has_data {
            if let Some(out) = out {
                let found = describe(&out);
                return Err(PyTypeError::new_err(format!(
                    "out: the results are not only arrays, found {found}"
                )));
            }
            return self.call_data(py, self.data(args, kwargs)?, false);
        }
        if let Some(out) = out {
            return self.call_into(py, self.arguments(args, kwargs)?, out);
        }
        let loaded = self.loaded(py)?;
        let Arguments { values, owners, .. } = self.arguments(args, kwargs)?;
        let called = detached_with(py, values, |values| loaded.call_arrays(&self.entry.symbol, values))?;
        drop(owners);
        self.results(py, called.map_err(|failure| self.failed(py, &failure))?)
    }

    /// Calls the function in the reference interpreter, one operation at a time, on copies of the arguments.
    #[pyo3(signature = (*args, **kwargs))]
    fn interpret<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.call_data(py, self.data(args, kwargs)?, true)
    }

    /// Compiles the function now instead of at its first call; returns it.
    fn compile(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        slf.get().loaded(slf.py())?;
        Ok(slf)
    }

    /// The name.
    #[getter]
    fn __name__(&self) -> &str {
        &self.name
    }

    /// The names and types of the parameters, and the type of the result: an `inspect.Signature`.
    #[getter]
    fn signature<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let interface = &self.entry.interface;
        let types: Vec<String> = interface.params.iter().map(type_text).collect();
        let helper = py.import("minoan._convert")?;
        helper.call_method1("signature", (&interface.names, types, self.result_text()))
    }

    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.signature(py)
    }

    #[getter]
    fn __doc__(&self) -> String {
        let from = match &self.source {
            Some(source) => {
                format!("\n\nFrom '{}', in {}.", source.program.name(), source.program.language().name())
            }
            None => String::new(),
        };
        format!("{}{from}", self.declaration())
    }

    /// The text of the function at a stage: source, shared, schedule, buffers, llvm-dialect, llvm-ir or asm.
    #[pyo3(signature = (stage="shared"))]
    fn ir(&self, py: Python<'_>, stage: &str) -> PyResult<String> {
        let stage = stage_until(Stage::Assembly, stage)?;
        let text = match stage {
            Stage::LlvmDialect => {
                let module = self.at_stage(py, Stage::Buffers)?;
                detached(py, || self.session.llvm_dialect(&module))?
            }
            Stage::LlvmIr | Stage::Assembly => detached(py, || {
                let output = if stage == Stage::LlvmIr { Output::LlvmText } else { Output::Assembly };
                let compiled = self.session.compile(&self.entry.module, &Entries::Library, output)?;
                Ok(String::from_utf8_lossy(&compiled.code).into_owned())
            })?,
            stage => Ok(minoan::output::module_text(&self.at_stage(py, stage)?)),
        };
        text.map_err(|failure| raise(py, self.session.sources(), &failure))
    }

    /// The assembly.
    fn asm(&self, py: Python<'_>) -> PyResult<String> {
        self.ir(py, "asm")
    }

    /// The function and those that it calls at a stage, as a module of their own: source, shared, schedule or buffers.
    #[pyo3(signature = (stage="shared"))]
    fn module(&self, py: Python<'_>, stage: &str) -> PyResult<Module> {
        let stage = stage_until(Stage::Buffers, stage)?;
        Ok(Module::new(self.session.clone(), self.at_stage(py, stage)?))
    }

    /// A derivative of the function; `minoan.grad` and its relatives call this.
    #[pyo3(signature = (kind, wrt=None))]
    fn _derive(&self, py: Python<'_>, kind: &str, wrt: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        self.derive(py, kind, wrt.as_ref())
    }

    fn __repr__(&self) -> String {
        format!("<Function {}>", self.declaration())
    }
}

impl Function {
    fn declaration(&self) -> String {
        let interface = &self.entry.interface;
        let params = interface.names.iter().zip(&interface.params);
        let params: Vec<String> = params.map(|(name, ty)| format!("{name}: {}", type_text(ty))).collect();
        format!("{}({}) -> {}", self.name, params.join(", "), self.result_text())
    }

    fn result_text(&self) -> String {
        let whole = &self.entry.interface.result;
        if matches!(whole, ValueType::Tuple(parts) if parts.is_empty()) {
            return "None".to_owned();
        }
        type_text(&picked_type(&self.picked, whole))
    }
}

/// For each argument of the compiled function, whether it is a buffer, which the function may write to.
fn buffers(entry: &Entry) -> Vec<bool> {
    let (ctx, body) = (entry.module.context(), entry.module.body());
    let function = SymbolTable::of(body).get(ctx.name(&entry.symbol));
    let types = function.and_then(|op| function_types(body.op(op)));
    let (inputs, _) = types.unwrap_or_default();
    inputs.iter().map(|ty| matches!(ty.data(ctx), TypeData::MemRef { .. })).collect()
}

/// The stage of a name, no later than `last`.
fn stage_until(last: Stage, name: &str) -> PyResult<Stage> {
    Stage::named_until(last, &[], name).map_err(|error| PyValueError::new_err(error.message))
}
