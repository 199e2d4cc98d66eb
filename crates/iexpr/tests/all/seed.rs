//! The statements of the language description, one test each.

use crate::common::reference::Array;
use crate::common::{counted, expected, good, near, numbers, run, run_with, truths};
use minoan_iexpr::emit::EmitOptions;

#[test]
fn matrix_multiplication() {
    let text = r#"i("ik*kj~ijk") >> i("+ijk~ij")"#;
    let (left, right) = (numbers(&[2, 2], &[1.0, 2.0, 3.0, 4.0]), numbers(&[2, 2], &[5.0, 6.0, 7.0, 8.0]));
    assert_eq!(run(text, &[left, right]), Ok(vec![numbers(&[2, 2], &[19.0, 22.0, 43.0, 50.0])]));
    let inputs = [counted(&[3, 4]), counted(&[4, 2])];
    assert_eq!(run(text, &inputs), expected(text, &inputs));
}

/// "In Python, this expression corresponds to something like: .."
#[test]
fn partial_product() {
    let (left, right) = (counted(&[2, 4]), counted(&[4, 3]));
    let mut out = Vec::new();
    for i in 0..2 {
        for j in 0..3 {
            for k in 0..4 {
                out.push(left.data[i * 4 + k] * right.data[k * 3 + j]);
            }
        }
    }
    assert_eq!(run(r#"i("ik*kj~ijk")"#, &[left, right]), Ok(vec![numbers(&[2, 3, 4], &out)]));
}

#[test]
fn second_expression_reduces_over_k() {
    let have = run(r#"i("+ijk~ij")"#, &[counted(&[2, 2, 3])]).expect("runs");
    let x = counted(&[2, 2, 3]);
    let sums: Vec<f64> = x.data.chunks(3).map(|row| row.iter().sum()).collect();
    assert_eq!(have, [numbers(&[2, 2], &sums)]);
}

#[test]
fn row_normalization() {
    let text = r#"
row_sum = i("+ij~i")
row_div = i("ij/i~ij")
id = i("ij~ij")
row_normalize = (id & row_sum) >> row_div
"#;
    let (_, checked, _) = good(text);
    assert_eq!(checked.entries().collect::<Vec<_>>(), ["row_sum", "row_div", "id", "row_normalize"]);
    assert_eq!(checked.default_entry(), Some("row_normalize"));
    let as_main = text.replace("row_normalize", "main");
    let have = run(&as_main, &[numbers(&[2, 2], &[1.0, 3.0, 2.0, 6.0])]);
    assert_eq!(have, Ok(vec![numbers(&[2, 2], &[0.25, 0.75, 0.25, 0.75])]));
}

// The meaning of an expression according to the description's table of forms.
type Binary = fn(f64, f64) -> f64;
type Comparison = fn(f64, f64) -> bool;
type Logic = fn(bool, bool) -> bool;
type Unary = fn(f64) -> f64;
type UnaryComparison = fn(f64) -> bool;

const BINARY: [(&str, Binary); 8] = [
    ("i+i~i", |x, y| x + y),
    ("i*i~i", |x, y| x * y),
    ("i-i~i", |x, y| x - y),
    ("i/i~i", |x, y| x / y),
    ("i>i~i", f64::max),
    ("i<i~i", f64::min),
    ("i^i~i", f64::powf),
    ("i$i~i", |base, x| x.ln() / base.ln()),
];

const COMPARISONS: [(&str, Comparison); 6] = [
    ("i>>i~i", |x, y| x > y),
    ("i>=i~i", |x, y| x >= y),
    ("i<<i~i", |x, y| x < y),
    ("i<=i~i", |x, y| x <= y),
    ("i==i~i", |x, y| x == y),
    ("i!=i~i", |x, y| x != y),
];

const LOGIC: [(&str, Logic); 3] =
    [("i&&i~i", |x, y| x & y), ("i||i~i", |x, y| x | y), ("i^^i~i", |x, y| x ^ y)];

fn close(expr: &str, inputs: &[Array], want: Vec<f64>) {
    let have = run(&format!("i(\"{expr}\")"), inputs).expect("runs");
    assert!(near(&have, &[numbers(&[want.len()], &want)]), "{expr}: {have:?}, expected {want:?}");
}

#[test]
fn pointwise_binary_forms() {
    let (x, y) = ([2.0, 3.0, 0.5, 4.0], [3.0, 3.0, 2.0, 0.25]);
    let inputs = [numbers(&[4], &x), numbers(&[4], &y)];
    let pairs = || x.iter().zip(&y);
    for (expr, meaning) in BINARY {
        close(expr, &inputs, pairs().map(|(&x, &y)| meaning(x, y)).collect());
    }
    for (expr, meaning) in COMPARISONS {
        let want: Vec<bool> = pairs().map(|(&x, &y)| meaning(x, y)).collect();
        assert_eq!(run(&format!("i(\"{expr}\")"), &inputs), Ok(vec![truths(&[4], &want)]), "{expr}");
    }
    let (p, q) = ([true, true, false, false], [true, false, true, false]);
    for (expr, meaning) in LOGIC {
        let want: Vec<bool> = p.iter().zip(&q).map(|(&p, &q)| meaning(p, q)).collect();
        let have = run(&format!("i(\"{expr}\")"), &[truths(&[4], &p), truths(&[4], &q)]);
        assert_eq!(have, Ok(vec![truths(&[4], &want)]), "{expr}");
    }
}

#[test]
fn pointwise_unary_forms() {
    let x = [2.0, -3.0, 0.0, 0.5];
    let input = [numbers(&[4], &x)];
    let forms: [(&str, Unary); 8] = [
        ("+i~i", |x| x),
        ("*i~i", |x| x),
        ("-i~i", |x| -x),
        ("/i~i", |x| 1.0 / x),
        (">i~i", |x| x.max(0.0)),
        ("<i~i", |x| x.min(0.0)),
        ("^i~i", f64::exp),
        ("$i~i", f64::ln),
    ];
    for (expr, meaning) in forms {
        close(expr, &input, x.iter().map(|&x| meaning(x)).collect());
    }
    let comparisons: [(&str, UnaryComparison); 6] = [
        (">>i~i", |x| x > 0.0),
        (">=i~i", |x| x >= 0.0),
        ("<<i~i", |x| x < 0.0),
        ("<=i~i", |x| x <= 0.0),
        ("==i~i", |x| x == 0.0),
        ("!=i~i", |x| x != 0.0),
    ];
    for (expr, meaning) in comparisons {
        let want: Vec<bool> = x.iter().map(|&x| meaning(x)).collect();
        assert_eq!(run(&format!("i(\"{expr}\")"), &input), Ok(vec![truths(&[4], &want)]), "{expr}");
    }
    for (expr, want) in [
        ("&&i~i", [true, false]),
        ("||i~i", [true, false]),
        ("^^i~i", [true, false]),
        ("!!i~i", [false, true]),
    ] {
        let have = run(&format!("i(\"{expr}\")"), &[truths(&[2], &[true, false])]);
        assert_eq!(have, Ok(vec![truths(&[2], &want)]), "{expr}");
    }
}

/// The description says "dim=0"; the dropped index is dimension 1.
#[test]
fn reductions() {
    let x = numbers(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 0.5, 6.0]);
    for (expr, want) in
        [("+ij~i", [6.0, 10.5]), ("*ij~i", [6.0, 12.0]), (">ij~i", [3.0, 6.0]), ("<ij~i", [1.0, 0.5])]
    {
        assert_eq!(
            run(&format!("i(\"{expr}\")"), std::slice::from_ref(&x)),
            Ok(vec![numbers(&[2], &want)]),
            "{expr}"
        );
    }
    let p = truths(&[2, 3], &[true, true, true, false, true, true]);
    for (expr, want) in [("&&ij~i", [true, false]), ("||ij~i", [true, true]), ("^^ij~i", [true, false])] {
        assert_eq!(
            run(&format!("i(\"{expr}\")"), std::slice::from_ref(&p)),
            Ok(vec![truths(&[2], &want)]),
            "{expr}"
        );
    }
}

/// "in `ij+i~ij`, the `i` is broadcasted over `j`."
#[test]
fn missing_index_is_broadcast() {
    let have = run(r#"i("ij+i~ij")"#, &[counted(&[2, 2]), numbers(&[2], &[10.0, 20.0])]).expect("runs");
    let x = counted(&[2, 2]).data;
    assert_eq!(have, [numbers(&[2, 2], &[x[0] + 10.0, x[1] + 10.0, x[2] + 20.0, x[3] + 20.0])]);
}

#[test]
fn every_combinator() {
    let definitions = "f = i(\"-i~i\")\ng = i(\"+ij~i\")\n";
    let (x, y) = (counted(&[2, 3]), counted(&[2]));
    for (main, inputs) in [
        ("f << g", vec![x.clone()]),
        ("g >> f", vec![x.clone()]),
        ("g & g", vec![x.clone()]),
        ("f | g", vec![y.clone(), x.clone()]),
        ("~(f | g)", vec![y.clone(), x.clone()]),
        ("~f", vec![y.clone()]),
    ] {
        let text = format!("{definitions}main = {main}");
        assert_eq!(run(&text, &inputs), expected(&text, &inputs), "{main}");
    }
}

/// "fanout merges inputs pairwise left-to-right and simply leaves any unpaired inputs unmerged."
#[test]
fn combinators_are_defined_for_mixed_arity() {
    let text = "main = i(\"-i~i\") & i(\"i-j~ij\")";
    let (_, checked, _) = good(text);
    assert_eq!(
        checked.signature("main").map(|it| it.to_string()),
        Some("(rank 1, rank 1) -> (rank 1, rank 2)".to_owned())
    );
    let inputs = [counted(&[2]), counted(&[3])];
    assert_eq!(run(text, &inputs), expected(text, &inputs));
    // Unpaired leaves and roots remain: the second output, and the second input.
    let text = "main = i(\"i-j~ij\") << (i(\"-i~i\") | i(\"i~i\") | i(\"+i~.\"))";
    let (_, checked, _) = good(text);
    let signature = checked.signature("main").expect("it is defined");
    assert_eq!(signature.to_string(), "(rank 1, rank 1, rank 1) -> (rank 2, rank 0)");
    let text = "main = i(\"i-j~ij\") << i(\"-i~i\")";
    assert_eq!(good(text).1.signature("main").map(|it| it.inputs.len()), Some(2));
}

#[test]
fn examples_run() {
    let example = |name: &str| {
        let path = format!("{}/../../examples/{name}.iexpr", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("it is there");
        let (_, checked, _) = good(&text);
        let entry = checked.default_entry().expect("a definition").to_owned();
        format!("{text}\nmain = {entry}\n")
    };
    let normalize = example("row_normalize");
    let x = numbers(&[2, 2], &[1.0, 3.0, 2.0, 6.0]);
    assert_eq!(run(&normalize, &[x]), Ok(vec![numbers(&[2, 2], &[0.25, 0.75, 0.25, 0.75])]));

    let attention = example("attention");
    let (q, k, v) = (counted(&[2, 3, 4, 2]), counted(&[2, 3, 5, 2]), counted(&[2, 3, 5, 3]));
    let inputs = [q.clone(), k.clone(), v.clone()];
    let have = run_with(&attention, &inputs, &EmitOptions::default()).expect("runs");
    assert_eq!(have[0].shape, [2, 3, 4, 3]);
    assert!(near(&have, &expected(&attention, &inputs).expect("runs")));
    assert!(near(&have, &[softmax_attention(&q, &k, &v)]));
}

/// Textbook attention, row by row.
fn softmax_attention(q: &Array, k: &Array, v: &Array) -> Array {
    let (groups, queries, keys, inner, width) = (6, 4, 5, 2, 3);
    let mut out = Vec::new();
    for group in 0..groups {
        for query in 0..queries {
            let dot = |key: usize| -> f64 {
                let (a, b) = ((group * queries + query) * inner, (group * keys + key) * inner);
                (0..inner).map(|at| q.data[a + at] * k.data[b + at]).sum()
            };
            let scores: Vec<f64> = (0..keys).map(dot).collect();
            let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let weights: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
            let total: f64 = weights.iter().sum();
            for at in 0..width {
                let value = |key: usize| weights[key] / total * v.data[(group * keys + key) * width + at];
                out.push((0..keys).map(value).sum());
            }
        }
    }
    Array::numbers(&[2, 3, queries, width], out)
}
