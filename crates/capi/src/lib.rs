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
//! and strides state. A null pointer that is not allowed is an error.
//!
//! ```c
//! MinoanHandle session, module, f, result;
//! minoan_session_create(&session);
//! if (minoan_module_parse(session, "f.ks", "(def f Float (x : Float) (mul x x))", &module) != MinoanStatus_Ok) {
//!   char message[1024];
//!   minoan_error_message(message, sizeof message, NULL);
//!   fputs(message, stderr);
//! }
//! float x = 3;
//! MinoanArgument argument = {MinoanType_F32, false, 0, NULL, NULL, &x};
//! minoan_function_create(module, "f", &f);
//! minoan_function_call(f, MinoanBackend_Jit, &argument, 1, &result, 1);
//! ```
//!
//! Tested examples are programs, not doc tests, because a doc test would link LLVM again: `cargo xtask test` builds
//! [`examples/c-model`](https://github.com/minoan/minoan/tree/main/examples/c-model), which runs a model, and
//! [`examples/cpp-compiler`](https://github.com/minoan/minoan/tree/main/examples/cpp-compiler), a compiler in C++, against the
//! installed library and compares their output. `tests/calls` calls each function of the interface.

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
