//! The owners of objects outside of programs: arguments of calls from Rust, and values that a caller in C holds.

use super::{Header, is_object};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::c_void;

thread_local! {
    /// The number of owners outside of programs of each object that has any.
    static OWNERS: RefCell<BTreeMap<usize, u32>> = const { RefCell::new(BTreeMap::new()) };
}

/// Records an owner of a value; null and immediates are ignored.
pub(crate) fn add(value: *mut c_void) {
    if is_object(value.cast()) {
        // While the thread is exiting there is no table, and no program runs.
        let _ending = OWNERS.try_with(|owners| *owners.borrow_mut().entry(value as usize).or_default() += 1);
    }
}

/// Removes an owner of a value. Returns whether there was one, or none is needed.
pub(crate) fn remove(value: *mut c_void) -> bool {
    if !is_object(value.cast()) {
        return true;
    }
    let removed = OWNERS.try_with(|owners| {
        let mut owners = owners.borrow_mut();
        let Some(count) = owners.get_mut(&(value as usize)) else { return false };
        *count -= 1;
        if *count == 0 {
            owners.remove(&(value as usize));
        }
        true
    });
    removed.unwrap_or(true)
}

/// Whether a value has an owner, or needs none.
pub(crate) fn knows(value: *mut c_void) -> bool {
    value as usize & 1 == 1
        || OWNERS.try_with(|owners| owners.borrow().contains_key(&(value as usize))).unwrap_or(false)
}

/// Calls `f` for each object with owners outside of programs, and their number.
pub(super) fn each(mut f: impl FnMut(*mut Header, u32)) {
    let _ending = OWNERS.try_with(|owners| {
        for (&object, &count) in &*owners.borrow() {
            f(object as *mut Header, count);
        }
    });
}
