//! The programs of the front ends' own tests print the same on every back end.

use minoan::{Backend, Float, Session};
use std::path::Path;

/// Runs `main` of a program; returns its output, and the message if it fails.
fn run(name: &str, text: &str, backend: Backend) -> (String, Option<String>) {
    let session = Session::new();
    let (outcome, printed) = minoan_runtime::capture(|| {
        let program = session.read_text(name, text)?;
        let entry = session.entry(&program, "main", Float::F64)?;
        session.run(&entry, &[], backend).map(|_| ())
    });
    let failure = outcome.err().map(|failure| failure.to_string());
    (String::from_utf8_lossy(&printed).replace("-nan", "nan"), failure)
}

/// The examples of the reference compiler for Knossos that it runs.
#[test]
fn knossos_examples_agree_on_all_back_ends() {
    let _turn = crate::turn();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../knossos/tests/data/reference");
    let outcomes = std::fs::read_to_string(folder.join("outcomes.txt")).expect("the list is there");
    let names = outcomes.lines().filter_map(|line| line.split_once(' '));
    let names: Vec<&str> =
        names.filter(|(_, how)| matches!(*how, "ok" | "runtime-abort")).map(|(name, _)| name).collect();
    assert_eq!(names.len(), 30);
    let mut printed = 0;
    for name in names {
        let file = format!("{name}.ks");
        let text = std::fs::read_to_string(folder.join(&file)).expect("the program is there");
        let oracle = run(&file, &text, Backend::Interpret);
        for backend in [Backend::InterpretBuffers, Backend::Jit] {
            assert_eq!(run(&file, &text, backend), oracle, "{name} by {backend:?}");
        }
        printed += usize::from(!oracle.0.is_empty());
    }
    assert!(printed > 0, "no example prints anything");
}
