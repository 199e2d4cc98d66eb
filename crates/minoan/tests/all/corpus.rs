//! The seeds of the fuzz targets, and what small changes make of them, keep what the targets check.
//!
//! The changes are the same in each run; `MINOAN_RANDOM_CASES` is the number of changes that are tried for each target. With
//! `MINOAN_RANDOM_SECONDS`, others are tried for so long after them, and `MINOAN_RANDOM_FIRST` says which. Guided by what is
//! reached, the same is done by the targets in `fuzz/`.

use crate::checks;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use std::path::Path;
use std::time::{Duration, Instant};

/// The seeds of a target, in the order of their names.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let entries = std::fs::read_dir(directory).expect("the seeds are there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    assert!(paths.len() >= 5, "the seeds are where they were");
    paths.iter().map(|path| std::fs::read(path).expect("a seed")).collect()
}

/// One change of some bytes; numbers choose among the places there are.
#[derive(Clone, Debug)]
enum Change {
    Flip(usize, u8),
    Remove(usize, usize),
    /// A part is written again, some times.
    Repeat(usize, usize, usize),
    /// A part of another seed is put in.
    Insert {
        at: usize,
        seed: usize,
        from: usize,
        len: usize,
    },
    /// A number becomes another one.
    Number(usize, &'static str),
}

fn change() -> impl Strategy<Value = Change> {
    const NUMBERS: [&str; 8] = ["0", "-1", "4294967296", "9223372036854775808", "1e400", "0x", "00", ""];
    prop_oneof![
        2 => (any::<usize>(), 0u8..8).prop_map(|(at, bit)| Change::Flip(at, bit)),
        2 => (any::<usize>(), 1usize..30).prop_map(|(at, len)| Change::Remove(at, len)),
        2 => (any::<usize>(), 1usize..60, 1usize..20).prop_map(|(at, len, n)| Change::Repeat(at, len, n)),
        2 => (any::<usize>(), any::<usize>(), any::<usize>(), 1usize..200)
            .prop_map(|(at, seed, from, len)| Change::Insert { at, seed, from, len }),
        1 => (any::<usize>(), prop::sample::select(&NUMBERS[..]))
            .prop_map(|(at, number)| Change::Number(at, number)),
    ]
}

/// A part of some bytes that has at most `len` of them.
fn part(bytes: &[u8], from: usize, len: usize) -> std::ops::Range<usize> {
    let from = from.checked_rem(bytes.len()).unwrap_or(0);
    from..bytes.len().min(from + len)
}

fn apply(bytes: &mut Vec<u8>, change: &Change, seeds: &[Vec<u8>]) {
    match *change {
        Change::Flip(at, bit) => part(bytes, at, 1).for_each(|at| bytes[at] ^= 1 << bit),
        Change::Remove(at, len) => drop(bytes.drain(part(bytes, at, len))),
        Change::Repeat(at, len, times) => {
            let range = part(bytes, at, len);
            let more = bytes[range.clone()].repeat(times);
            drop(bytes.splice(range.end..range.end, more));
        }
        Change::Insert { at, seed, from, len } => {
            let other = &seeds[seed % seeds.len()];
            let at = part(bytes, at, 0).start;
            drop(bytes.splice(at..at, other[part(other, from, len)].to_vec()));
        }
        Change::Number(at, number) => {
            let runs = bytes.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()).scan(0, |end, run| {
                *end += run.len();
                Some((*end - run.len()..*end, run[0].is_ascii_digit()))
            });
            let numbers: Vec<_> = runs.filter(|(_, digits)| *digits).map(|(range, _)| range).collect();
            if let Some(range) = at.checked_rem(numbers.len()).map(|at| numbers[at].clone()) {
                drop(bytes.splice(range, number.bytes()));
            }
        }
    }
}

/// The value of the environment variable, or the default.
fn number(variable: &str, otherwise: u32) -> u32 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The number of cases to try.
fn cases_or(cases: u32) -> u32 {
    number("MINOAN_RANDOM_CASES", cases)
}

/// Checks the seeds of a target and changed ones; the smallest change that goes wrong is shown.
fn replay(target: &str, cases: u32, check: fn(&[u8])) {
    let seeds = seeds(target);
    seeds.iter().for_each(|seed| check(seed));
    changed_seeds(&seeds, cases_or(cases), TestRng::deterministic_rng(RngAlgorithm::ChaCha), check);
    let time = Duration::from_secs(number("MINOAN_RANDOM_SECONDS", 0).into());
    let (start, first) = (Instant::now(), u128::from(number("MINOAN_RANDOM_FIRST", 1)));
    for round in (first..).take_while(|_| start.elapsed() < time) {
        let seed = [round.to_le_bytes(); 2].concat();
        changed_seeds(&seeds, 20, TestRng::from_seed(RngAlgorithm::ChaCha, &seed), check);
    }
}

fn changed_seeds(seeds: &[Vec<u8>], cases: u32, rng: TestRng, check: fn(&[u8])) {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 2000, ..Config::default() };
    let changes = prop::collection::vec(change(), 1..6);
    let changed = |(seed, changes): &(usize, Vec<Change>)| {
        let mut bytes = seeds[*seed].clone();
        changes.iter().for_each(|change| apply(&mut bytes, change, seeds));
        bytes
    };
    let outcome = TestRunner::new_with_rng(config, rng).run(&(0..seeds.len(), changes), |case| {
        check(&changed(&case));
        Ok(())
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, case)) => {
            panic!("{reason}\n{}", String::from_utf8_lossy(&changed(&case)))
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn text() {
    replay("text", 400, checks::text);
}

#[test]
fn knossos() {
    replay("knossos", 1000, checks::knossos);
}

#[test]
fn relay() {
    replay("relay", 300, checks::relay);
}

#[test]
fn iexpr() {
    replay("iexpr", 1000, checks::iexpr);
}

#[test]
fn modules() {
    replay("modules", 200, checks::module);
}

/// There are no seeds: any bytes are a module.
#[test]
fn passes() {
    let bytes = prop::collection::vec(any::<u8>(), 0..600);
    let config = Config { cases: cases_or(60), failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config, rng)
        .run(&bytes, |bytes| {
            checks::passes(&bytes);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
}
