//! Statistics of the greedy driver.

use crate::FrozenPatterns;
use std::fmt;

/// The statistics of one pattern.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PatternStatistics {
    /// The name.
    pub name: String,
    /// The number of operations on which it was tried.
    pub tried: u64,
    /// The number of operations to which it was applied.
    pub applied: u64,
}

/// The statistics of a driver.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// The number of iterations, over all bodies.
    pub iterations: u64,
    /// Operations folded to values.
    pub folded: u64,
    /// Operations folded in place.
    pub folded_in_place: u64,
    /// Dead operations that were erased.
    pub dead: u64,
    /// Duplicate constants that were erased.
    pub duplicate_constants: u64,
    /// One entry per pattern, in the order in which they are tried.
    pub patterns: Vec<PatternStatistics>,
}

impl Statistics {
    pub(crate) fn new(patterns: &FrozenPatterns) -> Self {
        let named = |name: &str| PatternStatistics { name: name.to_owned(), ..PatternStatistics::default() };
        Self { patterns: patterns.iter().map(|pattern| named(pattern.name())).collect(), ..Self::default() }
    }

    /// Adds the statistics of another driver with the same patterns.
    pub fn merge(&mut self, other: &Statistics) {
        let Statistics { iterations, folded, folded_in_place, dead, duplicate_constants, patterns } = other;
        self.iterations += iterations;
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

/// Displays a table: the counts, then the applied patterns.
impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = [
            ("iterations", self.iterations),
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
