//! Comparison of floats that depend on the order of sums.
//!
//! The error of a sum is relative to the magnitude of its terms, which may cancel out, and the program may compute anything from it.
//! The program is therefore also run with slightly larger positive terms ([`Nudge`]), and a result may differ by a small part of
//! its change in that run. If an integer, a shape or a message changes, the case is not compared: a condition in the program depends
//! on the error.

use crate::generate::Nudge;
use crate::random::Outcome;
use minoan::{Datum, Float};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    Same,
    Different,
    /// The results depend too much on the order of sums.
    Unknown,
}

/// The programs with changed sums, and the tolerances for a type of floats.
pub struct Sensitivity<P> {
    pub programs: Vec<P>,
    /// By how much terms are changed.
    step: f64,
    /// The part of the change of a result that its error may be.
    part: f64,
    /// The error relative to a result.
    relative: f64,
    /// The relative change of a result from which on it depends on terms that cancel out.
    large: f64,
}

/// The error of a float in a text, which has six digits.
const PRINTED: f64 = 1e-5;

/// The floats of an outcome, those that are printed last, and the rest of it.
#[derive(Default)]
struct Parts {
    floats: Vec<f64>,
    printed: Vec<f64>,
    rest: String,
}

impl Parts {
    fn of(outcome: &Outcome) -> Self {
        let mut parts = Parts::default();
        match &outcome.0 {
            Ok(results) => results.iter().for_each(|result| parts.add(result)),
            Err(message) => parts.rest.push_str(message),
        }
        for word in outcome.1.split_inclusive(|c: char| !c.is_alphanumeric() && !"+-.".contains(c)) {
            let number = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            match number.parse() {
                Ok(value) => {
                    parts.printed.push(value);
                    parts.rest.push_str(&word[number.len()..]);
                }
                Err(_) => parts.rest.push_str(word),
            }
        }
        parts
    }

    fn add(&mut self, datum: &Datum) {
        match datum {
            Datum::F32(value) => self.floats.push((*value).into()),
            Datum::F64(value) => self.floats.push(*value),
            Datum::Tensor(tensor) => {
                self.rest.push_str(&format!("{:?}", tensor.shape));
                (0..tensor.data.len()).for_each(|at| self.add(&tensor.data.get(at)));
            }
            other => self.rest.push_str(&format!("{other:?} ")),
        }
    }

    /// Whether another outcome has the same form.
    fn fits(&self, other: &Parts) -> bool {
        self.rest == other.rest
            && self.floats.len() == other.floats.len()
            && self.printed.len() == other.printed.len()
    }
}

impl<P> Sensitivity<P> {
    pub fn new(float: Float) -> Self {
        let exponents = if float == Float::F32 { [-12, -3, -17, -4] } else { [-30, -10, -46, -10] };
        let [step, part, relative, large] = exponents.map(|exponent| 2f64.powi(exponent));
        Self { programs: Vec::new(), step, part, relative, large }
    }

    pub fn nudges(&self) -> [Nudge; 2] {
        [false, true].map(|falls| Nudge { step: self.step, falls })
    }

    /// Compares an outcome with that of sums in order. `changed` are the outcomes of the programs with changed sums.
    pub fn agree(&self, in_order: &Outcome, found: &Outcome, changed: &[Outcome]) -> Agreement {
        let (wanted, found) = (Parts::of(in_order), Parts::of(found));
        let changed: Vec<Parts> = changed.iter().map(Parts::of).collect();
        if !changed.iter().all(|changed| wanted.fits(changed)) {
            return Agreement::Unknown;
        }
        if !wanted.fits(&found) {
            return Agreement::Different;
        }
        let floats = (0..wanted.floats.len()).map(|at| {
            let others = changed.iter().map(|changed| changed.floats[at]);
            self.near(wanted.floats[at], found.floats[at], others, self.relative)
        });
        let printed = (0..wanted.printed.len()).map(|at| {
            let others = changed.iter().map(|changed| changed.printed[at]);
            self.near(wanted.printed[at], found.printed[at], others, PRINTED)
        });
        let all: Vec<Agreement> = floats.chain(printed).collect();
        let worst = [Agreement::Different, Agreement::Unknown].into_iter().find(|it| all.contains(it));
        worst.unwrap_or(Agreement::Same)
    }

    fn near(&self, wanted: f64, found: f64, changed: impl Iterator<Item = f64>, relative: f64) -> Agreement {
        if wanted == found || wanted.is_nan() && found.is_nan() {
            return Agreement::Same;
        }
        let change = changed
            .map(|changed| (changed - wanted).abs())
            .fold(0.0, |a: f64, b| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) });
        if !change.is_finite() {
            return Agreement::Unknown;
        }
        let part = if change > self.large * wanted.abs() { 8.0 } else { self.part };
        match (wanted - found).abs() <= part * change + relative * wanted.abs() {
            true => Agreement::Same,
            false => Agreement::Different,
        }
    }
}
