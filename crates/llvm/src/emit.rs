//! Emission of machine code, and atomic writing of files.

use crate::Target;
use crate::error::llvm_error;
use inkwell::module::Module;
use inkwell::targets::FileType;
use minoan_diag::Diagnostic;
use std::io::Write;
use std::path::Path;

/// An output format.
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
    /// Emits the module in the format `output`. Optimize it first.
    ///
    /// # Errors
    /// The errors of LLVM's code generator.
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

/// Writes a file atomically: to a temporary file in the same directory, which is then renamed.
///
/// # Errors
/// The errors of the file system, with the file name.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    let failed =
        |error: std::io::Error| Diagnostic::error(format!("cannot write '{}': {error}", path.display()));
    // Devices and pipes are written directly; only regular files are replaced.
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return std::fs::write(path, bytes).map_err(failed);
    }
    let mut file = temporary_beside(path, false).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Creates a temporary file in the directory of `path`, with the permissions of a new file.
pub(crate) fn temporary_beside(path: &Path, executable: bool) -> std::io::Result<tempfile::NamedTempFile> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".minoan-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The process's umask still applies.
        builder.permissions(std::fs::Permissions::from_mode(if executable { 0o777 } else { 0o666 }));
    }
    #[cfg(not(unix))]
    let _ = executable;
    builder.tempfile_in(directory.unwrap_or(Path::new(".")))
}
