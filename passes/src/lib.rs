//! Passes over services: none of them names a dialect, and this crate depends on none.
//!
//! | pass | does |
//! |---|---|
//! | [`lower`](lower::LowerFrontEnds) | front ends' dialects become shared ones |
//! | [`plan-buffers`](plan_buffers::PlanBuffers) | tensors become buffers with a planned life |
//! | [`hoist-buffers`](hoist_buffers::HoistBuffers) | temporary buffers leave loops, small ones go to the stack |
//! | [`inline`](inline::Inline) | calls become what they call |
//! | [`dce`](dce::Dce) | what nobody uses goes |
#![forbid(unsafe_code)]

pub mod dce;
pub mod hoist_buffers;
pub mod inline;
pub mod lower;
pub mod plan_buffers;

use minoan_pass::PassRegistry;

/// Adds every pass of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry
        .add(|| Box::new(lower::LowerFrontEnds))
        .add(|| Box::new(inline::Inline))
        .add(|| Box::new(dce::Dce))
        .add(|| Box::new(plan_buffers::PlanBuffers))
        .add(|| Box::new(hoist_buffers::HoistBuffers));
}
