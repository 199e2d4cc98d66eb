//! Lowering of front-end dialects to the shared dialects.

use minoan_diag::Diagnostics;
use minoan_ir::{Module, service};

/// Lowers the operations of a dialect. Queried by the lowering pass, for each dialect. Default: the operations are
/// kept.
pub trait Lower: Send + Sync {
    /// Whether the module has operations of this dialect to lower.
    fn applies(&self, module: &Module) -> bool;
    /// Lowers the module to shared dialects.
    ///
    /// # Errors
    /// The operations that cannot be lowered, at their locations.
    fn lower(&self, module: &Module) -> Result<Module, Diagnostics>;
}
service!(dyn Lower, "Lower", Optional);
