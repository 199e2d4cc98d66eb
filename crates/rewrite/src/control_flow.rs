//! The patterns that make structured control flow branches.

use crate::{ConversionTarget, PatternSet};
use minoan_ir::service;

/// How structured operations become branches between blocks. Asked by `convert-scf-to-cf`, of dialects; without an answer
/// the operations of a dialect stay as they are.
pub trait ToBranches: Send + Sync {
    /// Adds the patterns, and says which operations must go.
    fn add_patterns(&self, patterns: &mut PatternSet, target: &mut ConversionTarget);
}
service!(dyn ToBranches, "ToBranches", Optional);
