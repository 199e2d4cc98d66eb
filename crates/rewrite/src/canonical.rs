//! The patterns that bring operations into the form that passes expect.

use crate::PatternSet;
use minoan_ir::{Context, service};

/// Patterns of canonicalization. Asked by `canonicalize`, of dialects and of operations; without an answer an operation
/// is only folded.
///
/// Every pattern must bring its operation nearer to one form: two patterns that undo each other never end.
pub trait CanonicalPatterns: Send + Sync {
    /// Adds them.
    fn add_patterns(&self, patterns: &mut PatternSet);
}
service!(dyn CanonicalPatterns, "CanonicalPatterns", Optional);

/// A function as an answer.
#[derive(Clone, Copy, Debug)]
pub struct AddPatterns(pub fn(&mut PatternSet));

impl CanonicalPatterns for AddPatterns {
    fn add_patterns(&self, patterns: &mut PatternSet) {
        (self.0)(patterns);
    }
}

/// The canonical patterns of all loaded dialects, and of all operations that answer for themselves.
pub fn canonical_patterns(ctx: &Context) -> PatternSet {
    let mut patterns = PatternSet::new();
    for dialect in ctx.dialects() {
        let own = dialect.service::<dyn CanonicalPatterns>();
        if let Some(service) = own {
            service.add_patterns(&mut patterns);
        }
        for &kind in dialect.ops() {
            // An operation that does not answer for itself gives its dialect's answer.
            let answer = ctx.service::<dyn CanonicalPatterns>(kind);
            if let Some(answer) =
                answer.filter(|&answer| !own.is_some_and(|own| std::ptr::addr_eq(own, answer)))
            {
                answer.add_patterns(&mut patterns);
            }
        }
    }
    patterns
}
