//! Functions: signatures, compilation and calls.

use crate::array::{Array, MinoanArgument, number_of};
use crate::error::{Error, MinoanStatus, expect_out, guard, put, text};
use crate::session::SessionObject;
use crate::table::{self, MinoanHandle, Object};
use minoan::call::{are_apart, from_value, scalar_of, to_value};
use minoan::interface::{Document, ElementType, ValueType};
use minoan::llvm::{AbiType, Value};
use minoan::{Argument, Backend, Datum, Entry, Failure, Loaded, Session};
use std::ffi::c_char;
use std::sync::{Arc, Mutex, PoisonError};

/// The backend that executes a function.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MinoanBackend {
    /// Compiled to machine code.
    Jit = 0,
    /// Interpreted on tensors, the reference for compiled code.
    Interpret = 1,
    /// Interpreted on planned buffers; reports leaks and uses after free.
    InterpretBuffers = 2,
}

impl MinoanBackend {
    fn from_number(number: i32) -> Result<Self, Error> {
        let all = [Self::Jit, Self::Interpret, Self::InterpretBuffers];
        let found = all.into_iter().find(|&one| one as i32 == number);
        found.ok_or_else(|| Error::argument(format!("there is no back end {number}")))
    }
}

/// A function of a module.
pub(crate) struct Function {
    session: Arc<SessionObject>,
    entry: Entry,
    /// The compiled function, after the first call.
    loaded: Mutex<Option<Arc<Loaded>>>,
    /// The compiled function that takes destinations, after the first call with some.
    loaded_into: Mutex<Option<Arc<Loaded>>>,
    params: Vec<ValueType>,
    results: Vec<ValueType>,
}

impl Function {
    fn loaded(&self) -> Result<Arc<Loaded>, Error> {
        self.compiled(&self.loaded, Session::load)
    }

    fn compiled(
        &self,
        slot: &Mutex<Option<Arc<Loaded>>>,
        compile: impl FnOnce(&Session, &Entry) -> Result<Loaded, Failure>,
    ) -> Result<Arc<Loaded>, Error> {
        // Callers that come during the compilation wait for it.
        let mut loaded = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = &*loaded {
            return Ok(Arc::clone(loaded));
        }
        match self.session.attempt(|session| compile(session, &self.entry)) {
            Ok(new) => Ok(Arc::clone(loaded.insert(Arc::new(new)))),
            Err(unreported) => {
                drop(loaded);
                Err(self.session.report(unreported))
            }
        }
    }

    /// The arguments of a call, which are of the types of the parameters, except for extents.
    ///
    /// # Safety
    /// The arguments must be as [`MinoanArgument`] describes.
    unsafe fn arguments<'a>(&self, args: &[MinoanArgument]) -> Result<Vec<Argument<'a>>, Error> {
        let other = self.params.iter().chain(&self.results).find_map(|ty| match ty {
            ValueType::Data(_) => Some("a data type".to_owned()),
            ty if number_of(element_of(ty)) < 0 => Some(format!("type {}", element_of(ty))),
            _ => None,
        });
        if let Some(other) = other {
            return Err(Error::argument(format!(
                "function '{}' has a value of {other}: call it by minoan_function_call_json",
                self.entry.symbol
            )));
        }
        if self.params.len() != args.len() {
            let (expected, found) = (self.params.len(), args.len());
            return Err(Error::argument(format!("expected {expected} arguments, found {found}")));
        }
        let mut passed = Vec::new();
        for (index, (ty, arg)) in self.params.iter().zip(args).enumerate() {
            let name = |error: Error| Error {
                message: format!("argument {}: {}", index + 1, error.message),
                ..error
            };
            passed.push(match ty {
                ValueType::Scalar(expected) => {
                    // SAFETY: guaranteed by the caller.
                    let (element, data) = unsafe { arg.scalar() }.map_err(name)?;
                    if element != *expected {
                        return Err(name(Error::argument(format!("expected {expected}, found {element}"))));
                    }
                    Argument::Data(data)
                }
                _ => {
                    // SAFETY: guaranteed by the caller.
                    let (element, view) = unsafe { arg.view() }.map_err(name)?;
                    Argument::Array(element, view)
                }
            });
        }
        Ok(passed)
    }

    /// Runs the function; one value for each scalar, string and tensor of its result.
    fn run(&self, backend: Backend, passed: Vec<Argument<'_>>) -> Result<Vec<Value>, Error> {
        if backend == Backend::Jit {
            let loaded = self.loaded()?;
            return self.session.with(|_| loaded.call_arrays(&self.entry.symbol, passed));
        }
        let data = passed.iter().zip(&self.params).map(|(arg, ty)| match arg {
            Argument::Data(data) => Ok(data.clone()),
            Argument::Array(element, view) => {
                let agrees = match ty {
                    ValueType::Tensor { element: expected, .. } => element == expected,
                    _ => *element == ElementType::Signed(8),
                };
                if !agrees {
                    return Err(Error::argument(format!(
                        "expected {}, found an array of {element}",
                        ty.describe()
                    )));
                }
                Ok(from_value(&Value::MemRef(view.to_memref()?)))
            }
        });
        let data = data.collect::<Result<Vec<Datum>, Error>>()?;
        let results = self.session.with(|session| session.run(&self.entry, &data, backend))?;
        let value = |(ty, datum): (&ValueType, &Datum)| -> Result<Value, Error> {
            Ok(to_value(&abi_type(ty), datum)?)
        };
        self.results.iter().zip(&results).map(value).collect()
    }

    /// Runs the function and writes its results to arrays of the caller.
    ///
    /// # Safety
    /// The destinations must be as [`MinoanArgument`] describes.
    unsafe fn run_into(
        &self,
        backend: Backend,
        passed: Vec<Argument<'_>>,
        into: &[MinoanArgument],
    ) -> Result<(), Error> {
        let named = |at: usize, message: String| Error::argument(format!("result {}: {message}", at + 1));
        let (mut arrays, mut scalars) = (Vec::new(), Vec::new());
        for (at, (ty, target)) in self.results.iter().zip(into).enumerate() {
            // SAFETY: guaranteed by the caller.
            let (element, view) = unsafe { target.view() }.map_err(|error| named(at, error.message))?;
            if !view.is_writable() {
                return Err(named(at, "the array is not writable".to_owned()));
            }
            match ty {
                ValueType::Scalar(expected) if *expected == element && view.shape().is_empty() => {
                    scalars.push(view);
                }
                ValueType::Scalar(expected) => {
                    let rank = view.shape().len();
                    return Err(named(
                        at,
                        format!("expected {expected} of rank 0, found {element} of rank {rank}"),
                    ));
                }
                ty => {
                    ty.check_array(element, view.shape()).map_err(|error| named(at, error.to_string()))?;
                    arrays.push(view);
                }
            }
        }
        let in_place = backend == Backend::Jit && !arrays.is_empty() && are_apart(&arrays, &passed);
        let values: Vec<Option<Value>> = if in_place {
            let loaded = self.compiled(&self.loaded_into, Session::load_into)?;
            self.session.with(|_| loaded.call_into(passed, &mut arrays))?
        } else {
            self.run(backend, passed)?.into_iter().map(Some).collect()
        };
        let (mut arrays, mut scalars) = (arrays.into_iter(), scalars.into_iter());
        for (at, (ty, value)) in self.results.iter().zip(values).enumerate() {
            let targets = if matches!(ty, ValueType::Scalar(_)) { &mut scalars } else { &mut arrays };
            let (Some(mut target), Some(value)) = (targets.next(), value) else { continue };
            let result = Array::new(element_of(ty), value);
            result.copy_to(&mut target).map_err(|error| named(at, error.message))?;
        }
        Ok(())
    }

    /// Runs the function with arguments in JSON; the results in JSON.
    fn run_json(&self, backend: i32, arguments: &str) -> Result<String, Error> {
        let backend = backend_of(backend)?;
        let interface = &self.entry.interface;
        let args = self.session.with(|_| interface.read_args(&Document::new(None, arguments)?))?;
        let results = match backend {
            Backend::Jit => {
                let loaded = self.loaded()?;
                self.session.with(|_| loaded.call_function(&self.entry.symbol, &args))?
            }
            _ => self.session.with(|session| session.run(&self.entry, &args, backend))?,
        };
        Ok(interface.result_json_text(&results))
    }
}

fn backend_of(number: i32) -> Result<Backend, Error> {
    Ok(match MinoanBackend::from_number(number)? {
        MinoanBackend::Jit => Backend::Jit,
        MinoanBackend::Interpret => Backend::Interpret,
        MinoanBackend::InterpretBuffers => Backend::InterpretBuffers,
    })
}

/// The type of a scalar, string or tensor in compiled code.
fn abi_type(ty: &ValueType) -> AbiType {
    match ty {
        ValueType::Tensor { shape, element } => AbiType::memref(scalar_of(*element), shape.len()),
        ValueType::Scalar(element) => AbiType::Scalar(scalar_of(*element)),
        _ => AbiType::memref(scalar_of(ElementType::Signed(8)), 1),
    }
}

fn element_of(ty: &ValueType) -> ElementType {
    match ty {
        ValueType::Tensor { element, .. } | ValueType::Scalar(element) => *element,
        _ => ElementType::Signed(8),
    }
}

/// Makes a function of a module ready to be called: lowers it and everything reachable from it. The function is a snapshot; later
/// edits of the module do not affect it. The first call that needs machine code compiles it.
///
/// # Safety
/// `symbol` must be null or a C string, `out` null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_function_create(
    module: MinoanHandle,
    symbol: *const c_char,
    out: *mut MinoanHandle,
) -> MinoanStatus {
    guard(|| {
        let module = table::module(module)?;
        // SAFETY: guaranteed by the caller.
        let symbol = unsafe { text(symbol, "the symbol")? };
        expect_out(out)?;
        let copy = module.lock().clone();
        let entry = module.session.with(|session| session.entry_of(&copy, symbol))?;
        let params: Vec<ValueType> = entry.interface.params.iter().flat_map(ValueType::leaves).collect();
        let results: Vec<ValueType> = entry.interface.result_leaves().into_iter().map(|(_, ty)| ty).collect();
        let session = Arc::clone(&module.session);
        let (loaded, loaded_into) = (Mutex::new(None), Mutex::new(None));
        let function = Function { session, entry, loaded, loaded_into, params, results };
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, table::insert(Object::Function(Arc::new(function))), "'out'") }
    })
}

/// Compiles a function to machine code now, instead of by its first call.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_function_compile(function: MinoanHandle) -> MinoanStatus {
    guard(|| table::function(function)?.loaded().map(drop))
}

/// The numbers of arguments and results of a function: the components of tuples, one by one.
///
/// # Safety
/// `arguments` and `results` must be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_function_counts(
    function: MinoanHandle,
    arguments: *mut usize,
    results: *mut usize,
) -> MinoanStatus {
    guard(|| {
        let function = table::function(function)?;
        // SAFETY: guaranteed by the caller.
        unsafe {
            put(arguments, function.params.len(), "'arguments'")?;
            put(results, function.results.len(), "'results'")
        }
    })
}

/// The type of an argument or result of a function: its `MinoanType`, its rank (-1 for a scalar), and up to `capacity` of its
/// extents (-1 for one that is known at run time). A value of a data type has the type -1. Each pointer may be null.
///
/// # Safety
/// The pointers must be null or valid for writes, `shape` for `capacity` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_function_type(
    function: MinoanHandle,
    is_result: bool,
    index: usize,
    type_: *mut i32,
    rank: *mut isize,
    shape: *mut isize,
    capacity: usize,
) -> MinoanStatus {
    guard(|| {
        let function = table::function(function)?;
        let types = if is_result { &function.results } else { &function.params };
        let ty = types.get(index).ok_or_else(|| Error::argument(format!("there is no value {index}")))?;
        let extents: Vec<Option<usize>> = match ty {
            ValueType::Tensor { shape, .. } => shape.clone(),
            ValueType::Scalar(_) | ValueType::Data(_) => Vec::new(),
            _ => vec![None],
        };
        // SAFETY: guaranteed by the caller.
        unsafe {
            if !type_.is_null() {
                type_.write(if matches!(ty, ValueType::Data(_)) { -1 } else { number_of(element_of(ty)) });
            }
            if !rank.is_null() {
                let is_scalar = matches!(ty, ValueType::Scalar(_) | ValueType::Data(_));
                rank.write(if is_scalar { -1 } else { extents.len() as isize });
            }
            if !shape.is_null() {
                for (at, extent) in extents.iter().take(capacity).enumerate() {
                    shape.add(at).write(extent.map_or(-1, |extent| extent as isize));
                }
            }
        }
        Ok(())
    })
}

/// Calls a function by a `MinoanBackend`. `results` gets a handle of an array for each result, `n_results` of them; scalars
/// are arrays of one element. If the call fails, no result is written.
///
/// Dense arrays are passed in place, others are copied. The interpreters copy all arguments, and write to none.
///
/// # Safety
/// `arguments` must point to `n_arguments` arguments, as `MinoanArgument` describes them, and `results` to room for
/// `n_results` handles; each may be null if it is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_function_call(
    function: MinoanHandle,
    backend: i32,
    arguments: *const MinoanArgument,
    n_arguments: usize,
    results: *mut MinoanHandle,
    n_results: usize,
) -> MinoanStatus {
    guard(|| {
        let function = table::function(function)?;
        if arguments.is_null() && n_arguments > 0 {
            return Err(Error::argument("the arguments are null"));
        }
        if results.is_null() && n_results > 0 {
            return Err(Error::argument("the results are null"));
        }
        if function.results.len() != n_results {
            let expected = function.results.len();
            return Err(Error::argument(format!("expected room for {expected} results, found {n_results}")));
        }
        // SAFETY: guaranteed by the caller.
        let passed = unsafe { function.arguments(all(arguments, n_arguments))? };
        let values = function.run(backend_of(backend)?, passed)?;
        for (at, (ty, value)) in function.results.iter().zip(values).enumerate() {
            let handle = table::insert(Object::Array(Arc::new(Array::new(element_of(ty), value))));
            // SAFETY: there is room for this number of results.
            unsafe { results.add(at).write(handle) };
        }
        Ok(())
    })
}

/// The arguments of a call.
///
/// # Safety
/// `arguments` must point to `count` of them.
unsafe fn all<'a>(arguments: *const MinoanArgument, count: usize) -> &'a [MinoanArgument] {
    match count {
        0 => &[],
        // SAFETY: guaranteed by the caller.
        _ => unsafe { std::slice::from_raw_parts(arguments, count) },
    }
}

/// Calls a function by a `MinoanBackend`, which writes its results to arrays of the caller: `destinations` has a writable array for
/// each result, of its type and with its extents, of any strides; rank 0 for a scalar. Compiled code writes to dense arrays in
/// place if they overlap neither with each other nor with an argument; to others, results are copied. If the call fails, the contents of
/// the destinations are unspecified.
///
/// # Safety
/// `arguments` and `destinations` must point to as many arguments, as `MinoanArgument` describes them; each may be null if it is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_function_call_into(
    function: MinoanHandle,
    backend: i32,
    arguments: *const MinoanArgument,
    n_arguments: usize,
    destinations: *const MinoanArgument,
    n_destinations: usize,
) -> MinoanStatus {
    guard(|| {
        let function = table::function(function)?;
        if arguments.is_null() && n_arguments > 0 {
            return Err(Error::argument("the arguments are null"));
        }
        if destinations.is_null() && n_destinations > 0 {
            return Err(Error::argument("the destinations are null"));
        }
        if function.results.len() != n_destinations {
            let expected = function.results.len();
            return Err(Error::argument(format!("expected {expected} destinations, found {n_destinations}")));
        }
        let backend = backend_of(backend)?;
        // SAFETY: guaranteed by the caller.
        unsafe {
            let passed = function.arguments(all(arguments, n_arguments))?;
            function.run_into(backend, passed, all(destinations, n_destinations))
        }
    })
}

/// Calls a function by a `MinoanBackend` with arguments in JSON, an array of all of them as `kc run` takes it: tensors are nested
/// arrays, tuples `{"tuple": [..]}`, values of data types `{"ctor": "Cons", "fields": [..]}`. `out` gets an array of bytes
/// (`MinoanType_I8`), the results in JSON without a final zero. Functions with values of data types can only be called in this way.
///
/// # Safety
/// `arguments` must be null or a C string, `out` null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_function_call_json(
    function: MinoanHandle,
    backend: i32,
    arguments: *const c_char,
    out: *mut MinoanHandle,
) -> MinoanStatus {
    guard(|| {
        let function = table::function(function)?;
        // SAFETY: guaranteed by the caller.
        let arguments = unsafe { text(arguments, "the arguments")? };
        expect_out(out)?;
        let results = function.run_json(backend, arguments)?;
        let array = table::insert(Object::Array(Arc::new(Array::text(results))));
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, array, "'out'") }
    })
}
