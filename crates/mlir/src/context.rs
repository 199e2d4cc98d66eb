//! The MLIR context, and parsing of modules.

use crate::registration;
use melior::Context;
use melior::StringRef;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use minoan_diag::{Diagnostic, Diagnostics};
use mlir_sys::{
    mlirModuleFromOperation, mlirOperationCreateParse, mlirOperationDestroy, mlirOperationVerify,
};

/// An MLIR context with the upstream dialects that the back end takes, and the passes of [`PIPELINE`](crate::PIPELINE).
/// Works on one thread.
#[derive(Debug)]
pub struct Backend {
    context: Context,
}

// SAFETY: an MLIR context is not bound to a thread; it must not be used by two at once. A backend owns its context, modules
// borrow from the backend, and diagnostic handlers live during one call, so nothing of it is left on another thread.
unsafe impl Send for Backend {}

impl Default for Backend {
    fn default() -> Self {
        Self::new()
    }
}

impl Backend {
    /// A new context; takes a few milliseconds.
    pub fn new() -> Self {
        let registry = DialectRegistry::new();
        registration::dialects(&registry);
        registration::passes();
        let context = Context::new_with_registry(&registry, false);
        context.load_all_available_dialects();
        registration::translations(&context);
        Self { context }
    }

    /// The context, for building modules.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Parses and verifies a module; `name` is the file name in diagnostics.
    ///
    /// # Errors
    /// The errors of MLIR's parser and verifier.
    pub fn parse(&self, text: &str, name: &str) -> Result<Module<'_>, Diagnostics> {
        let module = self.checked("MLIR could not parse the module", || {
            // SAFETY: the strings outlive the call; an operation that is not a module is destroyed here, and one that
            // is belongs to the module.
            unsafe {
                let (text, name) = (StringRef::new(text).to_raw(), StringRef::new(name).to_raw());
                let operation = mlirOperationCreateParse(self.context.to_raw(), text, name);
                if operation.ptr.is_null() {
                    return None;
                }
                let module = mlirModuleFromOperation(operation);
                if module.ptr.is_null() {
                    mlirOperationDestroy(operation);
                    return Some(None);
                }
                Some(Some(Module::from_raw(module)))
            }
        })?;
        module.ok_or_else(|| Diagnostic::error(format!("'{name}' holds no module")).into())
    }

    /// Verifies a module.
    ///
    /// # Errors
    /// The errors of MLIR's verifier.
    pub fn verify(&self, module: &Module<'_>) -> Result<(), Diagnostics> {
        self.checked("MLIR found the module invalid", || {
            // SAFETY: the module is alive.
            unsafe { mlirOperationVerify(module.as_operation().to_raw()) }.then_some(())
        })
    }
}
