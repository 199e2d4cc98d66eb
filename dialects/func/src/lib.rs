//! The func dialect: functions, calls and returns, as upstream has them.
//!
//! Functions are isolated from above: each owns the storage of its body. Calls name their callee by symbol, and the
//! verifier of `func.return` compares with the function around it. Tensors that a function is given stay the
//! caller's; tensors that it returns become the caller's.
#![forbid(unsafe_code)]

mod assembly;
mod ops;
mod services;

pub use assembly::{parse_func, print_func};
pub use ops::{Call, Func, Return};

use minoan_ir::{Dialect, DialectBuilder, SymbolUser};
use minoan_services::{Effects, Evaluate, Inliner, Ownership};
use std::sync::Arc;

/// The func dialect.
pub struct FuncDialect;

impl Dialect for FuncDialect {
    fn name(&self) -> &'static str {
        "func"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect
            .op::<Func>()
            .op::<Call>()
            .op::<Return>()
            .op_service::<Call, dyn Evaluate>(Arc::new(services::EvaluateCall))
            .op_service::<Return, dyn Evaluate>(Arc::new(services::EvaluateReturn))
            .op_service::<Return, dyn Effects>(Arc::new(services::ReturnEffects))
            .op_service::<Call, dyn SymbolUser>(Arc::new(services::CallsFit))
            .op_service::<Call, dyn Inliner>(Arc::new(services::InlineCalls))
            .op_service::<Call, dyn Ownership>(Arc::new(services::CallOwnership))
            .op_service::<Return, dyn Ownership>(Arc::new(services::ReturnOwnership));
    }
}
