//! Tests the emission of the relay dialect.

use crate::common::emitted::{context, emitted, emitted_text};
use expect_test::expect;
use serde_json::Value;

#[test]
fn measured_programs_verify() {
    let programs: Vec<Value> =
        serde_json::from_str(include_str!("../data/relay-op-vectors.json")).unwrap_or_default();
    let mut left = Vec::new();
    let mut done = 0;
    for program in programs.iter().filter(|program| program["type"].is_string()) {
        let field = |name: &str| program[name].as_str().unwrap_or_default();
        match emitted(&context(), field("text"), &["main"]) {
            Ok(_) => done += 1,
            Err(messages) => {
                let line = messages.lines().next().unwrap_or_default().to_owned();
                if line.starts_with("error: cannot run yet") {
                    left.push(format!("{}: {line}", field("name")));
                } else {
                    left.push(format!("{}: {messages}", field("name")));
                }
            }
        }
    }
    expect![[r#"
        702 programs
    "#]]
    .assert_eq(&format!("{done} programs\n{}", left.join("\n")));
}

#[test]
fn dataflow_and_control() {
    expect![[r#"
        module {
          relay.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<i32>) -> tuple<tensor<2x3xf32>, tensor<i32>> attributes {relay.args = "(Tensor[(2, 3), float32], int32)", relay.name = "@main", relay.params = ["x", "n"], relay.results = "(Tensor[(2, 3), float32], int32)"} {
            %0 = exp %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
            %cst = constant dense<1.000000e+00> : tensor<f32>
            %1 = add %0, %cst : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
            %2 = tuple(%1, %arg1) : (tensor<2x3xf32>, tensor<i32>) -> tuple<tensor<2x3xf32>, tensor<i32>>
            %cst_0 = constant dense<0> : tensor<i32>
            %3 = greater %arg1, %cst_0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
            %4 = if %3 {
              %5 = relay.multiply %1, %0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
              %6 = relay.tuple(%5, %arg1) : (tensor<2x3xf32>, tensor<i32>) -> tuple<tensor<2x3xf32>, tensor<i32>>
              relay.yield %6 : tuple<tensor<2x3xf32>, tensor<i32>>
            } else {
              %5 = relay.negative %arg1 : (tensor<i32>) -> tensor<i32>
              %6 = relay.call @main(%0, %5) : (tensor<2x3xf32>, tensor<i32>) -> tuple<tensor<2x3xf32>, tensor<i32>>
              relay.yield %6 : tuple<tensor<2x3xf32>, tensor<i32>>
            } : tensor<i1> -> tuple<tensor<2x3xf32>, tensor<i32>>
            return %4 : tuple<tensor<2x3xf32>, tensor<i32>>
          }
        }
    "#]].assert_eq(&emitted_text(
        "def @main(%x: Tensor[(2, 3), float32], %n: int32) -> (Tensor[(2, 3), float32], int32) {
           %0 = exp(%x);
           let %t = (%0 + 1f, %n);
           if (%n > 0) { (%t.0 * %0, %n) } else { @main(%0, -%n) }
         }",
        &["main"],
    ));
}

#[test]
fn a_data_type_of_ever_larger_instances_is_an_error() {
    let text = "#[version = \"0.0.5\"]\n\
        type Nest[A] { End, More(A, Nest[(A, A)]) }\n\
        def @main() -> Nest[int32] { More(1, End) }\n\
        type Chain[A] { Last, Next(A, Chain[Option[A]]) }\n\
        def @chain() -> Chain[int32] { Next(1, Last) }\n";
    let message = emitted(&context(), text, &["main"]).expect_err("it has no end");
    assert!(message.contains("the data type 'Nest' contains ever larger instances of itself"), "{message}");
    let message = emitted(&context(), text, &["chain"]).expect_err("it has no end");
    assert!(message.contains("the data type 'Chain' contains ever larger"), "{message}");
}
