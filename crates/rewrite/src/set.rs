//! Pattern sets, and frozen sets for drivers.

use crate::pattern::{OnOp, WithBenefit};
use crate::{Matched, NoMatch, Pattern, Rewriter, Root};
use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_ir::{Context, OpDef, OpKind};
use smallvec::SmallVec;
use std::sync::Arc;

/// A set of patterns.
#[derive(Clone, Default)]
pub struct PatternSet {
    patterns: Vec<Arc<dyn Pattern>>,
}

/// Enables and disables patterns of a set by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PatternFilter {
    /// If not empty, only these patterns are enabled.
    pub enabled: Vec<String>,
    /// The disabled patterns.
    pub disabled: Vec<String>,
}

impl PatternSet {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pattern.
    pub fn add(&mut self, pattern: impl Pattern + 'static) -> &mut Self {
        self.patterns.push(Arc::new(pattern));
        self
    }

    /// Adds a function on operations of one kind as a pattern with benefit 1.
    pub fn on<O: OpDef + 'static>(
        &mut self,
        name: &'static str,
        rewrite: fn(O, &mut Rewriter<'_>) -> Result<Matched, NoMatch>,
    ) -> &mut Self {
        self.on_with_benefit(name, 1, rewrite)
    }

    /// Adds a function on operations of one kind as a pattern.
    pub fn on_with_benefit<O: OpDef + 'static>(
        &mut self,
        name: &'static str,
        benefit: u16,
        rewrite: fn(O, &mut Rewriter<'_>) -> Result<Matched, NoMatch>,
    ) -> &mut Self {
        self.add(OnOp { name, benefit, rewrite })
    }

    /// Adds patterns with another benefit than their own, such as one that takes precedence over another pattern for the same
    /// operations. Their names end in the benefit: `convert-fixed.add-2`.
    pub fn with_benefit(&mut self, benefit: u16, add: impl FnOnce(&mut PatternSet)) -> &mut Self {
        let mut added = PatternSet::new();
        add(&mut added);
        for pattern in added.patterns {
            let name = format!("{}-{benefit}", pattern.name());
            self.add(WithBenefit { name, benefit, pattern });
        }
        self
    }

    /// The names of all patterns, in order of insertion.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.patterns.iter().map(|pattern| pattern.name())
    }

    /// Freezes the enabled patterns, indexed by the kind of their root. Patterns on operations that are not loaded
    /// are dropped.
    ///
    /// # Errors
    /// Two patterns have the same name, or the filter contains an unknown name.
    pub fn freeze(&self, ctx: &Context, filter: &PatternFilter) -> Result<FrozenPatterns, Diagnostics> {
        self.check(filter)?;
        let named =
            |names: &[String], pattern: &Arc<dyn Pattern>| names.iter().any(|name| name == pattern.name());
        let chosen = self.patterns.iter().filter(|pattern| {
            (filter.enabled.is_empty() || named(&filter.enabled, pattern))
                && !named(&filter.disabled, pattern)
        });
        let mut patterns: Vec<Arc<dyn Pattern>> = chosen.cloned().collect();
        patterns.sort_by(|a, b| b.benefit().cmp(&a.benefit()).then_with(|| a.name().cmp(b.name())));
        let mut by_kind: Vec<PatternNumbers> =
            ctx.registered_kinds().map(|_| PatternNumbers::new()).collect();
        let mut others = PatternNumbers::new();
        for (number, pattern) in (0u32..).zip(&patterns) {
            match pattern.root() {
                Root::Ops(names) => {
                    let kinds = names.iter().filter_map(|name| ctx.registered_kind(name));
                    kinds.for_each(|kind| by_kind[kind.index()].push(number));
                }
                Root::Trait(traits) => {
                    let kinds = ctx.registered_kinds();
                    let kinds =
                        kinds.filter(|&kind| ctx.info(kind).is_some_and(|info| info.traits.has(traits)));
                    kinds.for_each(|kind| by_kind[kind.index()].push(number));
                }
                Root::Kinds(has) => {
                    let kinds = ctx.registered_kinds().filter(|&kind| has(ctx, kind));
                    kinds.for_each(|kind| by_kind[kind.index()].push(number));
                }
                Root::Any => {
                    by_kind.iter_mut().for_each(|numbers| numbers.push(number));
                    others.push(number);
                }
            }
        }
        Ok(FrozenPatterns { patterns, by_kind, others })
    }

    fn check(&self, filter: &PatternFilter) -> Result<(), Diagnostics> {
        let mut wrong = Diagnostics::new();
        let mut names: Vec<&str> = self.names().collect();
        names.sort_unstable();
        for pair in names.windows(2).filter(|pair| pair[0] == pair[1]) {
            wrong.push(Diagnostic::error(format!("two patterns are named '{}'", pair[0])));
        }
        for name in filter.enabled.iter().chain(&filter.disabled) {
            if names.binary_search(&name.as_str()).is_err() {
                let message = format!("'{name}' does not refer to a pattern");
                wrong.push(Diagnostic::error(message).did_you_mean(nearest(name, names.iter().copied())));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}

/// Indices in [`FrozenPatterns`].
type PatternNumbers = SmallVec<[u32; 4]>;

/// Patterns indexed by the kind of their root, sorted by descending benefit and then by name. Can be shared between
/// threads.
#[derive(Clone)]
pub struct FrozenPatterns {
    patterns: Vec<Arc<dyn Pattern>>,
    by_kind: Vec<PatternNumbers>,
    /// The patterns for unregistered operations.
    others: PatternNumbers,
}

impl FrozenPatterns {
    /// The indices of the patterns for a kind of operation, in the order in which they are tried.
    #[inline]
    pub fn of(&self, kind: OpKind) -> &[u32] {
        self.by_kind.get(kind.index()).unwrap_or(&self.others)
    }

    /// The pattern with this index.
    ///
    /// # Panics
    /// Panics if the index is out of range.
    #[inline]
    pub fn pattern(&self, number: u32) -> &dyn Pattern {
        &*self.patterns[number as usize]
    }

    /// The number of patterns.
    pub fn len(&self) -> usize {
        self.patterns.len()
    }

    /// Whether there are no patterns.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// All patterns, by index.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Pattern> {
        self.patterns.iter().map(|pattern| &**pattern)
    }
}
