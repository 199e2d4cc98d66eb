//! In-process execution of object files by LLVM's ORC JIT.

use crate::call::{self, CallError};
use crate::error::{check, llvm_error};
use crate::target::initialize;
use crate::{Argument, ArrayView, Function, Value};
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

/// The options for loading and running code.
#[derive(Clone, Debug, Default)]
pub struct JitOptions {
    /// The size of the stack that functions run on.
    pub stack: StackLimit,
    /// Functions of this process that objects may call, as names and addresses, in addition to those of the runtime,
    /// the C library and the math library.
    pub symbols: Vec<(String, usize)>,
}

/// A packed wrapper, which takes a pointer to the slots.
pub type PackedFunction = extern "C" fn(*mut c_void);

/// Loaded code. Functions may be called from several threads concurrently.
pub struct Jit {
    engine: LLVMOrcLLJITRef,
    functions: HashMap<String, (Function, PackedFunction)>,
    options: JitOptions,
    /// The reports of the session, which holds a pointer to them.
    reports: Box<Reports>,
}

type Reports = Mutex<Vec<String>>;

// SAFETY: ORC's session and LLJIT have internal locks; the code is immutable.
unsafe impl Send for Jit {}
// SAFETY: as above.
unsafe impl Sync for Jit {}

impl Jit {
    /// Links objects into this process and looks up the packed wrappers of `functions`.
    ///
    /// # Errors
    /// The errors of the linker, such as undefined symbols.
    ///
    /// # Safety
    /// Each of `functions` must be sound to call with any arguments of its signature (for example, since its module
    /// was verified by this compiler), and must not write to its read-only arguments. Array results must be views of arguments
    /// or of constants, or blocks of the runtime's allocator, each owned by the caller. The addresses of `options.symbols` must
    /// be functions of the types that the objects expect.
    pub unsafe fn load(
        objects: &[&[u8]],
        functions: Vec<Function>,
        options: &JitOptions,
    ) -> Result<Self, Diagnostic> {
        initialize()?;
        let mut engine = std::ptr::null_mut();
        // SAFETY: the builder is consumed by the call that creates the engine.
        unsafe {
            check("cannot start the JIT", LLVMOrcCreateLLJIT(&raw mut engine, LLVMOrcCreateLLJITBuilder()))?;
        }
        let reports = Box::new(Reports::default());
        // From here on, dropping `jit` disposes of the engine.
        let mut jit = Self { engine, functions: HashMap::new(), options: options.clone(), reports };
        let context: *const Reports = &raw const *jit.reports;
        // SAFETY: the engine is alive; the reports are dropped after it.
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
            // SAFETY: the symbol is a packed wrapper, as guaranteed by the caller.
            let wrapper = unsafe { std::mem::transmute::<usize, PackedFunction>(address) };
            jit.functions.insert(function.name.clone(), (function, wrapper));
        }
        Ok(jit)
    }

    /// Calls a function. Arrays are passed by reference: the function may write to them.
    ///
    /// The call runs on the runtime's large stack. Its output goes to the runtime's output of this thread (see
    /// `minoan_runtime::with_output`) and is not flushed.
    ///
    /// # Errors
    /// Arguments that do not match, or a fault of the program; the JIT remains usable after both.
    pub fn call(&self, name: &str, arguments: &mut [Value]) -> Result<Vec<Value>, CallError> {
        let (function, wrapper) = self.callable(name)?;
        // SAFETY: guaranteed by the caller of `load`.
        unsafe { call::call(wrapper, function, arguments, self.options.stack) }
    }

    /// Like [`Jit::call`], but arrays may stay those of the caller: see [`ArrayView`](crate::ArrayView).
    ///
    /// # Errors
    /// As for [`Jit::call`]; memory for a copy of an argument is exhausted.
    pub fn call_with(&self, name: &str, arguments: &mut [Argument<'_>]) -> Result<Vec<Value>, CallError> {
        let (function, wrapper) = self.callable(name)?;
        // SAFETY: guaranteed by the caller of `load`.
        unsafe { call::call_with(wrapper, function, arguments, self.options.stack) }
    }

    /// Like [`Jit::call_with`], for a function whose last arguments are destinations of its array results, one for each. A result
    /// that the function wrote to its destination is `None`; others are values of their own.
    ///
    /// The destinations are writable. After a fault their contents are unspecified.
    ///
    /// # Errors
    /// As for [`Jit::call_with`].
    pub fn call_into(
        &self,
        name: &str,
        arguments: Vec<Argument<'_>>,
        destinations: &mut [ArrayView<'_>],
    ) -> Result<Vec<Option<Value>>, CallError> {
        let (function, wrapper) = self.callable(name)?;
        // SAFETY: guaranteed by the caller of `load`; nothing else accesses what a writable view describes.
        unsafe { call::call_into(wrapper, function, arguments, destinations, self.options.stack) }
    }

    fn callable(&self, name: &str) -> Result<(&Function, PackedFunction), CallError> {
        let found = self.functions.get(name).map(|(function, wrapper)| (function, *wrapper));
        found.ok_or_else(|| {
            let names = self.functions.keys().map(String::as_str);
            let nearest = minoan_diag::nearest(name, names);
            let error = Diagnostic::error(format!("there is no function '{name}' to call"));
            CallError::Mismatch(error.did_you_mean(nearest))
        })
    }

    /// The callable functions.
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.functions.values().map(|(function, _)| function)
    }

    /// The callable function of a name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.get(name).map(|(function, _)| function)
    }

    /// The packed wrapper of a function, for callers that manage the slots themselves. Use
    /// `minoan_runtime::call_guarded` to run it on the large stack.
    pub fn packed(&self, name: &str) -> Option<PackedFunction> {
        self.functions.get(name).map(|&(_, wrapper)| wrapper)
    }

    /// The address of a symbol of the objects or the runtime.
    ///
    /// # Errors
    /// The symbol is undefined, or code that it depends on cannot be linked.
    pub fn address(&self, symbol: &str) -> Result<usize, Diagnostic> {
        let name = c_string(symbol)?;
        let mut address = 0;
        // SAFETY: the engine is alive and the name is a C string.
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
            // SAFETY: the engine is alive and the name is a C string; the pair takes over the entry's reference.
            let name = unsafe { LLVMOrcLLJITMangleAndIntern(self.engine, name.as_ptr()) };
            let flags = LLVMJITSymbolFlags {
                GenericFlags: LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8
                    | LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsCallable as u8,
                TargetFlags: 0,
            };
            let symbol = LLVMJITEvaluatedSymbol { Address: address as u64, Flags: flags };
            pairs.push(LLVMOrcCSymbolMapPair { Name: name, Sym: symbol });
        }
        // SAFETY: the pairs are read during the call; `Define` takes ownership of the unit.
        unsafe {
            let unit = LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
            let library = LLVMOrcLLJITGetMainJITDylib(self.engine);
            check("cannot define the runtime's symbols", LLVMOrcJITDylibDefine(library, unit))
        }
    }

    fn add(&self, object: &[u8]) -> Result<(), Diagnostic> {
        // SAFETY: the bytes are copied into the buffer, of which the engine takes ownership.
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
        // SAFETY: the engine is disposed of once; no code of it is running, since that would borrow `self`. If
        // unmapping fails, memory remains mapped, which is harmless.
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

/// Collects an error report of the session.
extern "C" fn collect(context: *mut c_void, error: LLVMErrorRef) {
    // SAFETY: the context is the engine's `Reports`; the error is consumed here.
    unsafe {
        let reports = &*context.cast::<Reports>();
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        reports.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }
}
