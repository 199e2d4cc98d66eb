//! Machine code as bytes, and bytes as files.

use crate::Target;
use crate::error::llvm_error;
use inkwell::module::Module;
use inkwell::targets::FileType;
use minoan_diag::Diagnostic;
use std::io::Write;
use std::path::Path;

/// A form of machine code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// An object file.
    Object,
    /// Assembly text.
    Assembly,
    /// LLVM IR as text.
    LlvmText,
    /// LLVM IR as bitcode.
    Bitcode,
}

impl Target {
    /// The module in the form `output`. Optimise it first.
    ///
    /// # Errors
    /// What LLVM's code generator reports.
    pub fn emit(&self, module: &Module<'_>, output: Output) -> Result<Vec<u8>, Diagnostic> {
        let file_type = match output {
            Output::Object => FileType::Object,
            Output::Assembly => FileType::Assembly,
            Output::LlvmText => return Ok(module.print_to_string().to_bytes().to_vec()),
            Output::Bitcode => return Ok(module.write_bitcode_to_memory().as_slice().to_vec()),
        };
        let buffer = self
            .machine
            .write_to_memory_buffer(module, file_type)
            .map_err(|error| llvm_error("LLVM's code generator failed", error))?;
        Ok(buffer.as_slice().to_vec())
    }
}

/// Writes a file whole or not at all: a temporary file in the same directory, then a rename.
///
/// # Errors
/// Those of the file system, naming the file.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    let failed =
        |error: std::io::Error| Diagnostic::error(format!("cannot write '{}': {error}", path.display()));
    // A device or a pipe is written to; only a file is replaced.
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return std::fs::write(path, bytes).map_err(failed);
    }
    let mut file = temporary_beside(path, false).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// A temporary file in the directory of `path`, with the permissions that a new file has.
pub(crate) fn temporary_beside(path: &Path, executable: bool) -> std::io::Result<tempfile::NamedTempFile> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".minoan-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The process' umask still applies.
        builder.permissions(std::fs::Permissions::from_mode(if executable { 0o777 } else { 0o666 }));
    }
    #[cfg(not(unix))]
    let _ = executable;
    builder.tempfile_in(directory.unwrap_or(Path::new(".")))
}
