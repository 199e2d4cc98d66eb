//! Diagnostics of erroneous programs.

#[path = "../common/mod.rs"]
mod common;
mod functions;
mod names;
mod syntax;

use common::front;
use expect_test::Expect;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&front(text).messages);
}
