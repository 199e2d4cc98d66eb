//! The scf dialect: structured control flow, with upstream's operations, text and rules.
//!
//! Values that a loop carries are arguments of its region and results of the operation; a tensor that is carried is
//! owned by the iteration that holds it, so that an update of it needs no copy.
#![forbid(unsafe_code)]

mod assembly;
mod ops;
mod services;

pub use ops::{Condition, For, If, While, Yield};

use minoan_ir::{Dialect, DialectBuilder};
use minoan_services::{Evaluate, Ownership, RegionFlow, Runs};
use std::sync::Arc;

/// The scf dialect.
pub struct ScfDialect;

impl Dialect for ScfDialect {
    fn name(&self) -> &'static str {
        "scf"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.op::<For>().op::<If>().op::<While>().op::<Condition>().op::<Yield>();
        dialect
            .op_service::<For, dyn Evaluate>(Arc::new(services::EvaluateFor))
            .op_service::<If, dyn Evaluate>(Arc::new(services::EvaluateIf))
            .op_service::<While, dyn Evaluate>(Arc::new(services::EvaluateWhile))
            .op_service::<Condition, dyn Evaluate>(Arc::new(services::EvaluateYield))
            .op_service::<Yield, dyn Evaluate>(Arc::new(services::EvaluateYield))
            .op_service::<For, dyn Ownership>(Arc::new(services::ConsumeFrom(3)))
            .op_service::<While, dyn Ownership>(Arc::new(services::ConsumeFrom(0)))
            .op_service::<Yield, dyn Ownership>(Arc::new(services::ConsumeFrom(0)))
            .op_service::<Condition, dyn Ownership>(Arc::new(services::ConsumeFrom(1)))
            .op_service::<If, dyn RegionFlow>(Arc::new(services::Structured(Runs::OneOfThem)))
            .op_service::<For, dyn RegionFlow>(Arc::new(services::Structured(Runs::Loop)))
            .op_service::<While, dyn RegionFlow>(Arc::new(services::Structured(Runs::Loop)));
    }
}
