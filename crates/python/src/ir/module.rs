//! Modules: printing, verification, walks, pipelines.

use super::op::Operation;
use super::region::Block;
use super::{Place, Shared};
use crate::error::{caught, detached, raise};
use crate::function::Function;
use minoan::Failure;
use minoan::ir::Op;
use minoan::ir::text::{PrintFlags, print_module};
use minoan::ir::verify::verify;
use minoan::pass::{PassManager, Pipeline};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};

/// A program in the IR. `str(module)` is its text.
#[pyclass(frozen, module = "minoan")]
pub(crate) struct Module {
    pub(super) shared: Arc<Shared>,
}

impl Module {
    pub(crate) fn new(session: Arc<minoan::Session>, module: minoan::ir::Module) -> Self {
        Self { shared: Arc::new(Shared { session, module: Mutex::new(module) }) }
    }

    fn outermost(&self) -> Place {
        Place { shared: self.shared.clone(), path: Arc::new([]) }
    }
}

#[pymethods]
impl Module {
    /// The outermost operation, `builtin.module`.
    #[getter]
    fn op(&self) -> Operation {
        let op = self.shared.lock().op();
        Operation { place: self.outermost(), op }
    }

    /// The block with the functions.
    #[getter]
    fn body(&self, py: Python<'_>) -> PyResult<Block> {
        let module = self.shared.lock();
        let op = module.op();
        let inside = module.holder().nested(op).is_some();
        let block = caught(py, || Ok(module.block()))?;
        drop(module);
        let outermost = self.outermost();
        Ok(Block { place: if inside { outermost.inside(op) } else { outermost }, block })
    }

    /// All operations in pre-order, including those in nested functions and modules.
    fn walk(&self) -> Vec<Operation> {
        walk(&self.outermost(), None)
    }

    /// Verifies the module; raises `CompileError` with all violations.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let verified = detached(py, || verify(&self.shared.lock()))?;
        verified.map_err(|errors| raise(py, self.shared.session.sources(), &Failure::from(errors)))
    }

    /// Runs passes by the text of a pipeline, as after `kopt --pass-pipeline=`. The module is verified before and after each
    /// pass. If a pass fails, the module is as the pass has left it.
    fn _run(&self, py: Python<'_>, pipeline: &str) -> PyResult<()> {
        let session = &self.shared.session;
        let sources = session.sources();
        let failed = |failure: Failure| raise(py, sources, &failure);
        let parsed = Pipeline::parse(pipeline, &minoan::pass_registry(), sources);
        let pipeline = parsed.map_err(|error| failed(error.into()))?;
        let run = detached(py, || -> Result<(), Failure> {
            let mut module = self.shared.lock();
            verify(&module)?;
            PassManager::new(&pipeline).verify_each(true).run(&mut module).into_result()?;
            Ok(())
        });
        run?.map_err(failed)
    }

    /// A copy.
    fn clone(&self) -> Self {
        let module = self.shared.lock().clone();
        Self::new(self.shared.session.clone(), module)
    }

    /// The text; `generic` prints the generic form of all operations, `debuginfo` locations.
    #[pyo3(signature = (*, generic=false, debuginfo=false))]
    fn text(&self, py: Python<'_>, generic: bool, debuginfo: bool) -> PyResult<String> {
        detached(py, || {
            let module = self.shared.lock();
            // The custom form of an operation is that of a valid one.
            let generic = generic || verify(&module).is_err();
            print_module(&module, &PrintFlags { generic, debuginfo, ..PrintFlags::default() })
        })
    }

    /// The functions, by name.
    #[getter]
    fn functions(&self) -> Vec<String> {
        let module = self.shared.lock();
        let (body, ops) = (module.body(), module.ops());
        let names = ops.filter(|op| std::ptr::eq(op.body(), body)).filter_map(|op| op.symbol_name());
        names.map(str::to_owned).collect()
    }

    /// A function of the module as it is now, to be called.
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Function> {
        let session = &self.shared.session;
        let entry = detached(py, || session.entry_of(&self.shared.lock(), name))?;
        let entry = entry.map_err(|failure| raise(py, session.sources(), &failure))?;
        Ok(Function::new(session.clone(), entry, name, None))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py, false, false)
    }

    fn __repr__(&self) -> String {
        format!("<Module with {} operations>", self.shared.lock().ops().count())
    }

    /// The text for a notebook.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let text = self.__str__(py)?;
        py.import("minoan._html")?.call_method1("highlight", (text,))?.extract()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Module>().is_ok_and(|other| Arc::ptr_eq(&self.shared, &other.get().shared))
    }

    fn __hash__(&self) -> usize {
        Arc::as_ptr(&self.shared).addr()
    }

    /// An attribute of the module's context, from text.
    fn attr(&self, text: &str) -> PyResult<super::Attribute> {
        let ctx = self.shared.session.context();
        match minoan::ir::text::parse_attr(ctx, text) {
            Ok(attr) => Ok(super::Attribute { ctx: ctx.clone(), attr }),
            Err(message) => {
                Err(PyValueError::new_err(format!("{text:?} is not an attribute: {}", message.trim_end())))
            }
        }
    }
}

/// The operations of a body in pre-order, or those nested in one operation, including those of isolated operations.
pub(super) fn walk(place: &Place, within: Option<Op>) -> Vec<Operation> {
    let module = place.shared.lock();
    let mut body = module.holder();
    for &op in &*place.path {
        match body.try_op(op).ok().and_then(|op| op.nested()) {
            Some(nested) => body = nested,
            None => return Vec::new(),
        }
    }
    let inside = |body: &minoan::ir::Body, op: Op| {
        body.op(op).ancestors().skip(1).any(|ancestor| Some(ancestor.id()) == within)
    };
    let first = match within {
        None => body.walk(),
        Some(op) if !body.contains(op) => return Vec::new(),
        Some(op) if body.nested(op).is_some() => vec![op],
        Some(_) => body.walk().into_iter().filter(|&other| inside(body, other)).collect(),
    };
    let mut found = Vec::new();
    let mut open = vec![(body, place.clone(), first.into_iter())];
    while let Some((body, place, ops)) = open.last_mut() {
        let Some(op) = ops.next() else {
            open.pop();
            continue;
        };
        if Some(op) != within {
            found.push(Operation { place: place.clone(), op });
        }
        if let Some(nested) = body.nested(op) {
            let inside = place.inside(op);
            open.push((nested, inside, nested.walk().into_iter()));
        }
    }
    found
}
