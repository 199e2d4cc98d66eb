//! Modules: parsing, printing, verification, passes, and walking over operations.

use crate::error::{Error, MinoanStatus, expect_out, guard, put, put_text, text};
use crate::operation::Operation;
use crate::session::SessionObject;
use crate::table::{self, MinoanHandle, Object};
use minoan::ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan::ir::verify::verify;
use minoan::ir::{Block, Body, InsertionPoint, Loc, Mapping, Module, Op, OpRef};
use minoan::pass::{PassManager, Pipeline};
use minoan::{Failure, Float};
use std::ffi::c_char;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A module and its session.
pub(crate) struct ModuleObject {
    pub(crate) session: Arc<SessionObject>,
    module: Mutex<Module>,
    /// Whether the module was edited since it was verified. Custom printers require a verified module, so an edited one prints
    /// in generic form.
    is_edited: AtomicBool,
}

impl ModuleObject {
    /// The module. A poisoned lock is ignored: the verifier reports any inconsistency left by a panicking edit.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Module> {
        self.module.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn flags(&self, generic: bool) -> PrintFlags {
        PrintFlags { generic: generic || self.is_edited.load(Ordering::Relaxed), ..PrintFlags::default() }
    }

    fn verify(&self, module: &Module) -> Result<(), Failure> {
        verify(module)?;
        self.is_edited.store(false, Ordering::Relaxed);
        Ok(())
    }
}

/// A body of a module.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) module: Arc<ModuleObject>,
    /// The isolated operations around the body, the outermost first.
    pub(crate) around: Vec<Op>,
}

impl Place {
    /// Calls `f` with the body, unless an operation around it was erased.
    pub(crate) fn read<R>(&self, f: impl FnOnce(&Body) -> Result<R, Error>) -> Result<R, Error> {
        let module = self.module.lock();
        let mut body: &Body = module.holder();
        for &op in &self.around {
            body = body.try_op(op).ok().and_then(OpRef::nested).ok_or_else(stale)?;
        }
        f(body)
    }

    /// Calls `f` with the body for an edit, if `is_alive` finds the edited entity there.
    pub(crate) fn edit<R>(
        &self,
        is_alive: impl FnOnce(&Body) -> bool,
        f: impl FnOnce(&mut Body) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let mut module = self.module.lock();
        let mut body: &mut Body = module.holder_mut();
        for &op in &self.around {
            body.try_op(op).map_err(|_| stale())?;
            body = body.nested_mut(op).ok_or_else(stale)?;
        }
        if !is_alive(body) {
            return Err(stale());
        }
        self.module.is_edited.store(true, Ordering::Relaxed);
        f(body)
    }

    /// Whether another place is the same body.
    pub(crate) fn is_same(&self, other: &Place) -> bool {
        Arc::ptr_eq(&self.module, &other.module) && self.around == other.around
    }

    /// The body that contains the regions of an operation of this one.
    pub(crate) fn inside(&self, op: OpRef<'_>) -> Place {
        let mut around = self.around.clone();
        around.extend(op.nested().map(|_| op.id()));
        Place { module: Arc::clone(&self.module), around }
    }

    /// A handle of an operation of the body.
    pub(crate) fn operation(&self, op: Op) -> MinoanHandle {
        table::insert(Object::Operation(Arc::new(Operation { place: self.clone(), op })))
    }

    /// A handle of a block of the body.
    pub(crate) fn block(&self, block: Block) -> MinoanHandle {
        table::insert(Object::Block(Arc::new(BlockObject { place: self.clone(), block })))
    }
}

pub(crate) fn stale() -> Error {
    Error::handle("the operation was erased")
}

/// A block of a module. Its id is stale when it, or the operation around it, is erased.
pub(crate) struct BlockObject {
    pub(crate) place: Place,
    pub(crate) block: Block,
}

fn enter(session: &Arc<SessionObject>, module: Module) -> MinoanHandle {
    let is_edited = AtomicBool::new(true);
    let object = ModuleObject { session: Arc::clone(session), module: Mutex::new(module), is_edited };
    table::insert(Object::Module(Arc::new(object)))
}

/// Parses, checks and verifies a program in memory, in the language of the file name's extension (`.mlir`, `.ks`, `.relay`,
/// `.iexpr`), as a module in the dialect of that language. Floats whose width the source does not specify have 32 bits.
///
/// # Safety
/// `name` and `source` must be null or C strings, `out` null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_module_parse(
    session: MinoanHandle,
    name: *const c_char,
    source: *const c_char,
    out: *mut MinoanHandle,
) -> MinoanStatus {
    guard(|| {
        let session = table::session(session)?;
        // SAFETY: guaranteed by the caller.
        let (name, source) = unsafe { (text(name, "the name")?, text(source, "the source")?) };
        expect_out(out)?;
        let module = session.with(|session| {
            let program = session.read_text(name, source)?;
            session.into_module(program, &[], Float::F32)
        })?;
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, enter(&session, module), "'out'") }
    })
}

/// Like `minoan_module_parse`, from a file.
///
/// # Safety
/// `path` must be null or a C string, `out` null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_module_read(
    session: MinoanHandle,
    path: *const c_char,
    out: *mut MinoanHandle,
) -> MinoanStatus {
    guard(|| {
        let session = table::session(session)?;
        // SAFETY: guaranteed by the caller.
        let path = unsafe { text(path, "the path")? };
        expect_out(out)?;
        let module = session.with(|session| {
            let program = session.read(path)?;
            session.into_module(program, &[], Float::F32)
        })?;
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, enter(&session, module), "'out'") }
    })
}

/// Creates an empty module.
///
/// # Safety
/// `out` must be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_module_create(session: MinoanHandle, out: *mut MinoanHandle) -> MinoanStatus {
    guard(|| {
        let session = table::session(session)?;
        expect_out(out)?;
        let module = session.with(|session| Ok(Module::new(session.context(), Loc::UNKNOWN)))?;
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, enter(&session, module), "'out'") }
    })
}

/// Copies a module.
///
/// # Safety
/// `out` must be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_module_clone(module: MinoanHandle, out: *mut MinoanHandle) -> MinoanStatus {
    guard(|| {
        let object = table::module(module)?;
        expect_out(out)?;
        let copy = object.lock().clone();
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, enter(&object.session, copy), "'out'") }
    })
}

/// Prints a module, in the generic form of operations if `generic` is set or the module is invalid.
///
/// # Safety
/// `buffer` must be null or have `size` writable bytes, `needed` be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_module_print(
    module: MinoanHandle,
    generic: bool,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> MinoanStatus {
    guard(|| {
        let object = table::module(module)?;
        let module = object.lock();
        if !generic && object.is_edited.load(Ordering::Relaxed) {
            // An invalid module has the generic form only.
            let _reported_by_the_verifier = object.verify(&module);
        }
        let printed = print_module(&module, &object.flags(generic));
        // SAFETY: guaranteed by the caller.
        unsafe { put_text(&printed, buffer, size, needed) }
    })
}

/// Verifies a module.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_module_verify(module: MinoanHandle) -> MinoanStatus {
    guard(|| {
        let object = table::module(module)?;
        let outcome = object.verify(&object.lock());
        object.session.with(|_| outcome)
    })
}

/// Runs a pipeline on a module, such as `builtin.module(func.func(cse,canonicalize),inline)`. The module is verified first
/// and after each pass. If a pass fails, the module is left as that pass left it.
///
/// # Safety
/// `pipeline` must be null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_module_run(module: MinoanHandle, pipeline: *const c_char) -> MinoanStatus {
    guard(|| {
        let object = table::module(module)?;
        // SAFETY: guaranteed by the caller.
        let pipeline = unsafe { text(pipeline, "the pipeline")? };
        object.session.with(|session| {
            let mut module = object.lock();
            object.verify(&module)?;
            let pipeline = Pipeline::parse(pipeline, &minoan::pass_registry(), session.sources())?;
            object.is_edited.store(true, Ordering::Relaxed);
            PassManager::new(&pipeline).verify_each(true).run(&mut module).into_result()?;
            object.is_edited.store(false, Ordering::Relaxed);
            Ok(())
        })
    })
}

/// The top-level operation of a module.
///
/// # Safety
/// `out` must be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_module_operation(
    module: MinoanHandle,
    out: *mut MinoanHandle,
) -> MinoanStatus {
    guard(|| {
        let object = table::module(module)?;
        expect_out(out)?;
        let op = object.lock().op();
        let place = Place { module: object, around: Vec::new() };
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, place.operation(op), "'out'") }
    })
}

/// Parses functions or other operations in MLIR's text and appends them to a module, whose symbols they may use.
///
/// # Safety
/// `source` must be null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_module_append(module: MinoanHandle, source: *const c_char) -> MinoanStatus {
    guard(|| {
        let object = table::module(module)?;
        // SAFETY: guaranteed by the caller.
        let source = unsafe { text(source, "the source")? };
        object.session.with(|session| {
            let sources = session.sources();
            let file = sources.add("<appended>", source);
            let parsed = parse_module(session.context(), sources, file, &ParseOptions::of_program())?;
            let mut module = object.lock();
            let block = module.block();
            let body = module.body_mut();
            object.is_edited.store(true, Ordering::Relaxed);
            let mut mapping = Mapping::new();
            for op in parsed.body().block(parsed.block()).ops() {
                body.clone_op_from(parsed.body(), op, InsertionPoint::End(block), &mut mapping);
            }
            Ok(())
        })
    })
}
