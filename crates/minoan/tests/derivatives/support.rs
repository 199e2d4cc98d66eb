//! A program with arguments, whose derivatives are compared.

use super::BACKENDS;
use minoan::gradient::{Wrt, difference_gradient, floats, forward_gradient};
use minoan::{Backend, Datum, Entry, Failure, Float, Session};
use serde_json::{Value, json};

/// A function of a program, in double precision, and arguments of it.
pub(crate) struct Case {
    pub(crate) session: Session,
    pub(crate) entry: Entry,
    pub(crate) args: Vec<Datum>,
    /// The description of the program in messages.
    pub(crate) what: String,
}

impl Case {
    /// A function of a program in a file of this name; `what` describes the program in messages.
    pub(crate) fn new(what: &str, file: &str, text: &str, function: &str, args: &Value) -> Case {
        let session = Session::new();
        let program = session.read_text(file, text).unwrap_or_else(|error| panic!("{what}: {error:?}"));
        let entry = session.entry(&program, function, Float::F64);
        let entry = entry.unwrap_or_else(|error| panic!("{what}: {error:?}"));
        let args = entry.interface.parse_args(args).unwrap_or_else(|error| panic!("{what}: {error:?}"));
        Case { session, entry, args, what: what.to_owned() }
    }

    /// The entry that computes the gradient.
    pub(crate) fn gradient(&self) -> Entry {
        self.expect(self.session.grad(&self.entry, Wrt::All))
    }

    /// The gradient by reverse mode.
    pub(crate) fn reverse(&self, backend: Backend) -> Result<Vec<f64>, Failure> {
        let found = self.session.run(&self.gradient(), &self.args, backend)?;
        Ok(numbers(&found))
    }

    /// The gradient by forward mode.
    pub(crate) fn forward(&self, backend: Backend) -> Result<Vec<f64>, Failure> {
        let found = forward_gradient(&self.session, &self.entry, Wrt::All, &self.args, backend)?;
        Ok(numbers(&found))
    }

    /// The gradient by central differences, and the estimated errors of its numbers, which are large near a kink.
    pub(crate) fn differences(&self) -> (Vec<f64>, Vec<f64>) {
        let backend = Backend::Interpret;
        let found = difference_gradient(&self.session, &self.entry, Wrt::All, &self.args, backend);
        let found = self.expect(found);
        (numbers(&found.gradient), found.errors)
    }

    /// The value of a result, which is not an error.
    pub(crate) fn expect<T>(&self, found: Result<T, Failure>) -> T {
        found.unwrap_or_else(|error| panic!("{}: {error:?}", self.what))
    }

    /// Compares the gradients of all modes, reverse mode on all back ends.
    pub(crate) fn check(&self) {
        let what = &self.what;
        let (differences, errors) = self.differences();
        let forward = self.expect(self.forward(Backend::Interpret));
        // Across a kink, a difference is not the derivative: such numbers are compared between the modes only.
        let is_near = |((x, y), error): ((&f64, &f64), &f64)| {
            let scale = x.abs().max(y.abs()).max(1.0);
            *error > 1e-3 * scale || (x - y).abs() <= 1e-5 * scale
        };
        let is_near =
            forward.len() == differences.len() && forward.iter().zip(&differences).zip(&errors).all(is_near);
        assert!(is_near, "forward mode: {forward:?}, not {differences:?} with errors {errors:?}\n{what}");
        for backend in backends() {
            let reverse = self.expect(self.reverse(backend));
            assert!(near(&reverse, &forward, 1e-9), "{backend:?}: {reverse:?}, not {forward:?}\n{what}");
        }
    }
}

/// The numbers of a list of values.
pub(crate) fn numbers(values: &[Datum]) -> Vec<f64> {
    values.iter().filter_map(floats).flatten().collect()
}

/// The back ends, and the interpreter of buffers.
pub(crate) fn backends() -> Vec<Backend> {
    BACKENDS.iter().copied().chain([Backend::InterpretBuffers]).collect()
}

pub(crate) fn near(x: &[f64], y: &[f64], tolerance: f64) -> bool {
    x.len() == y.len()
        && x.iter().zip(y).all(|(x, y)| (x - y).abs() <= tolerance * x.abs().max(y.abs()).max(1.0))
}

/// The number of random programs to try: `few`, or that in the environment.
pub(crate) fn programs(few: u64) -> u64 {
    std::env::var("MINOAN_RANDOM_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}

/// Pseudo-random numbers by a linear congruential generator, and the numbers of new names.
pub(crate) struct Numbers {
    state: u64,
    names: u32,
}

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed, names: 0 }
    }

    /// A number below a limit.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % limit
    }

    /// A tensor of floats, no two of which are equal.
    pub(crate) fn tensor(&mut self, shape: &[usize]) -> Value {
        match shape.split_first() {
            None => json!((self.below(2000) as f64 - 1000.0) / 700.0 + f64::from(self.fresh()) * 1e-5),
            Some((&extent, rest)) => (0..extent).map(|_| self.tensor(rest)).collect(),
        }
    }

    /// A number that was not given before.
    pub(crate) fn fresh(&mut self) -> u32 {
        self.names += 1;
        self.names
    }
}
