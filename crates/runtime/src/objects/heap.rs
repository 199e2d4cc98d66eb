//! The memory of objects: chunks of small objects, and large objects, by thread.

use super::{HEADER_SLOTS, Header, RAW, WORD};
use crate::stack::ensure_room;
use crate::sys;
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::ptr;

/// The alignment of chunks and of large objects, and the size of the header of a raw object, in bytes.
pub(super) const ALIGNMENT: usize = 16;
/// The size of the smallest object in words: a freed object has a link behind its header.
pub(super) const MIN_WORDS: usize = 2;
/// The largest small object, in bytes.
pub(super) const MAX_SMALL: usize = 256;
/// The size of a chunk of small objects, in bytes.
const CHUNK: usize = 1 << 20;
/// The count of a freed object.
pub(super) const FREED: i32 = i32::MIN;

/// The start of a chunk, before its first object.
#[repr(C, align(16))]
pub(super) struct Chunk {
    pub(super) previous: *mut Chunk,
    /// The end of its last object, if this is not the current chunk.
    pub(super) end: *mut u8,
}

/// The header of a large object: its neighbors in the list of all of them.
#[repr(C, align(16))]
pub(super) struct Large {
    pub(super) previous: *mut Large,
    pub(super) next: *mut Large,
}

/// The memory of one thread.
#[repr(C)]
pub(super) struct Heap {
    /// Freed objects by size in words, linked through their first slots.
    pub(super) free: [*mut Header; MAX_SMALL_WORDS + 1],
    /// Objects created minus objects freed by this thread.
    pub(super) alive: i64,
    /// The rest of the current chunk.
    pub(super) next: *mut u8,
    pub(super) left: usize,
    /// The current chunk, or null.
    pub(super) chunk: *mut Chunk,
    /// Chunks without objects.
    pub(super) spare: *mut Chunk,
    /// The large object that was created last, or null.
    pub(super) large: *mut Large,
    /// The number of owners outside of programs that [`owners`] does not know.
    pub(super) unknown: i64,
    /// Frees cycles; only programs that can create them have it.
    pub(super) collector: Option<fn()>,
    /// The number of references created since the last collection that may reach themselves.
    pub(super) created: usize,
    /// The number of objects that the last collection left.
    pub(super) full: usize,
}

thread_local! {
    pub(super) static HEAP: UnsafeCell<Heap> = const {
        UnsafeCell::new(Heap {
            free: [ptr::null_mut(); MAX_SMALL_WORDS + 1],
            alive: 0,
            next: ptr::null_mut(),
            left: 0,
            chunk: ptr::null_mut(),
            spare: ptr::null_mut(),
            large: ptr::null_mut(),
            unknown: 0,
            collector: None,
            created: 0,
            full: 0,
        })
    };
}

/// The offset of the number of live objects in [`minoan_heap`], in bytes. The lists of freed objects are at its start, by size
/// in words of 8 bytes up to [`MAX_SMALL_WORDS`]; an object has the link to the next one after its header.
pub const HEAP_ALIVE: usize = std::mem::offset_of!(Heap, alive);

/// The size of the largest small object in words of 8 bytes.
pub const MAX_SMALL_WORDS: usize = MAX_SMALL / WORD;

/// The header of a freed object as a number, besides the number of its slots in the highest byte.
pub const FREED_HEADER: u64 = FREED as u32 as u64;

/// The memory of this thread, for compiled code that takes and returns small objects: see [`HEAP_ALIVE`].
#[unsafe(no_mangle)]
pub extern "C" fn minoan_heap() -> *mut c_void {
    HEAP.with(|heap| heap.get().cast())
}

/// The number of objects that are taken from a chunk at once.
const BATCH: usize = 32;

/// Counts a new object and allocates its memory if it is small and the heap has free memory for it: a freed object, or the rest
/// of the chunk. Returns null otherwise, without counting.
#[inline]
pub(super) fn take_small(words: usize) -> *mut Header {
    HEAP.with(|heap| {
        // SAFETY: the heap belongs to this thread, and nothing below calls back or raises while the reference lives.
        let heap = unsafe { &mut *heap.get() };
        let mut first = heap.free[words];
        if first.is_null() {
            first = take_batch(heap, words);
            if first.is_null() {
                return first;
            }
        }
        heap.alive += 1;
        // SAFETY: a freed object is at least 16 bytes, whose second word links to the next one.
        heap.free[words] = unsafe { first.cast::<*mut Header>().add(1).read() };
        first
    })
}

/// Objects of a size from the current chunk, freed and linked in the order of their addresses; null if it has no room.
#[inline(never)]
fn take_batch(heap: &mut Heap, words: usize) -> *mut Header {
    let bytes = words * WORD;
    let count = (heap.left / bytes).min(BATCH);
    let mut following: *mut Header = ptr::null_mut();
    for at in (0..count).rev() {
        // SAFETY: `left` bytes from `next` on belong to the chunk. The header stores the size of the object.
        unsafe {
            let object = heap.next.add(at * bytes).cast::<Header>();
            link_freed(object, most_slots(words), following);
            following = object;
        }
    }
    // SAFETY: as above.
    heap.next = unsafe { heap.next.add(count * bytes) };
    heap.left -= count * bytes;
    following
}

/// Fills the chunks from their starts again if there are several, since no object is left.
#[cold]
pub(super) fn start_again(heap: &mut Heap) {
    // SAFETY: the current chunk is live.
    if heap.chunk.is_null() || unsafe { (*heap.chunk).previous.is_null() } {
        return;
    }
    heap.free = [ptr::null_mut(); MAX_SMALL_WORDS + 1];
    // SAFETY: chunks of the list are live, and nothing refers to an object in them.
    unsafe {
        let chunk = heap.chunk;
        let mut others = (*chunk).previous;
        while !others.is_null() {
            let next = (*others).previous;
            (*others).previous = heap.spare;
            heap.spare = others;
            others = next;
        }
        (*chunk).previous = ptr::null_mut();
        (heap.next, heap.left) = (chunk.add(1).cast(), CHUNK - size_of::<Chunk>());
    }
}

/// Memory for a small object from a new chunk; the rest of the old one, less than 256 bytes, is not used. Null if memory is
/// exhausted.
#[cold]
#[inline(never)]
pub(super) fn take_from_chunk(words: usize) -> *mut Header {
    ensure_room();
    // SAFETY: the heap belongs to this thread, and no reference to it lives. Spare chunks of the list are live.
    let spare = HEAP.with(|heap| unsafe {
        let heap = &mut *heap.get();
        let spare = heap.spare;
        if !spare.is_null() {
            heap.spare = (*spare).previous;
        }
        spare
    });
    let chunk = match spare.is_null() {
        false => spare.cast(),
        true => sys::allocate(ALIGNMENT, CHUNK).unwrap_or(ptr::null_mut()),
    };
    if chunk.is_null() {
        return ptr::null_mut();
    }
    let base: *mut u8 = chunk;
    HEAP.with(|heap| {
        let chunk = base.cast::<Chunk>();
        // SAFETY: as above; the chunk before is live, and the new one has room for its start.
        unsafe {
            let heap = &mut *heap.get();
            if !heap.chunk.is_null() {
                (*heap.chunk).end = heap.next;
            }
            chunk.write(Chunk { previous: heap.chunk, end: base });
            heap.chunk = chunk;
            (heap.next, heap.left) = (base.add(size_of::<Chunk>()), CHUNK - size_of::<Chunk>());
        }
    });
    take_small(words)
}

/// Memory from the system for a large object, which is counted. Null if memory is exhausted.
#[cold]
#[inline(never)]
pub(super) fn take_large(bytes: usize) -> *mut Header {
    ensure_room();
    let size = bytes.checked_add(size_of::<Large>());
    let Some(base) = size.and_then(|size| sys::allocate(ALIGNMENT, size)) else { return ptr::null_mut() };
    let large = base.cast::<Large>();
    HEAP.with(|heap| {
        // SAFETY: as above; large objects of the list are live.
        unsafe {
            let heap = &mut *heap.get();
            heap.alive += 1;
            large.write(Large { previous: heap.large, next: ptr::null_mut() });
            if !heap.large.is_null() {
                (*heap.large).next = large;
            }
            heap.large = large;
            large.add(1).cast()
        }
    })
}

/// Removes a large object from the list of them and frees its memory.
///
/// # Safety
/// The object comes from [`take_large`], and nothing refers to it.
pub(super) unsafe fn release_large(heap: &mut Heap, object: *mut Header) {
    // SAFETY: guaranteed by the caller; its neighbors are live.
    unsafe {
        let large = object.cast::<Large>().sub(1);
        let Large { previous, next } = large.read();
        match next.is_null() {
            true => heap.large = previous,
            false => (*next).previous = previous,
        }
        if !previous.is_null() {
            (*previous).next = next;
        }
        sys::release(large.cast());
    }
}

/// The size of an object with this many slots, in words.
pub(super) const fn words(slots: usize) -> usize {
    if slots + 1 < MIN_WORDS { MIN_WORDS } else { slots + 1 }
}

/// The largest number of slots of a small object of this size in words.
pub(super) const fn most_slots(words: usize) -> u8 {
    (words - 1) as u8
}

/// Marks a small object of this many slots as freed, and links it to the next freed one.
///
/// # Safety
/// The memory is that of such an object, and nothing refers to it.
#[inline]
pub(super) unsafe fn link_freed(object: *mut Header, slots: u8, next: *mut Header) {
    // SAFETY: a small object is at least 16 bytes. The header is written at once, since it is read at once later.
    unsafe {
        object.cast::<u64>().write(FREED_HEADER | u64::from(slots) << HEADER_SLOTS);
        object.cast::<*mut Header>().add(1).write(next);
    }
}

/// Returns the memory of an object to the heap of its thread.
///
/// # Safety
/// The heap is that of this thread, and nothing refers to the object.
#[inline]
pub(super) unsafe fn free(heap: &mut Heap, object: *mut Header, slots: u8) {
    let words = words(slots.into());
    let is_large = slots == RAW || words > MAX_SMALL_WORDS;
    if is_large {
        ensure_room();
    }
    // SAFETY: guaranteed by the caller; a small object is at least 16 bytes, and a large one comes from `sys::allocate`.
    unsafe {
        heap.alive -= 1;
        if is_large {
            return release_large(heap, object);
        }
        link_freed(object, slots, heap.free[words]);
        heap.free[words] = object;
    }
}
