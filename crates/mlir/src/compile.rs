//! The complete compilation of a module of upstream dialects to machine code.

use crate::Backend;
use inkwell::context::Context as LlvmContext;
use melior::ir::Module;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_llvm::{Function, Jit, JitOptions, Output, Target, define_parallel, pack, recursive};

/// The entry points of the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entries {
    /// The packed wrapper of each public function, for [`minoan_llvm::Jit`]; everything else is internal.
    Jit,
    /// A library: each public function under its [symbol](minoan_llvm::symbol_of), its packed wrapper, `minoan_entry_<name>`,
    /// which runs it on the large stack, and `minoan_try_<name>`, which also checks arguments and returns faults. A function
    /// that may recurse runs on the large stack under its own symbol, too.
    Library,
    /// A program: a `main` that calls the function with this name, which must have no arguments.
    Program(String),
}

/// The options of the compilation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileOptions {
    /// The output format.
    pub output: Output,
    /// Whether the machine code has debug locations.
    pub debug_info: bool,
    /// Constant bytes under external symbols.
    pub data: Vec<(String, Vec<u8>)>,
    /// The prefix, after `minoan_call_`, of the symbols by which a generated header calls the functions of a library; `None` for
    /// a library without a header.
    pub prefix: Option<String>,
}

impl Default for CompileOptions {
    /// An object without debug information.
    fn default() -> Self {
        Self { output: Output::Object, debug_info: false, data: Vec::new(), prefix: None }
    }
}

/// The compiled code and its symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compiled {
    /// An object file, or the format of [`CompileOptions::output`].
    pub code: Vec<u8>,
    /// The functions that can be called from outside.
    pub functions: Vec<Function>,
    /// The exported symbols, in order.
    pub exports: Vec<String>,
}

impl Backend {
    /// Lowers `module` to the `llvm` dialect in place, optimizes it for `target`, and emits it.
    ///
    /// # Errors
    /// See [`Backend::functions`], [`Backend::lower_to_llvm_dialect`] and [`Backend::to_llvm_ir`].
    pub fn compile(
        &self,
        module: &mut Module<'_>,
        target: &Target,
        entries: &Entries,
        options: &CompileOptions,
    ) -> Result<Compiled, Diagnostics> {
        let &CompileOptions { output, debug_info, ref data, ref prefix } = options;
        let functions = self.functions(module)?;
        self.rename_reserved(module);
        self.lower_to_llvm_dialect(module, debug_info)?;
        let context = LlvmContext::create();
        let llvm = self.to_llvm_ir(module, &context)?;
        define_parallel(&llvm)?;
        let mut exports = Vec::new();
        match entries {
            Entries::Jit => {
                for function in &functions {
                    pack::add_packed(&llvm, function)?;
                    exports.push(function.packed_name());
                }
            }
            Entries::Library => {
                let recursive = recursive(&llvm);
                for function in &functions {
                    pack::add_packed(&llvm, function)?;
                    exports.push(function.symbol());
                    exports.push(function.packed_name());
                    exports.push(pack::add_entry(&llvm, function)?);
                    if recursive.contains(&function.symbol()) {
                        pack::add_guard(&llvm, function)?;
                    }
                    exports.push(pack::add_try(&llvm, function)?);
                    if let Some(prefix) = prefix {
                        exports.push(pack::add_call(&llvm, function, prefix)?);
                    }
                }
            }
            Entries::Program(name) => {
                let Some(function) = functions.iter().find(|function| function.name == *name) else {
                    let names = functions.iter().map(|function| function.name.as_str());
                    let nearest = minoan_diag::nearest(name, names);
                    let error =
                        Diagnostic::error(format!("there is no public function '{name}' to start at"));
                    return Err(error.did_you_mean(nearest).into());
                };
                pack::add_packed(&llvm, function)?;
                pack::add_main(&llvm, function)?;
                exports.push("main".to_owned());
            }
        }
        for (name, bytes) in data {
            pack::add_data(&llvm, name, bytes);
            exports.push(name.clone());
        }
        pack::keep_only(&llvm, &exports);
        target.optimise(&llvm)?;
        let code = target.emit(&llvm, output)?;
        Ok(Compiled { code, functions, exports })
    }
}

/// Links compiled code into this process.
///
/// The code comes from a module that this crate's verifier and MLIR's accepted; its undefined behaviour at run time
/// (such as an unchecked index out of bounds) is the responsibility of the program.
///
/// # Errors
/// Undefined symbols.
pub fn load(compiled: &Compiled, options: &JitOptions) -> Result<Jit, Diagnostic> {
    // SAFETY: LLVM emitted the object from a verified module, for this machine, with a packed wrapper for each of the
    // named functions.
    unsafe { Jit::load(&[&compiled.code], compiled.functions.clone(), options) }
}
