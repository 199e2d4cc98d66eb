//! Values of data types for callers in C: each is owned by the caller until [`minoan_value_release`], and belongs to the thread
//! that got it.

use super::{
    ALIGNMENT, Header, MAX_SLOTS, RAW, WORD, is_object, minoan_object, minoan_object_drop, minoan_object_dup,
    minoan_raw_object, owners,
};
use std::ffi::c_void;

/// Adds an owner of a value that the caller has; returns the value.
///
/// # Safety
/// The value is null, an immediate, or a live object of this thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_value_retain(value: *mut c_void) -> *mut c_void {
    // SAFETY: guaranteed by the caller.
    unsafe { minoan_object_dup(value) };
    owners::add(value);
    value
}

/// Releases a value that the caller owns. Returns 1, or 0 for a value that was released before.
///
/// # Safety
/// The caller does not use the value as its owner any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_value_release(value: *mut c_void) -> i32 {
    if !owners::remove(value) {
        return 0;
    }
    // SAFETY: the value was owned, so it is live.
    unsafe { minoan_object_drop(value) };
    1
}

/// Creates a value with these slots. The first `pointers` are values, which stay the caller's. Null if there are more than 254
/// slots.
///
/// # Safety
/// `words` has `slots` elements, and the caller owns the values among them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_value_make(
    tag: i64,
    slots: i64,
    pointers: i64,
    words: *const u64,
) -> *mut c_void {
    let Some(count) = usize::try_from(slots).ok().filter(|&count| count <= MAX_SLOTS) else {
        return std::ptr::null_mut();
    };
    let object = minoan_object(slots, pointers, tag);
    // SAFETY: guaranteed by the caller; the object has as many slots.
    unsafe {
        for slot in 0..count {
            let word = words.add(slot).read();
            object.cast::<u64>().add(1 + slot).write(word);
            if (slot as i64) < pointers {
                minoan_object_dup(std::ptr::with_exposed_provenance_mut(word as usize));
            }
        }
    }
    owners::add(object);
    object
}

/// Creates a box with a copy of an array of elements of this size in bytes; offset and strides count elements.
///
/// # Safety
/// The array has this rank, and its elements are readable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_value_box(
    data: *const c_void,
    offset: i64,
    rank: i64,
    sizes: *const i64,
    strides: *const i64,
    element: i64,
) -> *mut c_void {
    let (rank, element) =
        (usize::try_from(rank).unwrap_or_default(), usize::try_from(element).unwrap_or_default());
    // SAFETY: guaranteed by the caller.
    let (sizes, strides) = unsafe { (slice(sizes, rank), slice(strides, rank)) };
    let count: i64 = sizes.iter().product();
    let head = (ALIGNMENT + rank * WORD).next_multiple_of(ALIGNMENT) - ALIGNMENT;
    let object = minoan_raw_object(head as i64 + count.max(0) * element as i64);
    // SAFETY: the object has room for the extents and the elements after its header of 16 bytes.
    unsafe {
        let contents = object.cast::<u8>().add(ALIGNMENT);
        for (axis, &size) in sizes.iter().enumerate() {
            contents.cast::<i64>().add(axis).write(size);
        }
        let mut index = vec![0; rank];
        for at in 0..usize::try_from(count).unwrap_or_default() {
            let place: i64 =
                offset + index.iter().zip(strides).map(|(index, stride)| index * stride).sum::<i64>();
            let from = data.cast::<u8>().offset(place as isize * element as isize);
            contents.add(head + at * element).copy_from_nonoverlapping(from, element);
            for axis in (0..rank).rev() {
                index[axis] += 1;
                if index[axis] < sizes[axis] {
                    break;
                }
                index[axis] = 0;
            }
        }
    }
    owners::add(object);
    object
}

/// # Safety
/// The pointer has `len` elements, if there are any.
unsafe fn slice<'a>(start: *const i64, len: usize) -> &'a [i64] {
    // SAFETY: guaranteed by the caller.
    if len == 0 { &[] } else { unsafe { std::slice::from_raw_parts(start, len) } }
}

/// The raw 64-bit word in a slot that is not a pointer.
///
/// # Safety
/// The caller owns the value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_value_word(value: *mut c_void, slot: i64) -> u64 {
    // SAFETY: guaranteed by the caller; the slot is checked.
    unsafe { slot_of(value, slot) }.unwrap_or_default()
}

/// The value in a slot of a value; the caller becomes an owner of it. Null if the slot holds no value.
///
/// # Safety
/// The caller owns the value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_value_part(value: *mut c_void, slot: i64) -> *mut c_void {
    // SAFETY: guaranteed by the caller; the slot is checked, and leading ones are values.
    unsafe {
        let is_part = is_object(value.cast()) && slot < i64::from((*value.cast::<Header>()).pointers);
        match slot_of(value, slot).filter(|_| is_part) {
            Some(word) => minoan_value_retain(std::ptr::with_exposed_provenance_mut(word as usize)),
            None => std::ptr::null_mut(),
        }
    }
}

/// # Safety
/// The value is null, an immediate, or a live object.
unsafe fn slot_of(value: *mut c_void, slot: i64) -> Option<u64> {
    if !is_object(value.cast()) {
        return None;
    }
    // SAFETY: guaranteed by the caller.
    let slots = unsafe { (*value.cast::<Header>()).slots };
    let slot = usize::try_from(slot).ok().filter(|&slot| slots != RAW && slot < slots.into())?;
    // SAFETY: the object has the slot.
    Some(unsafe { value.cast::<u64>().add(1 + slot).read() })
}
