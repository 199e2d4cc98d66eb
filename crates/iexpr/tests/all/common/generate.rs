//! Random expressions, and arrays for them.

use super::reference::Array;
use proptest::prelude::*;

/// A sequence of random choices.
pub struct Choices<'a> {
    pub list: &'a [u16],
    pub at: usize,
}

impl Choices<'_> {
    pub fn below(&mut self, count: usize) -> usize {
        let choice = self.list.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(choice) % count.max(1)
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// The extent of an index, the same for all occurrences of a letter.
pub fn extent(letter: char, extents: &[usize]) -> usize {
    extents[(letter as usize - 'i' as usize) % extents.len()]
}

/// Operators that map small integers to small integers.
pub const EXACT: [&str; 8] = ["+", "*", "-", ">", "<", "+", "*", "-"];

/// A random expression whose inputs have dimensions named by the patterns `inputs`.
pub fn expression(choices: &mut Choices<'_>, inputs: &[&str]) -> (String, String) {
    let mut letters: Vec<char> = Vec::new();
    for letter in inputs.iter().flat_map(|input| input.chars()) {
        if !letters.contains(&letter) {
            letters.push(letter);
        }
    }
    let mut output = letters.clone();
    for index in (1..output.len()).rev() {
        output.swap(index, choices.below(index + 1));
    }
    let show = |pattern: &str| if pattern.is_empty() { ".".to_owned() } else { pattern.to_owned() };
    if let [left, right] = inputs {
        let output: String = output.into_iter().collect();
        let operator = choices.pick(&EXACT);
        return (format!("{}{operator}{}~{}", show(left), show(right), show(&output)), output);
    }
    let operator = match choices.below(3) {
        0 => choices.pick(&["", "+", "-", ">", "<"]),
        _ => {
            output.truncate(choices.below(output.len() + 1));
            choices.pick(&["+", ">", "<", "+"])
        }
    };
    let output: String = output.into_iter().collect();
    (format!("{operator}{}~{}", show(inputs[0]), show(&output)), output)
}

pub const PATTERNS: [&str; 12] = ["", "i", "j", "ij", "ji", "ijk", "ik", "kj", "ii", "jij", "jk", "k"];

/// A row of definitions `c0`, `c1`, .., each of which reads the result of the one before it and possibly one input more; also
/// returns the dimensions of the inputs of the last one.
#[allow(dead_code, reason = "for the tests of `minoan`, which include this file")]
pub fn definitions(choices: &mut Choices<'_>, count: usize) -> (String, Vec<String>) {
    let mut text = String::new();
    let (mut inputs, mut output): (Vec<String>, Option<String>) = (Vec::new(), None);
    for number in 0..count {
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

pub fn arguments(choices: &mut Choices<'_>, inputs: &[String], extents: &[usize]) -> Vec<Array> {
    let one = |input: &String| {
        let shape: Vec<usize> = input.chars().map(|letter| extent(letter, extents)).collect();
        let count = shape.iter().product();
        Array::numbers(&shape, (0..count).map(|_| choices.below(7) as f64 - 3.0).collect())
    };
    inputs.iter().map(one).collect()
}

pub fn extents() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(prop_oneof![Just(0usize), Just(1), 2usize..7], 3)
}

pub fn list(most: usize) -> impl Strategy<Value = Vec<u16>> {
    proptest::collection::vec(any::<u16>(), 0..most)
}

/// Whether all elements are exact in `f32`; otherwise sums depend on the order.
pub fn is_exact(arrays: &[Array]) -> bool {
    const LARGEST: f64 = 16_000_000.0;
    arrays.iter().all(|array| array.data.iter().all(|it| it.abs() < LARGEST || it.is_infinite()))
}

/// Whether the numbers are equal; the sign of zero is ignored.
pub fn alike(left: &[Array], right: &[Array]) -> bool {
    let alike = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| left.shape == right.shape && left.data.iter().zip(&right.data).all(alike))
}
