//! Linear forms of indices.

use minoan_ir::Value;
use minoan_services::IndexTerm;
use std::ops::RangeInclusive;

/// The value of a number in terms of the induction variables of a nest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// The number is invariant and can be computed before the nest.
    Invariant,
    Linear(Linear),
    Unknown,
}

/// An induction variable times a constant and, possibly, a number from outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Term {
    pub index: Value,
    pub constant: i64,
    pub factor: Option<Value>,
}

/// `constant + sum of constants times numbers from outside + sum of terms`, modulo 2^64.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Linear {
    pub constant: i64,
    pub invariants: Vec<(i64, Value)>,
    pub terms: Vec<Term>,
}

/// Upper bound on the number of summands of a form; an index with more is unknown.
const SUMMANDS: usize = 6;

impl Linear {
    pub(crate) fn constant(constant: i64) -> Self {
        Self { constant, ..Self::default() }
    }

    pub(crate) fn invariant(value: Value) -> Self {
        Self { invariants: vec![(1, value)], ..Self::default() }
    }

    pub(crate) fn index(index: Value) -> Self {
        Self { terms: vec![Term { index, constant: 1, factor: None }], ..Self::default() }
    }

    /// The form of a term; `of` returns those of its operands.
    pub(crate) fn of_term(term: IndexTerm, of: impl Fn(Value) -> Option<Linear>) -> Option<Linear> {
        match term {
            IndexTerm::Sum(lhs, rhs) => of(lhs)?.plus(&of(rhs)?, 1),
            IndexTerm::Difference(lhs, rhs) => of(lhs)?.plus(&of(rhs)?, -1),
            IndexTerm::Product(lhs, rhs) => of(lhs)?.times(&of(rhs)?),
            IndexTerm::Same(value) => of(value),
            IndexTerm::Below(..) | IndexTerm::Less(..) | IndexTerm::Equal(..) => None,
        }
    }

    /// The induction variable, if the form is only that.
    pub(crate) fn as_index(&self) -> Option<Value> {
        match (&self.terms[..], &self.invariants[..], self.constant) {
            (&[Term { index, constant: 1, factor: None }], [], 0) => Some(index),
            _ => None,
        }
    }

    /// `self + sign * other`.
    pub(crate) fn plus(mut self, other: &Linear, sign: i64) -> Option<Linear> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(sign)?)?;
        for &(constant, value) in &other.invariants {
            let constant = constant.checked_mul(sign)?;
            match self.invariants.iter_mut().find(|known| known.1 == value) {
                Some(known) => known.0 = known.0.checked_add(constant)?,
                None => self.invariants.push((constant, value)),
            }
        }
        for term in &other.terms {
            let constant = term.constant.checked_mul(sign)?;
            match self.terms.iter_mut().find(|known| (known.index, known.factor) == (term.index, term.factor))
            {
                Some(known) => known.constant = known.constant.checked_add(constant)?,
                None => self.terms.push(Term { constant, ..*term }),
            }
        }
        self.invariants.retain(|&(constant, _)| constant != 0);
        self.terms.retain(|term| term.constant != 0);
        (self.invariants.len().max(self.terms.len()) <= SUMMANDS).then_some(self)
    }

    /// The product, if one factor is a constant, or if one is a single number from outside and the other a sum of terms.
    pub(crate) fn times(&self, other: &Linear) -> Option<Linear> {
        let is_constant = |form: &Linear| form.terms.is_empty() && form.invariants.is_empty();
        match (self, other) {
            (constant, form) | (form, constant) if is_constant(constant) => form.scaled(constant.constant),
            (number, form) | (form, number) if form.is_sum_of_terms() => number.times_terms(form),
            _ => None,
        }
    }

    /// The constant that a number from outside is multiplied by.
    pub(crate) fn coefficient(&self, value: Value) -> i64 {
        self.invariants.iter().find(|&&(_, known)| known == value).map_or(0, |&(constant, _)| constant)
    }

    /// The form with a number from outside replaced by another form.
    pub(crate) fn replaced(self, value: Value, by: &Linear) -> Option<Linear> {
        let coefficient = self.coefficient(value);
        if coefficient == 0 {
            return Some(self);
        }
        // Without the number first, so that the number of summands does not grow.
        self.plus(&Linear::invariant(value), -coefficient)?.plus(by, coefficient)
    }

    fn scaled(&self, by: i64) -> Option<Linear> {
        Linear::default().plus(self, by)
    }

    fn is_sum_of_terms(&self) -> bool {
        self.constant == 0
            && self.invariants.is_empty()
            && self.terms.iter().all(|term| term.factor.is_none())
    }

    fn times_terms(&self, form: &Linear) -> Option<Linear> {
        let (&[(by, factor)], [], 0) = (&self.invariants[..], &self.terms[..], self.constant) else {
            return None;
        };
        let term = |term: &Term| {
            Some(Term { constant: term.constant.checked_mul(by)?, factor: Some(factor), ..*term })
        };
        Some(Linear { terms: form.terms.iter().map(term).collect::<Option<_>>()?, ..Linear::default() })
    }

    /// The range of its values, if all numbers are known and no dimension is empty.
    pub(crate) fn range(&self, size: impl Fn(Value) -> Option<i64>) -> Option<RangeInclusive<i128>> {
        if !self.invariants.is_empty() {
            return None;
        }
        let (mut first, mut last) = (i128::from(self.constant), i128::from(self.constant));
        for term in &self.terms {
            let most = size(term.index).filter(|&size| size > 0 && term.factor.is_none())? - 1;
            let reach = i128::from(term.constant) * i128::from(most);
            if reach < 0 { first += reach } else { last += reach }
        }
        // Outside of 64 bits the index would wrap.
        let is_number = |number| i64::try_from(number).is_ok();
        (is_number(first) && is_number(last)).then_some(first..=last)
    }
}
