//! The functions of the interface, as a C program calls them: one use of each, and random sequences in which handles are
//! stale, of another kind or made up.
#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "the requirements of each call on its pointers hold for variables of the test"
)]

mod functions;
mod interface;
mod operations;
mod random;
