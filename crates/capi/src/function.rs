//! Functions: signatures, compilation and calls.

use crate::array::{Array, MinoanArgument, number_of};
use crate::error::{Error, MinoanStatus, guard, put, text};
use crate::session::SessionObject;
use crate::table::{self, MinoanHandle, Object};
use minoan::call::{from_value, scalar_of, to_value};
use minoan::interface::{Data, Document, ElementType, ValueType};
use minoan::llvm::{AbiType, Value};
use minoan::{Argument, Backend, Entry, Loaded};
use std::ffi::c_char;
use std::sync::{Arc, Mutex, PoisonError};

/// How a function is run.
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

/// A function of a module.
pub(crate) struct Function {
    session: Arc<SessionObject>,
    entry: Entry,
    /// The compiled function, after the first call.
    loaded: Mutex<Option<Arc<Loaded>>>,
    params: Vec<ValueType>,
    results: Vec<ValueType>,
}

impl Function {
    fn loaded(&self) -> Result<Arc<Loaded>, Error> {
        // Callers that come during the compilation wait for it.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = &*loaded {
            return Ok(Arc::clone(loaded));
        }
        let new = Arc::new(self.session.with(|session| session.load(&self.entry))?);
        *loaded = Some(Arc::clone(&new));
        Ok(new)
    }

    /// Runs the function; one value for each scalar, string and tensor of its result.
    ///
    /// # Safety
    /// The arguments must be as [`MinoanArgument`] describes.
    unsafe fn run(&self, backend: i32, args: &[MinoanArgument]) -> Result<Vec<Value>, Error> {
        if self.params.iter().chain(&self.results).any(|ty| matches!(ty, ValueType::Data(_))) {
            return Err(Error::argument(format!(
                "function '{}' has a value of a data type: call it by minoan_function_call_json",
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
        let backend = backend_of(backend)?;
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
        let data = data.collect::<Result<Vec<Data>, Error>>()?;
        let results = self.session.with(|session| session.run(&self.entry, &data, backend))?;
        let value = |(ty, datum): (&ValueType, &Data)| -> Result<Value, Error> {
            Ok(to_value(&abi_type(ty)?, datum)?)
        };
        self.results.iter().zip(&results).map(value).collect()
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
        Ok(interface.result_json(&results).to_string())
    }
}

fn backend_of(number: i32) -> Result<Backend, Error> {
    match number {
        0 => Ok(Backend::Jit),
        1 => Ok(Backend::Interpret),
        2 => Ok(Backend::InterpretBuffers),
        _ => Err(Error::argument(format!("there is no back end {number}"))),
    }
}

/// The type of a scalar, string or tensor in compiled code.
fn abi_type(ty: &ValueType) -> Result<AbiType, Error> {
    let scalar =
        |element| scalar_of(element).ok_or_else(|| Error::invalid(format!("no values of type {element}")));
    Ok(match ty {
        ValueType::Tensor { shape, element } => AbiType::memref(scalar(*element)?, shape.len()),
        ValueType::Scalar(element) => AbiType::Scalar(scalar(*element)?),
        _ => AbiType::memref(scalar(ElementType::Signed(8))?, 1),
    })
}

fn element_of(ty: &ValueType) -> ElementType {
    match ty {
        ValueType::Tensor { element, .. } | ValueType::Scalar(element) => *element,
        _ => ElementType::Signed(8),
    }
}

/// Makes a function of a module ready to be called: it and what it reaches are lowered. Later changes of the module do not
/// concern it. The first call that needs machine code compiles it.
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
        if out.is_null() {
            return Err(Error::argument("'out' is null"));
        }
        let copy = module.lock().clone();
        let entry = module.session.with(|session| session.entry_of(&copy, symbol))?;
        let params: Vec<ValueType> = entry.interface.params.iter().flat_map(ValueType::leaves).collect();
        let results: Vec<ValueType> = entry.interface.result_leaves().into_iter().map(|(_, ty)| ty).collect();
        let session = Arc::clone(&module.session);
        let function = Function { session, entry, loaded: Mutex::new(None), params, results };
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
        let arguments = match n_arguments {
            0 => &[],
            // SAFETY: guaranteed by the caller.
            _ => unsafe { std::slice::from_raw_parts(arguments, n_arguments) },
        };
        // SAFETY: guaranteed by the caller.
        let values = unsafe { function.run(backend, arguments)? };
        for (at, (ty, value)) in function.results.iter().zip(values).enumerate() {
            let handle = table::insert(Object::Array(Arc::new(Array::new(element_of(ty), value))));
            // SAFETY: there is room for as many results.
            unsafe { results.add(at).write(handle) };
        }
        Ok(())
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
        if out.is_null() {
            return Err(Error::argument("'out' is null"));
        }
        let results = function.run_json(backend, arguments)?;
        let array = table::insert(Object::Array(Arc::new(Array::text(results))));
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, array, "'out'") }
    })
}
