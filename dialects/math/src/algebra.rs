//! Corrections through the exponential functions.

use crate::{Exp, Exp2, exp, exp2};
use minoan_ir::{Builder, DialectBuilder, Op, OpRef, Value};
use minoan_services::{Algebra, Correction, Monoid};
use std::sync::Arc;

/// `f(x + by) = f(x) * f(by)`, for a function that the field creates.
struct Exponential(fn(&mut Builder<'_>, Value) -> Value);

impl Algebra for Exponential {
    fn monoid(&self, _: OpRef<'_>) -> Option<Monoid> {
        None
    }

    fn carry(&self, _: OpRef<'_>, _: usize, correction: Correction) -> Option<Correction> {
        (correction == Correction::Plus).then_some(Correction::Times)
    }

    fn carried(&self, b: &mut Builder<'_>, _: Op, _: usize, _: Correction, by: Value, _: &[Value]) -> Value {
        (self.0)(b, by)
    }
}

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect
        .op_service::<Exp, dyn Algebra>(Arc::new(Exponential(exp)))
        .op_service::<Exp2, dyn Algebra>(Arc::new(Exponential(exp2)));
}
