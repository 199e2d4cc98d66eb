//! Patterns that lower structured control flow: to branches, and affine operations to loops.

use crate::{ConversionTarget, PatternSet};
use minoan_ir::service;

/// Lowering of structured operations to branches between blocks. Queried by `convert-scf-to-cf`, per dialect. Default:
/// the operations are kept.
pub trait ToBranches: Send + Sync {
    /// Adds the patterns, and marks the operations that must be lowered as illegal.
    fn add_patterns(&self, patterns: &mut PatternSet, target: &mut ConversionTarget);
}
service!(dyn ToBranches, "ToBranches", Optional);

/// Lowering of operations with affine maps to loops, conditionals and accesses whose bounds and indices are computed by
/// arithmetic. Queried by `lower-affine`, per dialect. Default: the operations are kept.
pub trait ToLoops: Send + Sync {
    /// Adds the patterns, and marks the operations that must be lowered as illegal.
    fn add_patterns(&self, patterns: &mut PatternSet, target: &mut ConversionTarget);
}
service!(dyn ToLoops, "ToLoops", Optional);
