//! Calls of compiled functions.

use crate::interface::{ElementType, Interface, ValueType};
use crate::recursion::recursive_functions;
use crate::session::Entry;
use crate::{Failure, heap};
use half::{bf16, f16};
use minoan_diag::{Diagnostic, Diagnostics, Place, Severity, nearest};
use minoan_func::Func;
use minoan_ir::{Int, Signedness};
use minoan_llvm::{AbiType, ArrayView, CallError, Jit, MemRef, Scalar, Value};
use minoan_runtime::Fault;
use minoan_services::{Datum, MOST_NARROW, Tensor, TensorData};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Compiled functions in this process, which may be called by several threads at once.
#[derive(Debug)]
pub struct Loaded {
    jit: Jit,
    symbol: String,
    /// The interfaces of the functions, by symbol.
    interfaces: FxHashMap<String, Interface>,
    /// The recursive functions, whose calls may exhaust the stack.
    recursive: Vec<Place>,
    /// The number of destinations that the function takes.
    destinations: usize,
}

/// An argument of a compiled function, one for each scalar, string and tensor that its parameters consist of.
#[derive(Debug)]
pub enum Argument<'a> {
    /// A scalar, or a tensor that is copied.
    Data(Datum),
    /// An array of the caller. Its elements are in the format of the element type: a string is a vector of `int8`, a
    /// Boolean is a byte.
    Array(ElementType, ArrayView<'a>),
}

impl Loaded {
    pub(crate) fn new(jit: Jit, entry: &Entry) -> Result<Self, Failure> {
        let body = entry.module.body();
        let mut interfaces = FxHashMap::default();
        interfaces.insert(entry.symbol.clone(), entry.interface.clone());
        for op in body.block(entry.module.block()).ops().map(|op| body.op(op)).filter(|op| op.is::<Func>()) {
            let symbol = op.symbol_name().unwrap_or_default();
            if jit.function(symbol).is_some() && symbol != entry.symbol {
                interfaces.insert(symbol.to_owned(), Interface::of_function(op)?);
            }
        }
        let recursive = recursive_functions(&entry.module);
        let params: usize = entry.interface.params.iter().map(|ty| ty.leaves().len()).sum();
        let taken = jit.function(&entry.symbol).map_or(0, |function| function.signature.arguments.len());
        let destinations = taken.saturating_sub(params);
        Ok(Self { jit, symbol: entry.symbol.clone(), interfaces, recursive, destinations })
    }

    /// The types of the arguments and results of a public function; `None` if it does not exist.
    pub fn interface(&self, symbol: &str) -> Option<&Interface> {
        self.interfaces.get(symbol)
    }

    /// Calls the function.
    ///
    /// # Errors
    /// Arguments that do not match the function's interface, or a fault of the program.
    pub fn call(&self, args: &[Datum]) -> Result<Vec<Datum>, Failure> {
        self.call_function(&self.symbol, args)
    }

    /// Calls any public function of its module.
    ///
    /// # Errors
    /// As [`Loaded::call`].
    pub fn call_function(&self, symbol: &str, args: &[Datum]) -> Result<Vec<Datum>, Failure> {
        self.known(symbol)?.check_args(args)?;
        self.call_checked(symbol, args)
    }

    /// Calls a public function with arrays of the caller, which are not copied if they are dense.
    ///
    /// The results are the scalars, strings and tensors that the function's result consists of
    /// ([`Interface::result_leaves`]).
    ///
    /// # Errors
    /// As [`Loaded::call`].
    pub fn call_arrays(&self, symbol: &str, args: Vec<Argument<'_>>) -> Result<Vec<Value>, Failure> {
        let mut passed = self.pass_arrays(symbol, args)?;
        self.finish(self.jit.call_with(symbol, &mut passed))
    }

    /// Calls the function, as [`Loaded::call_arrays`] does, with memory for the tensors of the result: one array for each, which
    /// must be writable. A result that was written there is `None`. The others are values: the function returned other extents,
    /// or its result is allocated elsewhere, such as in a function that it calls. Only functions of
    /// [`Session::load_into`](crate::Session::load_into) use destinations. After a failure their contents are unspecified.
    ///
    /// # Errors
    /// As [`Loaded::call`]; the destinations are not of the types of the results.
    pub fn call_into(
        &self,
        args: Vec<Argument<'_>>,
        destinations: &mut [ArrayView<'_>],
    ) -> Result<Vec<Option<Value>>, Failure> {
        if self.destinations == 0 {
            let results = self.call_arrays(&self.symbol, args)?;
            return Ok(results.into_iter().map(Some).collect());
        }
        let passed = self.pass_arrays(&self.symbol, args)?;
        // A vector is returned by value.
        let results = self.jit.function(&self.symbol).map_or(&[][..], |function| &function.signature.results);
        let arrays =
            results.iter().filter(|ty| matches!(ty, AbiType::MemRef { .. } | AbiType::Vector { .. }));
        let taken = destinations.iter_mut().zip(arrays);
        let taken = taken.filter(|(_, ty)| matches!(ty, AbiType::MemRef { .. }));
        let mut taken: Vec<ArrayView<'_>> = taken.map(|(destination, _)| destination.reborrow()).collect();
        self.finish(self.jit.call_into(&self.symbol, passed, &mut taken))
    }

    /// The arguments in the form in which they are passed, after they were checked against the first parameters of the compiled
    /// function.
    fn pass_arrays<'a>(
        &self,
        symbol: &str,
        args: Vec<Argument<'a>>,
    ) -> Result<Vec<minoan_llvm::Argument<'a>>, Failure> {
        let interface = self.known(symbol)?;
        check_arrays(interface, &args)?;
        let types = self.types(symbol, args.len())?;
        let leaves: Vec<ValueType> = interface.params.iter().flat_map(ValueType::leaves).collect();
        let pass = |(at, (ty, arg))| match arg {
            Argument::Data(datum) => to_leaf(ty, leaves.get(at), &datum).map(minoan_llvm::Argument::Value),
            Argument::Array(_, view) => Ok(minoan_llvm::Argument::View(view)),
        };
        let passed = types.iter().zip(args).enumerate().map(pass);
        Ok(passed.collect::<Result<Vec<_>, _>>().map_err(Diagnostics::from)?)
    }

    /// Calls a function with arguments that were checked.
    pub(crate) fn call_checked(&self, symbol: &str, args: &[Datum]) -> Result<Vec<Datum>, Failure> {
        let types = self.types(symbol, args.len())?;
        let interface = self.interfaces.get(symbol);
        let leaves = |types: fn(&Interface) -> Vec<ValueType>| interface.map(types).unwrap_or_default();
        let inputs = leaves(|interface| interface.params.iter().flat_map(ValueType::leaves).collect());
        let pass = |(at, (ty, arg))| to_leaf(ty, inputs.get(at), arg);
        let values = types.iter().zip(args).enumerate().map(pass);
        let mut values: Vec<Value> = values.collect::<Result<_, _>>().map_err(Diagnostics::from)?;
        let results = self.finish(self.jit.call(symbol, &mut values))?;
        let outputs = leaves(|interface| interface.result_leaves().into_iter().map(|(_, ty)| ty).collect());
        let give = |(at, value): (usize, &Value)| match outputs.get(at) {
            Some(ty) => from_leaf(ty, value),
            None => Ok(from_value(value)),
        };
        Ok(results.iter().enumerate().map(give).collect::<Result<_, _>>().map_err(Diagnostics::from)?)
    }

    fn known(&self, symbol: &str) -> Result<&Interface, Failure> {
        self.interfaces.get(symbol).ok_or_else(|| {
            let error = Diagnostic::error(format!("unknown public function '{symbol}'"));
            error.did_you_mean(nearest(symbol, self.interfaces.keys().map(String::as_str))).into()
        })
    }

    fn types(&self, symbol: &str, given: usize) -> Result<&[AbiType], Failure> {
        let types: &[AbiType] =
            self.jit.function(symbol).map_or(&[], |function| &function.signature.arguments);
        // Destinations come last.
        let types = &types[..types.len().saturating_sub(self.destinations(symbol))];
        if types.len() != given {
            let message = format!("'{symbol}' takes {} values, but {given} are given", types.len());
            return Err(Diagnostic::error(message).into());
        }
        Ok(types)
    }

    /// The number of destinations that a function takes.
    fn destinations(&self, symbol: &str) -> usize {
        if symbol == self.symbol { self.destinations } else { 0 }
    }

    fn finish<T>(&self, called: Result<T, CallError>) -> Result<T, Failure> {
        minoan_runtime::minoan_flush();
        called.map_err(|error| {
            let mut diagnostic = error.diagnostic();
            let recursive = &self.recursive;
            if let (CallError::Fault(Fault::StackOverflow(_)), Some(place)) = (&error, recursive.first()) {
                diagnostic = diagnostic.at(place.clone());
                for other in &recursive[1..] {
                    let note = Diagnostic::new(Severity::Note, "this function is recursive, too");
                    diagnostic.notes.push(note.at(other.clone()));
                }
            }
            match error {
                CallError::Mismatch(_) => Failure::from(diagnostic),
                CallError::Fault(_) => Failure::fault(diagnostic),
            }
        })
    }
}

/// Checks the types and extents of arguments, and that the parts of nested tensors agree.
fn check_arrays(interface: &Interface, args: &[Argument<'_>]) -> Result<(), Failure> {
    let leaves: Vec<ValueType> = interface.params.iter().flat_map(ValueType::leaves).collect();
    let is_nested = interface.params.iter().any(ValueType::is_nested);
    // The numbers that nested tensors keep, such as offsets, address memory.
    if is_nested || leaves.len() != args.len() || args.iter().all(|arg| matches!(arg, Argument::Data(_))) {
        let data = args.iter().map(|arg| match arg {
            Argument::Data(datum) => Ok(datum.clone()),
            Argument::Array(_, view) => Ok(from_value(&Value::MemRef(view.to_memref()?))),
        });
        let data = data.collect::<Result<Vec<Datum>, Diagnostic>>()?;
        interface.check_args(&data)?;
    }
    let names = interface.leaf_names();
    let mut errors = Diagnostics::new();
    for ((ty, arg), name) in leaves.iter().zip(args).zip(names) {
        let checked = match arg {
            Argument::Data(datum) => ty.check(datum),
            Argument::Array(element, view) => match ty.check_array(*element, view.shape()) {
                Err(error) => Err(error.to_string()),
                Ok(()) if scalar_of(*element) == view.element() => Ok(()),
                Ok(()) => Err(format!("elements of {element} are not stored as {}", view.element())),
            },
        };
        if let Err(message) = checked {
            errors.push(Diagnostic::error(format!("{name}: {message}")));
        }
    }
    if errors.has_errors() { Err(errors.into()) } else { Ok(()) }
}

/// Whether destinations overlap neither with each other nor with an argument, as [`Loaded::call_into`] requires.
pub fn are_apart<'a>(
    destinations: impl IntoIterator<Item = &'a ArrayView<'a>>,
    args: &[Argument<'_>],
) -> bool {
    let mut used: Vec<Range<usize>> = destinations.into_iter().map(ArrayView::addresses).collect();
    let count = used.len();
    used.extend(args.iter().filter_map(|arg| match arg {
        Argument::Array(_, view) => Some(view.addresses()),
        Argument::Data(_) => None,
    }));
    let overlap = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
    (0..count).all(|at| used[at + 1..].iter().all(|other| !overlap(&used[at], other)))
}

/// The storage of an element type in compiled code.
pub fn scalar_of(element: ElementType) -> Scalar {
    match element {
        ElementType::Bool => Scalar::I1,
        ElementType::Signed(8) | ElementType::Unsigned(8) => Scalar::I8,
        ElementType::Signed(16) | ElementType::Unsigned(16) => Scalar::I16,
        ElementType::Signed(32) | ElementType::Unsigned(32) => Scalar::I32,
        ElementType::Signed(64) | ElementType::Unsigned(64) => Scalar::I64,
        ElementType::F16 => Scalar::F16,
        ElementType::BF16 => Scalar::BF16,
        ElementType::F32 => Scalar::F32,
        ElementType::F64 => Scalar::F64,
        ElementType::ComplexF32 => Scalar::ComplexF32,
        ElementType::ComplexF64 => Scalar::ComplexF64,
        ElementType::Signed(width) | ElementType::Unsigned(width) => Scalar::Int(width),
    }
}

/// A datum as a value of the compiled function: integers are truncated to their width.
///
/// # Errors
/// The datum has a different type, or memory is exhausted.
pub fn to_value(ty: &AbiType, datum: &Datum) -> Result<Value, Diagnostic> {
    let mismatch = || Diagnostic::error(format!("expected a value of type {ty}"));
    match (ty, datum) {
        (AbiType::MemRef { element, .. } | AbiType::Vector { element, .. }, Datum::Tensor(tensor)) => {
            let mut array = MemRef::zeros(*element, &tensor.shape)?;
            store(&tensor.data, *element, array.bytes_mut()).ok_or_else(mismatch)?;
            Ok(Value::MemRef(array))
        }
        (AbiType::Scalar(Scalar::Int(width)), Datum::Int(_) | Datum::Wide(_)) => {
            let number = datum.wide().map_err(|_| mismatch())?;
            Ok(Value::Int(*width, bytes_of(&number, *width)))
        }
        (AbiType::Scalar(scalar), Datum::Int(value)) => match scalar {
            Scalar::I1 => Ok(Value::I1(*value != 0)),
            Scalar::I8 => Ok(Value::I8(*value as i8)),
            Scalar::I16 => Ok(Value::I16(*value as i16)),
            Scalar::I32 => Ok(Value::I32(*value as i32)),
            Scalar::I64 => Ok(Value::I64(*value)),
            _ => Err(mismatch()),
        },
        (AbiType::Scalar(Scalar::F16), Datum::F32(value)) => Ok(Value::F16(f16::from_f32(*value).to_bits())),
        (AbiType::Scalar(Scalar::BF16), Datum::F32(value)) => {
            Ok(Value::BF16(bf16::from_f32(*value).to_bits()))
        }
        (AbiType::Scalar(Scalar::F32), Datum::F32(value)) => Ok(Value::F32(*value)),
        (AbiType::Scalar(Scalar::F64), Datum::F64(value)) => Ok(Value::F64(*value)),
        (AbiType::Scalar(Scalar::ComplexF32), Datum::Complex32(parts)) => Ok(Value::ComplexF32(*parts)),
        (AbiType::Scalar(Scalar::ComplexF64), Datum::Complex64(parts)) => Ok(Value::ComplexF64(*parts)),
        _ => Err(mismatch()),
    }
}

/// The bytes in memory of an integer of another width than compiled code has registers for.
fn bytes_of(number: &Int, width: u32) -> Vec<u8> {
    let bits = number.clone().wrapped(width, Signedness::Unsigned);
    bits.to_le_bytes(Scalar::Int(width).size())
}

/// Stores elements in the representation of compiled code; `None` if they are of another kind, or poison.
fn store(data: &TensorData, element: Scalar, into: &mut [u8]) -> Option<()> {
    /// Stores each value as `N` bytes.
    fn each<T: Copy, const N: usize>(into: &mut [u8], values: &[T], bytes: impl Fn(T) -> [u8; N]) {
        for (slot, &value) in into.as_chunks_mut().0.iter_mut().zip(values) {
            *slot = bytes(value);
        }
    }
    match (data, element) {
        (TensorData::F32(values), Scalar::F32) => each(into, values, f32::to_le_bytes),
        (TensorData::F64(values), Scalar::F64) => each(into, values, f64::to_le_bytes),
        // The parts are stored one after the other.
        (TensorData::Complex32(values), Scalar::ComplexF32) => {
            each(into, values.as_flattened(), f32::to_le_bytes);
        }
        (TensorData::Complex64(values), Scalar::ComplexF64) => {
            each(into, values.as_flattened(), f64::to_le_bytes);
        }
        (TensorData::F32(values), Scalar::F16) => {
            each(into, values, |value| f16::from_f32(value).to_le_bytes());
        }
        (TensorData::F32(values), Scalar::BF16) => {
            each(into, values, |value| bf16::from_f32(value).to_le_bytes());
        }
        (TensorData::Int(values), Scalar::I1 | Scalar::I8) => {
            each(into, values, |value| (value as i8).to_le_bytes());
        }
        (TensorData::Int(values), Scalar::I16) => each(into, values, |value| (value as i16).to_le_bytes()),
        (TensorData::Int(values), Scalar::I32) => each(into, values, |value| (value as i32).to_le_bytes()),
        (TensorData::Int(values), Scalar::I64) => each(into, values, i64::to_le_bytes),
        (TensorData::Int(values), Scalar::Int(width)) => {
            for (slot, &value) in into.chunks_exact_mut(element.size()).zip(values) {
                slot.copy_from_slice(&bytes_of(&value.into(), width));
            }
        }
        (TensorData::Wide(values), Scalar::Int(width)) => {
            for (slot, value) in into.chunks_exact_mut(element.size()).zip(values) {
                slot.copy_from_slice(&bytes_of(value, width));
            }
        }
        _ => return None,
    }
    Some(())
}

/// A leaf of an argument as a value of the compiled function.
fn to_leaf(ty: &AbiType, leaf: Option<&ValueType>, datum: &Datum) -> Result<Value, Diagnostic> {
    match (ty, leaf) {
        (AbiType::Object, Some(ValueType::Data(data))) => heap::to_heap(data, datum).map(Value::Object),
        _ => to_value(ty, datum),
    }
}

/// A leaf of a result of a compiled function as the interpreter represents it.
///
/// # Errors
/// The value is not of the type.
pub fn from_leaf(ty: &ValueType, value: &Value) -> Result<Datum, Diagnostic> {
    match (ty, value) {
        (ValueType::Data(data), Value::Object(value)) => heap::of_heap(data, value),
        _ => Ok(from_value(value)),
    }
}

/// A number or tensor of compiled code as the interpreter represents it; a value of a data type is poison without its type.
pub fn from_value(value: &Value) -> Datum {
    match value {
        Value::I1(value) => (*value).into(),
        Value::I8(value) => Datum::Int(i64::from(*value)),
        Value::I16(value) => Datum::Int(i64::from(*value)),
        Value::I32(value) => Datum::Int(i64::from(*value)),
        Value::I64(value) => Datum::Int(*value),
        Value::Int(width, bytes) => integer(*width, bytes),
        Value::F16(bits) => Datum::F32(f16::from_bits(*bits).to_f32()),
        Value::BF16(bits) => Datum::F32(bf16::from_bits(*bits).to_f32()),
        Value::F32(value) => Datum::F32(*value),
        Value::F64(value) => Datum::F64(*value),
        Value::ComplexF32(parts) => Datum::Complex32(*parts),
        Value::ComplexF64(parts) => Datum::Complex64(*parts),
        Value::MemRef(array) => from_array(array).into(),
        Value::Object(_) => Datum::Poison,
    }
}

/// An integer from its bytes in memory.
fn integer(width: u32, bytes: &[u8]) -> Datum {
    let number = Int::from_le_bytes(bytes, false).wrapped(width, Signedness::Signed);
    match number.as_i64().filter(|_| width <= MOST_NARROW) {
        Some(number) => Datum::Int(number),
        None => Datum::Wide(number),
    }
}

fn from_array(array: &MemRef) -> Tensor {
    let shape = array.shape().to_vec();
    let size = array.element().size();
    let halves = || array.bytes().chunks_exact(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
    let data = match array.element() {
        Scalar::F16 => TensorData::F32(halves().map(|bits| f16::from_bits(bits).to_f32()).collect()),
        Scalar::BF16 => TensorData::F32(halves().map(|bits| bf16::from_bits(bits).to_f32()).collect()),
        Scalar::F32 => TensorData::F32(array.as_slice::<f32>().unwrap_or(&[]).to_vec()),
        Scalar::F64 => TensorData::F64(array.as_slice::<f64>().unwrap_or(&[]).to_vec()),
        Scalar::ComplexF32 => TensorData::Complex32(array.as_slice().unwrap_or(&[]).to_vec()),
        Scalar::ComplexF64 => TensorData::Complex64(array.as_slice().unwrap_or(&[]).to_vec()),
        Scalar::Int(width) => {
            let numbers = array.bytes().chunks_exact(size).map(|bytes| integer(width, bytes));
            match width <= MOST_NARROW {
                true => TensorData::Int(numbers.filter_map(|number| number.int().ok()).collect()),
                false => TensorData::Wide(numbers.filter_map(|number| number.wide().ok()).collect()),
            }
        }
        scalar => {
            let signed = scalar != Scalar::I1;
            let integer = |bytes: &[u8]| {
                let fill = if signed && bytes[size - 1] >> 7 == 1 { 0xff } else { 0 };
                let mut word = [fill; 8];
                word[..size].copy_from_slice(bytes);
                i64::from_le_bytes(word)
            };
            TensorData::Int(array.bytes().chunks_exact(size).map(integer).collect())
        }
    };
    Tensor { shape, data }
}
