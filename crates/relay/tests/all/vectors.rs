//! Parses, prints and reparses the reference programs, and compares their types.

use crate::common::parsed;
use minoan_diag::{SourceMap, render};
use minoan_relay::{check, parse, parse_with_prelude, print};
use serde_json::Value;

/// Programs that the reference rejects without a good reason; accepted here.
const ACCEPTED: [&str; 7] = [
    "take__batch_neg",
    "nn_conv1d__stride",
    "nn_conv1d__f64",
    "nn_conv2d__stride1",
    "image_resize2d__no_roi",
    "nn_batch_norm__rej_dot_on_call",
    "one_hot__i64idx_neg_axis",
];

fn programs() -> Vec<Value> {
    let text = include_str!("../data/relay-op-vectors.json");
    let programs: Vec<Value> = serde_json::from_str(text).unwrap_or_default();
    assert_eq!(programs.len(), 751);
    programs
}

#[test]
fn programs_round_trip() {
    for program in programs() {
        let (name, text) =
            (program["name"].as_str().unwrap_or_default(), program["text"].as_str().unwrap_or_default());
        let (module, errors) = parsed(text);
        assert_eq!(errors, 0, "{name}");
        let printed = print(&module);
        let (again, errors) = parsed(&printed);
        assert_eq!(errors, 0, "{name}\n{printed}");
        assert!(module.same_structure(&again), "{name}\n{printed}\n{}", print(&again));
    }
}

#[test]
fn programs_have_the_measured_types() {
    let mut wrong = String::new();
    let mut count = 0;
    for program in programs() {
        let field = |name: &str| program[name].as_str().unwrap_or_default();
        let sources = SourceMap::new();
        let file = sources.add(field("name"), field("text"));
        let parse = if program["prelude"] == Value::Bool(true) { parse_with_prelude } else { parse };
        let (module, syntax) = parse(&sources, file);
        let (typed, types) = check(module);
        let messages: Vec<String> =
            syntax.iter().chain(&types).map(|diagnostic| render(diagnostic, &sources)).collect();
        let found = match typed.find_entry("main") {
            Ok(main) if messages.is_empty() => typed.signature_text(main),
            _ => messages.concat(),
        };
        let agrees = match program["type"].as_str() {
            Some(ty) => ty == found,
            None => (syntax.has_errors() || types.has_errors()) != ACCEPTED.contains(&field("name")),
        };
        if !agrees {
            count += 1;
            wrong += &format!("{}: {}\n  {}\n  {found}\n", field("name"), program["type"], field("text"));
        }
    }
    assert_eq!(count, 0, "{count} differ\n{wrong}");
}
