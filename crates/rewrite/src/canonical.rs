//! Canonicalization patterns.

use crate::PatternSet;
use minoan_ir::{Context, service};

/// The canonicalization patterns of dialects and operations. Queried by `canonicalize`. Default: the operation is only
/// folded.
///
/// Patterns must converge: two patterns that undo each other do not terminate.
pub trait CanonicalPatterns: Send + Sync {
    /// Adds the patterns.
    fn add_patterns(&self, patterns: &mut PatternSet);
}
service!(dyn CanonicalPatterns, "CanonicalPatterns", Optional);

/// Implements the service by a function.
#[derive(Clone, Copy, Debug)]
pub struct AddPatterns(pub fn(&mut PatternSet));

impl CanonicalPatterns for AddPatterns {
    fn add_patterns(&self, patterns: &mut PatternSet) {
        (self.0)(patterns);
    }
}

/// The canonicalization patterns of all loaded dialects and operations.
pub fn canonical_patterns(ctx: &Context) -> PatternSet {
    let mut patterns = PatternSet::new();
    for dialect in ctx.dialects() {
        let own = dialect.service::<dyn CanonicalPatterns>();
        if let Some(service) = own {
            service.add_patterns(&mut patterns);
        }
        for &kind in dialect.ops() {
            // An operation without an implementation returns that of its dialect.
            let service = ctx.service::<dyn CanonicalPatterns>(kind);
            if let Some(service) =
                service.filter(|&service| !own.is_some_and(|own| std::ptr::addr_eq(own, service)))
            {
                service.add_patterns(&mut patterns);
            }
        }
    }
    patterns
}
