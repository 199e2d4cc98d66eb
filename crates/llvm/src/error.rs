//! Conversion of LLVM errors and runtime faults to diagnostics.

use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use minoan_diag::{Diagnostic, LineCol, Place};
use minoan_runtime::Fault;
use std::ffi::CStr;

/// Converts an LLVM message to an error; `what` is the failed action.
pub(crate) fn llvm_error(what: &str, message: impl std::fmt::Display) -> Diagnostic {
    let message = message.to_string();
    let mut lines = message.trim_end().lines();
    let first = lines.next().unwrap_or("unknown error");
    let error = Diagnostic::error(format!("{what}: {first}"));
    lines.fold(error, |error, line| error.note(line))
}

/// Converts an error of LLVM's C API; null is success.
///
/// # Safety
/// `error` must be null or an error that is not consumed elsewhere.
pub(crate) unsafe fn check(what: &str, error: LLVMErrorRef) -> Result<(), Diagnostic> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: the error is consumed here; its message is copied and disposed of once.
    let text = unsafe {
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        text
    };
    Err(llvm_error(what, text))
}

/// A fault of a program as a diagnostic: a message that starts with `file:line:column: ` points there.
///
/// ```
/// use minoan_diag::{LineCol, Place};
/// let fault = minoan_runtime::Fault::Assert("a.ks:3:5: Assert failed".into());
/// let error = minoan_llvm::fault_diagnostic(&fault);
/// assert_eq!(error.message, "Assert failed");
/// assert_eq!(error.place, Place::Point("a.ks".into(), LineCol { line: 3, column: 5 }));
/// ```
pub fn fault_diagnostic(fault: &Fault) -> Diagnostic {
    located_error(&fault.to_string())
}

/// An error with the text of a message of the runtime, which may start with its location, as `file:line:column: `.
pub fn located_error(text: &str) -> Diagnostic {
    match split_place(text) {
        Some((file, at, message)) => Diagnostic::error(message).at(Place::Point(file.into(), at)),
        None => Diagnostic::error(text),
    }
}

/// Splits `file:line:column: message`, where the file name may contain colons.
fn split_place(text: &str) -> Option<(&str, LineCol, &str)> {
    let (place, message) = text.split_once(": ")?;
    let mut parts = place.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some((parts.next()?, LineCol { line, column }, message))
}
