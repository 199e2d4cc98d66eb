//! From a front end's dialect to the shared ones.

use minoan_diag::Diagnostics;
use minoan_ir::{Module, service};

/// A module without the operations of the dialect that answers. Asked by the lowering pass, dialect by dialect;
/// without an answer a dialect's operations stay.
pub trait Lower: Send + Sync {
    /// Whether the module has operations of this dialect that can be lowered.
    fn applies(&self, module: &Module) -> bool;
    /// The module in shared dialects.
    ///
    /// # Errors
    /// What cannot be lowered, at its location.
    fn lower(&self, module: &Module) -> Result<Module, Diagnostics>;
}
service!(dyn Lower, "Lower", Optional);
