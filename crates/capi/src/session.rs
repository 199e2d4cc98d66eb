//! Sessions and diagnostics.

use crate::error::{Error, MinoanStatus, expect_out, guard, put, text};
use crate::table::{self, MinoanHandle, Object};
use minoan::diag::{Diagnostic, Severity, render};
use minoan::services::FloatPolicy;
use minoan::{Failure, Session};
use std::ffi::{CString, c_char, c_void};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// Receives a diagnostic: its severity (0 error, 1 warning, 2 remark, 3 note), the file, line and column (null and 0 if
/// unknown), the message, and the whole with source lines and carets. The texts live during the call.
pub type MinoanDiagnosticCallback = Option<
    unsafe extern "C" fn(
        severity: i32,
        file: *const c_char,
        line: u32,
        column: u32,
        message: *const c_char,
        rendered: *const c_char,
        user: *mut c_void,
    ),
>;

/// A callback and the pointer that is passed to it.
#[derive(Clone, Copy)]
struct Receiver {
    callback: MinoanDiagnosticCallback,
    user: *mut c_void,
}

// SAFETY: the pointer is only passed to the callback; the caller promises that any thread may do so.
unsafe impl Send for Receiver {}

/// A session.
pub(crate) struct SessionObject {
    /// Compilations read it; setting an option writes it.
    pub(crate) session: RwLock<Session>,
    receiver: Mutex<Receiver>,
}

impl SessionObject {
    /// Runs `f` with the session, and reports the diagnostics of a failure.
    pub(crate) fn with<R>(&self, f: impl FnOnce(&Session) -> Result<R, Failure>) -> Result<R, Error> {
        self.attempt(f).map_err(|unreported| self.report(unreported))
    }

    /// Runs `f` with the session. The caller must [report](Self::report) a failure when it holds no locks, since the callback may use
    /// the session and its functions.
    pub(crate) fn attempt<R>(&self, f: impl FnOnce(&Session) -> Result<R, Failure>) -> Result<R, Unreported> {
        let session = self.session.read().unwrap_or_else(PoisonError::into_inner);
        let failure = match f(&session) {
            Ok(result) => return Ok(result),
            Err(failure) => failure,
        };
        let shown: Vec<String> =
            failure.diagnostics.iter().map(|diagnostic| rendered(&session, diagnostic)).collect();
        let reports: Vec<Report> =
            failure.diagnostics.iter().map(|diagnostic| Report::new(&session, diagnostic)).collect();
        Err(Unreported { error: Error { message: shown.concat(), ..Error::from(failure) }, reports })
    }

    /// Calls the callback for each diagnostic of a failure.
    pub(crate) fn report(&self, Unreported { error, reports }: Unreported) -> Error {
        let receiver = *self.receiver.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(callback) = receiver.callback else { return error };
        for Report { severity, file, line, column, message, rendered } in &reports {
            let file = file.as_ref().map_or(std::ptr::null(), |file| file.as_ptr());
            let (message, rendered) = (message.as_ptr(), rendered.as_ptr());
            // SAFETY: the caller has registered the callback with this pointer; the texts live until it returns.
            unsafe { callback(*severity, file, *line, *column, message, rendered, receiver.user) };
        }
        error
    }
}

/// A failure that has not been reported to the callback.
pub(crate) struct Unreported {
    error: Error,
    reports: Vec<Report>,
}

/// A diagnostic as the callback gets it.
struct Report {
    severity: i32,
    file: Option<CString>,
    line: u32,
    column: u32,
    message: CString,
    rendered: CString,
}

impl Report {
    fn new(session: &Session, diagnostic: &Diagnostic) -> Self {
        let position = diagnostic.position(session.sources());
        let (line, column) = position.as_ref().map_or((0, 0), |(_, at)| (at.line, at.column));
        Self {
            severity: match diagnostic.severity {
                Severity::Error => 0,
                Severity::Warning => 1,
                Severity::Remark => 2,
                _ => 3,
            },
            file: position.map(|(file, _)| c_string(&file)),
            line,
            column,
            message: c_string(&diagnostic.message),
            rendered: c_string(&rendered(session, diagnostic)),
        }
    }
}

fn rendered(session: &Session, diagnostic: &Diagnostic) -> String {
    let shown = minoan::ir::text::show_subject(diagnostic, session.sources());
    render(&shown, session.sources())
}

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}

/// The version of the library, such as `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Creates a session with all dialects.
///
/// # Safety
/// `out` must be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_session_create(out: *mut MinoanHandle) -> MinoanStatus {
    guard(|| {
        expect_out(out)?;
        let receiver = Receiver { callback: None, user: std::ptr::null_mut() };
        let object = SessionObject { session: RwLock::new(Session::new()), receiver: Mutex::new(receiver) };
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, table::insert(Object::Session(Arc::new(object))), "'out'") }
    })
}

/// Sets the function that receives the diagnostics of a session; null receives none. It may be called on any thread that
/// uses the session, and must not unwind.
///
/// # Safety
/// `callback` must accept `user` as long as the session, or what was made of it, is in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_session_on_diagnostic(
    session: MinoanHandle,
    callback: MinoanDiagnosticCallback,
    user: *mut c_void,
) -> MinoanStatus {
    guard(|| {
        let object = table::session(session)?;
        *object.receiver.lock().unwrap_or_else(PoisonError::into_inner) = Receiver { callback, user };
        Ok(())
    })
}

/// Sets an option of a session: `cpu` (a processor by LLVM's name, or `native`), `check-bounds` (`true`, the default, or `false`),
/// `fp` (`strict`, `default` or `fast`), `schedule` (`on` or `off`).
///
/// # Safety
/// `name` and `value` must be null or C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_session_set_option(
    session: MinoanHandle,
    name: *const c_char,
    value: *const c_char,
) -> MinoanStatus {
    guard(|| {
        let object = table::session(session)?;
        // SAFETY: guaranteed by the caller.
        let (name, value) = unsafe { (text(name, "the name")?, text(value, "the value")?) };
        let wrong =
            |expected: &str| Error::argument(format!("the option '{name}' is {expected}, found '{value}'"));
        let mut session = object.session.write().unwrap_or_else(PoisonError::into_inner);
        let options = &mut session.options;
        match name {
            "cpu" => {
                minoan::llvm::check_cpu(value)
                    .map_err(|error| Error::argument(Failure::from(error).to_string()))?;
                options.cpu = Some(value.to_owned());
            }
            "check-bounds" => options.check_bounds = value.parse().map_err(|_| wrong("true or false"))?,
            "fp" => {
                options.float_policy =
                    FloatPolicy::of_keyword(value).ok_or_else(|| wrong("strict, default or fast"))?;
            }
            "schedule" => {
                options.schedule = match value {
                    "on" => true,
                    "off" => false,
                    _ => return Err(wrong("on or off")),
                }
            }
            _ => {
                let known = "the options are cpu, check-bounds, fp and schedule";
                return Err(Error::argument(format!("there is no option '{name}'; {known}")));
            }
        }
        Ok(())
    })
}
