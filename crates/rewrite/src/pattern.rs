//! Patterns: what is looked for, and what it becomes.

use crate::Rewriter;
use minoan_ir::{Op, OpDef, Traits};
use std::borrow::Cow;
use std::fmt;

/// A rewrite of one operation and what is around it.
///
/// A pattern looks first and edits then: what gives [`NoMatch`] must not have changed anything. It edits through the
/// [`Rewriter`] only, so that whoever applies it knows what changed.
pub trait Pattern: Send + Sync {
    /// Its name in logs, statistics and options; unique within a set.
    fn name(&self) -> &str;
    /// The operations it is tried on.
    fn root(&self) -> Root;
    /// Patterns of a higher benefit are tried first.
    fn benefit(&self) -> u16 {
        1
    }
    /// Names of the operations that it may create.
    fn generated(&self) -> &[&'static str] {
        &[]
    }
    /// Rewrites an operation.
    ///
    /// # Errors
    /// Why it does not apply.
    fn rewrite(&self, op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch>;
}

/// What a pattern is tried on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Root {
    /// Operations of these names.
    Ops(Cow<'static, [&'static str]>),
    /// Operations with all of these traits.
    Trait(Traits),
    /// Every operation.
    Any,
}

impl Root {
    /// Operations of one kind.
    pub fn of<O: OpDef>() -> Root {
        Root::Ops(Cow::Owned(vec![O::SPEC.name]))
    }
}

/// The pattern applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Matched;

/// The pattern does not apply; with a reason, for the log.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NoMatch(Option<Cow<'static, str>>);

impl NoMatch {
    /// Without a reason.
    pub const SILENT: NoMatch = NoMatch(None);

    /// For a reason. See [`Rewriter::no_match`] for one that must be formatted.
    pub fn because(reason: impl Into<Cow<'static, str>>) -> NoMatch {
        NoMatch(Some(reason.into()))
    }

    /// The reason.
    pub fn reason(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl fmt::Display for NoMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason().unwrap_or("no match"))
    }
}

/// A pattern that is a function on operations of one kind; made by [`PatternSet::on`](crate::PatternSet::on).
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
