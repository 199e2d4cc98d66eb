//! Lowering of operators on images.

mod coordinates;
mod resize;
mod sample;
mod tables;

use super::Rule;

pub(super) fn rule(name: &str) -> Option<Rule> {
    resize::rule(name).or_else(|| sample::rule(name))
}
