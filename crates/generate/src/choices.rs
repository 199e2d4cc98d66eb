//! Where random choices come from.

use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;

/// A source of choices: the same seed, or the same bytes, give the same choices on every machine.
pub struct Choices<'a>(Source<'a>);

enum Source<'a> {
    Seed(XorShiftRng),
    Bytes(&'a [u8]),
}

impl<'a> Choices<'a> {
    /// Choices without end.
    pub fn seeded(seed: u64) -> Choices<'static> {
        Choices(Source::Seed(XorShiftRng::seed_from_u64(seed)))
    }

    /// Choices by bytes, as a fuzzer gives them; after the last one, always the first of what there is to choose.
    pub fn bytes(bytes: &'a [u8]) -> Choices<'a> {
        Choices(Source::Bytes(bytes))
    }

    /// A number from 0 up to, and without, `bound`; zero where the bound is.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound.max(1);
        let number = match &mut self.0 {
            Source::Seed(rng) => rng.next_u64(),
            Source::Bytes(bytes) => {
                // As many bytes as the bound needs.
                let count =
                    (bound.next_power_of_two().trailing_zeros().div_ceil(8) as usize).min(bytes.len());
                let (now, later) = bytes.split_at(count);
                *bytes = later;
                now.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
            }
        };
        (number % bound as u64) as usize
    }

    /// True once in `times`.
    pub fn rarely(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    /// One of several.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same() {
        let numbers = |seed| {
            let mut choices = Choices::seeded(seed);
            [10, 10, 1000, 7].map(|bound| choices.below(bound))
        };
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
    }

    #[test]
    fn bytes_are_used_up_by_what_can_be_chosen() {
        let mut choices = Choices::bytes(&[5, 1, 2]);
        assert_eq!(choices.below(1), 0, "nothing to choose takes no byte");
        assert_eq!(choices.below(4), 1);
        assert_eq!(choices.below(1000), 258);
        assert_eq!(choices.below(7), 0, "the end");
    }
}
