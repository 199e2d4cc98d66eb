//! Patterns that lower structured control flow to branches.

use crate::{ConversionTarget, PatternSet};
use minoan_ir::service;

/// Lowering of structured operations to branches between blocks. Queried by `convert-scf-to-cf`, per dialect. Default:
/// the operations are kept.
pub trait ToBranches: Send + Sync {
    /// Adds the patterns, and marks the operations that must be lowered as illegal.
    fn add_patterns(&self, patterns: &mut PatternSet, target: &mut ConversionTarget);
}
service!(dyn ToBranches, "ToBranches", Optional);
