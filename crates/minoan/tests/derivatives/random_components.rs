//! Random rows of i-expressions: reverse mode agrees with forward mode and with central differences, and compiled gradients with
//! interpreted ones. `MINOAN_RANDOM_CASES` is the number of cases.

#[path = "../../../iexpr/tests/all/common/generate.rs"]
#[allow(dead_code, reason = "shared with the tests of the front end")]
mod generate;
#[path = "../../../iexpr/tests/all/common/reference.rs"]
#[allow(dead_code, reason = "shared with the tests of the front end")]
mod reference;

use super::support::{Case, Numbers, programs};
use generate::{Choices, definitions, extent};
use serde_json::Value;

/// The number of programs.
const PROGRAMS: u64 = 24;

#[test]
fn gradients_of_random_components() {
    for seed in 1..=programs(PROGRAMS) {
        let mut numbers = Numbers::new(seed);
        let list: Vec<u16> = (0..80).map(|_| numbers.below(1 << 16) as u16).collect();
        let mut choices = Choices { list: &list, at: 0 };
        let count = 1 + numbers.below(5);
        let (text, inputs) = definitions(&mut choices, count);
        let extents: Vec<usize> = (0..3).map(|_| 1 + numbers.below(3)).collect();
        let shapes =
            inputs.iter().map(|input| input.chars().map(|letter| extent(letter, &extents)).collect());
        let args: Value = shapes.map(|shape: Vec<usize>| numbers.tensor(&shape)).collect();
        let what = format!("{text}{args}");
        Case::new(&what, "random.iexpr", &text, &format!("c{}", count - 1), &args).check();
    }
}
