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
        // Nothing is left to do when standard error is gone.
        let _ = write!(stderr, "{}", render(diagnostic, session.sources(), color));
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
    let written =
        if path == "-" { std::io::stdout().lock().write_all(bytes) } else { write_file(path, bytes) };
    written.map_err(|error| Diagnostic::error(format!("cannot write '{path}': {error}")).into())
}

fn write_file(path: &str, bytes: &[u8]) -> std::io::Result<()> {
    let path = std::path::Path::new(path);
    // A device or a pipe is written to; only a file is replaced.
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return std::fs::write(path, bytes);
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => std::path::Path::new("."),
    };
    let mut file = tempfile::Builder::new().permissions(permissions()).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

#[cfg(unix)]
fn permissions() -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o644)
}

#[cfg(not(unix))]
fn permissions() -> std::fs::Permissions {
    std::fs::metadata(".").map(|folder| folder.permissions()).expect("the working folder is there")
}
