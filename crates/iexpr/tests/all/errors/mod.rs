//! Diagnostics of each kind of error.

mod definitions;
mod expressions;
mod schedules;
mod text;

use crate::common::{context, emitted, messages};
use expect_test::Expect;
use minoan_iexpr::emit::EmitOptions;

/// The diagnostics of an expression in a separate file.
fn about(expr: &str) -> String {
    messages(&format!("e = i(\"{expr}\")"))
}

/// The diagnostics of emitting a definition.
fn staged(text: &str) -> String {
    emitted(&context(), text, &EmitOptions::default()).err().unwrap_or_default()
}

fn check(said: &str, expected: &Expect) {
    expected.assert_eq(said);
}
