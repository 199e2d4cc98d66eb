//! Signs of functions that have no negative values.

use crate::{AbsF, Cosh, Exp, Exp2, Sqrt};
use minoan_ir::DialectBuilder;
use minoan_services::{FloatSign, SignOf};
use std::sync::Arc;

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect
        .op_service::<AbsF, dyn SignOf>(Arc::new(FloatSign::NonNegative))
        .op_service::<Cosh, dyn SignOf>(Arc::new(FloatSign::Positive))
        .op_service::<Exp, dyn SignOf>(Arc::new(FloatSign::NonNegative))
        .op_service::<Exp2, dyn SignOf>(Arc::new(FloatSign::NonNegative))
        .op_service::<Sqrt, dyn SignOf>(Arc::new(FloatSign::NonNegative));
}
