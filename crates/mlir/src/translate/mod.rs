//! Modules of Minoan's own IR as modules of MLIR.
//!
//! One file per kind of thing: types, attributes, locations, operations. What an operation is in MLIR its dialect says, by the
//! service [`ToMlir`], and so for types and attributes of the dialect's own; so a dialect needs no code here to be
//! understood. Types and attributes are translated once each. Nothing goes through text, except types and attributes of
//! dialects, which have no other form in the C API.

mod attrs;
mod locations;
mod operations;
mod types;

use crate::Backend;
use melior::ir::Module;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_services::ToMlir;
use mlir_sys::{
    MlirAttribute, MlirContext, MlirIdentifier, MlirStringRef, MlirType, mlirIdentifierGet,
    mlirModuleFromOperation, mlirOperationDestroy,
};
use rustc_hash::FxHashMap;

/// What was translated already, by the dense numbers of Minoan's context.
pub(crate) struct Translator<'m> {
    ir: minoan_ir::Context,
    mlir: MlirContext,
    types: Vec<Option<MlirType>>,
    attrs: Vec<Option<MlirAttribute>>,
    names: FxHashMap<minoan_ir::Name, MlirIdentifier>,
    errors: Diagnostics,
    _backend: std::marker::PhantomData<&'m Backend>,
}

/// A string that MLIR reads during a call.
pub(crate) fn string_ref(text: &[u8]) -> MlirStringRef {
    MlirStringRef { data: text.as_ptr().cast(), length: text.len() }
}

impl Translator<'_> {
    fn name(&mut self, name: minoan_ir::Name) -> MlirIdentifier {
        let (ir, mlir) = (&self.ir, self.mlir);
        // SAFETY: the context lives, and the text outlives the call.
        *self
            .names
            .entry(name)
            .or_insert_with(|| unsafe { mlirIdentifierGet(mlir, string_ref(name.as_str(ir).as_bytes())) })
    }
}

impl Backend {
    /// The module in MLIR, not verified yet.
    ///
    /// # Errors
    /// Each operation, type or attribute that has no form in MLIR, at its location: those that [`ToMlir`] says, or those
    /// that MLIR does not know by the name that they are given.
    pub fn translate(&self, module: &minoan_ir::Module) -> Result<Module<'_>, Diagnostics> {
        let refused = <dyn ToMlir>::refused(module);
        if refused.has_errors() {
            return Err(refused);
        }
        let mut translator = Translator {
            ir: module.context().clone(),
            mlir: self.context().to_raw(),
            types: Vec::new(),
            attrs: Vec::new(),
            names: FxHashMap::default(),
            errors: Diagnostics::new(),
            _backend: std::marker::PhantomData,
        };
        self.checked("MLIR could not take the module", || {
            let operation = translator.top(module);
            if translator.errors.has_errors() {
                if !operation.ptr.is_null() {
                    // SAFETY: the operation was created here and belongs to nobody yet.
                    unsafe { mlirOperationDestroy(operation) };
                }
                return Some(Err(std::mem::take(&mut translator.errors)));
            }
            // SAFETY: as above; a module takes its operation over.
            let module = unsafe { mlirModuleFromOperation(operation) };
            if module.ptr.is_null() {
                // SAFETY: as above; nobody took it over.
                unsafe { mlirOperationDestroy(operation) };
                return Some(Err(Diagnostic::error("the top-level operation is not a module").into()));
            }
            // SAFETY: the module is not null, and is owned from here on.
            Some(Ok(unsafe { Module::from_raw(module) }))
        })?
    }
}
