//! The interface of Minoan for C: `libminoan.so` and `minoan.h`.
//!
//! * Objects are [`MinoanHandle`]s: numbers, not pointers. A handle that was released, or is of another kind than a function
//!   expects, is [`MinoanStatus::BadHandle`], never a crash.
//! * Functions return a [`MinoanStatus`]; [`minoan_error_message`] says what failed, with source lines and carets.
//! * Texts are copied into buffers of the caller. A buffer that is too small gets the beginning of the text, and the function
//!   says how many bytes the whole takes.
//! * No function unwinds: a panic is [`MinoanStatus::Internal`].
//! * All functions may be called from several threads. A module is locked while it is changed or read.
//!
//! A pointer must be valid, as in any C library: strings end with a zero byte, and arrays have the elements that their shapes
//! and strides say. Null is refused where it is not allowed.

mod array;
mod create;
mod error;
mod function;
mod module;
mod operation;
mod session;
mod table;

pub use array::*;
pub use create::*;
pub use error::*;
pub use function::*;
pub use module::*;
pub use operation::*;
pub use session::*;
pub use table::{MinoanHandle, minoan_handle_count, minoan_release};
