//! Compilation of functions to machine code.

use crate::Failure;
use crate::call::Loaded;
use crate::mlir::{CompileOptions, Compiled, Entries};
use crate::opt::progress::Progress;
use crate::session::{Entry, Options, Session, Stage, public_symbols};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Module, SymbolTable, Type, TypeData};
use minoan_llvm::{JitOptions, Output, Target, TargetOptions};
use minoan_passes::apply_patterns::{ApplyPatterns, ApplyPatternsOptions};
use minoan_passes::convert_scf_to_cf::ConvertScfToCf;
use minoan_passes::count_memory::CountMemory;
use minoan_passes::expand_counts::ExpandCounts;
use minoan_passes::take_destinations::{TakeDestinations, TakeDestinationsOptions, copy_name};
use minoan_runtime::StackLimit;
use minoan_services::{Datum, function_types};
use std::collections::BTreeSet;

impl Session {
    pub(crate) fn jit(&self, entry: &Entry, args: &[Datum]) -> Result<Vec<Datum>, Failure> {
        self.load(entry)?.call_checked(&entry.symbol, args)
    }

    /// Compiles a function to be called many times. The other public functions of its module can be called, too.
    ///
    /// # Errors
    /// Errors of the passes, MLIR and LLVM; the function is declared, but not defined.
    pub fn load(&self, entry: &Entry) -> Result<Loaded, Failure> {
        self.check_linked(&entry.module)?;
        Self::link_in_process(entry, self.compile(&entry.module, &Entries::Jit, Output::Object)?)
    }

    /// Compiles a function to be called with memory of the caller for its tensor results, by [`Loaded::call_into`].
    ///
    /// # Errors
    /// As [`Session::load`].
    pub fn load_into(&self, entry: &Entry) -> Result<Loaded, Failure> {
        self.check_linked(&entry.module)?;
        let mut module = entry.module.clone();
        self.advance(&mut module, Stage::Buffers)?;
        let options = TakeDestinationsOptions { functions: vec![entry.symbol.clone()], copies: false };
        self.run_pass(&mut module, TakeDestinations { options })?;
        let options = CompileOptions { output: Output::Object, ..CompileOptions::default() };
        Self::link_in_process(entry, self.compile_buffers(module, &Entries::Jit, &options)?)
    }

    fn link_in_process(entry: &Entry, mut compiled: Compiled) -> Result<Loaded, Failure> {
        for function in &mut compiled.functions {
            function.read_only = read_only(&entry.module, &function.name);
        }
        let jit = minoan_mlir::load(&compiled, &JitOptions::default()).map_err(Diagnostics::from)?;
        Loaded::new(jit, entry)
    }

    /// Compiles a module in the shared dialects to an object, assembly, LLVM IR or bitcode.
    ///
    /// # Errors
    /// Errors of the passes, MLIR and LLVM.
    pub fn compile(&self, module: &Module, entries: &Entries, output: Output) -> Result<Compiled, Failure> {
        self.compile_with(module, entries, CompileOptions { output, ..CompileOptions::default() })
    }

    /// Compiles the public functions of a module in the shared dialects to the object of a library, which carries the
    /// [table](minoan_sip::table) of its functions and their signatures. Functions that return tensors also have a variant that
    /// writes them to memory of the caller. The [header](crate::header::header) with the same `prefix` declares them.
    ///
    /// # Errors
    /// Errors of the passes, MLIR and LLVM.
    pub fn compile_library(&self, module: &Module, prefix: &str) -> Result<Compiled, Failure> {
        let table = crate::signature::table(&crate::signature::of_module(module)?);
        let data = vec![(minoan_sip::table::SYMBOL.to_owned(), table)];
        let mut module = module.clone();
        self.advance(&mut module, Stage::Buffers)?;
        let own: BTreeSet<String> = public_symbols(&module).into_iter().map(str::to_owned).collect();
        let options = TakeDestinationsOptions { functions: Vec::new(), copies: true };
        self.run_pass(&mut module, TakeDestinations { options })?;
        let copies = own.iter().map(|name| (name.clone(), copy_name(name)));
        let copies = copies.filter(|(_, copy)| !own.contains(copy)).collect();
        let prefix = Some(prefix.to_owned());
        let options = CompileOptions { data, prefix, copies, ..CompileOptions::default() };
        self.compile_buffers(module, &Entries::Library, &options)
    }

    fn compile_with(
        &self,
        module: &Module,
        entries: &Entries,
        options: CompileOptions,
    ) -> Result<Compiled, Failure> {
        let mut module = module.clone();
        self.advance(&mut module, Stage::Buffers)?;
        self.compile_buffers(module, entries, &options)
    }

    /// Compiles a module on buffers.
    ///
    /// # Errors
    /// Errors of MLIR and LLVM.
    pub(crate) fn compile_buffers(
        &self,
        mut module: Module,
        entries: &Entries,
        options: &CompileOptions,
    ) -> Result<Compiled, Failure> {
        self.run_pass(&mut module, ExpandCounts)?;
        if minoan_runtime::is_checking() {
            self.run_pass(&mut module, CountMemory)?;
        }
        self.prepare_for_mlir(&mut module)?;
        let Options { cpu, .. } = &self.options;
        let target = Target::host(&TargetOptions { cpu: cpu.clone(), ..TargetOptions::default() })
            .map_err(Diagnostics::from)?;
        if *entries == Entries::Jit && options.output == Output::Object {
            target.check_runs_here().map_err(Diagnostics::from)?;
        }
        let compile = |backend: &minoan_mlir::Backend| {
            let progress = self.options.progress.then(Progress::new);
            progress.iter().for_each(|progress| progress.note("MLIR and LLVM"));
            let mut translated = backend.translate(&module)?;
            backend.verify(&translated)?;
            Ok(backend.compile(&mut translated, &target, entries, options)?)
        };
        on_large_stack(&module, || self.with_backend(compile))
    }

    /// Converts structured control flow to branches, because MLIR takes quadratic time and deep recursion for nested
    /// regions, and applies the patterns that dialects provide for this point. A module with structured control flow inside
    /// of other operations, such as `linalg.generic`, is not converted, because their regions must have one block; MLIR
    /// converts it later.
    fn prepare_for_mlir(&self, module: &mut Module) -> Result<(), Failure> {
        if minoan_passes::convert_scf_to_cf::applies(module) {
            self.run_pass(module, ConvertScfToCf)?;
        }
        let options = ApplyPatternsOptions { before_translation: true, ..ApplyPatternsOptions::default() };
        self.run_pass(module, ApplyPatterns { options })
    }

    /// Lowers a module on buffers to the `llvm` dialect, as text.
    ///
    /// # Errors
    /// Errors of MLIR.
    pub fn llvm_dialect(&self, module: &Module) -> Result<String, Failure> {
        self.llvm_dialect_text(module, false)
    }

    /// Like [`Session::llvm_dialect`], with or without locations.
    ///
    /// # Errors
    /// As [`Session::llvm_dialect`].
    pub(crate) fn llvm_dialect_text(&self, module: &Module, locations: bool) -> Result<String, Failure> {
        let mut module = module.clone();
        self.run_pass(&mut module, ExpandCounts)?;
        self.prepare_for_mlir(&mut module)?;
        let lower = |backend: &minoan_mlir::Backend| {
            let mut translated = backend.translate(&module)?;
            backend.verify(&translated)?;
            backend.lower_to_llvm_dialect(&mut translated, false)?;
            Ok(if locations {
                backend.text_with_locations(&translated)
            } else {
                translated.as_operation().to_string()
            })
        };
        on_large_stack(&module, || self.with_backend(lower))
    }
}

/// Stack for MLIR and LLVM, whose recursion follows the nesting of regions and the length of dependence chains.
const COMPILER_STACK: StackLimit = StackLimit(1 << 30);

/// Modules of more operations than this are compiled on the large stack.
const MAX_OPS_ON_STACK: usize = 2_000;

/// Compiles a module: a large one on a large stack, others on the stack of the calling thread.
fn on_large_stack<R>(module: &Module, run: impl FnOnce() -> Result<R, Failure>) -> Result<R, Failure> {
    if module.ops().take(MAX_OPS_ON_STACK + 1).count() <= MAX_OPS_ON_STACK {
        return run();
    }
    minoan_runtime::run_on_big_stack(COMPILER_STACK, run)
        .unwrap_or_else(|fault| Err(Diagnostic::error(fault.to_string()).into()))
}

/// For each argument of a function, whether the function never writes to it: tensors are values.
fn read_only(module: &Module, symbol: &str) -> Vec<bool> {
    let (ctx, body) = (module.context(), module.body());
    let function = SymbolTable::of(body).get(ctx.name(symbol));
    let types = function.and_then(|function| function_types(body.op(function)));
    let is_tensor = |ty: &Type| matches!(ty.data(ctx), TypeData::RankedTensor { .. });
    types.map_or_else(Vec::new, |(inputs, _)| inputs.iter().map(is_tensor).collect())
}
