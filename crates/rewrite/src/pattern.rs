//! Rewrite patterns.

use crate::Rewriter;
use minoan_ir::{Context, Op, OpDef, OpKind, Traits};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A rewrite of an operation and its surroundings.
///
/// A pattern matches first and edits afterwards: when it returns [`NoMatch`], it must not have changed anything. It
/// must edit through the [`Rewriter`] only, so that the driver is notified.
pub trait Pattern: Send + Sync {
    /// The name in logs, statistics and options; unique within a set.
    fn name(&self) -> &str;
    /// The operations on which it is tried.
    fn root(&self) -> Root;
    /// Patterns with a higher benefit are tried first.
    fn benefit(&self) -> u16 {
        1
    }
    /// The names of operations that it may create.
    fn generated(&self) -> &[&'static str] {
        &[]
    }
    /// Matches and rewrites an operation.
    ///
    /// # Errors
    /// The reason why it does not apply.
    fn rewrite(&self, op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch>;
}

/// The root of a pattern.
#[derive(Clone, Debug)]
pub enum Root {
    /// Operations with these names.
    Ops(Cow<'static, [&'static str]>),
    /// Operations with all of these traits.
    Trait(Traits),
    /// Operations of the kinds for which a predicate holds, such as those that implement a service.
    Kinds(fn(&Context, OpKind) -> bool),
    /// Every operation.
    Any,
}

impl Root {
    /// Operations of one kind.
    pub fn of<O: OpDef>() -> Root {
        Root::Ops(Cow::Owned(vec![O::SPEC.name]))
    }
}

/// The pattern has been applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Matched;

/// The pattern does not apply: with a reason for the log, or with an error message.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NoMatch {
    reason: Option<Cow<'static, str>>,
    is_error: bool,
}

impl NoMatch {
    /// No reason.
    pub const SILENT: NoMatch = NoMatch { reason: None, is_error: false };

    /// Creates a failure with a reason. See [`Rewriter::no_match`] for formatted reasons.
    pub fn because(reason: impl Into<Cow<'static, str>>) -> NoMatch {
        NoMatch { reason: Some(reason.into()), is_error: false }
    }

    /// Creates a failure with an error message. A conversion that must convert the operation reports this message instead of
    /// `failed to legalize operation`, unless another pattern applies.
    pub fn error(message: impl Into<Cow<'static, str>>) -> NoMatch {
        NoMatch { reason: Some(message.into()), is_error: true }
    }

    /// The reason.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// Whether the reason is the message of an error.
    pub fn is_error(&self) -> bool {
        self.is_error
    }
}

impl fmt::Display for NoMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason().unwrap_or("no match"))
    }
}

/// A pattern defined by a function on operations of one kind, created by [`PatternSet::on`](crate::PatternSet::on).
pub(crate) struct OnOp<O: OpDef> {
    pub(crate) name: &'static str,
    pub(crate) benefit: u16,
    pub(crate) rewrite: fn(O, &mut Rewriter<'_>) -> Result<Matched, NoMatch>,
}

impl<O: OpDef> Pattern for OnOp<O> {
    fn name(&self) -> &str {
        self.name
    }

    fn root(&self) -> Root {
        Root::of::<O>()
    }

    fn benefit(&self) -> u16 {
        self.benefit
    }

    fn rewrite(&self, op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
        (self.rewrite)(O::from_op_unchecked(op), rewriter)
    }
}

/// A pattern with another benefit, created by [`PatternSet::with_benefit`](crate::PatternSet::with_benefit).
pub(crate) struct WithBenefit {
    pub(crate) name: String,
    pub(crate) benefit: u16,
    pub(crate) pattern: Arc<dyn Pattern>,
}

impl Pattern for WithBenefit {
    fn name(&self) -> &str {
        &self.name
    }

    fn root(&self) -> Root {
        self.pattern.root()
    }

    fn benefit(&self) -> u16 {
        self.benefit
    }

    fn generated(&self) -> &[&'static str] {
        self.pattern.generated()
    }

    fn rewrite(&self, op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
        self.pattern.rewrite(op, rewriter)
    }
}
