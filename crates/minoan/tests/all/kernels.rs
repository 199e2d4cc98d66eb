//! Compares compiled kernels with the interpreter: kernels of floats of both widths, with static and run-time extents, and
//! programs whose kernels have random legal plans. The results must agree in every bit on any number of threads.
//!
//! Elements are small integers, so that sums are exact in any order; functions such as the exponential differ by a few units in
//! the last place. `MINOAN_RANDOM_CASES` sets the number of programs of each kind, and of the plans of each program;
//! `PROPTEST_RNG_SEED` chooses the plans.
#![cfg(feature = "mlir")]

use minoan::services::{Datum, KernelOps, Tensor, TensorData};
use minoan::{Backend, Entry, Float, Session};
use minoan_testing::kernels::{Random, each_kernel, programs, random_plan};
use std::rc::Rc;

/// A program: the shapes of its parameters, and its body in terms of them.
struct Case {
    name: &'static str,
    shapes: Vec<Vec<usize>>,
    body: &'static str,
    /// Whether the extents may be unknown at compile time.
    may_be_dynamic: bool,
}

fn cases(random: &mut Random) -> Vec<Case> {
    let extents = [5usize, 8, 17, 24, 33, 40];
    let [i, j, k] = [0; 3].map(|_| random.one_of(&extents));
    let case = |name, shapes: &[&[usize]], may_be_dynamic, body| Case {
        name,
        shapes: shapes.iter().map(|shape| shape.to_vec()).collect(),
        body,
        may_be_dynamic,
    };
    vec![
        case(
            "product",
            &[&[2, i, k], &[2, k, j], &[j]],
            true,
            "nn.relu(nn.bias_add(nn.batch_matmul(%a0, %a1, transpose_b=False), %a2, axis=2))",
        ),
        case(
            "product with a transposed factor",
            &[&[2, i, k], &[2, j, k]],
            true,
            "nn.batch_matmul(%a0, %a1, transpose_b=True)",
        ),
        case("softmax", &[&[i, j]], true, "nn.softmax(%a0)"),
        case("sum of rows", &[&[i, j]], true, "divide(%a0, sum(abs(%a0), axis=[1], keepdims=True))"),
        case("pointwise", &[&[i, j], &[i, j]], true, "multiply(add(%a0, %a1), subtract(%a0, %a1))"),
        case(
            "attention",
            &[&[3, i, 8], &[3, j, 8], &[3, j, k]],
            false,
            "nn.batch_matmul(nn.softmax(nn.batch_matmul(%a0, %a1, transpose_b=True)), %a2, transpose_b=False)",
        ),
        case(
            "convolution",
            &[&[1, 3, i, j], &[7, 3, 3, 3]],
            false,
            "nn.relu(nn.conv2d(%a0, %a1, padding=[1, 1, 1, 1], channels=7, kernel_size=[3, 3]))",
        ),
        case(
            "depthwise convolution",
            &[&[1, 6, i, j], &[6, 1, 3, 3]],
            false,
            "nn.conv2d(%a0, %a1, padding=[1, 0, 0, 1], strides=[2, 2], channels=6, groups=6, kernel_size=[3, 3])",
        ),
        case(
            "pooling",
            &[&[1, 4, i, j]],
            false,
            "nn.max_pool2d(%a0, pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1])",
        ),
        // Enough work for several chunks.
        case(
            "large product",
            &[&[1, 96, 64], &[1, 64, 256]],
            true,
            "nn.relu(nn.batch_matmul(%a0, %a1, transpose_b=False))",
        ),
    ]
}

fn text(case: &Case, dynamic: bool, double: bool) -> String {
    let ty = |shape: &[usize]| {
        let extents: Vec<String> =
            shape.iter().map(|extent| if dynamic { "?".to_owned() } else { extent.to_string() }).collect();
        format!("Tensor[({}), float{}]", extents.join(", "), if double { 64 } else { 32 })
    };
    let params: Vec<String> =
        case.shapes.iter().enumerate().map(|(at, shape)| format!("%a{at}: {}", ty(shape))).collect();
    format!("#[version = \"0.0.5\"]\ndef @main({}) {{ {} }}\n", params.join(", "), case.body)
}

fn arguments(case: &Case, double: bool, random: &mut Random) -> Vec<Datum> {
    let tensor = |shape: &Vec<usize>| {
        let count = shape.iter().product::<usize>();
        let numbers = (0..count).map(|_| random.below(9) as f64 - 4.0);
        let data = match double {
            true => TensorData::F64(numbers.collect()),
            false => TensorData::F32(numbers.map(|number| number as f32).collect()),
        };
        Datum::Tensor(Rc::new(Tensor { shape: shape.clone(), data }))
    };
    case.shapes.iter().map(tensor).collect()
}

/// The largest difference of two results, relative to the largest element.
fn difference(left: &Datum, right: &Datum) -> f64 {
    let (Datum::Tensor(left), Datum::Tensor(right)) = (left, right) else { return f64::INFINITY };
    if left.shape != right.shape {
        return f64::INFINITY;
    }
    let numbers = |tensor: &Tensor| -> Vec<f64> {
        match &tensor.data {
            TensorData::F32(data) => data.iter().map(|&number| f64::from(number)).collect(),
            TensorData::F64(data) => data.clone(),
            _ => vec![f64::NAN],
        }
    };
    let (left, right) = (numbers(left), numbers(right));
    let largest = left.iter().fold(1e-30, |largest: f64, number| largest.max(number.abs()));
    let distance = |(a, b): (&f64, &f64)| if a == b { 0.0 } else { (a - b).abs() / largest };
    left.iter()
        .zip(&right)
        .map(distance)
        .fold(0.0, |most, next| if next > most || next.is_nan() { next } else { most })
}

fn run(session: &Session, entry: &Entry, args: &[Datum], backend: Backend, what: &str) -> Datum {
    let results = session.run(entry, args, backend);
    let results = results.unwrap_or_else(|failure| panic!("{what}: {:?}", failure.diagnostics));
    results.into_iter().next().unwrap_or_else(|| panic!("{what}: no result"))
}

#[test]
fn compiled_kernels_agree_with_the_interpreter_on_any_number_of_threads() {
    let count = std::env::var("MINOAN_RANDOM_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(1);
    let mut random = Random(11);
    for _ in 0..count {
        for case in cases(&mut random) {
            for (dynamic, double) in [(false, false), (false, true), (true, false), (true, true)] {
                if dynamic && !case.may_be_dynamic {
                    continue;
                }
                let (session, text) = (Session::new(), text(&case, dynamic, double));
                let what = format!("{} (dynamic: {dynamic}, f64: {double}):\n{text}", case.name);
                let program = session.read_text("kernel.relay", &text);
                let program = program.unwrap_or_else(|failure| panic!("{what}: {:?}", failure.diagnostics));
                let entry = session.entry(&program, "main", Float::F32);
                let entry = entry.unwrap_or_else(|failure| panic!("{what}: {:?}", failure.diagnostics));
                let args = arguments(&case, double, &mut random);
                let expected = run(&session, &entry, &args, Backend::Interpret, &what);
                let mut first = None;
                for threads in [1, 2, 5] {
                    minoan::set_threads(threads);
                    let found = run(&session, &entry, &args, Backend::Jit, &what);
                    let far = difference(&expected, &found);
                    assert!(far < if double { 1e-14 } else { 1e-5 }, "{what} differs by {far}");
                    let same = first.get_or_insert_with(|| found.clone()).same(&found);
                    assert!(same, "{what} depends on the number of threads");
                }
            }
        }
    }
}

/// The passes after which kernels have plans.
const SCHEDULE: &str = "builtin.module(form-kernels{min-points=1},schedule-kernels)";

#[test]
fn random_plans_of_kernels_compute_the_same_in_machine_code() {
    let count = std::env::var("MINOAN_RANDOM_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(4);
    let seed = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse().ok());
    let mut random = Random(seed.unwrap_or(17));
    let (passes, mut legal) = (minoan::pass_registry(), 0);
    for dynamic in [false, true] {
        for (name, text, args) in programs(&mut random, dynamic) {
            let session = Session::new();
            let program = session.read_text("kernels.mlir", &text);
            let program = program.unwrap_or_else(|failure| panic!("{name}: {:?}", failure.diagnostics));
            let entry = session.entry(&program, "main", Float::F32);
            let entry = entry.unwrap_or_else(|failure| panic!("{name}: {:?}", failure.diagnostics));
            let expected = session.run(&entry, &args, Backend::Interpret);
            let expected = expected.unwrap_or_else(|failure| panic!("{name}: {:?}", failure.diagnostics));
            let mut scheduled = entry.clone();
            let done = session.run_passes(&mut scheduled.module, SCHEDULE, &passes);
            done.unwrap_or_else(|failure| panic!("{name}: {:?}", failure.diagnostics));
            for case in 0..count {
                let mut planned = scheduled.clone();
                let mut plans = Vec::new();
                each_kernel(&mut planned.module, |body, op, kernel, plan| {
                    let Some(other) = random_plan(&plan, kernel, case, &mut random) else { return };
                    plans.push(other.to_string());
                    let ctx = body.context().clone();
                    let service = <dyn KernelOps>::any(&ctx).expect("the dialect is loaded");
                    service.set_plan(body, op, plans.last().map(String::as_str));
                });
                if plans.is_empty() {
                    continue;
                }
                legal += plans.len();
                let what = format!("{name} (dynamic: {dynamic}): {plans:?}\n{text}");
                let found = session.run(&planned, &args, Backend::Jit);
                let found = found.unwrap_or_else(|failure| panic!("{what}: {:?}", failure.diagnostics));
                for (expected, found) in expected.iter().zip(&found) {
                    // Integers are the same in every bit.
                    let far = if expected.same(found) { 0.0 } else { difference(expected, found) };
                    assert!(far < 1e-5, "{what} differs by {far}");
                }
            }
        }
    }
    println!("{legal} legal plans");
    assert!(legal > 20, "{legal} plans are legal");
}
