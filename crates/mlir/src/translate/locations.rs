//! Translation of locations.

use super::{Translator, string_ref};
use minoan_diag::Diagnostic;
use minoan_ir::{Loc, LocData};
use mlir_sys::{
    MlirAttribute, MlirLocation, mlirLocationCallSiteGet, mlirLocationFileLineColGet,
    mlirLocationFileLineColRangeGet, mlirLocationFusedGet, mlirLocationNameGet, mlirLocationUnknownGet,
};

impl Translator<'_> {
    /// Translates a location.
    pub(super) fn loc(&mut self, loc: Loc) -> MlirLocation {
        let (ir, mlir) = (self.ir.clone(), self.mlir);
        match loc.data(&ir) {
            // SAFETY: the context is alive.
            LocData::Unknown => unsafe { mlirLocationUnknownGet(mlir) },
            LocData::File { file, line, column } => {
                // SAFETY: the context is alive and the name outlives the call.
                unsafe {
                    mlirLocationFileLineColGet(mlir, string_ref(file.as_str(&ir).as_bytes()), line, column)
                }
            }
            LocData::Range { file, start, end } => {
                let file = string_ref(file.as_str(&ir).as_bytes());
                // SAFETY: as above.
                unsafe { mlirLocationFileLineColRangeGet(mlir, file, start.0, start.1, end.0, end.1) }
            }
            LocData::Named { name, child } => {
                let child = self.loc(child);
                // SAFETY: the child belongs to this context and the name outlives the call.
                unsafe { mlirLocationNameGet(mlir, string_ref(name.as_str(&ir).as_bytes()), child) }
            }
            LocData::CallSite { callee, caller } => {
                let (callee, caller) = (self.loc(callee), self.loc(caller));
                // SAFETY: both belong to this context.
                unsafe { mlirLocationCallSiteGet(callee, caller) }
            }
            LocData::Fused { parts, metadata } => {
                let parts: Vec<MlirLocation> = parts.iter().map(|&part| self.loc(part)).collect();
                let metadata =
                    metadata.map_or(MlirAttribute { ptr: std::ptr::null() }, |metadata| self.attr(metadata));
                // SAFETY: the pointer and length describe a live slice; no metadata is a null attribute.
                unsafe { mlirLocationFusedGet(mlir, parts.len() as isize, parts.as_ptr(), metadata) }
            }
        }
    }

    /// Records an error for the end of the translation.
    pub(super) fn report(&mut self, message: String, loc: Loc) {
        self.errors.push(Diagnostic::error(message).at(loc.place(&self.ir)));
    }
}
