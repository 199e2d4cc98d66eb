//! The entry of compiled code for callers in C: arguments are checked, and a fault is a code in place of the end of the
//! process.

use crate::fault::Fault;
use crate::memory::{minoan_free, try_alloc};
use crate::stack::{StackLimit, call_guarded};
use std::ffi::{c_char, c_void};

/// The code of a call that has succeeded.
const OK: i32 = 0;
/// The code of a call whose arguments do not match the function.
pub(crate) const BAD_ARGUMENT: i32 = 1;

/// The allocated pointer of a global constant's descriptor, as MLIR sets it.
pub(crate) const CONSTANT: usize = 0xdead_beef;

/// The rank of an object in a layout.
const OBJECT: i64 = -2;

/// The code of a fault.
fn code(fault: &Fault) -> i32 {
    match fault {
        Fault::Assert(_) => 2,
        Fault::StackOverflow(_) | Fault::NoStack => 3,
        Fault::OutOfMemory { .. } => 4,
        Fault::Division => 5,
        Fault::Unreachable | Fault::BadFree { .. } | Fault::Overrun => 6,
    }
}

/// A slot of a packed wrapper: its type in the layout, and its storage.
pub(crate) struct Slot<'a> {
    /// In bytes.
    pub element: usize,
    /// The extents of an array; `None` for a scalar or object.
    pub extents: Option<&'a [i64]>,
    is_object: bool,
    pub storage: *mut i64,
}

/// Success, or the code and the message of a failure.
pub(crate) type Outcome = Result<(), (i32, String)>;

/// Calls a packed wrapper on the large stack.
///
/// Returns 0 on success, 1 if the arguments do not match, 2 for a failed assertion, 3 if recursion is too deep, 4 if memory is
/// exhausted, 5 for a division by zero, 6 for any other fault. On failure, up to `size` bytes of the message are written to
/// `message`, as a C string.
///
/// `layout` has the numbers of arguments and results, and for each slot the size of its elements in bytes, its rank (-1 for
/// a scalar, -2 for an object) and its extents (-1 if dynamic). An array argument must be dense and row-major. An array result
/// is a dense block that belongs to the caller, who frees its `allocated` pointer by [`minoan_free`](crate::minoan_free). An
/// object argument stays owned by the caller; an object result is transferred to the caller, who releases it by
/// [`minoan_value_release`](crate::minoan_value_release).
///
/// # Safety
/// `entry` must be a packed wrapper of this layout, the slots must point to storage of their types, and `message`, unless it
/// is null, to `size` writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_try(
    entry: extern "C" fn(*mut c_void),
    slots: *mut *mut c_void,
    layout: *const i64,
    message: *mut c_char,
    size: i64,
) -> i32 {
    // SAFETY: guaranteed by the caller.
    unsafe { report(run(entry, slots, layout), message, size) }
}

/// Writes the message of an outcome to `size` bytes, and returns its code.
///
/// # Safety
/// `message` must be null or point to `size` writable bytes.
pub(crate) unsafe fn report(outcome: Outcome, message: *mut c_char, size: i64) -> i32 {
    let (code, text) = match outcome {
        Ok(()) => (OK, String::new()),
        Err((code, text)) => (code, text),
    };
    if let Some(room) =
        usize::try_from(size).ok().and_then(|size| size.checked_sub(1)).filter(|_| !message.is_null())
    {
        let mut len = text.len().min(room);
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        // SAFETY: guaranteed by the caller; the text and its zero fit.
        unsafe {
            message.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), len);
            message.add(len).write(0);
        }
    }
    code
}

/// # Safety
/// As for [`minoan_try`].
unsafe fn run(entry: extern "C" fn(*mut c_void), slots: *mut *mut c_void, layout: *const i64) -> Outcome {
    // SAFETY: guaranteed by the caller.
    let (arguments, results) = unsafe { Slots::of(slots, layout) };
    for (index, argument) in arguments.clone().enumerate() {
        // SAFETY: the slot has storage of its type.
        if let Err(message) = unsafe { check(&argument) } {
            return Err((BAD_ARGUMENT, format!("argument {}: {message}", index + 1)));
        }
    }
    // SAFETY: guaranteed by the caller.
    unsafe { call(entry, slots, results.clone())? };
    let arrays = arguments.filter(|slot| slot.extents.is_some());
    // SAFETY: the first word of an array is its allocated pointer.
    let addresses = arrays.map(|slot| unsafe { slot.storage.read() });
    let (mut borrowed, mut to_free) = (Addresses::new(), Addresses::new());
    addresses.chain([CONSTANT as i64, 0]).for_each(|address| borrowed.push(address));
    for result in results.filter(|slot| slot.extents.is_some()) {
        // SAFETY: the call has stored the result.
        unsafe { own(&result, &mut borrowed, &mut to_free)? };
    }
    for &block in to_free.all() {
        // SAFETY: the block is the caller's, and no result is in it.
        unsafe { minoan_free(std::ptr::with_exposed_provenance_mut(block as usize)) };
    }
    Ok(())
}

/// Calls a packed wrapper whose arguments are checked; the objects that it returns belong to this thread.
///
/// # Safety
/// As for [`minoan_try`]; the arguments must match.
pub(crate) unsafe fn call(
    entry: extern "C" fn(*mut c_void),
    slots: *mut *mut c_void,
    results: Slots<'_>,
) -> Outcome {
    // SAFETY: guaranteed by the caller; compiled code holds nothing that needs dropping.
    let called = unsafe { call_guarded(StackLimit::default(), entry, slots.cast()) };
    crate::output::minoan_flush();
    called.map_err(|fault| (code(&fault), fault.to_string()))?;
    for result in results.filter(|slot| slot.is_object) {
        // SAFETY: the call has stored a value that the caller owns.
        crate::objects::owners::add(unsafe { result.storage.cast::<*mut c_void>().read() });
    }
    Ok(())
}

/// Slots of a packed wrapper, read from its layout.
#[derive(Clone)]
pub(crate) struct Slots<'a> {
    slots: &'a [*mut c_void],
    /// The layout from the first of the slots on.
    layout: *const i64,
}

impl<'a> Slots<'a> {
    /// The slots of the arguments and of the results.
    ///
    /// # Safety
    /// As for [`minoan_try`], for the lifetime of the slots.
    pub(crate) unsafe fn of(slots: *mut *mut c_void, layout: *const i64) -> (Self, Self) {
        // SAFETY: guaranteed by the caller.
        let (arguments, results) = unsafe { (*layout as usize, *layout.add(1) as usize) };
        let all: &[*mut c_void] = match arguments + results {
            0 => &[],
            // SAFETY: guaranteed by the caller.
            count => unsafe { std::slice::from_raw_parts(slots, count) },
        };
        let (arguments, results) = all.split_at(arguments);
        // SAFETY: the layout begins with two counts.
        let arguments = Self { slots: arguments, layout: unsafe { layout.add(2) } };
        let mut rest = arguments.clone();
        rest.by_ref().for_each(drop);
        (arguments, Self { slots: results, layout: rest.layout })
    }
}

impl<'a> Iterator for Slots<'a> {
    type Item = Slot<'a>;

    fn next(&mut self) -> Option<Slot<'a>> {
        let (first, rest) = self.slots.split_first()?;
        self.slots = rest;
        // SAFETY: the layout has two words for each slot and as many more as its rank.
        unsafe {
            let (element, rank) = (*self.layout as usize, *self.layout.add(1));
            let extents = usize::try_from(rank).ok();
            let extents = extents.map(|rank| std::slice::from_raw_parts(self.layout.add(2), rank));
            self.layout = self.layout.add(2 + extents.map_or(0, <[i64]>::len));
            Some(Slot { element, extents, is_object: rank == OBJECT, storage: first.cast() })
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.slots.len(), Some(self.slots.len()))
    }
}

impl ExactSizeIterator for Slots<'_> {}

/// A descriptor: the aligned pointer, the offset, the extents and the strides.
///
/// # Safety
/// The slot must be an array with storage for its descriptor.
pub(crate) unsafe fn descriptor<'a>(slot: &Slot<'_>) -> (&'a [i64], &'a [i64], &'a [i64]) {
    let rank = slot.extents.map_or(0, <[i64]>::len);
    // SAFETY: guaranteed by the caller.
    let words = unsafe { std::slice::from_raw_parts(slot.storage, 3 + 2 * rank) };
    (&words[1..3], &words[3..3 + rank], &words[3 + rank..])
}

/// # Safety
/// The slot must have storage of its type.
pub(crate) unsafe fn check(slot: &Slot<'_>) -> Result<(), String> {
    if slot.is_object {
        // SAFETY: guaranteed by the caller.
        let value = unsafe { slot.storage.cast::<*mut c_void>().read() };
        return match crate::objects::owners::knows(value) {
            true => Ok(()),
            false => Err("expected a value that this thread owns, found one that was released".to_owned()),
        };
    }
    let Some(expected) = slot.extents else { return Ok(()) };
    // SAFETY: guaranteed by the caller.
    let (place, extents, strides) = unsafe { descriptor(slot) };
    let agrees = |(&expected, &found): (&i64, &i64)| found >= 0 && (expected == -1 || expected == found);
    if !expected.iter().zip(extents).all(agrees) {
        let any_or = |&extent: &i64| if extent == -1 { "?".to_owned() } else { extent.to_string() };
        let expected = expected.iter().map(any_or).collect::<Vec<_>>().join(", ");
        let negative = if extents.iter().any(|&extent| extent < 0) { "a negative extent in " } else { "" };
        return Err(format!("expected extents [{expected}], found {negative}{extents:?}"));
    }
    let count =
        extents.iter().try_fold(slot.element as i64, |bytes, &extent| bytes.checked_mul(extent.max(1)));
    if count.is_none_or(|bytes| bytes > i64::MAX / 2) {
        return Err(format!("an array of extents {extents:?} does not fit into memory"));
    }
    if extents.contains(&0) {
        return Ok(());
    }
    if place[0] == 0 {
        return Err("the array has elements, but no address".to_owned());
    }
    if place[1] != 0 || !is_dense(extents, strides) {
        return Err(format!(
            "expected a dense row-major array, found offset {} and strides {strides:?}",
            place[1]
        ));
    }
    if !(place[0] as usize).is_multiple_of(slot.element) {
        return Err(format!("the elements are not aligned to {} bytes", slot.element));
    }
    Ok(())
}

pub(crate) fn is_dense(extents: &[i64], strides: &[i64]) -> bool {
    let mut dense = 1;
    extents.iter().zip(strides).rev().all(|(&extent, &stride)| {
        let matches = extent <= 1 || stride == dense;
        dense *= extent.max(1);
        matches
    })
}

/// A list of addresses, on the stack unless there are many, so that a call allocates nothing but its results.
struct Addresses {
    few: [i64; 32],
    count: usize,
    many: Vec<i64>,
}

impl Addresses {
    fn new() -> Addresses {
        Addresses { few: [0; 32], count: 0, many: Vec::new() }
    }

    fn all(&self) -> &[i64] {
        if self.many.is_empty() { &self.few[..self.count] } else { &self.many }
    }

    fn contains(&self, address: i64) -> bool {
        self.all().contains(&address)
    }

    fn push(&mut self, address: i64) {
        if self.many.is_empty() {
            if let Some(place) = self.few.get_mut(self.count) {
                *place = address;
                self.count += 1;
                return;
            }
            self.many.extend_from_slice(&self.few);
        }
        self.many.push(address);
    }

    /// Removes an address, which is in the list at most once.
    fn remove(&mut self, address: i64) {
        let Some(at) = self.all().iter().position(|&other| other == address) else { return };
        if self.many.is_empty() {
            self.count -= 1;
            self.few.swap(at, self.count);
        } else {
            self.many.swap_remove(at);
            if self.many.is_empty() {
                self.count = 0;
            }
        }
    }
}

/// Copies an array result to a fresh block unless it already owns its block. Results may share a block: the first one that
/// covers the whole block keeps it; if there is none, the block is added to `to_free`.
///
/// # Safety
/// The slot must be an array that the call has returned.
unsafe fn own(
    slot: &Slot<'_>,
    borrowed: &mut Addresses,
    to_free: &mut Addresses,
) -> Result<(), (i32, String)> {
    // SAFETY: guaranteed by the caller.
    let (place, extents, strides) = unsafe { descriptor(slot) };
    // SAFETY: as above.
    let allocated = unsafe { slot.storage.read() };
    let is_fresh = !borrowed.contains(allocated);
    if is_fresh && allocated == place[0] && place[1] == 0 && is_dense(extents, strides) {
        borrowed.push(allocated);
        to_free.remove(allocated);
        return Ok(());
    }
    if is_fresh && !to_free.contains(allocated) {
        to_free.push(allocated);
    }
    let (rank, count): (usize, i64) = (extents.len(), extents.iter().product());
    let block = try_alloc(count * slot.element as i64).ok_or_else(|| (4, "out of memory".to_owned()))?;
    // SAFETY: the call has stored the result; the block has room for all of its elements.
    unsafe { copy_elements(slot, block.cast()) };
    let mut dense = 1;
    // SAFETY: the storage holds a descriptor of this rank.
    unsafe {
        let address = block.expose_provenance() as i64;
        slot.storage.write(address);
        slot.storage.add(1).write(address);
        slot.storage.add(2).write(0);
        for dim in (0..rank).rev() {
            slot.storage.add(3 + rank + dim).write(dense);
            dense *= slot.storage.add(3 + dim).read().max(1);
        }
    }
    Ok(())
}

/// Copies the elements of an array, in order, to dense memory that does not overlap them.
///
/// # Safety
/// The slot must be an array that can be read, and `to` have room for its elements.
pub(crate) unsafe fn copy_elements(slot: &Slot<'_>, to: *mut u8) {
    // SAFETY: guaranteed by the caller.
    let (place, extents, strides) = unsafe { descriptor(slot) };
    let count: i64 = extents.iter().product();
    let from = std::ptr::with_exposed_provenance::<u8>(place[0] as usize);
    // SAFETY: the descriptor of an array makes its elements readable.
    let from = unsafe { from.offset(place[1] as isize * slot.element as isize) };
    if is_dense(extents, strides) {
        // SAFETY: as above; a dense array is contiguous.
        unsafe { to.copy_from_nonoverlapping(from, count as usize * slot.element) };
        return;
    }
    let mut index = vec![0; extents.len()];
    for at in 0..count as usize {
        let offset: i64 = index.iter().zip(strides).map(|(index, stride)| index * stride).sum();
        // SAFETY: as above.
        unsafe {
            let from = from.offset(offset as isize * slot.element as isize);
            to.add(at * slot.element).copy_from_nonoverlapping(from, slot.element);
        }
        for dim in (0..extents.len()).rev() {
            index[dim] += 1;
            if index[dim] < extents[dim] {
                break;
            }
            index[dim] = 0;
        }
    }
}
