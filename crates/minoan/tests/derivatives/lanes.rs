//! Forward mode in several directions at once agrees with reverse mode, on every construct.

use super::rows::{HELPERS, ROWS};
use minoan::gradient::{Wrt, floats};
use minoan::{Backend, Datum, Float, Session};

/// The numbers of a Jacobian.
fn numbers(rows: &[Vec<Datum>]) -> Vec<f64> {
    rows.iter().flatten().filter_map(floats).flatten().collect()
}

#[test]
fn jacobians_agree_in_every_mode() {
    let session = Session::new();
    let mut text = HELPERS.to_owned();
    for (at, row) in ROWS.iter().enumerate() {
        text.push_str(&format!("(def f{at} {} (x : {}) {})\n", row.target, row.source, row.body));
        text.push_str(&format!("(def x{at} {} () {})\n", row.source, row.x));
    }
    let file = session.read_text("rows.ks", &text).unwrap_or_else(|error| panic!("{error:?}"));
    let entry = |name: &str| {
        session.entry(&file, name, Float::F64).unwrap_or_else(|error| panic!("{name}: {error:?}"))
    };
    let backend = Backend::Interpret;
    let mut wrong = Vec::new();
    for (at, row) in ROWS.iter().enumerate() {
        // A parameter that is a tensor of tuples with integers has no tangent of its own type.
        if row.source.starts_with("(Vec (Tuple") {
            continue;
        }
        let args =
            session.run(&entry(&format!("x{at}")), &[], backend).unwrap_or_else(|error| panic!("{error:?}"));
        let function = entry(&format!("f{at}"));
        let forward = |lanes: usize| {
            let found = session.forward_jacobian(&function, Wrt::All, &args, backend, lanes);
            numbers(&found.unwrap_or_else(|error| panic!("{}: {error:?}", row.name)))
        };
        let reverse = session.reverse_jacobian(&function, Wrt::All, &args, backend);
        let reverse = numbers(&reverse.unwrap_or_else(|error| panic!("{}: {error:?}", row.name)));
        for (lanes, found) in [(1, forward(1)), (3, forward(3))] {
            let agrees = found.len() == reverse.len()
                && found.iter().zip(&reverse).all(|(x, y)| (x - y).abs() <= 1e-12 * y.abs().max(1.0));
            if !agrees {
                wrong.push(format!("{}: {found:?} in {lanes} lanes, {reverse:?} by reverse mode", row.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
