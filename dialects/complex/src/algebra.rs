//! Algebraic laws. Vectors have no complex elements, so sums of complex numbers are no reductions that scheduling may reorder.

use crate::{Add, Mul};
use minoan_ir::{DialectBuilder, OpRef};
use minoan_services::{Algebra, Monoid};
use std::sync::Arc;

enum Law {
    Adds,
    Multiplies,
}

impl Algebra for Law {
    fn monoid(&self, _: OpRef<'_>) -> Option<Monoid> {
        None
    }

    fn adds(&self, _: OpRef<'_>) -> bool {
        matches!(self, Law::Adds)
    }

    fn multiplies(&self, _: OpRef<'_>) -> bool {
        matches!(self, Law::Multiplies)
    }
}

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect.op_service::<Add, dyn Algebra>(Arc::new(Law::Adds));
    dialect.op_service::<Mul, dyn Algebra>(Arc::new(Law::Multiplies));
}
