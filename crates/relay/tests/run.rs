//! The measured programs, lowered and run by the interpreter.

#[path = "common/emitted.rs"]
mod emitted;
#[path = "common/run.rs"]
mod run;

use expect_test::expect;
use run::{Outcome, run};
use serde_json::Value;
use std::collections::BTreeMap;

/// Measured where the identity of a maximum is the least finite number, where NaN gets lost or has no place in an order,
/// and where a negative step is truncated. Here the identity is an infinity, NaN spreads and comes last in any order.
const BETTER: [&str; 12] = [
    "clip__f32",
    "max__zero_dim",
    "min__zero_dim",
    "max__neg_inf",
    "min__inf",
    "argsort__nan",
    "sort__nan",
    "sort__desc_nan",
    "argsort__desc_nan",
    "arange__neg_frac",
    "nn_max_pool2d__nan",
    "nn_max_pool2d__neg_inf",
];

fn programs() -> Vec<Value> {
    serde_json::from_str(include_str!("data/relay-op-vectors.json")).unwrap_or_default()
}

#[test]
fn measured_programs_give_the_measured_results() {
    let mut wrong = String::new();
    let (mut agree, mut unlowered) = (0, BTreeMap::<String, usize>::new());
    for program in programs().iter().filter(|program| program["output"].is_object()) {
        let name = program["name"].as_str().unwrap_or_default();
        match run(program) {
            Outcome::Agrees => agree += 1,
            Outcome::NotLowered(message) => *unlowered.entry(message).or_default() += 1,
            Outcome::Differs(_) if BETTER.contains(&name) => {}
            Outcome::Differs(how) => wrong += &format!("{name}: {how}\n"),
        }
    }
    let unlowered: String =
        unlowered.iter().map(|(message, count)| format!("{message} ({count})\n")).collect();
    expect![[r#"
        529 agree
        error: cannot run yet: a call of a function that is a value (1)
        error: cannot run yet: a function as a value (1)
        error: cannot run yet: a reference (1)
        error: cannot run yet: a value of a data type (4)
        error: cannot run yet: a value of a data type, of type 'List[Tensor[(2), float32]]' (1)
        error: cannot run yet: a value of a data type, of type 'Pair[Tensor[(2), float32], int32]' (1)
        error: no lowering yet for dyn.broadcast_to (3)
        error: no lowering yet for dyn.full (3)
        error: no lowering yet for dyn.reshape (4)
        error: no lowering yet for dyn.strided_slice (4)
        error: no lowering yet for image.resize2d (21)
        error: no lowering yet for nn.adaptive_avg_pool2d (4)
        error: no lowering yet for nn.adaptive_avg_pool3d (1)
        error: no lowering yet for nn.avg_pool3d (3)
        error: no lowering yet for nn.conv1d (6)
        error: no lowering yet for nn.conv2d_transpose (8)
        error: no lowering yet for nn.conv3d (4)
        error: no lowering yet for nn.depth_to_space (4)
        error: no lowering yet for nn.group_norm (4)
        error: no lowering yet for nn.instance_norm (3)
        error: no lowering yet for nn.l2_normalize (4)
        error: no lowering yet for nn.lrn (3)
        error: no lowering yet for nn.max_pool1d (3)
        error: no lowering yet for nn.prelu (3)
        error: no lowering yet for nn.upsampling (6)
        error: no lowering yet for qnn.add (5)
        error: no lowering yet for qnn.conv2d (7)
        error: no lowering yet for qnn.dense (4)
        error: no lowering yet for qnn.dequantize (4)
        error: no lowering yet for qnn.quantize (5)
        error: no lowering yet for qnn.requantize (9)
    "#]]
    .assert_eq(&format!("{agree} agree\n{wrong}{unlowered}"));
}
