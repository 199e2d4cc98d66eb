//! Compares operators, forms and programs with the reference evaluator.

use crate::common::reference::Array;
use crate::common::{counted, expected, messages, near, numbers, run, run_with, same, truths};
use minoan_iexpr::emit::{EmitOptions, FloatWidth};

/// Runs a single expression at every stage, and compares with the reference.
fn agrees(expr: &str, inputs: &[Array]) -> Vec<Array> {
    let text = format!("main = i(\"{expr}\")");
    let want = expected(&text, inputs).expect("extents fit");
    for float in [FloatWidth::F32, FloatWidth::F64] {
        let options = EmitOptions { float, ..EmitOptions::default() };
        let have = run_with(&text, inputs, &options).expect("runs");
        assert!(near(&have, &want), "{expr}: {have:?}, expected {want:?}");
    }
    want
}

/// The same for an expression whose inputs are computed booleans.
fn agrees_on_truths(expr: &str, inputs: &[Array]) {
    let casts: Vec<&str> = inputs
        .iter()
        .map(|input| if input.shape.len() == 1 { "i(\"!=i~i\")" } else { "i(\"!=ij~ij\")" })
        .collect();
    let text = format!("main = ({}) >> i(\"{expr}\")", casts.join(" | "));
    let as_numbers: Vec<Array> = inputs.iter().map(|input| Array { truth: false, ..input.clone() }).collect();
    let (have, want) = (run(&text, &as_numbers).expect("runs"), expected(&text, &as_numbers).expect("runs"));
    assert!(near(&have, &want), "{expr}: {have:?}, expected {want:?}");
}

const NUMERIC: [&str; 8] = ["+", "*", "-", "/", ">", "<", "^", "$"];
const COMPARISON: [&str; 6] = [">>", ">=", "<<", "<=", "==", "!="];
const LOGICAL: [&str; 3] = ["&&", "||", "^^"];

#[test]
fn operators_agree_with_the_table() {
    let (x, y) = (
        numbers(&[2, 3], &[0.5, 2.0, -1.0, 3.0, 0.0, 2.5]),
        numbers(&[2, 3], &[2.0, 0.5, 3.0, 3.0, 1.0, 0.0]),
    );
    let (p, q) = (truths(&[4], &[true, true, false, false]), truths(&[4], &[true, false, true, false]));
    for operator in NUMERIC.iter().chain(&COMPARISON) {
        agrees(&format!("ij{operator}ij~ij"), &[x.clone(), y.clone()]);
        agrees(&format!("{operator}ij~ij"), std::slice::from_ref(&x));
        agrees(&format!("{operator}ij~ji"), std::slice::from_ref(&x));
        agrees_on_truths(&format!("i{operator}i~i"), &[p.clone(), q.clone()]);
        agrees_on_truths(&format!("{operator}i~i"), std::slice::from_ref(&p));
    }
    for operator in LOGICAL {
        agrees(&format!("i{operator}i~i"), &[p.clone(), q.clone()]);
        agrees(&format!("{operator}i~i"), std::slice::from_ref(&p));
        agrees(&format!("{operator}i~."), std::slice::from_ref(&p));
        agrees(&format!("{operator}i~."), &[truths(&[0], &[])]);
    }
    agrees("!!i~i", std::slice::from_ref(&p));
    for operator in ["+", "*", ">", "<"] {
        agrees(&format!("{operator}ij~i"), std::slice::from_ref(&x));
        agrees(&format!("{operator}ij~j"), std::slice::from_ref(&x));
        agrees(&format!("{operator}ij~."), std::slice::from_ref(&x));
        agrees_on_truths(&format!("{operator}i~."), std::slice::from_ref(&p));
        agrees(&format!("{operator}ij~i"), &[numbers(&[2, 0], &[])]);
        agrees(&format!("{operator}ij~j"), &[numbers(&[2, 0], &[])]);
    }
}

#[test]
fn movement_forms() {
    agrees("ij~ji", &[counted(&[2, 3])]);
    agrees("ijk~kij", &[counted(&[2, 3, 4])]);
    agrees_on_truths("ij~ji", &[truths(&[1, 2], &[true, false])]);
    agrees(".~.", &[numbers(&[], &[3.5])]);
    agrees("-.~.", &[numbers(&[], &[3.5])]);
    agrees(".*ij~ij", &[numbers(&[], &[2.0]), counted(&[2, 3])]);
    agrees("ij+i~ij", &[counted(&[2, 3]), counted(&[2])]);
    agrees("i*j~ij", &[counted(&[2]), counted(&[3])]);
    agrees("i*j~ji", &[counted(&[2]), counted(&[3])]);
    agrees("ij-ji~ij", &[counted(&[3, 2]), counted(&[2, 3])]);
    agrees("+ijk~ki", &[counted(&[2, 3, 4])]);
    let reduced = agrees("+ij~i", &[numbers(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])]);
    assert_eq!(reduced[0].data, [6.0, 15.0]);
}

#[test]
fn diagonals() {
    let square = numbers(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    assert_eq!(agrees("ii~i", std::slice::from_ref(&square))[0].data, [1.0, 4.0]);
    assert_eq!(agrees("+ii~.", std::slice::from_ref(&square))[0].data, [5.0]);
    agrees("+iij~i", &[counted(&[3, 3, 2])]);
    agrees("+iij~j", &[counted(&[3, 3, 2])]);
    agrees("ii+i~i", &[square.clone(), counted(&[2])]);
    agrees("ii*ij~ij", &[square.clone(), square]);
    let error = run("main = i(\"ii~i\")", &[counted(&[2, 3])]).expect_err("extents differ");
    assert_eq!(
        error,
        "`ii~i`: index `i` has different extents in dimension 0 of input 0 and in dimension 1 of input 0: 2 and 3"
    );
}

#[test]
fn empty_extents() {
    let empty = |shape: &[usize]| numbers(shape, &[]);
    assert_eq!(agrees("+ij~i", &[empty(&[2, 0])])[0].data, [0.0, 0.0]);
    assert_eq!(agrees("*i~.", &[empty(&[0])])[0].data, [1.0]);
    assert_eq!(agrees(">i~.", &[empty(&[0])])[0].data, [f64::NEG_INFINITY]);
    assert_eq!(agrees("<i~.", &[empty(&[0])])[0].data, [f64::INFINITY]);
    assert_eq!(agrees("i*j~ij", &[empty(&[0]), counted(&[3])])[0].shape, [0, 3]);
    // Extents of 1 are not broadcast.
    let error = run("main = i(\"i+i~i\")", &[counted(&[1]), counted(&[3])]).expect_err("extents differ");
    assert!(error.ends_with(
        "index `i` has different extents in dimension 0 of input 0 and in dimension 0 of input 1: 1 and 3"
    ));
}

#[test]
fn nan_and_signed_zero() {
    let special = numbers(&[4], &[f64::NAN, -0.0, 0.0, f64::INFINITY]);
    let bits = |expr: &str, inputs: &[Array]| {
        let have = run(&format!("main = i(\"{expr}\")"), inputs).expect("runs");
        let want = expected(&format!("main = i(\"{expr}\")"), inputs).expect("runs");
        assert!(same(&have, &want), "{expr}: {have:?}, expected {want:?}");
        have[0].data.clone()
    };
    // A no-op keeps the sign of zero.
    assert!(bits("+i~i", std::slice::from_ref(&special))[1].is_sign_negative());
    assert!(bits("*i~i", std::slice::from_ref(&special))[1].is_sign_negative());
    let negated = bits("-i~i", std::slice::from_ref(&special));
    assert!(negated[1].is_sign_positive() && negated[2].is_sign_negative());
    for operator in [">", "<"] {
        assert!(bits(&format!("{operator}i~i"), std::slice::from_ref(&special))[0].is_nan());
        assert!(bits(&format!("{operator}i~."), std::slice::from_ref(&special))[0].is_nan());
        assert!(bits(&format!("i{operator}i~i"), &[special.clone(), counted(&[4])])[0].is_nan());
    }
    for operator in COMPARISON {
        let with_nan = bits(&format!("i{operator}i~i"), &[special.clone(), special.clone()])[0];
        assert_eq!(with_nan, if operator == "!=" { 1.0 } else { 0.0 });
        bits(&format!("{operator}i~i"), std::slice::from_ref(&special));
    }
    assert_eq!(bits("/i~i", &[numbers(&[2], &[0.0, -0.0])]), [f64::INFINITY, f64::NEG_INFINITY]);
    assert!(bits("i/i~i", &[numbers(&[1], &[0.0]), numbers(&[1], &[0.0])])[0].is_nan());
}

#[test]
fn log_operand_order() {
    let have = run("main = i(\"i$i~i\")", &[numbers(&[2], &[2.0, 10.0]), numbers(&[2], &[8.0, 100.0])])
        .expect("runs");
    assert!(near(&have, &[numbers(&[2], &[3.0, 2.0])]));
}

#[test]
fn expression_without_operator_does_not_reduce() {
    assert!(messages("main = i(\"ij~i\")").contains("must keep all axes"));
}

#[test]
fn exp_is_accurate() {
    let x = numbers(&[1], &[88.0]);
    let have = run("main = i(\"^i~i\")", &[x]).expect("runs")[0].data[0];
    assert!((have / 88f64.exp() - 1.0).abs() < 1e-6);
}

#[test]
fn truth_values_convert_to_numbers() {
    let text = "main = (i(\">>i~i\") & i(\">>i~i\")) >> i(\"i+i~i\") >> i(\"+i~.\")";
    let have = run(text, &[numbers(&[4], &[-1.0, 2.0, 3.0, 0.0])]).expect("runs");
    assert_eq!(have, [numbers(&[], &[4.0])]);
    let counted = run("main = i(\"+i~.\")", &[numbers(&[3], &[1.0, 0.0, 1.0])]).expect("runs");
    assert_eq!(counted, [numbers(&[], &[2.0])]);
}

#[test]
fn logic_operates_on_truth_values() {
    let text = "main = (i(\">>i~i\") & i(\"<i~i\") >> i(\"==i~i\")) >> i(\"i&&i~i\") >> i(\"||i~.\") >> i(\"!!.~.\")";
    let x = numbers(&[3], &[1.0, -2.0, 0.0]);
    assert_eq!(run(text, std::slice::from_ref(&x)), expected(text, &[x]));
    assert_eq!(
        run("main = i(\"^^i~i\")", &[truths(&[2], &[true, false])]),
        Ok(vec![truths(&[2], &[true, false])])
    );
}

#[test]
fn identity_is_a_copy() {
    let options = EmitOptions { free_ranks: vec![2, 1], ..EmitOptions::default() };
    let (x, y) = (counted(&[2, 3]), counted(&[2]));
    assert_eq!(run_with("main = I", std::slice::from_ref(&x), &options), Ok(vec![x.clone()]));
    assert_eq!(
        run_with("main = ~(I | id)", &[x.clone(), y.clone()], &options),
        Ok(vec![y.clone(), x.clone()])
    );
    let twice = run_with("main = I & I", std::slice::from_ref(&x), &options);
    assert_eq!(twice, Ok(vec![x.clone(), x.clone()]));
    let error = run("main = I | i(\"i~i\")", &[x, y]).expect_err("the rank is not known");
    assert!(error.contains("the rank of input 0 of 'main' is not known"), "{error}");
}

#[test]
fn unused_outputs_are_last() {
    // (+ij~i | +ij~j) >> -i~i: the rows are negated, then the columns.
    let text = "main = (i(\"+ij~i\") | i(\"+ij~j\")) >> i(\"-i~i\")";
    let x = counted(&[2, 4]);
    let have = run(text, &[x.clone(), x.clone()]).expect("runs");
    assert_eq!(have[0].shape, [2]);
    assert_eq!(have[1].shape, [4]);
    assert_eq!(Ok(have), expected(text, &[x.clone(), x]));
}

#[test]
fn mismatched_extents_are_faults() {
    let text = "mm = i(\"ik*kj~ijk\") >> i(\"+ijk~ij\")";
    let text = format!("{text}\nmain = mm");
    let error = run(&text, &[counted(&[2, 3]), counted(&[4, 2])]).expect_err("3 is not 4");
    assert_eq!(
        error,
        "`ik*kj~ijk`: index `k` has different extents in dimension 1 of input 0 and in dimension 0 of input 1: 3 and 4"
    );
}
