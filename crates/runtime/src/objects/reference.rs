//! Objects that Rust owns.

use super::{
    ALIGNMENT, HEAP, Header, MAX_SLOTS, RAW, immediate, is_object, minoan_object, minoan_object_drop,
    minoan_object_dup, minoan_object_tag, minoan_raw_object, owners,
};
use std::ffi::c_void;

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

/// Counts a change of the number of owners in Rust.
fn count_owner(change: i64) {
    // SAFETY: the heap belongs to this thread, and no reference to it lives.
    HEAP.with(|heap| unsafe { (*heap.get()).unknown += change });
}

impl ObjectRef {
    fn new(value: *mut Header) -> Self {
        count_owner(1);
        Self(value)
    }

    /// A constructor without fields.
    pub fn immediate(tag: u16) -> Self {
        Self::new(immediate(tag) as *mut Header)
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
        Self::new(made.cast())
    }

    /// An object of raw bytes.
    pub fn raw(bytes: &[u8]) -> Self {
        let made = minoan_raw_object(bytes.len() as i64);
        // SAFETY: the object has room for the bytes after its header, and there is no other reference to it.
        unsafe { made.cast::<u8>().add(ALIGNMENT).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Self::new(made.cast())
    }

    /// Takes ownership of a value.
    ///
    /// # Safety
    /// The value is null, an immediate, or a live object of this thread that the caller owns.
    pub unsafe fn from_raw(value: *mut c_void) -> Self {
        Self::new(value.cast())
    }

    /// Gives up ownership of the value.
    pub fn into_raw(self) -> *mut c_void {
        count_owner(-1);
        std::mem::ManuallyDrop::new(self).0.cast()
    }

    /// The value as one that outlives a program that ends with a fault.
    pub fn keep(self) -> KeptObject {
        let value = self.into_raw();
        owners::add(value);
        KeptObject(value)
    }

    /// The value, which stays owned.
    pub fn as_raw(&self) -> *mut c_void {
        self.0.cast()
    }

    fn header(&self) -> Option<Header> {
        // SAFETY: an owned value that is an object is a live one.
        is_object(self.0).then(|| unsafe { self.0.read() })
    }

    /// The tag of a value of a data type.
    pub fn tag(&self) -> i64 {
        // SAFETY: the value is owned.
        if self.0.is_null() { 0 } else { unsafe { minoan_object_tag(self.0.cast()) } }
    }

    /// The number of owners of an object; 0 for a constructor without fields.
    pub fn owners(&self) -> i32 {
        self.header().map_or(0, |header| header.count)
    }

    /// The object in a slot, as a separate owner.
    pub fn object(&self, slot: usize) -> Option<ObjectRef> {
        self.header().filter(|header| slot < usize::from(header.pointers))?;
        // SAFETY: the slot is there, and holds a value that the object owns.
        unsafe {
            let value = self.0.cast::<*mut c_void>().add(1 + slot).read();
            minoan_object_dup(value);
            Some(Self::new(value.cast()))
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
            Some(std::slice::from_raw_parts(self.0.cast::<u8>().add(ALIGNMENT), usize::try_from(len).ok()?))
        }
    }
}

impl Clone for ObjectRef {
    fn clone(&self) -> Self {
        // SAFETY: the value is owned.
        unsafe { minoan_object_dup(self.0.cast()) };
        Self::new(self.0)
    }
}

impl Drop for ObjectRef {
    fn drop(&mut self) {
        count_owner(-1);
        // SAFETY: the value is owned.
        unsafe { minoan_object_drop(self.0.cast()) };
    }
}

/// A value that Rust owns, and that outlives a program that ends with a fault. While a thread owns an [`ObjectRef`] that is
/// not kept, such programs leave their objects behind.
#[derive(Debug)]
pub struct KeptObject(*mut c_void);

impl KeptObject {
    /// The value, which stays owned.
    pub fn as_raw(&self) -> *mut c_void {
        self.0
    }
}

impl Drop for KeptObject {
    fn drop(&mut self) {
        owners::remove(self.0);
        // SAFETY: the value is owned.
        unsafe { minoan_object_drop(self.0) };
    }
}
