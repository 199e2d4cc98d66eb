//! Counted objects: cells of data types, closures, references and boxed tensors.
//!
//! An object is a header of 8 bytes and slots of 8 bytes. The slots that refer to other objects come first; the header
//! says how many they are, so dropping an object needs no code for its type. A slot may also be null, or an odd number that
//! stands for a constructor without fields ([`immediate`]): both are no objects.
//!
//! * Small objects come from chunks of the thread that creates them, by size in units of 16 bytes. Freed ones are kept for
//!   the next object of the size; chunks are not returned to the system.
//! * Dropping the last owner of a long list takes no stack: dying objects are linked through their headers.
//! * Counts are not atomic: an object belongs to one thread.
//! * A count that reaches its maximum stays there: the object is never freed.
//! * Freed objects are marked, so most double drops and uses after free end the run with [`Fault::BadFree`].

use crate::stack::ensure_room;
use crate::{Fault, raise, sys};
use std::cell::{Cell, UnsafeCell};
use std::ffi::c_void;
use std::ptr;

/// The size of a slot and of the header, in bytes.
const WORD: usize = 8;
/// Sizes of small objects are rounded up to multiples of this, in bytes.
const UNIT: usize = 16;
/// The largest small object, in bytes.
const MAX_SMALL: usize = 256;
/// The size of a chunk of small objects, in bytes.
const CHUNK: usize = 1 << 20;
/// The largest number of slots of an object, except for one of raw bytes.
pub const MAX_SLOTS: usize = 254;
/// The number of slots in the header of an object of raw bytes.
const RAW: u8 = 255;
/// The count of a freed object.
const FREED: i32 = i32::MIN;

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

/// The header of an object that is being freed: the next such object, above the numbers of pointers and slots.
/// Addresses have 48 bits.
#[derive(Clone, Copy)]
struct Link(u64);

impl Link {
    fn new(next: *mut Header, header: Header) -> Self {
        Link((next as u64) << 16 | u64::from(header.pointers) << 8 | u64::from(header.slots))
    }

    fn next(self) -> *mut Header {
        (self.0 >> 16) as *mut Header
    }

    fn pointers(self) -> u8 {
        (self.0 >> 8) as u8
    }

    fn slots(self) -> u8 {
        self.0 as u8
    }
}

/// The memory of one thread.
struct Heap {
    /// Freed objects by size in units, linked through their first slots.
    free: [*mut Header; MAX_SMALL / UNIT + 1],
    /// The rest of the current chunk.
    next: *mut u8,
    left: usize,
}

thread_local! {
    static HEAP: UnsafeCell<Heap> = const {
        UnsafeCell::new(Heap { free: [ptr::null_mut(); MAX_SMALL / UNIT + 1], next: ptr::null_mut(), left: 0 })
    };
    /// Objects created minus objects freed by this thread.
    static ALIVE: Cell<i64> = const { Cell::new(0) };
}

/// The slot value of a constructor without fields.
pub const fn immediate(tag: u16) -> u64 {
    (tag as u64) << 1 | 1
}

/// Whether a slot value refers to an object.
fn is_object(value: *mut Header) -> bool {
    !value.is_null() && value as usize & 1 == 0
}

fn out_of_memory(bytes: usize) -> ! {
    raise(Fault::OutOfMemory { bytes: bytes as u64, place: None })
}

/// Memory for a small object of this many units.
fn allocate_small(units: usize) -> *mut Header {
    HEAP.with(|heap| {
        // SAFETY: the heap belongs to this thread, and nothing below calls back or raises while the reference lives.
        let heap = unsafe { &mut *heap.get() };
        let first = heap.free[units];
        if !first.is_null() {
            // SAFETY: a freed object is at least 16 bytes, whose second word links to the next one.
            heap.free[units] = unsafe { first.cast::<*mut Header>().add(1).read() };
            return first;
        }
        let bytes = units * UNIT;
        if heap.left < bytes {
            // The rest of the old chunk, less than 256 bytes, is not used.
            let Some(chunk) = sys::allocate(UNIT, CHUNK) else { return ptr::null_mut() };
            (heap.next, heap.left) = (chunk, CHUNK);
        }
        let object = heap.next;
        // SAFETY: `left` bytes from `next` on belong to the chunk.
        heap.next = unsafe { object.add(bytes) };
        heap.left -= bytes;
        object.cast()
    })
}

/// The size of an object with this many slots, in units.
fn units(slots: usize) -> usize {
    (WORD + slots * WORD).div_ceil(UNIT)
}

/// Creates an object with one owner. The first `pointers` of its `slots` refer to objects. The slots have arbitrary
/// contents, which the caller overwrites. Ends the run with [`Fault::OutOfMemory`] on failure.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_object(slots: i64, pointers: i64, tag: i64) -> *mut c_void {
    ensure_room();
    let slots = usize::try_from(slots).map_or(MAX_SLOTS, |slots| slots.min(MAX_SLOTS));
    let size = units(slots) * UNIT;
    let object: *mut Header = match size <= MAX_SMALL {
        true => allocate_small(units(slots)),
        false => sys::allocate(UNIT, size).map_or(ptr::null_mut(), <*mut u8>::cast),
    };
    if object.is_null() {
        out_of_memory(size);
    }
    let pointers = pointers.clamp(0, slots as i64) as u8;
    // SAFETY: the object has room for a header.
    unsafe { object.write(Header { count: 1, tag: tag as u16, pointers, slots: slots as u8 }) };
    ALIVE.set(ALIVE.get() + 1);
    object.cast()
}

/// Creates an object of raw bytes, aligned to 16 bytes behind its header of 16 bytes, with one owner. Ends the run with
/// [`Fault::OutOfMemory`] on failure.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_raw_object(bytes: i64) -> *mut c_void {
    ensure_room();
    let size = usize::try_from(bytes).ok().and_then(|bytes| bytes.checked_add(UNIT));
    let object = size.and_then(|size| sys::allocate(UNIT, size));
    let Some(object) = object.map(<*mut u8>::cast::<Header>) else { out_of_memory(bytes as usize) };
    // SAFETY: the object has room for a header.
    unsafe { object.write(Header { count: 1, tag: 0, pointers: 0, slots: RAW }) };
    ALIVE.set(ALIVE.get() + 1);
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
        raise(Fault::BadFree);
    }
    header.count = header.count.saturating_add(1);
}

/// Removes an owner of an object; null and immediates are ignored. The last owner frees the object and gives up what its
/// slots own. Ends the run with [`Fault::BadFree`] if it detects an object that was freed before.
///
/// # Safety
/// The value is null, an immediate, or an object of this thread, which has been initialized. The caller owns it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_object_drop(object: *mut c_void) {
    ensure_room();
    // SAFETY: guaranteed by the caller.
    let mut dying = unsafe { release(object.cast(), ptr::null_mut()) };
    while !dying.is_null() {
        // SAFETY: `release` has put a link in place of the header.
        let link = unsafe { dying.cast::<u64>().read() };
        let link = Link(link);
        let mut next = link.next();
        for index in 0..usize::from(link.pointers()) {
            // SAFETY: the object has that many slots, each of which is null, an immediate or an object that it owns.
            next = unsafe { release(dying.cast::<*mut Header>().add(1 + index).read(), next) };
        }
        // SAFETY: nothing refers to the object any more.
        unsafe { free(dying, link.slots()) };
        dying = next;
    }
}

/// Removes an owner; links an object that has none left before `next`. Returns the first object to be freed.
///
/// # Safety
/// As for [`minoan_object_drop`].
unsafe fn release(object: *mut Header, next: *mut Header) -> *mut Header {
    if !is_object(object) {
        return next;
    }
    // SAFETY: guaranteed by the caller.
    let header = unsafe { object.read() };
    match header.count {
        1 => {
            // SAFETY: the last owner is gone, so the header is this function's.
            unsafe { object.cast::<u64>().write(Link::new(next, header).0) };
            object
        }
        i32::MAX => next,
        2.. => {
            // SAFETY: as above.
            unsafe { (*object).count = header.count - 1 };
            next
        }
        _ => raise(Fault::BadFree),
    }
}

/// Returns the memory of an object.
///
/// # Safety
/// Nothing refers to the object.
unsafe fn free(object: *mut Header, slots: u8) {
    ALIVE.set(ALIVE.get() - 1);
    let units = units(slots.into());
    if slots == RAW || units * UNIT > MAX_SMALL {
        // SAFETY: such objects come from `sys::allocate`.
        return unsafe { sys::release(object.cast()) };
    }
    HEAP.with(|heap| {
        // SAFETY: the heap belongs to this thread; the object is at least 16 bytes, and nothing refers to it.
        unsafe {
            let heap = &mut *heap.get();
            object.write(Header { count: FREED, tag: 0, pointers: 0, slots });
            object.cast::<*mut Header>().add(1).write(heap.free[units]);
            heap.free[units] = object;
        }
    });
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

/// The objects that this thread has created and not freed.
pub fn live_objects() -> i64 {
    ALIVE.get()
}

/// [`live_objects`] for compiled code and foreign callers.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_live_objects() -> i64 {
    live_objects()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StackLimit, call_guarded};

    /// Creates a cell of these objects and numbers.
    fn cell(tag: i64, objects: &[*mut c_void], numbers: &[u64]) -> *mut c_void {
        let made = minoan_object((objects.len() + numbers.len()) as i64, objects.len() as i64, tag);
        for (index, &object) in objects.iter().enumerate() {
            // SAFETY: the slot belongs to the new object.
            unsafe { made.cast::<*mut c_void>().add(1 + index).write(object) };
        }
        for (index, &number) in numbers.iter().enumerate() {
            // SAFETY: the slot belongs to the new object.
            unsafe { made.cast::<u64>().add(1 + objects.len() + index).write(number) };
        }
        made
    }

    fn list(length: u64) -> *mut c_void {
        (0..length).fold(immediate(1) as *mut c_void, |rest, at| cell(0, &[rest], &[at]))
    }

    fn drop_object(object: *mut c_void) {
        // SAFETY: the tests own the objects that they drop, and nothing else refers to them.
        unsafe { minoan_object_drop(object) };
    }

    fn dup_object(object: *mut c_void) {
        // SAFETY: the tests dup live objects.
        unsafe { minoan_object_dup(object) };
    }

    #[test]
    fn a_list_of_a_million_cells_is_freed_without_recursion() {
        let before = live_objects();
        let list = list(1_000_000);
        assert_eq!(live_objects() - before, 1_000_000);
        drop_object(list);
        assert_eq!(live_objects(), before);
    }

    #[test]
    fn a_left_deep_and_a_right_deep_tree_are_freed() {
        let before = live_objects();
        for left in [true, false] {
            let leaf = immediate(0) as *mut c_void;
            let tree = (0..100_000).fold(leaf, |tree, _| {
                if left { cell(1, &[tree, leaf], &[]) } else { cell(1, &[leaf, tree], &[]) }
            });
            drop_object(tree);
        }
        assert_eq!(live_objects(), before);
    }

    #[test]
    fn a_shared_object_lives_as_long_as_its_last_owner() {
        let before = live_objects();
        let shared = list(10);
        dup_object(shared);
        let (a, b) = (cell(0, &[shared], &[1]), cell(0, &[shared], &[2]));
        drop_object(a);
        assert_eq!(live_objects() - before, 11);
        // SAFETY: the second list still owns the object.
        assert_eq!(unsafe { minoan_object_tag(shared) }, 0);
        drop_object(b);
        assert_eq!(live_objects(), before);
    }

    #[test]
    fn freed_memory_is_used_again_for_objects_of_the_size() {
        let first = cell(3, &[], &[1, 2]);
        drop_object(first);
        let second = cell(4, &[], &[5]);
        let third = cell(4, &[], &[5, 6]);
        assert_eq!(third, first, "an object of another size has not taken its place");
        drop_object(second);
        drop_object(third);
    }

    #[test]
    fn objects_of_all_sizes_and_raw_ones_are_freed() {
        let before = live_objects();
        let objects: Vec<*mut c_void> =
            (0..=MAX_SLOTS as i64).map(|slots| minoan_object(slots, 0, 7)).collect();
        assert!(objects.iter().all(|object| (*object as usize).is_multiple_of(UNIT)));
        objects.into_iter().for_each(drop_object);
        drop_object(minoan_raw_object(100_000));
        assert_eq!(live_objects(), before);
    }

    #[test]
    fn null_and_immediates_are_no_objects() {
        for value in [0, immediate(0), immediate(u16::MAX)] {
            dup_object(value as *mut c_void);
            drop_object(value as *mut c_void);
        }
        // SAFETY: an immediate.
        assert_eq!(unsafe { minoan_object_tag(immediate(300) as *mut c_void) }, 300);
    }

    #[test]
    fn a_double_drop_is_a_fault() {
        extern "C" fn twice(_: *mut c_void) {
            let object = cell(0, &[], &[1]);
            drop_object(object);
            drop_object(object);
        }
        // SAFETY: the function takes no argument, and no frame of it needs dropping.
        let result = unsafe { call_guarded(StackLimit(1 << 20), twice, ptr::null_mut()) };
        assert_eq!(result.err(), Some(Fault::BadFree));
    }
}
