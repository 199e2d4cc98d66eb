//! Random rows of i-expressions give the same on every back end.

#[path = "../../../iexpr/tests/all/common/generate.rs"]
#[allow(dead_code, reason = "shared with the tests of the front end")]
mod generate;
#[path = "../../../iexpr/tests/all/common/reference.rs"]
#[allow(dead_code, reason = "shared with the tests of the front end")]
mod reference;

use generate::{Choices, arguments, definitions, extents, is_exact, list};
use minoan::services::{Tensor, TensorData};
use minoan::{Backend, Datum, Failure, Float, Session};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use reference::Array;

fn arrays(results: &[Datum]) -> Option<Vec<Array>> {
    let array = |result: &Datum| {
        let tensor = result.tensor().ok()?;
        let TensorData::F32(data) = &tensor.data else { return None };
        Some(Array::numbers(&tensor.shape, data.iter().map(|&it| f64::from(it)).collect()))
    };
    results.iter().map(array).collect()
}

/// Runs a program on all back ends; returns how they differ, and nothing if rounding may tell them apart.
fn compare(text: &str, inputs: &[Array]) -> Result<(), String> {
    let session = Session::new();
    let describe = |failure: Failure| failure.to_string();
    let program = session.read_text("random.iexpr", text).map_err(describe)?;
    let name = program.default_entry().to_owned();
    let entry = session.entry(&program, &name, Float::F32).map_err(describe)?;
    let argument = |array: &Array| -> Datum {
        let data = TensorData::F32(array.data.iter().map(|&it| it as f32).collect());
        Tensor { shape: array.shape.clone(), data }.into()
    };
    let args: Vec<Datum> = inputs.iter().map(argument).collect();
    let run = |backend| session.run(&entry, &args, backend).map_err(|failure| failure.to_string());
    let oracle = run(Backend::Interpret).map(|results| arrays(&results));
    if !matches!(&oracle, Ok(Some(results)) if is_exact(results)) && oracle.is_ok() {
        return Ok(());
    }
    for backend in [Backend::InterpretBuffers, Backend::Jit] {
        let found = run(backend).map(|results| arrays(&results));
        let is_same = match (&oracle, &found) {
            (Ok(Some(left)), Ok(Some(right))) => generate::alike(left, right),
            (Err(left), Err(right)) => left == right,
            _ => false,
        };
        if !is_same {
            return Err(format!("interpreter {oracle:?}\n  {backend:?} {found:?}"));
        }
    }
    Ok(())
}

#[test]
fn components_agree_on_all_back_ends() {
    let _turn = crate::turn();
    let cases = std::env::var("MINOAN_RANDOM_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(32);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 400, ..Config::default() };
    let outcome = TestRunner::new(config).run(&(list(80), 1usize..6, extents()), |case| {
        let (list, count, extents) = case;
        let mut choices = Choices { list: &list, at: 0 };
        let (text, inputs) = definitions(&mut choices, count);
        let args = arguments(&mut choices, &inputs, &extents);
        compare(&text, &args)
            .map_err(|difference| TestCaseError::fail(format!("{text}{inputs:?} {args:?}\n{difference}")))
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(difference, _)) => panic!("{difference}"),
        Err(error) => panic!("{error}"),
    }
}
