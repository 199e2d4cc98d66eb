//! Calls without the interpreter's lock, on values that stay on their thread.

use crate::error::detached;
use minoan::llvm::{ArrayView, Value};
use minoan::{Argument, Datum, Failure};
use pyo3::prelude::*;

/// A value that its thread may use without the interpreter's lock.
///
/// # Safety
/// The type holds no reference to an object of Python.
pub(crate) unsafe trait Detachable {}

// SAFETY: types of crates that do not know Python. The owners of the memory of arrays are held apart from these.
unsafe impl Detachable for Datum {}
// SAFETY: as above.
unsafe impl Detachable for Value {}
// SAFETY: as above.
unsafe impl Detachable for Failure {}
// SAFETY: as above.
unsafe impl Detachable for Argument<'_> {}
// SAFETY: as above.
unsafe impl Detachable for ArrayView<'_> {}
// SAFETY: it holds what its elements hold.
unsafe impl<T: Detachable> Detachable for Option<T> {}
// SAFETY: as above.
unsafe impl<T: Detachable> Detachable for Vec<T> {}
// SAFETY: as above.
unsafe impl<T: Detachable, E: Detachable> Detachable for Result<T, E> {}
// SAFETY: as above.
unsafe impl<A: Detachable, B: Detachable> Detachable for (A, B) {}

/// A value of the thread that calls [`detached_with`].
struct OfThisThread<T>(T);

// SAFETY: only `detached_with` makes such values. `Python::detach` calls its closure on the current thread and waits for it, so that the
// value never is on another thread; it requires `Send` to exclude references to objects of Python, which `Detachable` excludes.
unsafe impl<T: Detachable> Send for OfThisThread<T> {}

impl<T> OfThisThread<T> {
    /// A method, since a closure captures a field that it names instead of the whole.
    fn into_inner(self) -> T {
        self.0
    }
}

/// Like [`detached`], on a value that need not be `Send`, and with such a result.
pub(crate) fn detached_with<T: Detachable, R: Detachable>(
    py: Python<'_>,
    value: T,
    run: impl FnOnce(T) -> R + Send,
) -> PyResult<R> {
    let passed = OfThisThread(value);
    detached(py, move || OfThisThread(run(passed.into_inner()))).map(OfThisThread::into_inner)
}
