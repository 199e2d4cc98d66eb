//! Random programs on tensors in Relay, with extents that are known and with `?`: reverse mode agrees with forward mode and with
//! central differences, and compiled gradients with interpreted ones. `MINOAN_RANDOM_CASES` is the number of programs.

use super::support::{Case, Numbers, programs};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The number of programs.
const PROGRAMS: u64 = 24;
/// The most elements of a tensor.
const MOST: usize = 64;

/// A tensor of a program: its name and shape.
type Known = (String, Vec<usize>);

fn broadcast(x: &[usize], y: &[usize]) -> Option<Vec<usize>> {
    let rank = x.len().max(y.len());
    let at =
        |shape: &[usize], axis: usize| (axis + shape.len()).checked_sub(rank).map_or(1, |axis| shape[axis]);
    let extent = |axis: usize| match (at(x, axis), at(y, axis)) {
        (a, b) if a == b || b == 1 => Some(a),
        (1, b) => Some(b),
        _ => None,
    };
    (0..rank).map(extent).collect()
}

/// An application of an operator, with the shape of its result; `None` if the operands do not fit.
fn operator(numbers: &mut Numbers, known: &[Known]) -> Option<(String, Vec<usize>)> {
    let (x, shape) = known[numbers.below(known.len())].clone();
    let (y, other) = known[numbers.below(known.len())].clone();
    let rank = shape.len();
    let axis = numbers.below(rank);
    let without = |axis: usize| {
        let mut rest = shape.clone();
        rest.remove(axis);
        rest
    };
    Some(match numbers.below(30) {
        at @ 0..5 => {
            let name = ["add", "subtract", "multiply", "multiply", "maximum"][at];
            (format!("{name}({x}, {y})"), broadcast(&shape, &other)?)
        }
        at @ 5..10 => {
            let name = ["tanh", "sigmoid", "sin", "nn.relu", "erf"][at - 5];
            (format!("{name}({x})"), shape)
        }
        10 => (format!("exp(tanh({x}))"), shape),
        11 => (format!("sqrt(1.5f64 + {x} * {x})"), shape),
        12 => (format!("divide({x}, 2f64 + sin({y}))"), broadcast(&shape, &other)?),
        at @ 13..16 if rank > 1 => {
            let name = ["sum", "mean", "max"][at - 13];
            (format!("{name}({x}, axis=[{axis}])"), without(axis))
        }
        16 => (format!("nn.softmax({x}, axis={axis})"), shape),
        17 => (format!("nn.log_softmax({x}, axis={})", rank - 1), shape),
        18 => {
            let axes: Vec<String> = (0..rank).rev().map(|axis| axis.to_string()).collect();
            (format!("transpose({x}, axes=[{}])", axes.join(", ")), shape.into_iter().rev().collect())
        }
        19 => (format!("reshape({x}, newshape=[-1])"), vec![shape.iter().product()]),
        20 if rank == other.len() && without(axis) == [&other[..axis], &other[axis + 1..]].concat() => {
            let mut joined = shape.clone();
            joined[axis] += other[axis];
            (format!("concatenate(({x}, {y}), axis={axis})"), joined)
        }
        21 if rank == 2 && other.len() == 2 && shape[1] == other[1] => {
            (format!("nn.dense({x}, {y}, units=None)"), vec![shape[0], other[0]])
        }
        22 if rank == 2 && other.len() == 2 && shape[1] == other[0] => {
            (format!("nn.matmul({x}, {y}, units=None)"), vec![shape[0], other[1]])
        }
        23 => (format!("cumsum({x}, axis={axis})"), shape),
        24 => (format!("reverse({x}, axis={axis})"), shape),
        25 if shape[axis] > 1 => {
            let (first, mut part) = (numbers.below(2), shape.clone());
            part[axis] = shape[axis] - 1;
            let last = first + part[axis];
            let text =
                format!("strided_slice({x}, begin=[{first}], end=[{last}], strides=[1], axes=[{axis}])");
            (text, part)
        }
        26 => {
            let mut wide = shape.clone();
            wide[axis] += 3;
            let widths: Vec<String> =
                (0..rank).map(|at| if at == axis { "[1, 2]" } else { "[0, 0]" }.to_owned()).collect();
            (format!("nn.pad({x}, 0f64, pad_width=[{}])", widths.join(", ")), wide)
        }
        27 if shape == other => (format!("where({x} > 0.1234f64, {x}, {y})"), shape),
        28 => {
            let mut repeated = shape.clone();
            repeated[axis] *= 2;
            (format!("repeat({x}, repeats=2, axis={axis})"), repeated)
        }
        29 => {
            let mut more = shape.clone();
            more.insert(axis, 1);
            (format!("expand_dims({x}, axis={axis})"), more)
        }
        _ => return None,
    })
}

/// A program, and arguments for it.
fn program(seed: u64) -> (String, Value) {
    let mut numbers = Numbers::new(seed);
    let mut known: Vec<Known> = Vec::new();
    let (mut params, mut args) = (Vec::new(), Vec::new());
    for name in ["%a", "%b", "%c"] {
        let shape: Vec<usize> = (0..1 + numbers.below(2)).map(|_| 2 + numbers.below(2)).collect();
        let is_known = numbers.below(3) > 0;
        let text: Vec<String> =
            shape.iter().map(|extent| if is_known { extent.to_string() } else { "?".to_owned() }).collect();
        params.push(format!("{name}: Tensor[({},), float64]", text.join(", ")).replace(",,", ","));
        args.push(numbers.tensor(&shape));
        known.push((name.to_owned(), shape));
    }
    let mut body = String::new();
    let count = 2 + numbers.below(7);
    for _ in 0..count {
        let Some((text, shape)) = operator(&mut numbers, &known) else { continue };
        if shape.is_empty() || shape.len() > 4 || shape.iter().product::<usize>() > MOST {
            continue;
        }
        let name = format!("%v{}", numbers.fresh());
        writeln!(body, "  let {name} = {text};").expect("a string grows");
        known.push((name, shape));
    }
    // Each element of the last results has a separate cotangent.
    let results: Vec<String> =
        known[known.len() - 2..].iter().map(|(name, _)| format!("sin({name})")).collect();
    let params = params.join(", ");
    (
        format!("#[version = \"0.0.5\"]\ndef @main({params}) {{\n{body}  ({})\n}}\n", results.join(", ")),
        json!(args),
    )
}

#[test]
fn gradients_of_random_programs_on_tensors() {
    for seed in 1..=programs(PROGRAMS) {
        let (text, args) = program(seed);
        let what = format!("{text}{args}");
        Case::new(&what, "random.relay", &text, "main", &args).check();
    }
}
