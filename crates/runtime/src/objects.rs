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
use std::cell::UnsafeCell;
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
    /// Objects created minus objects freed by this thread.
    alive: i64,
}

thread_local! {
    static HEAP: UnsafeCell<Heap> = const {
        UnsafeCell::new(Heap {
            free: [ptr::null_mut(); MAX_SMALL / UNIT + 1],
            next: ptr::null_mut(),
            left: 0,
            alive: 0,
        })
    };
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

/// Counts a new object, and takes memory for it if it is small and there is some: a freed object, or the next part of the
/// chunk. Null otherwise, with nothing counted.
#[inline]
fn take_small(units: usize) -> *mut Header {
    HEAP.with(|heap| {
        // SAFETY: the heap belongs to this thread, and nothing below calls back or raises while the reference lives.
        let heap = unsafe { &mut *heap.get() };
        let first = heap.free[units];
        if !first.is_null() {
            heap.alive += 1;
            // SAFETY: a freed object is at least 16 bytes, whose second word links to the next one.
            heap.free[units] = unsafe { first.cast::<*mut Header>().add(1).read() };
            return first;
        }
        let bytes = units * UNIT;
        if heap.left < bytes {
            return ptr::null_mut();
        }
        heap.alive += 1;
        let object = heap.next;
        // SAFETY: `left` bytes from `next` on belong to the chunk.
        heap.next = unsafe { object.add(bytes) };
        heap.left -= bytes;
        object.cast()
    })
}

/// Memory for a small object from a new chunk; the rest of the old one, less than 256 bytes, is not used. Null if there is no
/// memory.
#[cold]
#[inline(never)]
fn take_from_chunk(units: usize) -> *mut Header {
    ensure_room();
    let Some(chunk) = sys::allocate(UNIT, CHUNK) else { return ptr::null_mut() };
    HEAP.with(|heap| {
        // SAFETY: as above.
        let heap = unsafe { &mut *heap.get() };
        (heap.next, heap.left) = (chunk, CHUNK);
    });
    take_small(units)
}

/// Memory from the system for an object that is not small, which is counted. Null if there is none.
#[cold]
#[inline(never)]
fn take_large(bytes: usize) -> *mut Header {
    ensure_room();
    let object: *mut Header = sys::allocate(UNIT, bytes).map_or(ptr::null_mut(), <*mut u8>::cast);
    if !object.is_null() {
        // SAFETY: as above.
        HEAP.with(|heap| unsafe { (*heap.get()).alive += 1 });
    }
    object
}

/// The size of an object with this many slots, in units.
fn units(slots: usize) -> usize {
    (WORD + slots * WORD).div_ceil(UNIT)
}

/// Creates an object with one owner. The first `pointers` of its `slots` refer to objects. The slots have arbitrary
/// contents, which the caller overwrites. Ends the run with [`Fault::OutOfMemory`] on failure.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_object(slots: i64, pointers: i64, tag: i64) -> *mut c_void {
    let slots = usize::try_from(slots).map_or(MAX_SLOTS, |slots| slots.min(MAX_SLOTS));
    let size = units(slots) * UNIT;
    let mut object;
    if size <= MAX_SMALL {
        object = take_small(units(slots));
        if object.is_null() {
            object = take_from_chunk(units(slots));
        }
    } else {
        object = take_large(size);
    }
    if object.is_null() {
        out_of_memory(size);
    }
    let pointers = pointers.clamp(0, slots as i64) as u8;
    // SAFETY: the object has room for a header.
    unsafe { object.write(Header { count: 1, tag: tag as u16, pointers, slots: slots as u8 }) };
    object.cast()
}

/// Memory for an object of this many units of 16 bytes, at most 16, which the caller initializes. Ends the run with
/// [`Fault::OutOfMemory`] on failure.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_object_memory(units: i64) -> *mut c_void {
    let units = units.clamp(1, (MAX_SMALL / UNIT) as i64) as usize;
    let mut object = take_small(units);
    if object.is_null() {
        object = take_from_chunk(units);
    }
    if object.is_null() {
        out_of_memory(units * UNIT);
    }
    object.cast()
}

/// Frees the memory of an object of this many units of 16 bytes, at most 16, without a look at the object.
///
/// # Safety
/// The memory is that of an object of this size and thread that nothing refers to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_object_free_memory(memory: *mut c_void, units: i64) {
    let slots = units.clamp(1, (MAX_SMALL / UNIT) as i64) * 2 - 1;
    // SAFETY: guaranteed by the caller; an object with that many slots has that size.
    unsafe { free(memory.cast(), slots as u8) };
}

/// Creates an object of raw bytes, aligned to 16 bytes behind its header of 16 bytes, whose second half is their number, with
/// one owner. Ends the run with
/// [`Fault::OutOfMemory`] on failure.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_raw_object(bytes: i64) -> *mut c_void {
    let size = usize::try_from(bytes).ok().and_then(|bytes| bytes.checked_add(UNIT));
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
    let units = units(slots.into());
    let is_large = slots == RAW || units * UNIT > MAX_SMALL;
    if is_large {
        ensure_room();
    }
    HEAP.with(|heap| {
        // SAFETY: the heap belongs to this thread; a small object is at least 16 bytes, and nothing refers to it. A large one
        // comes from `sys::allocate`.
        unsafe {
            let heap = &mut *heap.get();
            heap.alive -= 1;
            if is_large {
                return sys::release(object.cast());
            }
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
    // SAFETY: the heap belongs to this thread, and no reference to it lives.
    HEAP.with(|heap| unsafe { (*heap.get()).alive })
}

/// [`live_objects`] for compiled code and foreign callers.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_live_objects() -> i64 {
    live_objects()
}

/// A value of a data type or a boxed tensor that Rust owns, or shares with compiled code. It belongs to the thread that
/// created it.
///
/// Every access is checked against the header.
///
/// ```
/// use minoan_runtime::ObjectRef;
/// let nil = ObjectRef::immediate(1);
/// let list = ObjectRef::cell(0, vec![nil], &[7]);
/// assert_eq!((list.tag(), list.word(1)), (0, Some(7)));
/// assert_eq!(list.object(0).map(|rest| rest.tag()), Some(1));
/// ```
#[derive(Debug)]
pub struct ObjectRef(*mut Header);

impl ObjectRef {
    /// A constructor without fields.
    pub fn immediate(tag: u16) -> Self {
        Self(immediate(tag) as *mut Header)
    }

    /// A value with these slots: objects, and others.
    pub fn cell(tag: u16, objects: Vec<ObjectRef>, others: &[u64]) -> Self {
        let slots = objects.len() + others.len();
        assert!(slots <= MAX_SLOTS, "an object has at most {MAX_SLOTS} slots");
        let made = minoan_object(slots as i64, objects.len() as i64, tag.into()).cast::<u64>();
        let words = objects.into_iter().map(|object| object.into_raw() as u64).chain(others.iter().copied());
        for (at, word) in words.enumerate() {
            // SAFETY: the object has room for its slots, which follow the header.
            unsafe { made.add(1 + at).write(word) };
        }
        Self(made.cast())
    }

    /// An object of raw bytes.
    pub fn raw(bytes: &[u8]) -> Self {
        let made = minoan_raw_object(bytes.len() as i64);
        // SAFETY: the object has room for the bytes behind its header, and nothing else refers to it.
        unsafe { made.cast::<u8>().add(UNIT).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Self(made.cast())
    }

    /// Takes ownership of a value.
    ///
    /// # Safety
    /// The value is null, an immediate, or a live object of this thread that the caller owns.
    pub unsafe fn from_raw(value: *mut c_void) -> Self {
        Self(value.cast())
    }

    /// Gives up ownership of the value.
    pub fn into_raw(self) -> *mut c_void {
        std::mem::ManuallyDrop::new(self).0.cast()
    }

    /// The value, which stays owned.
    pub fn as_raw(&self) -> *mut c_void {
        self.0.cast()
    }

    fn header(&self) -> Option<Header> {
        // SAFETY: an owned value is a live object if it is one at all.
        is_object(self.0).then(|| unsafe { self.0.read() })
    }

    /// The tag of a value of a data type.
    pub fn tag(&self) -> i64 {
        // SAFETY: the value is owned.
        if self.0.is_null() { 0 } else { unsafe { minoan_object_tag(self.0.cast()) } }
    }

    /// The object in a slot, as an owner of its own.
    pub fn object(&self, slot: usize) -> Option<ObjectRef> {
        self.header().filter(|header| slot < usize::from(header.pointers))?;
        // SAFETY: the slot is there, and holds a value that the object owns.
        unsafe {
            let value = self.0.cast::<*mut c_void>().add(1 + slot).read();
            minoan_object_dup(value);
            Some(Self(value.cast()))
        }
    }

    /// The contents of a slot that holds no object.
    pub fn word(&self, slot: usize) -> Option<u64> {
        self.header().filter(|header| {
            header.slots != RAW && (header.pointers.into()..header.slots.into()).contains(&slot)
        })?;
        // SAFETY: the slot is there.
        Some(unsafe { self.0.cast::<u64>().add(1 + slot).read() })
    }

    /// The contents of an object of raw bytes.
    pub fn bytes(&self) -> Option<&[u8]> {
        self.header().filter(|header| header.slots == RAW)?;
        // SAFETY: the header is followed by the number of bytes, and by them; compiled code does not run meanwhile.
        unsafe {
            let len = self.0.cast::<i64>().add(1).read();
            Some(std::slice::from_raw_parts(self.0.cast::<u8>().add(UNIT), usize::try_from(len).ok()?))
        }
    }
}

impl Clone for ObjectRef {
    fn clone(&self) -> Self {
        // SAFETY: the value is owned.
        unsafe { minoan_object_dup(self.0.cast()) };
        Self(self.0)
    }
}

impl Drop for ObjectRef {
    fn drop(&mut self) {
        // SAFETY: the value is owned.
        unsafe { minoan_object_drop(self.0.cast()) };
    }
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
    fn accesses_from_rust_are_checked() {
        let before = live_objects();
        let boxed = ObjectRef::raw(&[1, 2, 3]);
        let pair = ObjectRef::cell(2, vec![boxed.clone(), ObjectRef::immediate(4)], &[9]);
        drop(boxed);
        assert_eq!(pair.object(0).and_then(|boxed| boxed.bytes().map(<[u8]>::to_vec)), Some(vec![1, 2, 3]));
        assert_eq!((pair.tag(), pair.object(1).map(|it| it.tag())), (2, Some(4)));
        assert_eq!((pair.word(1), pair.word(2), pair.word(3)), (None, Some(9), None));
        assert!(pair.object(2).is_none() && pair.bytes().is_none());
        drop(pair);
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
