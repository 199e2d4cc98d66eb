//! Runs one program for each operator and compares it with results that `test/numerics/relay_operators.py` computed.

use crate::common::run::{Outcome, run};
use serde_json::Value;

#[test]
fn operators_compute_their_definitions() {
    let text = include_str!("../data/operators.json");
    let programs: Vec<Value> = serde_json::from_str(text).expect("valid JSON");
    let only = std::env::var("ONLY").ok();
    let mut wrong = String::new();
    for program in &programs {
        let name = program["name"].as_str().unwrap_or_default();
        if only.as_deref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        match run(program) {
            Outcome::Agrees => {}
            Outcome::NotLowered(message) => wrong += &format!("{name}: {message}\n"),
            Outcome::Differs(how) => wrong += &format!("{name}: {how}\n"),
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
