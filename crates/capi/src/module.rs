//! Modules: parsing, printing, verification, passes, and walking over operations.

use crate::error::{Error, MinoanStatus, expect_out, guard, put, put_text, text};
use crate::session::SessionObject;
use crate::table::{self, MinoanHandle, Object};
use minoan::ir::text::{
    ParseOptions, PrintFlags, parse_attr, parse_module, print_attr, print_loc, print_module, print_op,
    print_type,
};
use minoan::ir::verify::verify;
use minoan::ir::{Block, Body, InsertionPoint, Loc, Mapping, Module, Op, OpRef, Region};
use minoan::pass::{PassManager, Pipeline};
use minoan::{Failure, Float};
use std::ffi::c_char;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A module and its session.
pub(crate) struct ModuleObject {
    pub(crate) session: Arc<SessionObject>,
    module: Mutex<Module>,
    /// Whether the module was edited since it was verified. Custom printers require a verified module, so an edited one prints in
    /// generic form.
    is_edited: AtomicBool,
}

impl ModuleObject {
    /// The module. A poisoned lock is ignored: the verifier reports any inconsistency left by a panicking edit.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Module> {
        self.module.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn flags(&self, generic: bool) -> PrintFlags {
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

fn stale() -> Error {
    Error::handle("the operation was erased")
}

/// An operation of a module. Its id is stale when it is erased.
pub(crate) struct Operation {
    pub(crate) place: Place,
    op: Op,
}

impl Operation {
    /// Calls `f` with the operation, unless it was erased.
    pub(crate) fn with<R>(&self, f: impl FnOnce(OpRef<'_>) -> Result<R, Error>) -> Result<R, Error> {
        self.place.read(|body| f(body.try_op(self.op).map_err(|_| stale())?))
    }

    /// Calls `f` with the body of the operation, for edits.
    pub(crate) fn edit<R>(&self, f: impl FnOnce(&mut Body, Op) -> Result<R, Error>) -> Result<R, Error> {
        self.place.edit(|body| body.try_op(self.op).is_ok(), |body| f(body, self.op))
    }
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

/// The numbers of operands, results and regions of an operation; each pointer may be null.
///
/// # Safety
/// The pointers must be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_counts(
    operation: MinoanHandle,
    operands: *mut usize,
    results: *mut usize,
    regions: *mut usize,
) -> MinoanStatus {
    guard(|| {
        let counts =
            table::operation(operation)?.with(|op| Ok([op.n_operands(), op.n_results(), op.n_regions()]))?;
        for (out, count) in [operands, results, regions].into_iter().zip(counts) {
            if !out.is_null() {
                // SAFETY: guaranteed by the caller.
                unsafe { out.write(count) };
            }
        }
        Ok(())
    })
}

/// The number of blocks in a region of an operation.
///
/// # Safety
/// `out` must be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_block_count(
    operation: MinoanHandle,
    region: usize,
    out: *mut usize,
) -> MinoanStatus {
    guard(|| {
        let count = table::operation(operation)?.with(|op| {
            let (body, region) = region_of(op, region)?;
            Ok(body.region(region).blocks().len())
        })?;
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, count, "'out'") }
    })
}

/// A region of an operation by number, and the body that contains it.
pub(crate) fn region_of(op: OpRef<'_>, region: usize) -> Result<(&Body, Region), Error> {
    let (body, regions) = op.inside();
    let found = regions.get(region).copied().ok_or_else(|| {
        Error::argument(format!("'{}' has {} regions, and no region {region}", op.name(), op.n_regions()))
    })?;
    Ok((body, found))
}

/// A block of a region of an operation by number, and the body that contains it.
pub(crate) fn block_of(op: OpRef<'_>, region: usize, block: usize) -> Result<(&Body, Block), Error> {
    let (body, region) = region_of(op, region)?;
    let found = body.region(region).blocks().nth(block);
    let found = found.ok_or_else(|| Error::argument(format!("the region has no block {block}")))?;
    Ok((body, found))
}

/// The first operation of a block of an operation; the handle is zero if the block is empty.
///
/// # Safety
/// `out` must be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_first(
    operation: MinoanHandle,
    region: usize,
    block: usize,
    out: *mut MinoanHandle,
) -> MinoanStatus {
    guard(|| {
        let object = table::operation(operation)?;
        expect_out(out)?;
        let first = object.with(|op| {
            let (body, found) = block_of(op, region, block)?;
            Ok(body.block(found).ops().next().map(|first| (object.place.inside(op), first)))
        })?;
        let handle = first.map_or_else(MinoanHandle::default, |(place, op)| place.operation(op));
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, handle, "'out'") }
    })
}

/// The next operation of the same block; the handle is zero after the last one.
///
/// # Safety
/// `out` must be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_next(
    operation: MinoanHandle,
    out: *mut MinoanHandle,
) -> MinoanStatus {
    guard(|| {
        let object = table::operation(operation)?;
        expect_out(out)?;
        let next = object.with(|op| Ok(op.next()))?;
        let handle = next.map_or_else(MinoanHandle::default, |op| object.place.operation(op));
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, handle, "'out'") }
    })
}

/// The property of an operation that is printed.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MinoanProperty {
    /// The name, such as `arith.addf`.
    Name = 0,
    /// The whole operation with its regions; in the generic form after an edit, until the module is verified.
    Text = 1,
    /// The location.
    Location = 2,
    /// The type of the result with the index.
    ResultType = 3,
    /// The type of the operand with the index.
    OperandType = 4,
}

impl MinoanProperty {
    fn from_number(number: i32) -> Result<Self, Error> {
        let all = [Self::Name, Self::Text, Self::Location, Self::ResultType, Self::OperandType];
        let found = all.into_iter().find(|&one| one as i32 == number);
        found.ok_or_else(|| Error::argument(format!("there is no property {number}")))
    }
}

/// Prints a property of an operation, by its number in `MinoanProperty`; `index` is that of an operand or result.
///
/// # Safety
/// `buffer` must be null or have `size` writable bytes, `needed` be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_print(
    operation: MinoanHandle,
    property: i32,
    index: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> MinoanStatus {
    guard(|| {
        let object = table::operation(operation)?;
        let printed = object.with(|op| {
            // Read under the lock of the module, which another thread may edit.
            let flags = object.place.module.flags(false);
            let (ctx, body) = (op.context(), op.body());
            let none = |what: &str| Error::argument(format!("'{}' has no {what} {index}", op.name()));
            Ok(match MinoanProperty::from_number(property)? {
                MinoanProperty::Name => op.name().to_owned(),
                MinoanProperty::Text => print_op(body, op.id(), &flags),
                MinoanProperty::Location => print_loc(ctx, op.loc()),
                MinoanProperty::ResultType => {
                    print_type(ctx, body.ty(op.results().nth(index).ok_or_else(|| none("result"))?))
                }
                MinoanProperty::OperandType => {
                    print_type(ctx, body.ty(op.operands().nth(index).ok_or_else(|| none("operand"))?))
                }
            })
        })?;
        // SAFETY: guaranteed by the caller.
        unsafe { put_text(&printed, buffer, size, needed) }
    })
}

/// Prints an attribute of an operation, inherent or discardable; the text is empty if there is none of this name.
///
/// # Safety
/// `name` must be null or a C string, `buffer` null or have `size` writable bytes, `needed` null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_attribute(
    operation: MinoanHandle,
    name: *const c_char,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> MinoanStatus {
    guard(|| {
        let object = table::operation(operation)?;
        // SAFETY: guaranteed by the caller.
        let name = unsafe { text(name, "the name")? };
        let printed = object.with(|op| {
            Ok(op.attr_named(name).map_or_else(String::new, |attr| print_attr(op.context(), attr)))
        })?;
        // SAFETY: guaranteed by the caller.
        unsafe { put_text(&printed, buffer, size, needed) }
    })
}

/// Sets an attribute of an operation, in MLIR's text (`4 : i32`), or removes it if `value` is null. The verifier says whether
/// the operation is valid with it.
///
/// # Safety
/// `name` and `value` must be null or C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_set_attribute(
    operation: MinoanHandle,
    name: *const c_char,
    value: *const c_char,
) -> MinoanStatus {
    guard(|| {
        let object = table::operation(operation)?;
        // SAFETY: guaranteed by the caller.
        let name = unsafe { text(name, "the name")? };
        let value = match value.is_null() {
            true => None,
            // SAFETY: guaranteed by the caller.
            false => Some(unsafe { text(value, "the value")? }),
        };
        object.edit(|body, op| {
            let ctx = body.context().clone();
            let value = value.map(|value| parse_attr(&ctx, value));
            let value =
                value.transpose().map_err(|error| Error::invalid(format!("the attribute: {error}")))?;
            body.set_attr(op, ctx.name(name), value);
            Ok(())
        })
    })
}

/// Erases an operation whose results are unused, with everything inside.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_operation_erase(operation: MinoanHandle) -> MinoanStatus {
    guard(|| {
        let object = table::operation(operation)?;
        if object.place.around.is_empty() {
            return Err(Error::argument("the top-level operation of a module cannot be erased"));
        }
        object.edit(|body, op| body.try_erase(op).map_err(|error| Error::invalid(error.to_string())))
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
            let parsed = parse_module(session.context(), sources, file, &ParseOptions::default())?;
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
