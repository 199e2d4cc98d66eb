//! A reference evaluator of components: arrays, naive loops, and the combinators by definition. It is independent of
//! the dialect's plans and loops; it only reads the operator and patterns of an expression.

use minoan_iexpr::ast::NodeKind;
use minoan_iexpr::{Combinator, File, NodeId};

/// An array of numbers in row-major order; booleans are 0 and 1, and marked as such.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    pub shape: Vec<usize>,
    pub data: Vec<f64>,
    pub truth: bool,
}

impl Array {
    pub fn numbers(shape: &[usize], data: Vec<f64>) -> Array {
        assert_eq!(shape.iter().product::<usize>(), data.len());
        Array { shape: shape.to_vec(), data, truth: false }
    }

    fn at(&self, index: &[usize]) -> f64 {
        let mut offset = 0;
        for (at, extent) in index.iter().zip(&self.shape) {
            assert!(at < extent, "read out of bounds");
            offset = offset * extent + at;
        }
        self.data[offset]
    }
}

/// The number of inputs and outputs of a component, by the table of section 5.
pub fn arity(file: &File, node: NodeId) -> (usize, usize) {
    match &file.node(node).kind {
        NodeKind::Expr(literal) => (literal.expr.inputs.len(), 1),
        NodeKind::Name(name) => match definition(file, name) {
            Some(body) => arity(file, body),
            None => (1, 1),
        },
        NodeKind::Swap(f) => arity(file, *f),
        NodeKind::Binary { combinator, left, right, .. } => {
            let (f, g) = (arity(file, *left), arity(file, *right));
            match combinator {
                Combinator::Compose => compose_arity(f, g),
                Combinator::Chain => compose_arity(g, f),
                Combinator::Fanout => (f.0 + g.0 - f.0.min(g.0), f.1 + g.1),
                Combinator::Pair => (f.0 + g.0, f.1 + g.1),
            }
        }
        NodeKind::Reverse { .. } | NodeKind::Error => panic!("no random component has one"),
    }
}

fn compose_arity(f: (usize, usize), g: (usize, usize)) -> (usize, usize) {
    let n = f.0.min(g.1);
    (g.0 + f.0 - n, f.1 + g.1 - n)
}

fn definition(file: &File, name: &str) -> Option<NodeId> {
    file.defs.iter().find(|def| &*def.name == name).map(|def| def.body)
}

/// The outputs of a component, or an error message.
pub fn evaluate(file: &File, node: NodeId, inputs: &[Array]) -> Result<Vec<Array>, String> {
    match &file.node(node).kind {
        NodeKind::Expr(literal) => Ok(vec![expression(&literal.expr.semantics().to_string(), inputs)?]),
        NodeKind::Name(name) => match definition(file, name) {
            Some(body) => evaluate(file, body, inputs),
            None => Ok(inputs.to_vec()),
        },
        NodeKind::Swap(f) => {
            let mut outputs = evaluate(file, *f, inputs)?;
            if outputs.len() >= 2 {
                outputs.swap(0, 1);
            }
            Ok(outputs)
        }
        NodeKind::Binary { combinator, left, right, .. } => match combinator {
            Combinator::Compose => compose(file, *left, *right, inputs),
            Combinator::Chain => compose(file, *right, *left, inputs),
            Combinator::Fanout => {
                let (f, g) = (arity(file, *left).0, arity(file, *right).0);
                let mut outputs = evaluate(file, *left, &inputs[..f])?;
                outputs.extend(evaluate(file, *right, &inputs[..g])?);
                Ok(outputs)
            }
            Combinator::Pair => {
                let f = arity(file, *left).0;
                let mut outputs = evaluate(file, *left, &inputs[..f])?;
                outputs.extend(evaluate(file, *right, &inputs[f..])?);
                Ok(outputs)
            }
        },
        NodeKind::Reverse { .. } | NodeKind::Error => Err("no random component has one".to_owned()),
    }
}

fn compose(file: &File, f: NodeId, g: NodeId, inputs: &[Array]) -> Result<Vec<Array>, String> {
    let ((f_in, _), (g_in, g_out)) = (arity(file, f), arity(file, g));
    let n = f_in.min(g_out);
    let from_g = evaluate(file, g, &inputs[..g_in])?;
    let mut to_f = from_g[..n].to_vec();
    to_f.extend_from_slice(&inputs[g_in..]);
    let mut outputs = evaluate(file, f, &to_f)?;
    outputs.extend_from_slice(&from_g[n..]);
    Ok(outputs)
}

const LONG: [&str; 10] = [">>", ">=", "<<", "<=", "==", "!=", "&&", "||", "^^", "!!"];

/// The operator, input patterns and output pattern of an expression without schedule and white space.
fn take_apart(text: &str) -> (String, Vec<String>, String) {
    let (left, output) = text.split_once('~').expect("a tilde");
    let is_name = |c: char| c.is_ascii_lowercase() || c == '.';
    let operator: String = left.chars().filter(|&c| !is_name(c)).collect();
    assert!(operator.len() <= 1 || LONG.contains(&&*operator), "{text}");
    let inputs = left.split(|c| !is_name(c)).filter(|part| !part.is_empty());
    let letters = |pattern: &str| pattern.replace('.', "");
    (operator, inputs.map(letters).collect(), letters(output))
}

fn expression(text: &str, inputs: &[Array]) -> Result<Array, String> {
    let (operator, patterns, output) = take_apart(text);
    let mut names: Vec<char> = Vec::new();
    let mut extents: Vec<usize> = Vec::new();
    for (pattern, input) in patterns.iter().zip(inputs) {
        assert_eq!(pattern.len(), input.shape.len(), "ranks were checked: {text}");
        for (name, &extent) in pattern.chars().zip(&input.shape) {
            match names.iter().position(|&known| known == name) {
                None => {
                    names.push(name);
                    extents.push(extent);
                }
                Some(known) if extents[known] != extent => return Err(format!("index `{name}`")),
                Some(_) => {}
            }
        }
    }
    let extent_of = |name: char| extents[names.iter().position(|&it| it == name).expect("it is an input's")];
    let reduced: Vec<char> = names.iter().copied().filter(|&name| !output.contains(name)).collect();
    let shape: Vec<usize> = output.chars().map(extent_of).collect();
    let inner: Vec<usize> = reduced.iter().map(|&name| extent_of(name)).collect();
    let all: Vec<char> = output.chars().chain(reduced.iter().copied()).collect();
    let is_logical = ["&&", "||", "^^", "!!"].contains(&&*operator);
    let is_comparison = [">>", ">=", "<<", "<=", "==", "!="].contains(&&*operator);
    assert!(!is_logical || inputs.iter().all(|input| input.truth), "kinds were checked: {text}");
    let mut data = Vec::new();
    for outer in indices(&shape) {
        let mut sum = (!reduced.is_empty()).then(|| identity(&operator));
        for rest in indices(&inner) {
            let point: Vec<usize> = outer.iter().chain(&rest).copied().collect();
            let read = |(pattern, input): (&String, &Array)| {
                let place = |name: char| point[all.iter().position(|&it| it == name).expect("it is an axis")];
                input.at(&pattern.chars().map(place).collect::<Vec<_>>())
            };
            let values: Vec<f64> = patterns.iter().zip(inputs).map(read).collect();
            sum = Some(match (sum, &values[..]) {
                (Some(sum), &[x]) => binary(&operator, sum, x),
                (None, &[x]) => unary(&operator, x),
                (_, &[l, r]) => binary(&operator, l, r),
                _ => unreachable!("one or two inputs"),
            });
        }
        data.push(sum.expect("pointwise domains are not empty here"));
    }
    let truth = is_logical || is_comparison || operator.is_empty() && inputs[0].truth;
    Ok(Array { shape, data, truth })
}

/// All index vectors of a shape in row-major order.
pub fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for &extent in shape {
        all = all
            .iter()
            .flat_map(|before: &Vec<usize>| (0..extent).map(move |at| [&before[..], &[at]].concat()))
            .collect();
    }
    all
}

fn identity(operator: &str) -> f64 {
    match operator {
        "+" | "||" | "^^" => 0.0,
        "*" | "&&" => 1.0,
        ">" => f64::NEG_INFINITY,
        "<" => f64::INFINITY,
        other => panic!("`{other}` does not reduce"),
    }
}

fn truth(value: bool) -> f64 {
    if value { 1.0 } else { 0.0 }
}

/// NumPy's `maximum`: propagates NaN.
fn maximum(l: f64, r: f64) -> f64 {
    if l.is_nan() || r.is_nan() {
        f64::NAN
    } else if l == 0.0 && r == 0.0 {
        l + r
    } else {
        l.max(r)
    }
}

fn binary(operator: &str, l: f64, r: f64) -> f64 {
    match operator {
        "+" => l + r,
        "*" => l * r,
        "-" => l - r,
        "/" => l / r,
        ">" => maximum(l, r),
        "<" => -maximum(-l, -r),
        "^" => l.powf(r),
        "$" => r.ln() / l.ln(),
        ">>" => truth(l > r),
        ">=" => truth(l >= r),
        "<<" => truth(l < r),
        "<=" => truth(l <= r),
        "==" => truth(l == r),
        "!=" => truth(l != r),
        "&&" => truth(l != 0.0 && r != 0.0),
        "||" => truth(l != 0.0 || r != 0.0),
        "^^" => truth((l != 0.0) != (r != 0.0)),
        other => panic!("`{other}` of two"),
    }
}

fn unary(operator: &str, x: f64) -> f64 {
    match operator {
        "" | "+" | "*" | "&&" | "||" | "^^" => x,
        "-" => -x,
        "/" => 1.0 / x,
        ">" => maximum(0.0, x),
        "<" => -maximum(-0.0, -x),
        "^" => x.exp(),
        "$" => x.ln(),
        "!!" => truth(x == 0.0),
        comparison => binary(comparison, x, 0.0),
    }
}
