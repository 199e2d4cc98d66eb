//! Helpers shared by the tests.

pub mod emitted;
pub mod functional;
pub mod programs;
pub mod run;

use minoan_diag::{Diagnostics, SourceMap, render};
use minoan_relay::{Module, TypedProgram, check, parse, parse_with_prelude};

pub struct Front {
    pub typed: TypedProgram,
    pub messages: String,
    pub errors: usize,
}

impl Front {
    /// The type of a global function.
    pub fn ty(&self, name: &str) -> String {
        match self.typed.find_entry(name) {
            Ok(def) => self.typed.signature_text(def),
            Err(error) => error.message,
        }
    }
}

/// Parses and checks a module, and renders the diagnostics.
pub fn front(text: &str) -> Front {
    checked(text, false)
}

fn checked(text: &str, prelude: bool) -> Front {
    let sources = SourceMap::new();
    let file = sources.add("test.relay", text);
    let parse = if prelude { parse_with_prelude } else { parse };
    let (module, syntax) = parse(&sources, file);
    let (typed, types) = check(module);
    let errors = syntax.error_count() + types.error_count();
    let messages = rendered(&syntax, &sources) + &rendered(&types, &sources);
    Front { typed, messages, errors }
}

pub fn rendered(diagnostics: &Diagnostics, sources: &SourceMap) -> String {
    diagnostics.iter().map(|diagnostic| render(diagnostic, sources)).collect()
}

/// Parses and checks a module that must be free of diagnostics.
pub fn good(text: &str) -> Front {
    let front = front(text);
    assert_eq!(front.messages, "", "{text}");
    front
}

/// Like [`good`], with the prelude.
pub fn with_prelude(text: &str) -> Front {
    let front = checked(text, true);
    assert_eq!(front.messages, "", "{text}");
    front
}

pub fn parsed(text: &str) -> (Module, usize) {
    let sources = SourceMap::new();
    let file = sources.add("test.relay", text);
    let (module, diagnostics) = parse(&sources, file);
    (module, diagnostics.error_count())
}
