//! The entry of compiled code that writes array results to memory of the caller without allocating.

use crate::entry::{
    BAD_ARGUMENT, CONSTANT, Outcome, Slot, Slots, call, check, copy_elements, descriptor, is_dense, report,
};
use crate::memory::minoan_free;
use std::ffi::{c_char, c_void};

/// A pair of words of the work space.
type Pair = [u64; 2];

/// Like [`minoan_try`](crate::minoan_try), for a function whose last arguments are *destinations*: one array for each array
/// result, in order. The results are in the destinations when the call succeeds, and their slots are for the call alone. If it
/// fails, the contents of the destinations are unspecified.
///
/// A destination must be dense and row-major, have the extents of the result, and overlap neither an argument nor another
/// destination.
///
/// # Safety
/// As for [`minoan_try`](crate::minoan_try); `work` must point to 16 writable bytes for each slot, aligned to 8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_try_into(
    entry: extern "C" fn(*mut c_void),
    slots: *mut *mut c_void,
    layout: *const i64,
    work: *mut c_void,
    message: *mut c_char,
    size: i64,
) -> i32 {
    // SAFETY: guaranteed by the caller.
    unsafe { report(run(entry, slots, layout, work), message, size) }
}

/// # Safety
/// As for [`minoan_try_into`].
unsafe fn run(
    entry: extern "C" fn(*mut c_void),
    slots: *mut *mut c_void,
    layout: *const i64,
    work: *mut c_void,
) -> Outcome {
    // SAFETY: guaranteed by the caller.
    let (arguments, results) = unsafe { Slots::of(slots, layout) };
    // SAFETY: as above; all words are written before they are read.
    let work = unsafe {
        let work = work.cast::<Pair>();
        work.write_bytes(0, arguments.len() + results.len());
        std::slice::from_raw_parts_mut(work, arguments.len() + results.len())
    };
    let arrays = || results.clone().enumerate().filter(|(_, slot)| slot.extents.is_some());
    let first = arguments.len() - arrays().count();
    for (index, argument) in arguments.clone().enumerate() {
        // SAFETY: the slot has storage of its type.
        if let Err(message) = unsafe { check(&argument) } {
            let result = index.checked_sub(first).and_then(|at| arrays().nth(at));
            let whose = match result {
                None => format!("argument {}", index + 1),
                Some((result, _)) => format!("destination of result {}", result + 1),
            };
            return Err((BAD_ARGUMENT, format!("{whose}: {message}")));
        }
    }
    // SAFETY: the arguments were checked.
    if !unsafe { are_apart(arguments.clone(), first, work) } {
        let message = "the destination of a result overlaps an argument or another destination";
        return Err((BAD_ARGUMENT, message.to_owned()));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { call(entry, slots, results.clone())? };
    let mut outcome = Ok(());
    for (destination, (index, result)) in arguments.clone().skip(first).zip(arrays()) {
        // SAFETY: the call has stored the result, and the destination was checked.
        if let Err(message) = unsafe { put(&result, &destination) } {
            outcome = outcome.and(Err((BAD_ARGUMENT, format!("result {}: {message}", index + 1))));
        }
    }
    let results = arrays().map(|(_, slot)| slot);
    // SAFETY: the results are copied.
    unsafe { free_fresh(arguments.filter(|slot| slot.extents.is_some()), results, work) };
    outcome
}

/// Whether no destination, which are the arguments from `first` on, overlaps another argument.
///
/// # Safety
/// The arguments must be valid; `work` must have a pair for each.
unsafe fn are_apart(arguments: Slots<'_>, first: usize, work: &mut [Pair]) -> bool {
    let mut count = 0;
    for (index, slot) in arguments.enumerate().filter(|(_, slot)| slot.extents.is_some()) {
        // SAFETY: guaranteed by the caller.
        let (place, extents, _) = unsafe { descriptor(&slot) };
        let bytes = extents.iter().product::<i64>() as u64 * slot.element as u64;
        if bytes > 0 {
            // The lowest bit marks destinations; addresses leave the highest one free.
            work[count] = [(place[0] as u64) << 1 | u64::from(index >= first), place[0] as u64 + bytes];
            count += 1;
        }
    }
    let ranges = &mut work[..count];
    ranges.sort_unstable();
    let (mut end, mut end_of_destinations) = (0, 0);
    ranges.iter().all(|&[start, this_end]| {
        let (start, is_destination) = (start >> 1, start & 1 == 1);
        let is_apart = start >= if is_destination { end } else { end_of_destinations };
        end = end.max(this_end);
        if is_destination {
            end_of_destinations = end_of_destinations.max(this_end);
        }
        is_apart
    })
}

/// Copies a result to its destination, unless it is there.
///
/// # Safety
/// Both must be arrays that can be read; the destination must be dense and writable.
unsafe fn put(result: &Slot<'_>, destination: &Slot<'_>) -> Result<(), String> {
    // SAFETY: guaranteed by the caller.
    let ((from, extents, strides), (to, wanted, _)) =
        unsafe { (descriptor(result), descriptor(destination)) };
    if extents != wanted {
        return Err(format!("it has extents {extents:?}, and its destination {wanted:?}"));
    }
    if extents.contains(&0) || (from == to && is_dense(extents, strides)) {
        return Ok(());
    }
    let to = std::ptr::with_exposed_provenance_mut(to[0] as usize);
    // SAFETY: the destination has the extents of the result, and the result is in other memory.
    unsafe { copy_elements(result, to) };
    Ok(())
}

/// Frees the blocks of results that belong neither to an argument nor to a constant, each once.
///
/// # Safety
/// The slots must be arrays whose blocks are not used anymore; `work` must have a pair for each.
unsafe fn free_fresh<'a>(
    arguments: impl Iterator<Item = Slot<'a>>,
    results: impl Iterator<Item = Slot<'a>>,
    work: &mut [Pair],
) {
    let arguments = arguments.map(|slot| (slot, 0));
    let mut count = 0;
    for (slot, is_result) in arguments.chain(results.map(|slot| (slot, 1))) {
        // SAFETY: the first word of an array is its allocated pointer.
        work[count] = [unsafe { slot.storage.read() } as u64, is_result];
        count += 1;
    }
    let blocks = &mut work[..count];
    blocks.sort_unstable();
    let mut last = 0;
    for &[block, is_result] in &*blocks {
        if is_result == 1 && block != last && block != CONSTANT as u64 {
            // SAFETY: guaranteed by the caller; equal blocks are adjacent, arguments first.
            unsafe { minoan_free(std::ptr::with_exposed_provenance_mut(block as usize)) };
        }
        last = block;
    }
}
