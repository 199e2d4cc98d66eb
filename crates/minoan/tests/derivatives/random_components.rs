//! Random rows of i-expressions: reverse mode agrees with forward mode and with central differences, and compiled gradients with
//! interpreted ones. `MINOAN_RANDOM_CASES` says how many are tried.

#[path = "../../../iexpr/tests/common/generate.rs"]
#[allow(dead_code, reason = "shared with the tests of the front end")]
mod generate;
#[path = "../../../iexpr/tests/common/reference.rs"]
#[allow(dead_code, reason = "shared with the tests of the front end")]
mod reference;

use super::support::{Case, Numbers, programs};
use generate::{Choices, PATTERNS, expression, extent};
use serde_json::{Value, json};

/// The number of programs.
const PROGRAMS: u64 = 24;

/// A row of definitions, each of which reads the result of the one before it and possibly one input more, with the dimensions of the inputs
/// of the last one.
fn program(choices: &mut Choices<'_>, definitions: usize) -> (String, Vec<String>) {
    let mut text = String::new();
    let (mut inputs, mut output): (Vec<String>, Option<String>) = (Vec::new(), None);
    for number in 0..definitions {
        let many = 1 + choices.below(2);
        let mut reads: Vec<String> = (0..many).map(|_| choices.pick(&PATTERNS).to_owned()).collect();
        let composed = output.take();
        if let Some(before) = &composed {
            reads[0].clone_from(before);
        }
        let patterns: Vec<&str> = reads.iter().map(String::as_str).collect();
        let (expr, after) = expression(choices, &patterns);
        match composed {
            Some(_) => {
                text.push_str(&format!("c{number} = c{} >> i(\"{expr}\")\n", number - 1));
                inputs.extend(reads.drain(1..));
            }
            None => {
                text.push_str(&format!("c{number} = i(\"{expr}\")\n"));
                inputs = reads;
            }
        }
        output = Some(after);
    }
    (text, inputs)
}

fn tensor(numbers: &mut Numbers, shape: &[usize]) -> Value {
    match shape.split_first() {
        None => json!((numbers.below(2000) as f64 - 1000.0) / 700.0 + f64::from(numbers.fresh()) * 1e-5),
        Some((&extent, rest)) => (0..extent).map(|_| tensor(numbers, rest)).collect(),
    }
}

#[test]
fn gradients_of_random_components() {
    for seed in 1..=programs(PROGRAMS) {
        let mut numbers = Numbers::new(seed);
        let list: Vec<u16> = (0..80).map(|_| numbers.below(1 << 16) as u16).collect();
        let mut choices = Choices { list: &list, at: 0 };
        let definitions = 1 + numbers.below(5);
        let (text, inputs) = program(&mut choices, definitions);
        let extents: Vec<usize> = (0..3).map(|_| 1 + numbers.below(3)).collect();
        let shapes =
            inputs.iter().map(|input| input.chars().map(|letter| extent(letter, &extents)).collect());
        let args: Value = shapes.map(|shape: Vec<usize>| tensor(&mut numbers, &shape)).collect();
        let what = format!("{text}{args}");
        Case::new(&what, "random.iexpr", &text, &format!("c{}", definitions - 1), &args).check();
    }
}
