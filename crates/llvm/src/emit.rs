//! Emission of machine code.

use crate::Target;
use crate::error::llvm_error;
use inkwell::module::Module;
use inkwell::targets::FileType;
use minoan_diag::Diagnostic;

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
            .machine_for(module)
            .write_to_memory_buffer(module, file_type)
            .map_err(|error| llvm_error("LLVM's code generator failed", error))?;
        Ok(buffer.as_slice().to_vec())
    }
}
