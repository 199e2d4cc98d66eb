//! The programs of `examples/ad`: their values and gradients are those that `reference.py` computes in NumPy, on all back ends.

use minoan::gradient::{Wrt, floats};
use minoan::{Backend, Float, Session};
use serde_json::Value;
use std::path::Path;

/// Of numbers that are central differences of fourth order.
const TOLERANCE: f64 = 1e-7;

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    serde_json::from_str(&text).expect("the file is JSON")
}

/// The numbers of nested arrays, in order.
fn numbers(value: &Value, found: &mut Vec<f64>) {
    match value {
        Value::Array(parts) => parts.iter().for_each(|part| numbers(part, found)),
        number => found.push(number.as_f64().expect("a number")),
    }
}

fn agree(what: &str, own: &[f64], expected: &Value) {
    let mut wanted = Vec::new();
    numbers(expected, &mut wanted);
    assert_eq!(own.len(), wanted.len(), "{what}");
    let scale = wanted.iter().fold(1.0_f64, |scale, number| scale.max(number.abs()));
    for (x, y) in own.iter().zip(&wanted) {
        assert!((x - y).abs() <= TOLERANCE * scale, "{what}: {x}, expected {y}");
    }
}

fn check(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ad");
    let expected = read(&folder.join(format!("{name}.expected.json")));
    let given = read(&folder.join(format!("{name}.args.json")));
    let program = folder.join(expected["program"].as_str().expect("a program"));
    let session = Session::new();
    let program = session.read(program.to_str().expect("UTF-8")).expect("it is valid");
    let entry = expected["entry"].as_str().expect("a function");
    let entry = session.entry(&program, entry, Float::F64).expect("it lowers");
    let args = entry.interface.parse_args(&given).expect("the arguments fit");
    let gradient = expected["gradient"].as_object().expect("a gradient by parameter");
    // In the order of the parameters, which is that of the results.
    let names = entry.interface.param_names().into_iter();
    let names: Vec<String> = names.filter(|name| gradient.contains_key(name)).collect();
    let derivative = session.grad(&entry, Wrt::Named(&names)).expect("it has a derivative");
    for backend in [Backend::Interpret, Backend::InterpretBuffers, Backend::Jit] {
        let value = session.run(&entry, &args, backend).expect("it runs");
        agree(&format!("{name}, {backend:?}"), &floats(&value[0]).expect("floats"), &expected["value"]);
        let found = session.run(&derivative, &args, backend).expect("its gradient runs");
        assert_eq!(found.len(), names.len());
        for (parameter, own) in names.iter().zip(&found) {
            let what = format!("{name}, {backend:?}, gradient of {parameter}");
            agree(&what, &floats(own).expect("floats"), &gradient[parameter]);
        }
    }
}

#[test]
fn bundle_adjustment() {
    check("bundle");
}

#[test]
fn gaussian_mixture() {
    check("gmm");
}

#[test]
fn hand_tracking() {
    check("hand");
}

#[test]
fn kmeans() {
    check("kmeans");
}

#[test]
fn least_squares() {
    check("llsq");
}

#[test]
fn lstm() {
    check("lstm");
}

#[test]
fn ordinary_differential_equation() {
    check("ode");
}

/// The rows of the Jacobian of bundle adjustment make the gradient of the cost.
#[test]
fn bundle_jacobian() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ad");
    let (expected, given) =
        (read(&folder.join("bundle.expected.json")), read(&folder.join("bundle.args.json")));
    let session = Session::new();
    let program = session.read(folder.join("bundle.ks").to_str().expect("UTF-8")).expect("it is valid");
    let call = |name: &str| {
        let entry = session.entry(&program, name, Float::F64).expect("it lowers");
        let args = entry.interface.parse_args(&given).expect("the arguments fit");
        let found = session.run(&entry, &args, Backend::Jit).expect("it runs");
        found.iter().map(|part| floats(part).expect("floats")).collect::<Vec<Vec<f64>>>()
    };
    let (errors, rows) = (call("errors"), call("jacobian"));
    assert_eq!((errors.len(), rows.len()), (2, 34));
    let mut sums = vec![0.0; 12];
    for (observation, seen) in given[3].as_array().expect("observations").iter().enumerate() {
        let point = seen[1].as_u64().expect("a number") as usize;
        for (part, own) in errors.iter().enumerate() {
            for dim in 0..3 {
                sums[3 * point + dim] += 2.0 * own[observation] * rows[17 * part + 11 + dim][observation];
            }
        }
    }
    agree("points", &sums, &expected["gradient"]["points"]);
}
