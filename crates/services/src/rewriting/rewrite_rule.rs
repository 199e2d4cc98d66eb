//! Rewrite rules that are part of a program.

use minoan_ir::{OpRef, service};

/// Operations that are rewrite rules. Queried by `apply-rules`. Default: the operation is not a rule.
///
/// A rule owns its body, of two regions with one block each. The arguments of both blocks are the same variables; the
/// operand of the terminator of the first is the pattern, that of the second the replacement.
pub trait RewriteRule: Send + Sync {
    /// The name, for messages.
    fn name(&self, op: OpRef<'_>) -> String;

    /// The reason why the rule cannot be applied, if it cannot.
    fn ignored(&self, op: OpRef<'_>) -> Option<String>;
}
service!(dyn RewriteRule, "RewriteRule", Optional);
