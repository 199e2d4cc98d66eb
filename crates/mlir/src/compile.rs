//! The complete compilation of a module of upstream dialects to machine code.

use crate::{Backend, scalable};
use inkwell::context::Context as LlvmContext;
use inkwell::module::Module as LlvmModule;
use melior::ir::Module;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_llvm::{
    Function, Jit, JitOptions, Output, Target, define_parallel, inline_objects, pack, recursive,
};
use std::collections::{BTreeMap, BTreeSet};

/// The entry points of the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entries {
    /// The packed wrapper of each public function, for [`minoan_llvm::Jit`]; everything else is internal.
    Jit,
    /// A library: each public function under its [symbol](minoan_llvm::symbol_of), its packed wrapper, `minoan_entry_<name>`,
    /// which runs it on the large stack, and `minoan_try_<name>`, which also checks arguments and returns faults; of
    /// [`CompileOptions::copies`], `minoan_into_<name>`. A function that may recurse runs on the large stack under its own
    /// symbol, too.
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
    /// The functions of a library that can write their results to memory of the caller, and the copy of each that takes
    /// destinations. A copy is not a function of the library.
    pub copies: BTreeMap<String, String>,
}

impl Default for CompileOptions {
    /// An object without debug information.
    fn default() -> Self {
        Self {
            output: Output::Object,
            debug_info: false,
            data: Vec::new(),
            prefix: None,
            copies: BTreeMap::new(),
        }
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
        let &CompileOptions { output, debug_info, ref data, ref prefix, ref copies } = options;
        target.check_scalable_vectors().or_else(|error| scalable::refuse(module, error))?;
        let mut functions = self.functions(module)?;
        self.rename_reserved(module);
        self.lower_to_llvm_dialect(module, debug_info)?;
        let context = LlvmContext::create();
        let llvm = self.to_llvm_ir(module, &context)?;
        define_parallel(&llvm)?;
        inline_objects(&llvm)?;
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
                let names: BTreeSet<&String> = copies.values().collect();
                let is_copy = |function: &Function| names.contains(&function.name);
                let (with_destinations, own) = functions.into_iter().partition(is_copy);
                functions = own;
                add_copies(&llvm, &with_destinations, options, &mut exports)?;
                for function in &functions {
                    pack::add_packed(&llvm, function)?;
                    exports.push(function.symbol());
                    exports.push(function.packed_name());
                    exports.push(pack::add_entry(&llvm, function)?);
                    if recursive.contains(&function.symbol()) {
                        pack::add_guard(&llvm, function)?;
                    } else {
                        pack::split_wide(&llvm, function)?;
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
                    let error = Diagnostic::error(format!("unknown public function '{name}'"));
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
        target.optimize(&llvm)?;
        let code = target.emit(&llvm, output)?;
        Ok(Compiled { code, functions, exports })
    }
}

/// Adds the wrappers of the copies that take destinations.
fn add_copies(
    llvm: &LlvmModule<'_>,
    with_destinations: &[Function],
    options: &CompileOptions,
    exports: &mut Vec<String>,
) -> Result<(), Diagnostic> {
    let CompileOptions { copies, prefix, .. } = options;
    let by_name: BTreeMap<&str, &Function> =
        with_destinations.iter().map(|function| (function.name.as_str(), function)).collect();
    for (name, copy) in copies {
        let Some(&copy) = by_name.get(copy.as_str()) else { continue };
        pack::add_packed(llvm, copy)?;
        exports.push(pack::add_into(llvm, copy, name)?);
        if let Some(prefix) = prefix {
            exports.push(pack::add_into_call(llvm, name, prefix)?);
        }
    }
    Ok(())
}

/// Links compiled code into this process.
///
/// The code comes from a module that this crate's verifier and MLIR's accepted; its undefined behavior at run time
/// (such as an unchecked index out of bounds) is the responsibility of the program.
///
/// # Errors
/// Undefined symbols.
pub fn load(compiled: &Compiled, options: &JitOptions) -> Result<Jit, Diagnostic> {
    // SAFETY: LLVM emitted the object from a verified module, for this machine, with a packed wrapper for each of the
    // named functions.
    unsafe { Jit::load(&[&compiled.code], compiled.functions.clone(), options) }
}
