//! Recursion over deep nesting.

/// The stack is grown if less than this remains, in bytes: room for the frames between two calls of [`with_stack`].
const RED_ZONE: usize = 128 * 1024;
/// The size of a new stack segment, in bytes. Pages of it that are not used take no memory.
const SEGMENT: usize = 4 * 1024 * 1024;

/// Runs `work` with enough stack for one more level of nesting, on any thread.
///
/// Regions, types, attributes and expressions of input may be nested far deeper than a thread's stack permits to recurse.
/// A function that recurses over them calls itself through this one.
#[inline]
pub fn with_stack<R>(work: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE, SEGMENT, work)
}
