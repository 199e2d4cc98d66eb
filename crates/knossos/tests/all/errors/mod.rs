//! Diagnostics of erroneous programs.

mod functions;
mod names;
mod syntax;

use crate::common::front;
use expect_test::Expect;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&front(text).messages);
}
