//! Status codes and messages.

use minoan::diag::Diagnostic;
use minoan::{Failure, FailureKind};
use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The outcome of a function.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MinoanStatus {
    /// Success.
    Ok = 0,
    /// A handle was released, or is of another kind.
    BadHandle = 1,
    /// Another argument is invalid: a null pointer, text that is not UTF-8, a value out of range.
    BadArgument = 2,
    /// A program or module is invalid, or cannot be compiled.
    Invalid = 3,
    /// A program failed while it ran.
    Fault = 4,
    /// A bug of this library. The object concerned should be released.
    Internal = 5,
}

/// The reason for the failure of a function.
#[derive(Debug)]
pub(crate) struct Error {
    pub(crate) status: MinoanStatus,
    pub(crate) message: String,
}

impl Error {
    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self { status: MinoanStatus::BadArgument, message: message.into() }
    }

    pub(crate) fn handle(message: impl Into<String>) -> Self {
        Self { status: MinoanStatus::BadHandle, message: message.into() }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self { status: MinoanStatus::Invalid, message: message.into() }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let status = match failure.kind {
            FailureKind::Fault => MinoanStatus::Fault,
            FailureKind::Input | FailureKind::ClosedPipe => MinoanStatus::Invalid,
        };
        Self { status, message: failure.diagnostics.to_string() }
    }
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::argument(diagnostic.message)
    }
}

thread_local! {
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs the body of a function of the interface.
pub(crate) fn guard(body: impl FnOnce() -> Result<(), Error>) -> MinoanStatus {
    let outcome = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
        Err(Error { status: MinoanStatus::Internal, message: format!("internal error: {text}") })
    });
    let (status, message) = match outcome {
        Ok(()) => (MinoanStatus::Ok, String::new()),
        Err(error) => (error.status, error.message),
    };
    MESSAGE.with(|slot| *slot.borrow_mut() = message);
    status
}

/// A string of the caller.
///
/// # Safety
/// `text` must be null or a C string that lives for `'a`.
pub(crate) unsafe fn text<'a>(text: *const c_char, what: &str) -> Result<&'a str, Error> {
    if text.is_null() {
        return Err(Error::argument(format!("{what} is null")));
    }
    // SAFETY: guaranteed by the caller.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Error::argument(format!("{what} is not UTF-8")))
}

/// Fails if the pointer to the result is null, before anything is created for it.
pub(crate) fn expect_out<T>(out: *mut T) -> Result<(), Error> {
    if out.is_null() { Err(Error::argument("'out' is null")) } else { Ok(()) }
}

/// Writes through a pointer of the caller, which must not be null.
///
/// # Safety
/// `out` must be null or valid for a write.
pub(crate) unsafe fn put<T>(out: *mut T, value: T, what: &str) -> Result<(), Error> {
    if out.is_null() {
        return Err(Error::argument(format!("{what} is null")));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { out.write(value) };
    Ok(())
}

/// Copies a text, or as much of it as fits, and a zero byte into a buffer; `needed` gets the number of bytes of both.
///
/// # Safety
/// `buffer` must be null or have `size` writable bytes; `needed` must be null or valid for a write.
pub(crate) unsafe fn put_text(
    text: &str,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> Result<(), Error> {
    if !needed.is_null() {
        // SAFETY: guaranteed by the caller.
        unsafe { needed.write(text.len() + 1) };
    }
    if buffer.is_null() || size == 0 {
        return Ok(());
    }
    let mut len = text.len().min(size - 1);
    while !text.is_char_boundary(len) {
        len -= 1;
    }
    // SAFETY: the text and its zero fit into the buffer.
    unsafe {
        buffer.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), len);
        buffer.add(len).write(0);
    }
    Ok(())
}

/// Copies the message of the last function that failed on this thread, or an empty text after one that succeeded. `needed`
/// gets the number of bytes with the final zero, and may be null.
///
/// # Safety
/// `buffer` must be null or have `size` writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_error_message(buffer: *mut c_char, size: usize, needed: *mut usize) {
    MESSAGE.with(|message| {
        // SAFETY: guaranteed by the caller.
        let _always_ok = unsafe { put_text(&message.borrow(), buffer, size, needed) };
    });
}
