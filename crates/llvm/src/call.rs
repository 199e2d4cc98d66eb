//! Conversion of arguments to slots and of slots to results.

use crate::strided::{self, Direction};
use crate::value::{n_elements, row_major_strides};
use crate::view::Passed;
use crate::{AbiType, Argument, ArrayView, Function, HeapValue, MemRef, Scalar, Value, fault_diagnostic};
use minoan_diag::Diagnostic;
use minoan_runtime::{Fault, KeptObject, ObjectRef, StackLimit, call_guarded, minoan_alloc, minoan_free};
use std::ffi::c_void;
use std::fmt;
use std::ptr::{self, NonNull};

/// The allocated pointer of a global constant's descriptor, as set by MLIR.
const CONSTANT: u64 = 0xdead_beef;

/// The reason why a call returned no results.
#[derive(Clone, PartialEq, Debug)]
pub enum CallError {
    /// The function does not exist or takes other arguments.
    Mismatch(Diagnostic),
    /// The program ended with a fault.
    Fault(Fault),
}

impl CallError {
    /// The diagnostic for the user.
    pub fn diagnostic(&self) -> Diagnostic {
        match self {
            CallError::Mismatch(diagnostic) => diagnostic.clone(),
            CallError::Fault(fault) => fault_diagnostic(fault),
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::Mismatch(diagnostic) => diagnostic.fmt(f),
            CallError::Fault(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for CallError {}

/// Calls a packed wrapper with `arguments`, which must match `function`.
///
/// # Safety
/// `wrapper` must be the packed wrapper of `function`, and sound to call with arguments of its signature. Array
/// results must be views of argument arrays or of constants, or blocks of the runtime that the caller owns.
pub(crate) unsafe fn call(
    wrapper: extern "C" fn(*mut c_void),
    function: &Function,
    arguments: &mut [Value],
    limit: StackLimit,
) -> Result<Vec<Value>, CallError> {
    check(function, arguments.iter().map(Value::ty)).map_err(CallError::Mismatch)?;
    let objects = on_heap(arguments.iter().map(Some));
    let types = &function.signature.arguments;
    let mut words: Vec<Vec<u64>> =
        arguments.iter().zip(types).map(|(argument, ty)| argument.to_words(ty)).collect();
    put_objects(&mut words, &objects);
    // SAFETY: guaranteed by the caller; the arguments match.
    unsafe { call_words(wrapper, function, words, limit) }
}

/// Like [`call`], with arrays of the caller.
///
/// # Safety
/// As for [`call`]; the function must not write to its read-only arguments.
pub(crate) unsafe fn call_with(
    wrapper: extern "C" fn(*mut c_void),
    function: &Function,
    arguments: &mut [Argument<'_>],
    limit: StackLimit,
) -> Result<Vec<Value>, CallError> {
    let (words, passed) = pass(function, arguments)?;
    // SAFETY: guaranteed by the caller; the arguments match, and their arrays outlive the call.
    let results = unsafe { call_words(wrapper, function, words, limit) }?;
    finish(function, arguments, passed)?;
    Ok(results)
}

/// Copies object arguments to this thread's heap for the duration of the call.
fn on_heap<'v>(arguments: impl Iterator<Item = Option<&'v Value>>) -> Vec<Option<KeptObject>> {
    let object = |argument: Option<&Value>| match argument {
        Some(Value::Object(value)) => Some(value.to_heap().keep()),
        _ => None,
    };
    arguments.map(object).collect()
}

/// Sets the argument words of objects on the heap.
fn put_objects(words: &mut [Vec<u64>], objects: &[Option<KeptObject>]) {
    for (words, object) in words.iter_mut().zip(objects) {
        if let Some(object) = object {
            *words = vec![object.as_raw() as u64];
        }
    }
}

/// Like [`call_with`], for a function whose last arguments are destinations of its array results. A result that the function
/// wrote to its destination is `None`.
///
/// # Safety
/// As for [`call_with`]. No destination may overlap with another one or with an argument.
pub(crate) unsafe fn call_into(
    wrapper: extern "C" fn(*mut c_void),
    function: &Function,
    arguments: Vec<Argument<'_>>,
    destinations: &mut [ArrayView<'_>],
    limit: StackLimit,
) -> Result<Vec<Option<Value>>, CallError> {
    if destinations.iter().any(|destination| !destination.is_writable()) {
        let error = Diagnostic::error("a destination of a result is not writable");
        return Err(CallError::Mismatch(error));
    }
    let (first, mut arguments) = (arguments.len(), arguments);
    arguments.extend(destinations.iter_mut().map(|destination| Argument::View(destination.reborrow())));
    let (mut words, passed) = pass(function, &arguments)?;
    let starts: Vec<u64> = words[first..].iter().map(|words| words[1]).collect();
    let given = words.len();
    // SAFETY: guaranteed by the caller; the arguments match, and their arrays outlive the call.
    unsafe { run(wrapper, function, &mut words, limit) }?;
    let mut starts = starts.into_iter();
    let types = &function.signature.results;
    let taken: Vec<bool> = types
        .iter()
        .zip(&words[given..])
        .map(|(ty, words)| matches!(ty, AbiType::MemRef { .. }) && starts.next() == Some(words[1]))
        .collect();
    // SAFETY: the wrapper has filled the slots; the caller guarantees the ownership of the arrays.
    let results = unsafe { results(types, &words[given..], borrowed(function, &words[..given]), &taken) };
    finish(function, &mut arguments, passed)?;
    Ok(results)
}

/// The slots of arguments, once they are known to match.
fn pass(function: &Function, arguments: &[Argument<'_>]) -> Result<(Vec<Vec<u64>>, Vec<Passed>), CallError> {
    check(function, arguments.iter().map(Argument::ty)).map_err(CallError::Mismatch)?;
    let passed = arguments.iter().zip(&function.signature.arguments).enumerate();
    let passed = passed.map(|(index, (argument, ty))| argument.pass(ty, function.is_read_only(index)));
    let mut passed: Vec<Passed> = passed.collect::<Result<_, _>>().map_err(CallError::Mismatch)?;
    let mut words: Vec<Vec<u64>> =
        passed.iter_mut().map(|passed| std::mem::take(&mut passed.words)).collect();
    let objects = on_heap(arguments.iter().map(|argument| match argument {
        Argument::Value(value) => Some(value),
        Argument::View(_) => None,
    }));
    put_objects(&mut words, &objects);
    Ok((words, passed))
}

/// Copies what the function wrote to copies of arguments to the arrays of the caller.
fn finish(function: &Function, arguments: &mut [Argument<'_>], passed: Vec<Passed>) -> Result<(), CallError> {
    for (index, (argument, passed)) in arguments.iter_mut().zip(passed).enumerate() {
        argument.finish(passed, function.is_read_only(index)).map_err(CallError::Mismatch)?;
    }
    Ok(())
}

/// # Safety
/// As for [`call`]; `arguments` must be the slots of matching arguments, whose arrays outlive the call.
unsafe fn call_words(
    wrapper: extern "C" fn(*mut c_void),
    function: &Function,
    arguments: Vec<Vec<u64>>,
    limit: StackLimit,
) -> Result<Vec<Value>, CallError> {
    let (mut words, given) = (arguments, function.signature.arguments.len());
    // SAFETY: as for this function.
    unsafe { run(wrapper, function, &mut words, limit) }?;
    let (types, taken) = (&function.signature.results, vec![false; function.signature.results.len()]);
    // SAFETY: the wrapper has filled the slots; the caller guarantees the ownership of the arrays.
    let results = unsafe { results(types, &words[given..], borrowed(function, &words[..given]), &taken) };
    Ok(results.into_iter().flatten().collect())
}

/// Runs a function on the slots of its arguments, and appends those of its results.
///
/// # Safety
/// As for [`call_words`].
unsafe fn run(
    wrapper: extern "C" fn(*mut c_void),
    function: &Function,
    words: &mut Vec<Vec<u64>>,
    limit: StackLimit,
) -> Result<(), CallError> {
    let results = &function.signature.results;
    words.extend(results.iter().map(|result| vec![0; result.slot_size().div_ceil(8)]));
    let mut slots: Vec<*mut c_void> = words.iter_mut().map(|words| words.as_mut_ptr().cast()).collect();
    // SAFETY: each slot points to storage of its type; the code is sound as guaranteed by the caller, and compiled
    // code holds nothing that needs dropping when it faults.
    unsafe { call_guarded(limit, wrapper, slots.as_mut_ptr().cast()) }.map_err(CallError::Fault)
}

/// The blocks that belong to arguments or to the program, by address.
fn borrowed(function: &Function, arguments: &[Vec<u64>]) -> Vec<u64> {
    let arguments = arguments.iter().zip(&function.signature.arguments);
    let arrays = arguments.filter(|(_, ty)| matches!(ty, AbiType::MemRef { .. })).map(|(words, _)| words[0]);
    arrays.chain([CONSTANT, 0]).collect()
}

fn check(function: &Function, arguments: impl ExactSizeIterator<Item = AbiType>) -> Result<(), Diagnostic> {
    let (name, expected) = (&function.name, &function.signature.arguments);
    if expected.len() != arguments.len() {
        let (wanted, found) = (expected.len(), arguments.len());
        return Err(Diagnostic::error(format!(
            "'{name}' takes {wanted} argument{}, but {found} {} given",
            if wanted == 1 { "" } else { "s" },
            if found == 1 { "is" } else { "are" }
        )));
    }
    for (index, (expected, found)) in expected.iter().zip(arguments).enumerate() {
        if !expected.accepts(&found) {
            return Err(Diagnostic::error(format!(
                "argument {} of '{name}' must be of type {expected}, but got {found}",
                index + 1
            )));
        }
    }
    Ok(())
}

/// The values of results; `None` for `taken` results.
///
/// # Safety
/// The slots must hold values of these types; arrays whose allocation is not `borrowed` must belong to the caller.
unsafe fn results(
    types: &[AbiType],
    slots: &[Vec<u64>],
    borrowed: Vec<u64>,
    taken: &[bool],
) -> Vec<Option<Value>> {
    let mut not_ours = borrowed;
    let mut to_free = Vec::new();
    let mut values = Vec::new();
    for ((ty, words), taken) in types.iter().zip(slots).zip(taken) {
        let (element, rank) = match ty {
            _ if *taken => {
                values.push(None);
                continue;
            }
            AbiType::Scalar(scalar) => {
                values.push(Some(Value::from_words(*scalar, words)));
                continue;
            }
            AbiType::Vector { element, shape } => {
                values.push(Some(Value::MemRef(MemRef::of_vector(*element, shape, words))));
                continue;
            }
            AbiType::Object => {
                // SAFETY: the caller of a function owns its results.
                let object = unsafe { ObjectRef::from_raw(pointer(words[0]).cast()) };
                values.push(Some(Value::Object(HeapValue::of_heap(&object))));
                continue;
            }
            AbiType::MemRef { element, shape } => (*element, shape.len()),
        };
        let view = View { element, rank, words };
        let allocated = words[0];
        let fresh = !not_ours.contains(&allocated);
        // Results may share a block: the first dense view adopts it; otherwise it is freed.
        let array = match view.whole_block() {
            Some(block) if fresh => {
                not_ours.push(allocated);
                to_free.retain(|&block| block != allocated);
                // SAFETY: the block is the caller's, dense, and not adopted by another result.
                unsafe { MemRef::adopt(element, view.shape(), block) }
            }
            _ => {
                if fresh && !to_free.contains(&allocated) {
                    to_free.push(allocated);
                }
                // SAFETY: the view is valid, its block not yet freed.
                unsafe { view.copy() }
            }
        };
        values.push(Some(Value::MemRef(array)));
    }
    for block in to_free {
        // SAFETY: the block is the caller's and not adopted by a result.
        unsafe { minoan_free(pointer(block).cast()) };
    }
    values
}

/// A memref descriptor in a slot.
struct View<'a> {
    element: Scalar,
    rank: usize,
    words: &'a [u64],
}

impl View<'_> {
    fn shape(&self) -> Vec<usize> {
        self.words[3..3 + self.rank].iter().map(|&size| size as usize).collect()
    }

    fn strides(&self) -> &[u64] {
        &self.words[3 + self.rank..3 + 2 * self.rank]
    }

    /// The block, if the view covers all of it densely and in order.
    fn whole_block(&self) -> Option<NonNull<u8>> {
        let shape = self.shape();
        let [allocated, aligned, offset, ..] = *self.words else { return None };
        let strides = row_major_strides(&shape);
        let dense = shape
            .iter()
            .zip(self.strides())
            .zip(strides)
            .all(|((&size, &stride), dense)| size <= 1 || stride == dense as u64);
        (allocated == aligned && offset == 0 && dense).then(|| NonNull::new(pointer(allocated)))?
    }

    /// Copies the view to a dense array.
    ///
    /// # Safety
    /// The descriptor must be valid.
    unsafe fn copy(&self) -> MemRef {
        let shape = self.shape();
        let size = self.element.size();
        let len = n_elements(&shape);
        let block = minoan_alloc((len * size) as i64, 64).cast::<u8>();
        let bytes = |elements: u64| (elements as i64 as isize).wrapping_mul(size as isize);
        let strides: Vec<isize> = self.strides().iter().map(|&stride| bytes(stride)).collect();
        // SAFETY: a valid descriptor makes its elements readable; the block is fresh, and has room for `len` elements.
        unsafe {
            let first = pointer(self.words[1]).wrapping_offset(bytes(self.words[2]));
            strided::copy(Direction::Gather, size, &shape, &strides, block, first);
        }
        // SAFETY: the block is fresh, and `minoan_alloc` never returns null.
        unsafe { MemRef::adopt(self.element, shape, NonNull::new_unchecked(block)) }
    }
}

fn pointer(word: u64) -> *mut u8 {
    ptr::with_exposed_provenance_mut(word as usize)
}
