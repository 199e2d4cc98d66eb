//! Counts of what was done.

use crate::FrozenPatterns;
use std::fmt;

/// How often one pattern was tried, and applied.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PatternStatistics {
    /// Its name.
    pub name: String,
    /// Operations it was tried on.
    pub tried: u64,
    /// Operations it was applied to.
    pub applied: u64,
}

/// What a driver did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Rounds over all operations of a body, over all bodies.
    pub rounds: u64,
    /// Operations that folded to values.
    pub folded: u64,
    /// Operations that folding changed in place.
    pub folded_in_place: u64,
    /// Operations that were dead.
    pub dead: u64,
    /// Constants that there were already.
    pub duplicate_constants: u64,
    /// One entry a pattern, in the order in which they are tried.
    pub patterns: Vec<PatternStatistics>,
}

impl Statistics {
    pub(crate) fn new(patterns: &FrozenPatterns) -> Self {
        let named = |name: &str| PatternStatistics { name: name.to_owned(), ..PatternStatistics::default() };
        Self { patterns: patterns.iter().map(|pattern| named(pattern.name())).collect(), ..Self::default() }
    }

    /// Adds what another driver did with the same patterns.
    pub fn merge(&mut self, other: &Statistics) {
        let Statistics { rounds, folded, folded_in_place, dead, duplicate_constants, patterns } = other;
        self.rounds += rounds;
        self.folded += folded;
        self.folded_in_place += folded_in_place;
        self.dead += dead;
        self.duplicate_constants += duplicate_constants;
        if self.patterns.is_empty() {
            self.patterns.clone_from(patterns);
            return;
        }
        for (own, other) in self.patterns.iter_mut().zip(patterns) {
            own.tried += other.tried;
            own.applied += other.applied;
        }
    }
}

/// A table: the counts, then the patterns that were applied.
impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = [
            ("rounds", self.rounds),
            ("folded", self.folded),
            ("folded in place", self.folded_in_place),
            ("dead", self.dead),
            ("duplicate constants", self.duplicate_constants),
        ];
        for (name, count) in rows {
            writeln!(f, "{count:>10} {name}")?;
        }
        for pattern in self.patterns.iter().filter(|pattern| pattern.applied > 0) {
            writeln!(f, "{:>10} {} (of {} tried)", pattern.applied, pattern.name, pattern.tried)?;
        }
        Ok(())
    }
}
