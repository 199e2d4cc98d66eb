//! Objects linked into this process by LLVM's ORC JIT.

use crate::call::{self, CallError};
use crate::error::{check, llvm_error};
use crate::target::initialise;
use crate::{Function, Value};
use inkwell::llvm_sys::core::LLVMCreateMemoryBufferWithMemoryRangeCopy;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use inkwell::llvm_sys::orc2::lljit::{
    LLVMOrcCreateLLJIT, LLVMOrcCreateLLJITBuilder, LLVMOrcDisposeLLJIT, LLVMOrcLLJITAddObjectFile,
    LLVMOrcLLJITGetExecutionSession, LLVMOrcLLJITGetMainJITDylib, LLVMOrcLLJITLookup,
    LLVMOrcLLJITMangleAndIntern, LLVMOrcLLJITRef,
};
use inkwell::llvm_sys::orc2::{
    LLVMJITEvaluatedSymbol, LLVMJITSymbolFlags, LLVMJITSymbolGenericFlags, LLVMOrcAbsoluteSymbols,
    LLVMOrcCSymbolMapPair, LLVMOrcExecutionSessionSetErrorReporter, LLVMOrcJITDylibDefine,
};
use minoan_diag::Diagnostic;
use minoan_runtime::StackLimit;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_void};
use std::sync::{Mutex, PoisonError};

/// How to load and run.
#[derive(Clone, Debug, Default)]
pub struct JitOptions {
    /// The stack that functions run on.
    pub stack: StackLimit,
    /// Functions of this process that objects may call besides the runtime's, the C library's and the
    /// mathematical library's: names and addresses.
    pub symbols: Vec<(String, usize)>,
}

/// A packed wrapper: takes a pointer to the slots.
pub type PackedFunction = extern "C" fn(*mut c_void);

/// Code in this process. Functions may be called from several threads at once.
pub struct Jit {
    engine: LLVMOrcLLJITRef,
    functions: HashMap<String, (Function, PackedFunction)>,
    options: JitOptions,
    /// What the session reports on the side; it holds a pointer to this.
    reports: Box<Reports>,
}

type Reports = Mutex<Vec<String>>;

// SAFETY: ORC's session and LLJIT lock for themselves; the code itself is immutable.
unsafe impl Send for Jit {}
// SAFETY: as above.
unsafe impl Sync for Jit {}

impl Jit {
    /// Links objects into this process, and finds the packed wrappers of `functions` in them.
    ///
    /// # Errors
    /// What the linker reports, such as symbols that nobody defines.
    ///
    /// # Safety
    /// Each of `functions` is sound to call with any arguments of its signature (its module came verified out of
    /// this compiler, say). Array results are views of arguments or of constants, or blocks from the runtime's
    /// allocator, each belonging to the caller. Addresses of `options.symbols` are functions of the type that
    /// the objects expect.
    pub unsafe fn load(
        objects: &[&[u8]],
        functions: Vec<Function>,
        options: &JitOptions,
    ) -> Result<Self, Diagnostic> {
        initialise()?;
        let mut engine = std::ptr::null_mut();
        // SAFETY: the builder is consumed by the call that makes the engine.
        unsafe {
            check("cannot start the JIT", LLVMOrcCreateLLJIT(&raw mut engine, LLVMOrcCreateLLJITBuilder()))?;
        }
        let reports = Box::new(Reports::default());
        // From here on, dropping `jit` disposes of the engine.
        let mut jit = Self { engine, functions: HashMap::new(), options: options.clone(), reports };
        let context: *const Reports = &raw const *jit.reports;
        // SAFETY: the engine lives; the reports are dropped after it.
        unsafe {
            let session = LLVMOrcLLJITGetExecutionSession(engine);
            LLVMOrcExecutionSessionSetErrorReporter(session, collect, context.cast_mut().cast());
        }
        jit.define_symbols()?;
        for object in objects {
            jit.add(object)?;
        }
        for function in functions {
            let address = jit.address(&function.packed_name())?;
            // SAFETY: the symbol is a packed wrapper, by the caller's promise.
            let wrapper = unsafe { std::mem::transmute::<usize, PackedFunction>(address) };
            jit.functions.insert(function.name.clone(), (function, wrapper));
        }
        Ok(jit)
    }

    /// Calls a function. Arrays are passed by reference: the function may write into them.
    ///
    /// The call runs on the runtime's big stack. Its output goes where the runtime's output of this thread
    /// goes (see `minoan_runtime::with_output`), and is not flushed.
    ///
    /// # Errors
    /// Arguments that do not fit, or a fault of the program; the JIT can be used on after both.
    pub fn call(&self, name: &str, arguments: &mut [Value]) -> Result<Vec<Value>, CallError> {
        let Some((function, wrapper)) = self.functions.get(name) else {
            let names = self.functions.keys().map(String::as_str);
            let nearest = minoan_diag::nearest(name, names);
            let error = Diagnostic::error(format!("there is no function '{name}' to call"));
            return Err(CallError::Mismatch(error.did_you_mean(nearest)));
        };
        // SAFETY: promised to `load`.
        unsafe { call::call(*wrapper, function, arguments, self.options.stack) }
    }

    /// The functions that can be called.
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.functions.values().map(|(function, _)| function)
    }

    /// The packed wrapper of a function, for callers that keep arguments in slots of their own. To run it on the
    /// big stack use `minoan_runtime::call_guarded`.
    pub fn packed(&self, name: &str) -> Option<PackedFunction> {
        self.functions.get(name).map(|&(_, wrapper)| wrapper)
    }

    /// The address of a symbol in the objects or the runtime.
    ///
    /// # Errors
    /// When there is none, or code that it needs cannot be linked.
    pub fn address(&self, symbol: &str) -> Result<usize, Diagnostic> {
        let name = c_string(symbol)?;
        let mut address = 0;
        // SAFETY: the engine lives and the name is a C string.
        let outcome =
            unsafe { check("cannot link", LLVMOrcLLJITLookup(self.engine, &raw mut address, name.as_ptr())) };
        let reports = std::mem::take(&mut *self.reports.lock().unwrap_or_else(PoisonError::into_inner));
        match outcome {
            Ok(()) => Ok(address as usize),
            Err(error) => Err(reports.into_iter().fold(error, |error, report| error.note(report))),
        }
    }

    fn define_symbols(&self) -> Result<(), Diagnostic> {
        let runtime = minoan_runtime::symbols();
        let runtime = runtime.iter().map(|symbol| (symbol.name, symbol.address));
        let extra = self.options.symbols.iter().map(|(name, address)| (name.as_str(), *address));
        let mut addresses: HashMap<&str, usize> = runtime.collect();
        addresses.extend(extra);
        let mut pairs = Vec::new();
        for (name, address) in addresses {
            let name = c_string(name)?;
            // SAFETY: the engine lives and the name is a C string; the entry's count goes into the pair.
            let name = unsafe { LLVMOrcLLJITMangleAndIntern(self.engine, name.as_ptr()) };
            let flags = LLVMJITSymbolFlags {
                GenericFlags: LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8
                    | LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsCallable as u8,
                TargetFlags: 0,
            };
            let symbol = LLVMJITEvaluatedSymbol { Address: address as u64, Flags: flags };
            pairs.push(LLVMOrcCSymbolMapPair { Name: name, Sym: symbol });
        }
        // SAFETY: the pairs are read during the call; `Define` takes the unit over.
        unsafe {
            let unit = LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
            let library = LLVMOrcLLJITGetMainJITDylib(self.engine);
            check("cannot define the runtime's symbols", LLVMOrcJITDylibDefine(library, unit))
        }
    }

    fn add(&self, object: &[u8]) -> Result<(), Diagnostic> {
        // SAFETY: the bytes are copied into the buffer, which the engine takes over.
        unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                object.as_ptr().cast(),
                object.len(),
                c"minoan".as_ptr(),
            );
            let library = LLVMOrcLLJITGetMainJITDylib(self.engine);
            check("cannot load an object", LLVMOrcLLJITAddObjectFile(self.engine, library, buffer))
        }
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        // SAFETY: the engine is disposed of once; nobody runs its code, for that would borrow `self`. An error
        // while unmapping leaves memory mapped, which harms nobody.
        let _outcome = unsafe { check("cannot unload", LLVMOrcDisposeLLJIT(self.engine)) };
    }
}

impl std::fmt::Debug for Jit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut names: Vec<_> = self.functions.keys().collect();
        names.sort();
        f.debug_struct("Jit").field("functions", &names).finish_non_exhaustive()
    }
}

fn c_string(name: &str) -> Result<CString, Diagnostic> {
    CString::new(name).map_err(|error| llvm_error("not a symbol name", error))
}

/// Keeps what the session would print.
extern "C" fn collect(context: *mut c_void, error: LLVMErrorRef) {
    // SAFETY: the context is the `Reports` of the engine; the error is consumed here.
    unsafe {
        let reports = &*context.cast::<Reports>();
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        reports.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }
}
