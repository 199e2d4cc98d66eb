//! Helpers shared by the tests.

pub mod run;

use minoan_diag::{Diagnostics, SourceMap, render};
use minoan_knossos::{Program, TypedProgram, check, parse};

pub struct Front {
    pub program: Program,
    pub typed: TypedProgram,
    pub messages: String,
    pub errors: usize,
}

/// Parses and checks a program, and renders the diagnostics.
pub fn front(text: &str) -> Front {
    let sources = SourceMap::new();
    let file = sources.add("test.ks", text);
    let (program, syntax) = parse(&sources, file);
    let (typed, types) = check(&program);
    let errors = syntax.error_count() + types.error_count();
    let messages = rendered(&syntax, &sources) + &rendered(&types, &sources);
    Front { program, typed, messages, errors }
}

pub fn rendered(diagnostics: &Diagnostics, sources: &SourceMap) -> String {
    diagnostics.iter().map(|diagnostic| render(diagnostic, sources)).collect()
}

/// Parses and checks a program that must be free of diagnostics.
pub fn good(text: &str) -> Front {
    let front = front(text);
    assert_eq!(front.messages, "", "{text}");
    front
}

pub fn parsed(text: &str) -> (Program, usize) {
    let sources = SourceMap::new();
    let file = sources.add("test.ks", text);
    let (program, diagnostics) = parse(&sources, file);
    (program, diagnostics.error_count())
}
