//! The scf dialect: structured control flow; operations, assembly and verification are upstream's.
//!
//! Loop-carried values are region arguments and results; a loop-carried tensor is owned by the current iteration, so
//! it can be updated in place.
#![forbid(unsafe_code)]

mod assembly;
mod canonicalize;
mod counted;
mod flow;
mod forall;
mod forall_to_loops;
mod generate;
mod loops;
mod makers;
mod ops;
mod parallel;
mod pass_through;
mod reduce;
mod regions;
mod services;
mod to_branches;

pub use forall::{Forall, InParallel, ParallelInsert};
pub use ops::{Condition, For, If, While, Yield};
pub use parallel::{Parallel, Reduce, ReduceReturn};
pub use regions::{ExecuteRegion, IndexSwitch};

use minoan_ir::{Dialect, DialectBuilder};
use minoan_rewrite::ToBranches;
use minoan_services::{
    Cost, ElementAgnostic, Evaluate, EvaluateYield, LoopLike, LoopOps, Ownership, PassThrough,
    RegionExecution, RegionFlow, SameInMlir, ToMlir, VectorForm,
};
use std::sync::Arc;

/// The scf dialect.
pub struct ScfDialect;

impl Dialect for ScfDialect {
    fn name(&self) -> &'static str {
        "scf"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.service::<dyn ToMlir>(Arc::new(SameInMlir));
        dialect.op::<For>().op::<If>().op::<While>().op::<Condition>().op::<Yield>();
        dialect.op::<ExecuteRegion>().op::<IndexSwitch>();
        dialect.op::<Parallel>().op::<Reduce>().op::<ReduceReturn>();
        dialect.op::<Forall>().op::<InParallel>();
        canonicalize::register(dialect);
        generate::register(dialect);
        reduce::register(dialect);
        dialect
            .service::<dyn LoopOps>(Arc::new(makers::Loops))
            .op_service::<If, dyn VectorForm>(Arc::new(makers::SelectLanes));
        dialect.service::<dyn ToBranches>(Arc::new(to_branches::Branching));
        forall_to_loops::register(dialect);
        dialect
            .op_service::<For, dyn Evaluate>(Arc::new(services::EvaluateFor))
            .op_service::<If, dyn Evaluate>(Arc::new(services::EvaluateIf))
            .op_service::<While, dyn Evaluate>(Arc::new(services::EvaluateWhile))
            .op_service::<Parallel, dyn Evaluate>(Arc::new(services::EvaluateParallel))
            .op_service::<Reduce, dyn Evaluate>(Arc::new(EvaluateYield))
            .op_service::<ReduceReturn, dyn Evaluate>(Arc::new(EvaluateYield))
            .op_service::<Condition, dyn Evaluate>(Arc::new(EvaluateYield))
            .op_service::<Yield, dyn Evaluate>(Arc::new(EvaluateYield))
            .op_service::<For, dyn Ownership>(Arc::new(services::ConsumeFrom(3)))
            .op_service::<While, dyn Ownership>(Arc::new(services::ConsumeFrom(0)))
            .op_service::<Yield, dyn Ownership>(Arc::new(services::ConsumeFrom(0)))
            .op_service::<Condition, dyn Ownership>(Arc::new(services::ConsumeFrom(1)))
            .op_service::<ExecuteRegion, dyn Evaluate>(Arc::new(services::EvaluateOnce))
            .op_service::<IndexSwitch, dyn Evaluate>(Arc::new(services::EvaluateSwitch))
            .op_service::<ExecuteRegion, dyn RegionFlow>(Arc::new(flow::OnceFlow))
            .op_service::<IndexSwitch, dyn RegionFlow>(Arc::new(flow::SwitchFlow))
            .op_service::<ExecuteRegion, dyn PassThrough>(Arc::new(pass_through::Once))
            .op_service::<IndexSwitch, dyn PassThrough>(Arc::new(pass_through::Once))
            .op_service::<If, dyn PassThrough>(Arc::new(pass_through::Once))
            .op_service::<For, dyn PassThrough>(Arc::new(pass_through::Carried))
            .op_service::<While, dyn PassThrough>(Arc::new(pass_through::Carried))
            .op_service::<Parallel, dyn RegionFlow>(Arc::new(flow::Structured(RegionExecution::Parallel)))
            .op_service::<Forall, dyn RegionFlow>(Arc::new(flow::Structured(RegionExecution::Parallel)))
            .op_service::<Forall, dyn ElementAgnostic>(Arc::new(()))
            .op_service::<If, dyn RegionFlow>(Arc::new(flow::IfFlow))
            .op_service::<For, dyn RegionFlow>(Arc::new(flow::ForFlow))
            .op_service::<While, dyn RegionFlow>(Arc::new(flow::WhileFlow))
            .op_service::<Yield, dyn Cost>(Arc::new(0))
            .op_service::<Condition, dyn Cost>(Arc::new(1))
            .op_service::<For, dyn LoopLike>(Arc::new(loops::ForLoop))
            .op_service::<Parallel, dyn LoopLike>(Arc::new(loops::ParallelLoop))
            .op_service::<Forall, dyn LoopLike>(Arc::new(loops::ForallLoop))
            .op_service::<While, dyn LoopLike>(Arc::new(loops::WhileLoop));
    }
}
