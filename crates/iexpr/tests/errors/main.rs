//! What is said about each mistake.

#[path = "../common/mod.rs"]
mod common;
mod definitions;
mod expressions;
mod schedules;
mod text;

use common::{context, emitted, messages};
use expect_test::Expect;
use minoan_iexpr::emit::EmitOptions;

/// What is said about an expression, as in a file of its own.
fn about(expr: &str) -> String {
    messages(&format!("e = i(\"{expr}\")"))
}

/// What is said when a definition is emitted.
fn staged(text: &str) -> String {
    emitted(&context(), text, &EmitOptions::default()).err().unwrap_or_default()
}

fn check(said: &str, expected: &Expect) {
    expected.assert_eq(said);
}
