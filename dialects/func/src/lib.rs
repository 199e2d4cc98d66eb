//! The func dialect: functions, calls and returns, as in upstream.
//!
//! Functions are isolated from above and own their body. Calls refer to their callee by symbol, and `func.return` is
//! verified against the enclosing function. Tensor arguments remain owned by the caller; returned tensors are
//! transferred to the caller.
#![forbid(unsafe_code)]

mod assembly;
mod canonicalize;
mod indirect;
mod ops;
mod reduce;
mod services;

pub use assembly::{parse_func, print_func};
pub use indirect::*;
pub use minoan_services::Visibility;
pub use ops::{Call, Func, Return, verify_func};

use minoan_ir::text::AsmNames;
use minoan_ir::{Dialect, DialectBuilder, SymbolUser};
use minoan_services::{
    Calls, CallsBySymbol, Cost, Effects, Evaluate, EvaluateYield, FunctionBoundary, FunctionMaterializer,
    Generate, GraphBoundary, Inliner, Ownership, Reduce, ReturnBoundary, SameInMlir, Symbols, ToMlir,
    UnlessNoInline,
};
use std::sync::Arc;

/// The func dialect.
pub struct FuncDialect;

impl Dialect for FuncDialect {
    fn name(&self) -> &'static str {
        "func"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.service::<dyn ToMlir>(Arc::new(SameInMlir));
        dialect.op_service::<Func, dyn Reduce>(Arc::new(reduce::ToConstants));
        dialect
            .op::<Func>()
            .op::<Call>()
            .op::<Return>()
            .op::<CallIndirect>()
            .op::<Constant>()
            .op_service::<Constant, dyn SymbolUser>(Arc::new(indirect::NamesFunction))
            .op_service::<Constant, dyn AsmNames>(Arc::new(indirect::NamedF))
            .op_service::<Call, dyn Evaluate>(Arc::new(services::EvaluateCall))
            .op_service::<Constant, dyn Evaluate>(Arc::new(services::EvaluateConstant))
            .op_service::<CallIndirect, dyn Evaluate>(Arc::new(services::EvaluateCallIndirect))
            .op_service::<Return, dyn Evaluate>(Arc::new(EvaluateYield))
            .op_service::<Return, dyn Effects>(Arc::new(services::ReturnEffects))
            .op_service::<Call, dyn SymbolUser>(Arc::new(services::CallsFit))
            .op_service::<Call, dyn Calls>(Arc::new(CallsBySymbol))
            .op_service::<CallIndirect, dyn Calls>(Arc::new(services::IndirectCalls))
            .op_service::<Func, dyn GraphBoundary>(Arc::new(FunctionBoundary))
            .op_service::<Return, dyn GraphBoundary>(Arc::new(ReturnBoundary))
            .service::<dyn FunctionMaterializer>(Arc::new(services::Functions))
            .op_service::<Func, dyn Symbols>(Arc::new(services::FunctionSymbols))
            .op_service::<Call, dyn Generate>(Arc::new(services::AnyCall))
            .op_service::<Call, dyn Cost>(Arc::new(services::CallCost))
            .op_service::<Return, dyn Cost>(Arc::new(0))
            .op_service::<Call, dyn Inliner>(Arc::new(UnlessNoInline))
            .op_service::<Func, dyn Inliner>(Arc::new(UnlessNoInline))
            .op_service::<Call, dyn Ownership>(Arc::new(services::CallOwnership))
            .op_service::<CallIndirect, dyn Ownership>(Arc::new(services::CallOwnership))
            .op_service::<Return, dyn Ownership>(Arc::new(services::ReturnOwnership));
        canonicalize::register(dialect);
    }
}
