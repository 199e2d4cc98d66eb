//! What a tool shows its user, and the files that it writes.

use crate::{Failure, Session};
use minoan_diag::{Diagnostic, Diagnostics, render};
use minoan_ir::{Module, text};
use std::io::{IsTerminal, Write};

/// Prints diagnostics to standard error, in colour on a terminal.
pub fn report(session: &Session, diagnostics: &Diagnostics) {
    let color = std::io::stderr().is_terminal();
    let mut stderr = anstream::stderr().lock();
    for diagnostic in diagnostics {
        let shown = text::show_subject(diagnostic, session.sources());
        // Nothing is left to do when standard error is gone.
        let _ = write!(stderr, "{}", render(&shown, session.sources(), color));
    }
}

/// A module as text.
pub fn module_text(module: &Module) -> String {
    text::print_module(module, &text::PrintFlags::default())
}

/// Writes a file whole or not at all; `-` is standard output.
///
/// # Errors
/// The file system's, naming the file.
pub fn write(path: &str, bytes: &[u8]) -> Result<(), Failure> {
    write_with(path, |out| out.write_all(bytes))
}

/// The same for what is made while it is written.
///
/// # Errors
/// As [`write`].
pub fn write_with(
    path: &str,
    make: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let mut out = Output::create(path)?;
    make(&mut out).map_err(|error| out.failure(&error))?;
    out.keep()
}

/// Where a tool writes. A file comes to be, or is replaced, when all is written and [kept](Output::keep); standard output
/// (`-`), a device or a pipe is written to at once.
pub struct Output {
    path: String,
    to: To,
}

enum To {
    Stdout(std::io::Stdout),
    Device(std::fs::File),
    /// The file that is replaced at the end, and what replaces it.
    File(std::path::PathBuf, tempfile::NamedTempFile),
}

impl Output {
    /// Begins to write.
    ///
    /// # Errors
    /// The file system's, naming the file.
    pub fn create(path: &str) -> Result<Self, Failure> {
        let to = To::open(path).map_err(|error| failure(path, &error))?;
        Ok(Self { path: path.to_owned(), to })
    }

    /// Ends what was written; without it there is no file.
    ///
    /// # Errors
    /// The file system's, naming the file.
    pub fn keep(self) -> Result<(), Failure> {
        let kept = match self.to {
            To::Stdout(mut out) => out.flush(),
            To::Device(mut out) => out.flush(),
            To::File(path, file) => file.persist(path).map(drop).map_err(|error| error.error),
        };
        kept.map_err(|error| failure(&self.path, &error))
    }

    /// An error of writing, with the name of the file.
    pub fn failure(&self, error: &std::io::Error) -> Failure {
        failure(&self.path, error)
    }
}

fn failure(path: &str, error: &std::io::Error) -> Failure {
    if path == "-" && error.kind() == std::io::ErrorKind::BrokenPipe {
        // Who reads has read enough, as `head` does: nobody is to be told.
        return Failure::from(Diagnostics::new());
    }
    let what = if path == "-" { "standard output".to_owned() } else { format!("'{path}'") };
    // `tempfile` adds the name of the file that stands in for this one while it is written.
    let error = error.to_string();
    let cause = error.split(" at path \"").next().unwrap_or_default();
    Diagnostic::error(format!("cannot write {what}: {cause}")).into()
}

impl To {
    fn open(path: &str) -> std::io::Result<Self> {
        if path == "-" {
            return Ok(To::Stdout(std::io::stdout()));
        }
        // Behind a link, the file that it leads to is replaced.
        let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.into());
        // A device or a pipe is written to; only a file is replaced.
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Ok(To::Device(std::fs::File::create(path)?));
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => std::path::Path::new("."),
        };
        let permissions = path.metadata().map_or_else(|_| permissions(), |file| file.permissions());
        let file = tempfile::Builder::new().permissions(permissions).tempfile_in(folder)?;
        Ok(To::File(path.to_owned(), file))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match &mut self.to {
            To::Stdout(out) => out.write(bytes),
            To::Device(out) => out.write(bytes),
            To::File(_, file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match &mut self.to {
            To::Stdout(out) => out.flush(),
            To::Device(out) => out.flush(),
            To::File(_, file) => file.flush(),
        }
    }
}

#[cfg(unix)]
fn permissions() -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o644)
}

#[cfg(not(unix))]
fn permissions() -> std::fs::Permissions {
    std::fs::metadata(".").map(|folder| folder.permissions()).expect("the working folder is there")
}
