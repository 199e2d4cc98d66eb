//! Lowering of operators on images.

mod resize;
mod sample;

use super::Rule;

pub(super) fn rule(name: &str) -> Option<Rule> {
    resize::rule(name).or_else(|| sample::rule(name))
}
