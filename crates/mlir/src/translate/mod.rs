//! Translation of Minoan modules to MLIR modules.
//!
//! One file per kind of entity: types, attributes, locations, operations. The service [`ToMlir`] of a dialect
//! determines the equivalents of its operations, types and attributes, so dialects need no code here. Types and
//! attributes are translated once each. The translation does not go through text, except for types and attributes of dialects
//! that have no other representation in the C API.

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
use std::collections::BTreeMap;

/// The translated entities, indexed by their ids in Minoan's context.
pub(crate) struct Translator<'m> {
    ir: minoan_ir::Context,
    mlir: MlirContext,
    types: Vec<Option<MlirType>>,
    attrs: Vec<Option<MlirAttribute>>,
    names: FxHashMap<minoan_ir::Name, MlirIdentifier>,
    /// The functions that sequences call, with their types.
    called: BTreeMap<String, minoan_ir::Type>,
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
        // SAFETY: the context is alive, and the text outlives the call.
        *self
            .names
            .entry(name)
            .or_insert_with(|| unsafe { mlirIdentifierGet(mlir, string_ref(name.as_str(ir).as_bytes())) })
    }
}

impl Backend {
    /// Translates a module, without verification.
    ///
    /// # Errors
    /// Each operation, type or attribute without an equivalent in MLIR, at its location: according to [`ToMlir`], or
    /// since MLIR does not know its name.
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
            called: BTreeMap::new(),
            errors: Diagnostics::new(),
            _backend: std::marker::PhantomData,
        };
        self.checked("MLIR could not take the module", || {
            let operation = translator.top(module);
            if translator.errors.has_errors() {
                if !operation.ptr.is_null() {
                    // SAFETY: the operation was created here and has no owner yet.
                    unsafe { mlirOperationDestroy(operation) };
                }
                return Some(Err(std::mem::take(&mut translator.errors)));
            }
            // SAFETY: as above; the module takes ownership of its operation.
            let module = unsafe { mlirModuleFromOperation(operation) };
            if module.ptr.is_null() {
                // SAFETY: as above; ownership was not taken.
                unsafe { mlirOperationDestroy(operation) };
                return Some(Err(Diagnostic::error("the top-level operation is not a module").into()));
            }
            // SAFETY: the module is not null, and owned from here on.
            Some(Ok(unsafe { Module::from_raw(module) }))
        })?
    }
}
