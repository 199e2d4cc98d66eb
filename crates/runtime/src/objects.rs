//! Counted objects: cells of data types, closures, references and boxed tensors.
//!
//! An object is a header of 8 bytes and slots of 8 bytes. The slots that refer to other objects come first; the header
//! stores their number, so dropping an object needs no code for its type. A slot may also be null, or an odd number that
//! represents a constructor without fields ([`immediate`]); neither is a heap object.
//!
//! * Small objects are allocated from chunks of the thread that creates them, by size in words of 8 bytes. Freed ones are kept
//!   for the next object of the same size; chunks are not returned to the system. When the last object is freed, the chunks are
//!   filled from their starts again, because neighbors in the free lists are far apart in memory.
//! * Compiled code takes freed objects itself ([`minoan_heap`]).
//! * Dropping the last owner of a long list or of a deep tree does not recurse: dying objects are linked through their headers.
//! * Counts are not atomic: an object belongs to one thread.
//! * A count that reaches its maximum stays there: the object is never freed.
//! * Objects that own each other through references are freed by a [collector](minoan_cyclic_object), which only programs with
//!   such references link.
//! * Freed objects are marked, so most double drops and uses after free end the run with [`Fault::BadFree`].
//! * The objects of a thread can be enumerated: chunks and large objects are linked, and small objects follow each other in a
//!   chunk, where each header has the size even before the object is initialized and while it dies. [`recover`] frees the objects
//!   that a program leaves behind when it ends with a fault, so running programs keep no record of what they own.

mod cycles;
mod dying;
mod heap;
pub(crate) mod owners;
mod recover;
mod reference;
mod values;

pub use cycles::minoan_cyclic_object;
pub use heap::{FREED_HEADER, HEAP_ALIVE, MAX_SMALL_WORDS, minoan_heap};
pub(crate) use recover::recover;
pub use reference::{KeptObject, ObjectRef};
pub use values::{
    minoan_value_box, minoan_value_make, minoan_value_part, minoan_value_release, minoan_value_retain,
    minoan_value_word,
};

use crate::{Fault, raise};
use dying::free_owned;
use heap::{ALIGNMENT, HEAP, MIN_WORDS, free, most_slots, take_from_chunk, take_large, take_small, words};
use std::ffi::c_void;
use std::ptr;

/// The size of a slot and of the header, in bytes.
const WORD: usize = 8;
/// The largest number of slots of an object, except for raw bytes.
pub const MAX_SLOTS: usize = 254;
/// The number of slots in the header of an object of raw bytes.
const RAW: u8 = 255;
/// The header of an object.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct Header {
    /// The number of owners, at least 1.
    count: i32,
    /// The constructor.
    tag: u16,
    /// The number of leading slots that refer to objects.
    pointers: u8,
    /// The number of slots, or [`RAW`].
    slots: u8,
}

// Compiled code writes a header as one word: the count, and these fields from the given bits on.
const _: () = assert!(cfg!(target_endian = "little") && size_of::<Header>() == WORD);

/// The first bit of the tag in the header of an object.
pub const HEADER_TAG: usize = 8 * std::mem::offset_of!(Header, tag);
/// The first bit of the number of leading slots that refer to objects.
pub const HEADER_POINTERS: usize = 8 * std::mem::offset_of!(Header, pointers);
/// The first bit of the number of slots.
pub const HEADER_SLOTS: usize = 8 * std::mem::offset_of!(Header, slots);

/// The slot value of a constructor without fields.
pub const fn immediate(tag: u16) -> u64 {
    (tag as u64) << 1 | 1
}

/// Whether a slot value refers to an object.
#[inline]
fn is_object(value: *mut Header) -> bool {
    value as usize & 1 == 0 && !value.is_null()
}

fn out_of_memory(bytes: usize) -> ! {
    raise(Fault::OutOfMemory { bytes: bytes as u64, place: None })
}

/// Creates an object with one owner. The first `pointers` of its `slots` refer to objects. The slots have arbitrary
/// contents, which the caller overwrites. Ends the run with [`Fault::OutOfMemory`] on failure.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_object(slots: i64, pointers: i64, tag: i64) -> *mut c_void {
    let slots = usize::try_from(slots).map_or(MAX_SLOTS, |slots| slots.min(MAX_SLOTS));
    let size = words(slots);
    let mut object;
    if size <= MAX_SMALL_WORDS {
        object = take_small(size);
        if object.is_null() {
            object = take_from_chunk(size);
        }
    } else {
        object = take_large(size * WORD);
    }
    if object.is_null() {
        out_of_memory(size * WORD);
    }
    let pointers = pointers.clamp(0, slots as i64) as u8;
    // SAFETY: the object has room for a header.
    unsafe { object.write(Header { count: 1, tag: tag as u16, pointers, slots: slots as u8 }) };
    object.cast()
}

/// A size from compiled code, in words.
fn small_words(words: i64) -> usize {
    words.clamp(MIN_WORDS as i64, MAX_SMALL_WORDS as i64) as usize
}

/// Memory for an object of this many words of 8 bytes, from 2 to 32, which the caller initializes. Ends the run with
/// [`Fault::OutOfMemory`] on failure.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_object_memory(words: i64) -> *mut c_void {
    let words = small_words(words);
    let mut object = take_small(words);
    if object.is_null() {
        object = take_from_chunk(words);
    }
    if object.is_null() {
        out_of_memory(words * WORD);
    }
    object.cast()
}

/// Frees an object of this many words of 8 bytes, from 2 to 32, without reading its header.
///
/// # Safety
/// The memory is that of an object of this size and thread that nothing refers to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_object_free_memory(memory: *mut c_void, words: i64) {
    let words = small_words(words);
    // SAFETY: guaranteed by the caller; an object with that many slots has that size. The heap belongs to this thread.
    HEAP.with(|heap| unsafe { free(&mut *heap.get(), memory.cast(), most_slots(words)) });
}

/// Creates an object of raw bytes with one owner. The bytes follow a header of 16 bytes, whose second half is their number, and
/// are aligned to 16 bytes. Ends the run with [`Fault::OutOfMemory`] on failure.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_raw_object(bytes: i64) -> *mut c_void {
    let size = usize::try_from(bytes).ok().and_then(|bytes| bytes.checked_add(ALIGNMENT));
    let object = size.map_or(ptr::null_mut(), take_large);
    if object.is_null() {
        out_of_memory(bytes as usize);
    }
    // SAFETY: the object has room for a header and a word.
    unsafe {
        object.write(Header { count: 1, tag: 0, pointers: 0, slots: RAW });
        object.cast::<i64>().add(1).write(bytes);
    }
    object.cast()
}

/// Adds an owner to an object; null and immediates are ignored.
///
/// # Safety
/// The value is null, an immediate, or a live object of this thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_object_dup(object: *mut c_void) {
    let object = object.cast::<Header>();
    if !is_object(object) {
        return;
    }
    // SAFETY: guaranteed by the caller.
    let header = unsafe { &mut *object };
    if header.count < 1 {
        raise(Fault::BadFree { place: None });
    }
    header.count = header.count.saturating_add(1);
}

/// Removes an owner of an object; null and immediates are ignored. The last owner frees the object and drops what its
/// slots own. Ends the run with [`Fault::BadFree`] if it detects an object that was freed before.
///
/// # Safety
/// The value is null, an immediate, or an object of this thread, which has been initialized. The caller owns it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_object_drop(object: *mut c_void) {
    let object = object.cast::<Header>();
    if !is_object(object) {
        return;
    }
    // SAFETY: guaranteed by the caller.
    let count = unsafe { (*object).count };
    match count {
        // SAFETY: the object has no other owner. The heap belongs to this thread, and no reference to it lives.
        1 => HEAP.with(|heap| unsafe { free_owned(&mut *heap.get(), object) }),
        i32::MAX => {}
        // SAFETY: as above.
        2.. => unsafe { (*object).count = count - 1 },
        _ => raise(Fault::BadFree { place: None }),
    }
}

/// The tag of a value of a data type.
///
/// # Safety
/// The value is an immediate or a live object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_object_tag(object: *mut c_void) -> i64 {
    if object as usize & 1 == 1 {
        return (object as usize >> 1) as i64;
    }
    // SAFETY: guaranteed by the caller.
    i64::from(unsafe { (*object.cast::<Header>()).tag })
}

/// Calls `f` for each slot of an object that refers to an object.
///
/// # Safety
/// The object is live.
unsafe fn each_part(object: *mut Header, mut f: impl FnMut(*mut Header)) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        for index in 0..usize::from((*object).pointers) {
            let part = object.cast::<*mut Header>().add(1 + index).read();
            if is_object(part) {
                f(part);
            }
        }
    }
}

/// Frees cycles at the end of a program.
pub(crate) fn collect_cycles() {
    // SAFETY: the heap belongs to this thread, and no reference to it lives.
    let collector =
        HEAP.with(|heap| unsafe { (*heap.get()).collector.filter(|_| (*heap.get()).created > 0) });
    if let Some(collect) = collector {
        collect();
    }
}

/// Records that a caller owns objects that [`owners`] does not know: faults leave objects behind from now on.
pub(crate) fn add_unknown_owner() {
    // SAFETY: the heap belongs to this thread, and no reference to it lives.
    HEAP.with(|heap| unsafe { (*heap.get()).unknown += 1 });
}

/// The objects that this thread has created and not freed.
pub fn live_objects() -> i64 {
    // SAFETY: the heap belongs to this thread, and no reference to it lives.
    HEAP.with(|heap| unsafe { (*heap.get()).alive })
}

/// [`live_objects`] for compiled code and foreign callers.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_live_objects() -> i64 {
    live_objects()
}

#[cfg(test)]
mod tests;
