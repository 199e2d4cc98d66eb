//! Sources of random choices.

use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;

/// A source of choices: the same seed or bytes yield the same choices on every machine.
pub struct Choices<'a>(Source<'a>);

enum Source<'a> {
    Seed(XorShiftRng),
    Bytes(&'a [u8]),
}

impl<'a> Choices<'a> {
    /// An unbounded source of pseudo-random choices.
    pub fn seeded(seed: u64) -> Choices<'static> {
        Choices(Source::Seed(XorShiftRng::seed_from_u64(seed)))
    }

    /// Derives the choices from the bytes of a fuzzer; after the last byte, every choice is the first alternative.
    pub fn bytes(bytes: &'a [u8]) -> Choices<'a> {
        Choices(Source::Bytes(bytes))
    }

    /// A number in `0..bound`; zero if `bound` is zero.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound.max(1);
        let number = match &mut self.0 {
            Source::Seed(rng) => rng.next_u64(),
            Source::Bytes(bytes) => {
                // Consumes the number of bytes that the bound requires.
                let count =
                    (bound.next_power_of_two().trailing_zeros().div_ceil(8) as usize).min(bytes.len());
                let (now, later) = bytes.split_at(count);
                *bytes = later;
                now.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
            }
        };
        (number % bound as u64) as usize
    }

    /// True with probability `1 / times`.
    pub fn rarely(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    /// Chooses an element of a slice.
    ///
    /// # Panics
    /// Panics if the slice is empty.
    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_deterministic() {
        let numbers = |seed| {
            let mut choices = Choices::seeded(seed);
            [10, 10, 1000, 7].map(|bound| choices.below(bound))
        };
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
    }

    #[test]
    fn only_choices_consume_bytes() {
        let mut choices = Choices::bytes(&[5, 1, 2]);
        assert_eq!(choices.below(1), 0, "nothing to choose takes no byte");
        assert_eq!(choices.below(4), 1);
        assert_eq!(choices.below(1000), 258);
        assert_eq!(choices.below(7), 0, "the end");
    }
}
