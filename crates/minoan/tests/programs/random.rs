//! Random programs give the same on every back end: the interpreter on tensors, the interpreter on planned buffers,
//! which also watches the life of every buffer, and machine code.
//!
//! `MINOAN_RANDOM_CASES` is the number of programs.

use crate::generate::{Choices, Generated, Ty, program};
use minoan::services::{FloatPolicy, Tensor, TensorData};
use minoan::{Backend, Datum, Failure, Float, Session};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};

/// The outcome of a run: the results or the message of the failure, and the text that it printed.
type Outcome = (Result<Vec<Datum>, String>, String);

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

/// Runs a program on all back ends and returns the differences.
fn compare(generated: &Generated, inputs: &[u16], wide: bool, check_bounds: bool) -> Result<(), String> {
    let float = if wide { Float::F64 } else { Float::F32 };
    let mut session = Session::new();
    session.options.check_bounds = check_bounds;
    // Sums of infinities, and of numbers of very different sizes, depend on their order.
    session.options.float_policy = FloatPolicy::Strict;
    let program =
        session.read_text("random.ks", &generated.text).map_err(|failure| format!("rejected: {failure}"))?;
    let entry =
        session.entry(&program, "entry", float).map_err(|failure| format!("not lowered: {failure}"))?;
    let alive = minoan_runtime::live_allocations();
    let loaded = session.load(&entry).map_err(|failure| format!("not compiled: {failure}"))?;
    let mut choices = Choices::new(inputs);
    for _ in 0..2 {
        let mut args = Vec::new();
        generated.params.iter().for_each(|ty| argument(&mut choices, ty, float, &mut args));
        let oracle = outcome(|| session.run(&entry, &args, Backend::Interpret));
        let buffers = outcome(|| session.run(&entry, &args, Backend::InterpretBuffers));
        if !agree(&oracle, &buffers) {
            return Err(format!("arguments {args:?}\n  tensors {oracle:?}\n  buffers {buffers:?}"));
        }
        let machine = outcome(|| loaded.call(&args));
        if !agree(&oracle, &machine) {
            return Err(format!("arguments {args:?}\n  tensors {oracle:?}\n  machine {machine:?}"));
        }
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
    Ok(())
}

#[test]
fn back_ends_agree() {
    let _turn = crate::turn();
    let cases = std::env::var("MINOAN_RANDOM_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(64);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 4000, ..Config::default() };
    let list = proptest::collection::vec(any::<u16>(), 0..300);
    let lists = proptest::collection::vec(list, 1..7);
    let inputs = proptest::collection::vec(any::<u16>(), 0..60);
    let outcome = TestRunner::new(config).run(&(lists, inputs, any::<bool>(), any::<bool>()), |case| {
        let (lists, inputs, wide, check_bounds) = case;
        let generated = program(&lists);
        compare(&generated, &inputs, wide, check_bounds).map_err(|difference| {
            let width = if wide { 64 } else { 32 };
            TestCaseError::fail(format!(
                "floats of {width} bits, bounds checked: {check_bounds}\n{}{difference}\n",
                generated.text
            ))
        })
    });
    match outcome {
        Ok(()) => {}
        // The numbers that the program was made of say nothing.
        Err(TestError::Fail(difference, _)) => panic!("{difference}"),
        Err(error) => panic!("{error}"),
    }
}
