//! Random programs give the same on every back end: the interpreter on tensors, the interpreter on planned buffers,
//! which also watches the life of every buffer, and machine code. With the policy `strict`, they are equal in every bit. By default,
//! floats are compared with a tolerance ([`tolerance`](crate::tolerance)), since sums may have any order.
//!
//! `MINOAN_RANDOM_CASES` is the number of programs.

use crate::generate::{Choices, Ty, program};
use crate::tolerance::{Agreement, Sensitivity};
use minoan::services::{FloatPolicy, Tensor, TensorData};
use minoan::{Backend, Datum, Entry, Failure, Float, Session};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use std::cell::Cell;

/// The outcome of a run: the results or the message of the failure, and the text that it printed.
pub(crate) type Outcome = (Result<Vec<Datum>, String>, String);

fn number(choices: &mut Choices<'_>, ty: &Ty, float: Float) -> Datum {
    match ty {
        Ty::Bool => Datum::Int(choices.below(2) as i64),
        Ty::Float => {
            let values = [0.0, 1.0, -2.5, 0.1, f64::INFINITY, f64::NAN, -0.0, f64::NEG_INFINITY, 1e-40, 3e38];
            let value = values[choices.below(values.len())];
            if float == Float::F32 { Datum::F32(value as f32) } else { Datum::F64(value) }
        }
        _ => {
            let values = [0, 1, 2, 3, 4, -1, -7, 1000, i64::MAX, i64::MIN, 1 << 40];
            Datum::Int(values[choices.below(values.len())])
        }
    }
}

/// An argument of a type, in components.
fn argument(choices: &mut Choices<'_>, ty: &Ty, float: Float, out: &mut Vec<Datum>) {
    match ty {
        Ty::Tuple(parts) => parts.iter().for_each(|part| argument(choices, part, float, out)),
        Ty::Text => {
            let text = choices.pick(&["", "t", "some text"]);
            let bytes: Vec<i64> = text.bytes().map(i64::from).collect();
            out.push(Tensor { shape: vec![bytes.len()], data: TensorData::Int(bytes) }.into());
        }
        Ty::Tensor(rank, element) => {
            let shape: Vec<usize> = (0..*rank).map(|_| choices.below(6)).collect();
            let count = shape.iter().product();
            let zero = number(&mut Choices::new(&[]), element, float);
            let mut data = TensorData::splat(&zero, count).expect("a number");
            for at in 0..count {
                data.set(at, &number(choices, element, float)).expect("of the same type");
            }
            out.push(Tensor { shape, data }.into());
        }
        number_type => out.push(number(choices, number_type, float)),
    }
}

fn outcome(run: impl FnOnce() -> Result<Vec<Datum>, Failure>) -> Outcome {
    let (result, printed) = minoan_runtime::capture(run);
    // The sign of a NaN is left to the machine.
    let printed = String::from_utf8_lossy(&printed).replace("-nan", "nan");
    (result.map_err(|failure| failure.to_string()), printed)
}

fn same(left: &Datum, right: &Datum) -> bool {
    let f32s = |left: f32, right: f32| left.to_bits() == right.to_bits() || left.is_nan() && right.is_nan();
    let f64s = |left: f64, right: f64| left.to_bits() == right.to_bits() || left.is_nan() && right.is_nan();
    match (left, right) {
        (Datum::Int(left), Datum::Int(right)) => left == right,
        (&Datum::F32(left), &Datum::F32(right)) => f32s(left, right),
        (&Datum::F64(left), &Datum::F64(right)) => f64s(left, right),
        (Datum::Tensor(left), Datum::Tensor(right)) => {
            let count = left.data.len();
            let mut elements = (0..count).map(|at| (left.data.get(at), right.data.get(at)));
            left.shape == right.shape
                && count == right.data.len()
                && elements.all(|(left, right)| same(&left, &right))
        }
        _ => false,
    }
}

fn agree(left: &Outcome, right: &Outcome) -> bool {
    let results = match (&left.0, &right.0) {
        (Ok(left), Ok(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Err(left), Err(right)) => left == right,
        _ => false,
    };
    results && left.1 == right.1
}

/// A random program with its arguments, and how to compile it.
struct Case<'a> {
    lists: &'a [Vec<u16>],
    inputs: &'a [u16],
    float: Float,
    check_bounds: bool,
    policy: FloatPolicy,
}

impl Case<'_> {
    fn session(&self, policy: FloatPolicy) -> Session {
        let mut session = Session::new();
        session.options.check_bounds = self.check_bounds;
        session.options.float_policy = policy;
        session
    }

    fn entry(&self, session: &Session, text: &str) -> Result<Entry, String> {
        let program =
            session.read_text("random.ks", text).map_err(|failure| format!("rejected: {failure}"))?;
        session.entry(&program, "entry", self.float).map_err(|failure| format!("not lowered: {failure}"))
    }

    /// The programs that show how the results depend on the order of sums; none for the policy `strict`.
    fn sensitivity(&self, session: &Session) -> Result<Sensitivity<Entry>, String> {
        let mut sensitivity = Sensitivity::new(self.float);
        if self.policy != FloatPolicy::Strict {
            for nudge in sensitivity.nudges() {
                let text = program(self.lists, Some(nudge)).text;
                sensitivity.programs.push(self.entry(session, &text)?);
            }
        }
        Ok(sensitivity)
    }

    /// Runs a program on all back ends; returns the differences, or whether the results could be compared.
    fn compare(&self) -> Result<bool, String> {
        let generated = program(self.lists, None);
        let (strict, session) = (self.session(FloatPolicy::Strict), self.session(self.policy));
        let entry = self.entry(&session, &generated.text)?;
        let in_order = self.entry(&strict, &generated.text)?;
        let sensitivity = self.sensitivity(&strict)?;
        let alive = minoan_runtime::live_allocations();
        let loaded = session.load(&entry).map_err(|failure| format!("not compiled: {failure}"))?;
        let mut choices = Choices::new(self.inputs);
        let mut compared = true;
        for _ in 0..2 {
            let mut args = Vec::new();
            generated.params.iter().for_each(|ty| argument(&mut choices, ty, self.float, &mut args));
            let oracle = outcome(|| strict.run(&in_order, &args, Backend::Interpret));
            let changed: Vec<Outcome> = sensitivity
                .programs
                .iter()
                .map(|entry| outcome(|| strict.run(entry, &args, Backend::Interpret)))
                .collect();
            let mut check = |back_end: &str, found: &Outcome| {
                let agreement = match self.policy {
                    FloatPolicy::Strict if agree(&oracle, found) => Agreement::Same,
                    FloatPolicy::Strict => Agreement::Different,
                    _ => sensitivity.agree(&oracle, found, &changed),
                };
                compared &= agreement != Agreement::Unknown;
                match agreement {
                    Agreement::Different => Err(format!(
                        "arguments {args:?}\n  tensors {oracle:?}\n  {back_end} {found:?}\n  changed {changed:?}"
                    )),
                    _ => Ok(()),
                }
            };
            let buffers = outcome(|| session.run(&entry, &args, Backend::InterpretBuffers));
            check("buffers", &buffers)?;
            let machine = outcome(|| loaded.call(&args));
            check("machine", &machine)?;
            let failed = machine.0.is_err();
            drop(machine);
            let left = minoan_runtime::live_allocations() - alive;
            if left != 0 && !failed {
                return Err(format!("arguments {args:?}\n  machine code leaves {left} blocks"));
            }
            if failed {
                break;
            }
        }
        Ok(compared)
    }
}

/// Compares a share of the random programs with a policy.
fn back_ends_agree(policy: FloatPolicy) {
    let _turn = crate::turn();
    let cases: u32 =
        std::env::var("MINOAN_RANDOM_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(64);
    let cases = cases.div_ceil(2);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 4000, ..Config::default() };
    let list = proptest::collection::vec(any::<u16>(), 0..300);
    let lists = proptest::collection::vec(list, 1..7);
    let inputs = proptest::collection::vec(any::<u16>(), 0..60);
    let compared = Cell::new(0);
    let outcome = TestRunner::new(config).run(&(lists, inputs, any::<bool>(), any::<bool>()), |case| {
        let (lists, inputs, wide, check_bounds) = case;
        let float = if wide { Float::F64 } else { Float::F32 };
        let case = Case { lists: &lists, inputs: &inputs, float, check_bounds, policy };
        let known = case.compare().map_err(|difference| {
            TestCaseError::fail(format!(
                "{float:?}, bounds checked: {check_bounds}, {policy:?}\n{}{difference}\n",
                program(&lists, None).text
            ))
        })?;
        compared.set(compared.get() + u32::from(known));
        Ok(())
    });
    match outcome {
        Ok(()) => {}
        // The numbers that the program was made of say nothing.
        Err(TestError::Fail(difference, _)) => panic!("{difference}"),
        Err(error) => panic!("{error}"),
    }
    let compared = compared.get();
    assert!(compared >= cases / 2, "the results of only {compared} of {cases} programs could be compared");
}

#[test]
fn back_ends_agree_in_every_bit() {
    back_ends_agree(FloatPolicy::Strict);
}

#[test]
fn back_ends_agree_up_to_the_order_of_sums() {
    back_ends_agree(FloatPolicy::Default);
}
