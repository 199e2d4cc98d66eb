//! Conversion of MLIR's diagnostics.

use crate::Backend;
use melior::diagnostic::{Diagnostic as MlirDiagnostic, DiagnosticSeverity};
use melior::ir::Location;
use minoan_diag::{Diagnostic, Diagnostics, LineCol, Place, Severity};
use std::cell::RefCell;
use std::rc::Rc;

impl Backend {
    /// Runs `f`; on failure, returns the diagnostics that MLIR emitted, or `otherwise` if it emitted none.
    pub(crate) fn checked<R>(
        &self,
        otherwise: &str,
        f: impl FnOnce() -> Option<R>,
    ) -> Result<R, Diagnostics> {
        let (result, mut said) = self.collect(f);
        result.ok_or_else(|| {
            if !said.has_errors() {
                said.push(Diagnostic::error(otherwise));
            }
            said
        })
    }

    /// Runs `f` and returns the diagnostics that MLIR emitted.
    pub fn collect<R>(&self, f: impl FnOnce() -> R) -> (R, Diagnostics) {
        let said = Rc::new(RefCell::new(Diagnostics::new()));
        let sink = said.clone();
        let handler = self.context().attach_diagnostic_handler(move |diagnostic| {
            sink.borrow_mut().push(convert(&diagnostic));
            true
        });
        let result = f();
        self.context().detach_diagnostic_handler(handler);
        (result, said.take())
    }
}

fn convert(diagnostic: &MlirDiagnostic<'_>) -> Diagnostic {
    let severity = match diagnostic.severity() {
        DiagnosticSeverity::Error => Severity::Error,
        DiagnosticSeverity::Warning => Severity::Warning,
        DiagnosticSeverity::Remark => Severity::Remark,
        DiagnosticSeverity::Note => Severity::Note,
    };
    let mut result = Diagnostic::new(severity, diagnostic.to_string()).at(place(diagnostic.location()));
    for index in 0..diagnostic.note_count() {
        if let Ok(note) = diagnostic.note(index) {
            result.notes.push(convert(&note));
        }
    }
    result
}

/// The file position of a location: the innermost of a call chain, the first of a fused location.
pub(crate) fn place(location: Location<'_>) -> Place {
    let mut pending = vec![location];
    while let Some(location) = pending.pop() {
        if location.is_file_line_col_range() {
            let name = location.file_line_col_range_filename();
            let at = LineCol {
                line: location.file_line_col_range_start_line() as u32,
                column: location.file_line_col_range_start_column() as u32,
            };
            return Place::Point(name.as_string_ref().as_str().unwrap_or("?").into(), at);
        } else if location.is_name() {
            pending.push(location.name_child_location());
        } else if location.is_call_site() {
            pending.push(location.call_site_caller());
            pending.push(location.call_site_callee());
        } else if location.is_fused() {
            let parts = 0..location.fused_num_locations();
            pending.extend(parts.rev().map(|index| location.fused_location(index)));
        }
    }
    Place::Unknown
}
