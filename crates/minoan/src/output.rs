//! Diagnostics and files that a tool writes.

use crate::{Failure, Session};
use minoan_diag::{Diagnostic, Diagnostics, render, render_colored};
use minoan_ir::{Module, text};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Makes writes beyond the file size limit of the process fail instead of killing it; for the `main` of a tool.
pub fn report_file_size_limit() {
    minoan_runtime::ignore_file_size_signal();
}

/// Prints diagnostics to standard error, in color on a terminal.
pub fn report(session: &Session, diagnostics: &Diagnostics) {
    report_with(session, diagnostics, None);
}

/// Prints diagnostics to standard error, in color as given, otherwise on a terminal.
pub(crate) fn report_with(session: &Session, diagnostics: &Diagnostics, color: Option<bool>) {
    let choice = match color {
        Some(true) => anstream::ColorChoice::Always,
        Some(false) => anstream::ColorChoice::Never,
        None => anstream::ColorChoice::Auto,
    };
    let color = color.unwrap_or_else(|| std::io::stderr().is_terminal());
    let render = if color { render_colored } else { render };
    let mut stderr = anstream::AutoStream::new(std::io::stderr(), choice).lock();
    for diagnostic in diagnostics {
        let shown = text::show_subject(diagnostic, session.sources());
        // A closed standard error cannot be reported.
        let _ = write!(stderr, "{}", render(&shown, session.sources()));
    }
}

/// Reports a failure and returns the exit code of the tool.
pub fn exit_code(session: &Session, result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            report(session, &failure.diagnostics);
            ExitCode::from(failure.kind.exit_code())
        }
    }
}

/// Prints a module.
pub fn module_text(module: &Module) -> String {
    text::print_module(module, &text::PrintFlags::default())
}

/// Writes a file whole or not at all; `-` is standard output.
///
/// # Errors
/// Errors of the file system, naming the file.
pub fn write(path: &str, bytes: &[u8]) -> Result<(), Failure> {
    write_with(path, |out| out.write_all(bytes))
}

/// Checks that binary output does not go to a terminal.
///
/// # Errors
/// The path is standard output, which is a terminal; `help` names the alternative.
pub fn check_binary(path: &str, what: &str, help: &str) -> Result<(), Failure> {
    if path != "-" || !std::io::stdout().is_terminal() {
        return Ok(());
    }
    Err(Diagnostic::error(format!("{what} is not written to a terminal")).help(help).into())
}

/// Writes a file whole or not at all, with contents that `make` writes in parts.
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

/// The output of a tool. A file is created, or replaced, when all is written and [kept](Output::keep); standard output
/// (`-`), a device or a pipe is written to at once.
pub struct Output {
    path: String,
    to: To,
}

enum To {
    Stdout(std::io::Stdout),
    Device(std::fs::File),
    File(minoan_files::NewFile),
}

impl Output {
    /// Starts the output.
    ///
    /// # Errors
    /// Errors of the file system, naming the file.
    pub fn create(path: &str) -> Result<Self, Failure> {
        let to = To::open(path).map_err(|error| failure(path, &error))?;
        Ok(Self { path: path.to_owned(), to })
    }

    /// Ends the output; a file that is not kept is not created.
    ///
    /// # Errors
    /// Errors of the file system, naming the file.
    pub fn keep(self) -> Result<(), Failure> {
        let kept = match self.to {
            To::Stdout(mut out) => out.flush(),
            To::Device(mut out) => out.flush(),
            To::File(file) => file.commit(),
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
        return Failure::closed_pipe();
    }
    let what = if path == "-" { "standard output".to_owned() } else { format!("'{path}'") };
    Diagnostic::error(format!("cannot write {what}: {error}")).into()
}

impl To {
    fn open(path: &str) -> std::io::Result<Self> {
        if path == "-" {
            return Ok(To::Stdout(std::io::stdout()));
        }
        // A device or a pipe is written to; only a file is replaced.
        let path = std::path::Path::new(path);
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Ok(To::Device(std::fs::File::create(path)?));
        }
        Ok(To::File(minoan_files::NewFile::create(path)?))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match &mut self.to {
            To::Stdout(out) => out.write(bytes),
            To::Device(out) => out.write(bytes),
            To::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match &mut self.to {
            To::Stdout(out) => out.flush(),
            To::Device(out) => out.flush(),
            To::File(file) => file.flush(),
        }
    }
}
