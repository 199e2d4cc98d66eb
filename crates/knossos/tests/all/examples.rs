//! Small programs, one per feature, compared with the results of the reference compiler.

use crate::common::{front, parsed};
use expect_test::expect_file;
use minoan_knossos::print;
use std::fs;
use std::path::{Path, PathBuf};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reference")
}

/// Name, outcome of the reference compiler, and text of each example.
fn examples() -> Vec<(String, String, String)> {
    let list = fs::read_to_string(directory().join("outcomes.txt")).unwrap_or_default();
    let examples: Vec<_> = list
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, outcome)| {
            let text = fs::read_to_string(directory().join(format!("{name}.ks"))).unwrap_or_default();
            (name.to_owned(), outcome.to_owned(), text)
        })
        .collect();
    assert_eq!(examples.len(), 61);
    examples
}

#[test]
fn accepts_all_reference_programs() {
    for (name, outcome, text) in examples() {
        if matches!(&*outcome, "ok" | "runtime-abort") {
            assert_eq!(front(&text).messages, "", "{name}");
        }
    }
}

#[test]
fn messages_for_rejected_programs() {
    let mut said = String::new();
    for (name, outcome, text) in examples() {
        if !matches!(&*outcome, "ok" | "runtime-abort") {
            let messages = front(&text).messages;
            let messages = if messages.is_empty() { "accepted\n" } else { &messages };
            said.push_str(&format!("==== {name} (reference: {outcome})\n{messages}\n"));
        }
    }
    expect_file!["../data/examples.expected"].assert_eq(&said);
}

#[test]
fn printed_examples_round_trip() {
    for (name, _, text) in examples() {
        let (program, errors) = parsed(&text);
        if errors == 0 {
            let printed = print(&program);
            let (again, errors) = parsed(&printed);
            assert_eq!(errors, 0, "{name}: {printed}");
            assert!(program.same_structure(&again), "{name}: {printed}");
            assert_eq!(print(&again), printed, "{name}");
        }
    }
}
