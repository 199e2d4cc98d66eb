//! Lowering of random numbers: Threefry with keys that split.
//!
//! A key has ten words: four of the key proper, two of the path of splits, two of the counter, and two with one bit at the
//! next place of the path. Numbers are the words of blocks, each of which encrypts path and counter; the counter counts up.
//! When the path or the counter is used up, the encryption of both becomes the key proper. (Salmon and others, Parallel Random
//! Numbers: As Easy as 1, 2, 3, SC 2011; Claessen and Palka, Splittable Pseudorandom Number Generators using Cryptographic
//! Hashing, 2013.)

use super::extent::{Extent, product};
use super::scalar::{self, Compare};
use super::shape::reshaped;
use super::site::{Site, Tensor};
use super::tensors::{self, extents, generate, insert, nest};
use super::{Lowered, Rule, extract};
use crate::ty::DType;
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_ir::{Builder, Value};
use minoan_math as math;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "random.threefry_generate" => |site, b| {
            let count: i64 = site.results[1].shape.iter().filter_map(|dim| dim.known()).product();
            let (key, words) = generated(b, site.arg(0), Extent::Known(count));
            let wanted: Vec<Extent> = shape_of(site);
            Ok(vec![key, reshaped(b, &words, &wanted)])
        },
        "random.threefry_split" => |site, b| {
            let (left, right) = split(b, site.arg(0));
            Ok(vec![left, right])
        },
        "random.uniform" => |site, b| site.uniform(b),
        "random.normal" => |site, b| site.normal(b),
        "random.multinomial" => |site, b| site.multinomial(b),
        _ => return None,
    })
}

const WORD: DType = DType::UInt(64);

/// The rotations of Threefry's rounds, for the two pairs of words.
const ROTATIONS: [[i64; 2]; 8] =
    [[14, 16], [52, 57], [23, 40], [5, 37], [25, 33], [46, 12], [58, 22], [32, 32]];

/// Threefish's key-schedule parity constant C240.
const PARITY: i64 = 0x1BD1_1BDA_A9FC_1A22;

fn word(b: &mut Builder<'_>, value: i64) -> Value {
    scalar::integer(b, value, WORD)
}

/// Encrypts four words by a key of four words, in 20 rounds.
fn threefry(b: &mut Builder<'_>, key: [Value; 4], block: [Value; 4]) -> [Value; 4] {
    let parity = word(b, PARITY);
    let last = key.iter().fold(parity, |parity, &word| arith::xori(b, parity, word));
    let schedule = [key[0], key[1], key[2], key[3], last];
    let mut words = block;
    for step in 0..5usize {
        for (index, value) in words.iter_mut().enumerate() {
            *value = arith::addi(b, *value, schedule[(step + index) % 5]);
        }
        let number = word(b, step as i64);
        words[3] = arith::addi(b, words[3], number);
        for round in 0..4 {
            let rotations = ROTATIONS[(step * 4 + round) % 8];
            for (pair, by) in rotations.into_iter().enumerate() {
                let (first, second) = (words[2 * pair], words[2 * pair + 1]);
                let sum = arith::addi(b, first, second);
                let (left, right) = (word(b, by), word(b, 64 - by));
                let (high, low) = (arith::shli(b, second, left), arith::shrui(b, second, right));
                let rotated = arith::ori(b, high, low);
                words[2 * pair] = sum;
                words[2 * pair + 1] = arith::xori(b, sum, rotated);
            }
            words.swap(1, 3);
        }
    }
    words
}

/// The words of a key.
fn words_of(b: &mut Builder<'_>, key: &Tensor) -> Vec<Value> {
    (0..10)
        .map(|index| {
            let index = arith::constant_index(b, index);
            extract(b, key.value, &[index])
        })
        .collect()
}

fn key_of(b: &mut Builder<'_>, words: &[Value]) -> Tensor {
    super::shape::of_elements(b, WORD, words)
}

/// The words of one of two keys.
fn selected(b: &mut Builder<'_>, condition: Value, then: &[Value], otherwise: &[Value]) -> Vec<Value> {
    then.iter().zip(otherwise).map(|(&one, &other)| arith::select(b, condition, one, other)).collect()
}

/// The place after a place in the path.
fn next_place(b: &mut Builder<'_>, high: Value, low: Value) -> [Value; 2] {
    let (one, top) = (word(b, 1), word(b, i64::MIN));
    let moved = [arith::shrui(b, high, one), arith::shrui(b, low, one)];
    let crosses = arith::cmpi(b, CmpIPredicate::Eq, high, one);
    [moved[0], arith::select(b, crosses, top, moved[1])]
}

fn is_zero(b: &mut Builder<'_>, value: Value) -> Value {
    let zero = word(b, 0);
    arith::cmpi(b, CmpIPredicate::Eq, value, zero)
}

/// A key whose path and counter are empty, from the encryption of four words.
fn renewed(b: &mut Builder<'_>, key: &[Value], block: [Value; 4]) -> Vec<Value> {
    let fresh = threefry(b, [key[0], key[1], key[2], key[3]], block);
    let (zero, top) = (word(b, 0), word(b, i64::MIN));
    [&fresh[..], &[zero, zero, zero, zero, top, zero]].concat()
}

/// A key with a one at the next place of the path, and an empty counter.
fn turned_right(b: &mut Builder<'_>, key: &[Value]) -> Vec<Value> {
    let path = [arith::ori(b, key[4], key[8]), arith::ori(b, key[5], key[9])];
    let (zero, place) = (word(b, 0), next_place(b, key[8], key[9]));
    [&key[..4], &path, &[zero, zero], &place].concat()
}

/// Whether the path has no place left.
fn path_is_full(b: &mut Builder<'_>, key: &[Value]) -> Value {
    let (high, low) = (is_zero(b, key[8]), is_zero(b, key[9]));
    arith::andi(b, high, low)
}

/// `count` words and the next key. If the number of words is not a multiple of four, the rest of the last block is discarded.
fn generated(b: &mut Builder<'_>, key: &Tensor, count: Extent) -> (Tensor, Tensor) {
    let given = words_of(b, key);
    let blocks = count.plus(b, Extent::Known(3)).divided_by(b, Extent::Known(4));
    // Without room for that many numbers, the path or the key proper changes.
    let last = word(b, -1);
    let length = match blocks {
        Extent::Known(blocks) => word(b, blocks * 4),
        Extent::Value(blocks) => {
            let (blocks, each) = (scalar::from_index(b, blocks, WORD), word(b, 4));
            arith::muli(b, blocks, each)
        }
    };
    let most = arith::subi(b, last, length);
    let fits = scalar::compare(b, Compare::Lt, given[7], most, WORD);
    let ones = [last; 4];
    let (fresh, right) = (renewed(b, &given, ones), turned_right(b, &given));
    let full = path_is_full(b, &given);
    let other = selected(b, full, &fresh, &right);
    let key = selected(b, fits, &given, &other);
    let made = tensors::empty(b, &[count], WORD);
    let (whole, four) = (count.value(b), arith::constant_index(b, 4));
    let done = nest(b, &[blocks], &[made.value], &mut |b, at, carried| {
        let number = scalar::from_index(b, at[0], WORD);
        let block = [4, 5, 6, 7].map(|index| arith::addi(b, key[index], number));
        let words = threefry(b, [key[0], key[1], key[2], key[3]], block);
        let first = arith::muli(b, at[0], four);
        let mut target = carried[0];
        for (offset, value) in words.into_iter().enumerate() {
            let offset = arith::constant_index(b, offset as i64);
            let place = arith::addi(b, first, offset);
            let exists = arith::cmpi(b, CmpIPredicate::Ult, place, whole);
            target =
                super::compact::update_if(b, exists, &[target], |b| vec![insert(b, value, target, &[place])])
                    [0];
        }
        vec![target]
    });
    let (zero, counter) = (word(b, 0), arith::addi(b, key[7], length));
    let next = [&key[..6], &[zero, counter], &key[8..]].concat();
    (key_of(b, &next), Tensor { value: done[0], ..made })
}

/// Two keys: one whose path goes left, and one whose path goes right.
fn split(b: &mut Builder<'_>, key: &Tensor) -> (Tensor, Tensor) {
    let given = words_of(b, key);
    let full = path_is_full(b, &given);
    let place = next_place(b, given[8], given[9]);
    let left = [&given[..8], &place].concat();
    let path = [arith::ori(b, given[4], given[8]), arith::ori(b, given[5], given[9])];
    let right = [&given[..4], &path, &given[6..8], &place].concat();
    let mut fresh_left = renewed(b, &given, [given[4], given[5], given[6], given[7]]);
    fresh_left[8] = word(b, 1 << 62);
    let mut fresh_right = fresh_left.clone();
    fresh_right[4] = word(b, i64::MIN);
    let left = selected(b, full, &fresh_left, &left);
    let right = selected(b, full, &fresh_right, &right);
    (key_of(b, &left), key_of(b, &right))
}

/// The extents of the second result.
fn shape_of(site: &Site) -> Vec<Extent> {
    site.results[1].shape.iter().map(|dim| Extent::Known(dim.known().unwrap_or(0))).collect()
}

/// `count` numbers in [0, 1) from the high bits of words, and the next key.
fn uniform(b: &mut Builder<'_>, key: &Tensor, count: Extent, dtype: DType) -> (Tensor, Tensor) {
    let (key, words) = generated(b, key, count);
    let bits = match dtype {
        DType::Float(64) => 52,
        DType::Float(32) => 23,
        DType::Float(_) => 10,
        _ => 7,
    };
    let numbers = super::pointwise::each(b, &words, dtype, |b, value| {
        let dropped = word(b, 64 - bits);
        let kept = arith::shrui(b, value, dropped);
        let number = scalar::cast(b, kept, WORD, dtype);
        let scale = scalar::constant(b, 0.5f64.powi(bits as i32), dtype);
        arith::mulf(b, number, scale)
    });
    (key, numbers)
}

impl Site {
    /// The numbers given by the arguments 1 and 2.
    fn two_numbers(&self, b: &mut Builder<'_>, dtype: DType) -> [Value; 2] {
        [1, 2].map(|index| {
            let given = self.arg(index);
            let value = tensors::scalar(b, given.value);
            scalar::cast(b, value, given.dtype(), dtype)
        })
    }

    fn uniform(&self, b: &mut Builder<'_>) -> Lowered {
        let (dtype, wanted) = (self.results[1].dtype, shape_of(self));
        let count = product(b, &wanted);
        let (key, numbers) = uniform(b, self.arg(0), count, dtype);
        let [low, high] = self.two_numbers(b, dtype);
        let numbers = super::pointwise::each(b, &numbers, dtype, |b, number| {
            let size = arith::subf(b, high, low);
            let scaled = arith::mulf(b, number, size);
            arith::addf(b, scaled, low)
        });
        Ok(vec![key, reshaped(b, &numbers, &wanted)])
    }

    /// Normally distributed numbers, each from two uniformly distributed ones (Box and Muller).
    fn normal(&self, b: &mut Builder<'_>) -> Lowered {
        let (dtype, wanted) = (self.results[1].dtype, shape_of(self));
        let count: i64 = wanted.iter().filter_map(|extent| extent.known()).product();
        let (key, numbers) = uniform(b, self.arg(0), Extent::Known(count * 2), dtype);
        let [mean, deviation] = self.two_numbers(b, dtype);
        let numbers = generate(b, &[Extent::Known(count)], dtype, |b, at| {
            let offset = arith::constant_index(b, count);
            let other = arith::addi(b, at[0], offset);
            let (first, second) = (extract(b, numbers.value, at), extract(b, numbers.value, &[other]));
            let logarithm = math::log(b, first);
            let factor = scalar::constant(b, -2.0, dtype);
            let squared = arith::mulf(b, logarithm, factor);
            let length = math::sqrt(b, squared);
            let circle = scalar::constant(b, std::f64::consts::TAU, dtype);
            let angle = arith::mulf(b, second, circle);
            let cosine = math::cos(b, angle);
            let standard = arith::mulf(b, length, cosine);
            let scaled = arith::mulf(b, standard, deviation);
            arith::addf(b, scaled, mean)
        });
        Ok(vec![key, reshaped(b, &numbers, &wanted)])
    }

    /// Indices along the last axis, each as often as its share of the sum.
    fn multinomial(&self, b: &mut Builder<'_>) -> Lowered {
        let (probabilities, dtype) = (self.arg(1), self.arg(1).dtype());
        let to = self.results[1].dtype;
        let wanted = extents_of_samples(b, self);
        let count = product(b, &wanted);
        let (key, numbers) = uniform(b, self.arg(0), count, DType::F32);
        let last = probabilities.rank() - 1;
        let classes = tensors::extent(b, probabilities, last);
        self.expect_elements_of(b, classes, &wanted);
        let samples = generate(b, &wanted, to, |b, at| {
            let place = tensors::position(b, at, &wanted);
            let number = extract(b, numbers.value, &[place]);
            let wide = DType::Float(64);
            let share = |b: &mut Builder<'_>, class: Value| {
                let source = [&at[..last], &[class]].concat();
                let element = extract(b, probabilities.value, &source);
                scalar::cast(b, element, dtype, wide)
            };
            let nothing = scalar::zero(b, wide);
            let total = nest(b, &[classes], &[nothing], &mut |b, class, carried| {
                let share = share(b, class[0]);
                vec![arith::addf(b, carried[0], share)]
            })[0];
            let number = scalar::cast(b, number, DType::F32, wide);
            let wanted = arith::mulf(b, number, total);
            let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
            // The number of classes whose shares so far do not exceed the number.
            let passed = nest(b, &[classes], &[nothing, zero], &mut |b, class, carried| {
                let share = share(b, class[0]);
                let so_far = arith::addf(b, carried[0], share);
                let passes = scalar::compare(b, Compare::Le, so_far, wanted, wide);
                let next = arith::addi(b, carried[1], one);
                vec![so_far, arith::select(b, passes, next, carried[1])]
            })[1];
            let passed = tensors::clamped(b, passed, classes);
            scalar::from_index(b, passed, to)
        });
        Ok(vec![key, samples])
    }

    fn expect_elements_of(&self, b: &mut Builder<'_>, classes: Extent, wanted: &[Extent]) {
        super::extent::expect_elements(b, classes, wanted, || {
            format!("{}: there are no probabilities", self.name)
        });
    }
}

/// The extents of the samples: those of the probabilities but the last one, and the number of samples.
fn extents_of_samples(b: &mut Builder<'_>, site: &Site) -> Vec<Extent> {
    let mut wanted = extents(b, site.arg(1));
    wanted.pop();
    wanted.push(Extent::Known(site.attrs.int("num_samples").unwrap_or(1)));
    wanted
}
