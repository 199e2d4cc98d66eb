//! Debug counters, which enable only a range of a pass's numbered actions in order to bisect a bug.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The set of debug counters and their limits: MLIR's `--mlir-debug-counter=name-skip=10,name-count=5`.
#[derive(Default, Debug)]
pub struct Counters {
    counters: BTreeMap<String, Counter>,
    /// The number of queries of counters without a limit, for the report.
    others: Option<Mutex<BTreeMap<String, u64>>>,
}

#[derive(Default, Debug)]
struct Counter {
    skip: u64,
    count: Option<u64>,
    seen: AtomicU64,
}

/// The error of a malformed counter argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CounterError {
    /// The text is not of the form `name=number`.
    Form(String),
    /// The name ends in neither `-skip` nor `-count`.
    Suffix(String),
    /// The value is not a number.
    Number(String),
}

impl std::fmt::Display for CounterError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CounterError::Form(text) => {
                write!(
                    f,
                    "expected DebugCounter argument to have an `=` separating the counter name and value, but the provided argument was: `{text}`"
                )
            }
            CounterError::Suffix(name) => {
                write!(
                    f,
                    "expected DebugCounter counter name to end with either `-skip` or `-count`, but got `{name}`"
                )
            }
            CounterError::Number(text) => {
                write!(f, "expected DebugCounter counter value to be numeric, but got `{text}`")
            }
        }
    }
}

impl std::error::Error for CounterError {}

impl Counters {
    /// Parses `name-skip=10,name-count=5`.
    ///
    /// # Errors
    /// The first malformed part.
    pub fn parse(text: &str) -> Result<Self, CounterError> {
        let mut counters = Counters::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, number) = part.split_once('=').ok_or_else(|| CounterError::Form(part.to_owned()))?;
            let number: u64 = number.parse().map_err(|_| CounterError::Number(number.to_owned()))?;
            if let Some(name) = name.strip_suffix("-skip") {
                counters.counters.entry(name.to_owned()).or_default().skip = number;
            } else if let Some(name) = name.strip_suffix("-count") {
                counters.counters.entry(name.to_owned()).or_default().count = Some(number);
            } else {
                return Err(CounterError::Suffix(name.to_owned()));
            }
        }
        Ok(counters)
    }

    /// Also counts queries of counters without a limit, so that the report lists all counters.
    #[must_use]
    pub fn listing_all(mut self) -> Self {
        self.others = Some(Mutex::default());
        self
    }

    /// Whether no counter has a limit.
    pub fn is_empty(&self) -> bool {
        self.counters.is_empty() && self.others.is_none()
    }

    /// Counts a query of a counter; returns whether the action is enabled.
    pub fn permit(&self, name: &str) -> bool {
        let Some(counter) = self.counters.get(name) else {
            if let Some(others) = &self.others {
                let mut others = others.lock().unwrap_or_else(PoisonError::into_inner);
                match others.get_mut(name) {
                    Some(seen) => *seen += 1,
                    None => drop(others.insert(name.to_owned(), 1)),
                }
            }
            return true;
        };
        let number = counter.seen.fetch_add(1, Ordering::Relaxed);
        number >= counter.skip && counter.count.is_none_or(|count| number - counter.skip < count)
    }

    /// The number of queries of each counter, one per line: `name: {queries, skip, count}`; -1 means unlimited.
    pub fn report(&self) -> String {
        let mut lines: BTreeMap<&str, String> = BTreeMap::new();
        for (name, counter) in &self.counters {
            let count = counter.count.map_or("-1".to_owned(), |count| count.to_string());
            let seen = counter.seen.load(Ordering::Relaxed);
            lines.insert(name, format!("{{{seen},{},{count}}}", counter.skip));
        }
        let others = self.others.as_ref().map(|others| others.lock().unwrap_or_else(PoisonError::into_inner));
        let others = others.iter().flat_map(|others| others.iter());
        lines.extend(others.map(|(name, seen)| (name.as_str(), format!("{{{seen},0,-1}}"))));
        let lines = lines.iter().map(|(name, counts)| format!("{name:<32}: {counts}\n"));
        std::iter::once("DebugCounter counters:\n".to_owned()).chain(lines).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_outside_the_window_are_skipped() {
        let counters = Counters::parse("fold-skip=1,fold-count=2").expect("well formed");
        let done: Vec<bool> = (0..5).map(|_| counters.permit("fold")).collect();
        assert_eq!(done, [false, true, true, false, false]);
        assert!(counters.permit("another"));
    }

    #[test]
    fn report_lists_unset_counters() {
        let counters = Counters::parse("fold-count=2").expect("well formed").listing_all();
        assert!(counters.permit("apply-pattern") && counters.permit("apply-pattern"));
        let lines: Vec<String> = counters.report().lines().map(|line| line.replace(' ', "")).collect();
        assert_eq!(lines, ["DebugCountercounters:", "apply-pattern:{2,0,-1}", "fold:{0,0,2}"]);
    }

    #[test]
    fn malformed_counters_have_distinct_errors() {
        assert_eq!(Counters::parse("fold").err(), Some(CounterError::Form("fold".into())));
        assert_eq!(Counters::parse("fold=1").err(), Some(CounterError::Suffix("fold".into())));
        assert_eq!(Counters::parse("fold-skip=x").err(), Some(CounterError::Number("x".into())));
    }
}
