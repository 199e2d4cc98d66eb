//! Lowering of operators on bounding boxes.

mod anchors;
mod by_class;
mod proposal;
mod regions;
mod regular;
mod suppress;

use super::Rule;

pub(super) fn rule(name: &str) -> Option<Rule> {
    suppress::rule(name)
        .or_else(|| anchors::rule(name))
        .or_else(|| regions::rule(name))
        .or_else(|| proposal::rule(name))
}
