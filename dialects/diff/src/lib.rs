//! The diff dialect: requests for derivatives of functions.
//!
//! A request names a function and stands for a call of its derivative. The pass `differentiate` creates the derivative and
//! replaces the request by the call.
//!
//! ```mlir
//! func.func @f(%x: f64, %y: f64) -> f64 { .. }
//! %dz      = diff.fwd @f(%x, %y)(%dx, %dy) : (f64, f64, f64, f64) -> f64
//! %gx, %gy = diff.rev @f(%x, %y)(%gz) : (f64, f64, f64) -> (f64, f64)
//! ```
//!
//! * A *tangent* or *cotangent* of a value has the type and the extents of the value. Integers have none.
//! * `wrt = [0, 2]` selects the arguments to differentiate with respect to, by default all that have a tangent.
//! * `diff.rule` declares a derivative that the program defines itself, `diff.stop` a value that derivatives take as
//!   constant.
//!
//! The dialect also implements [`TangentSpace`] for builtin types and [`DiffOps`], through which `differentiate` creates
//! loops and storage without depending on their dialects.
#![forbid(unsafe_code)]

mod create;
mod ops;
mod space;
mod storage;

pub use ops::{Fwd, Placeholder, Rev, Rule, Stop, ValueAndFwd, ValueAndRev};

use minoan_ir::{Dialect, DialectBuilder, SymbolUser};
use minoan_services::{
    DerivativeRule, DiffOps, Differentiate, EffectSet, Effects, Evaluate, EvaluateFn, Flow, TangentSpace,
};
use std::sync::Arc;

/// The diff dialect.
pub struct DiffDialect;

impl Dialect for DiffDialect {
    fn name(&self) -> &'static str {
        "diff"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.op::<Fwd>().op::<ValueAndFwd>().op::<Rev>().op::<ValueAndRev>();
        dialect.op::<Rule>().op::<Stop>().op::<Placeholder>();
        dialect
            .op_service::<Fwd, dyn SymbolUser>(Arc::new(ops::RequestFits))
            .op_service::<ValueAndFwd, dyn SymbolUser>(Arc::new(ops::RequestFits))
            .op_service::<Rev, dyn SymbolUser>(Arc::new(ops::RequestFits))
            .op_service::<ValueAndRev, dyn SymbolUser>(Arc::new(ops::RequestFits))
            .op_service::<Rule, dyn SymbolUser>(Arc::new(ops::RuleFits))
            // A declaration is not dead, although it has no results.
            .op_service::<Rule, dyn Effects>(Arc::new(EffectSet::OUTSIDE))
            .op_service::<Stop, dyn Evaluate>(Arc::new(EvaluateFn(|_, operands, _| {
                Ok(Flow::Next(operands.to_vec()))
            })))
            .op_service::<Stop, dyn Differentiate>(Arc::new(DerivativeRule::zero()))
            .service::<dyn TangentSpace>(Arc::new(space::Builtin))
            .service::<dyn DiffOps>(Arc::new(create::Operations));
    }
}
