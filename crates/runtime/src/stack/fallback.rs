//! Fallback without stack switching: programs run on the caller's stack, and faults end the process.

use crate::Fault;
use std::convert::Infallible;
use std::ffi::c_void;

pub(crate) unsafe fn call(
    _limit: usize,
    _escapes: bool,
    f: extern "C" fn(*mut c_void),
    argument: *mut c_void,
) -> Result<(), Fault> {
    f(argument);
    Ok(())
}

/// Far from the end of any stack: its extent is unknown.
pub(crate) fn stack_pointer() -> usize {
    usize::MAX
}

pub(crate) fn remaining() -> Option<(usize, usize)> {
    None
}

pub(crate) fn escape_with(fault: Fault) -> Result<Infallible, Fault> {
    Err(fault)
}

pub(crate) fn runs_program() -> bool {
    false
}
